/* case.yaml as a tree with line numbers, and the list of its problems. Only for case_*.c. */
#ifndef PORTAFLOW_CASE_TREE_H
#define PORTAFLOW_CASE_TREE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>
#include <stddef.h>

/* Line number of values from --set: CASE_SETTING + k, k the number of the option. */
enum { CASE_SETTING = -1000000 };

enum case_node_kind { NODE_SCALAR, NODE_LIST, NODE_BLOCK };

typedef struct case_node {
    int kind, line, column; /* position of the value, from 1 */
    int key_line, key_column;
    char *key;         /* key in a block; NULL in a list */
    const char *label; /* for messages: the key; in a list the key of the list; borrowed */
    char *text;        /* text of a scalar; "" without a value */
    bool quoted;
    int n;
    struct case_node *child; /* [n] entries of a list or block */
} case_node;

typedef struct {
    int line, column;
    char *text;
} case_problem;

enum { PROBLEM_MAX = 100 };

typedef struct {
    const char *path;        /* as given to case_read; starts every message */
    const options_list *set; /* --set options, NULL: none */
    int n, n_more;           /* recorded problems; number of those beyond PROBLEM_MAX */
    case_problem problem[PROBLEM_MAX];
    bool no_memory;
} case_problems;

/* Notes a problem at a position; line 0: the whole file. */
void case_problem_at(case_problems *p, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Notes a problem at the value or key of a node: "<path>:<line>:<column>: <label>: <message>". */
void case_problem_value(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void case_problem_key(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Start of a message about a position: "case.yaml:12:9", "case.yaml:12" for column 0, "case.yaml" for line 0, "--set
 * KEY=VALUE". Returns `text`. */
const char *case_tree_place(const char *path, const options_list *set, int line, int column, char *text, size_t size);
/* Calls fail() with one line per problem, sorted by position. OK without problems. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int case_problems_report(case_problems *p);
void case_problems_free(case_problems *p);

/* Parses a text. Syntax errors, duplicate keys, anchors, aliases, tags, control characters and nesting beyond 16 are
 * noted as problems; after a syntax error the tree holds the part before it, and *whole is false. */
void case_tree_parse(const char *text, size_t size, case_node *root, bool *whole, case_problems *p);
void case_tree_free(case_node *root);

/* Applies p->set to the tree. KEY: keys joined by '.', in a list the name of an entry ("openings.SMV.flow"); missing
 * blocks are created. VALUE: YAML as in the file; empty removes the key. Of keys that exclude each other (mesh.spacing
 * and mesh.cells_across) the file's is removed. Invalid options are noted. In case_set.c. */
void case_tree_set(case_node *root, case_problems *p);

/* Entry of a block; NULL: none, or node is not a block. */
const case_node *case_node_find(const case_node *node, const char *key);
#endif
