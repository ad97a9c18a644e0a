/* case.yaml as a tree with places, and the list of problems found in it. Only for case_*.c. */
#ifndef PORTAFLOW_CASE_TREE_H
#define PORTAFLOW_CASE_TREE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>
#include <stddef.h>

/* Line of what --set brings: CASE_SETTING + k, k the number of the setting. */
enum { CASE_SETTING = -1000000 };

enum case_node_kind { NODE_SCALAR, NODE_LIST, NODE_BLOCK };

typedef struct case_node {
    int kind, line, column; /* of the value, from 1 */
    int key_line, key_column;
    char *key;         /* in a block; NULL in a list */
    const char *label; /* for messages: the key, in a list that of the list; borrowed */
    char *text;        /* of a scalar; "" when there is no value */
    bool quoted;
    int n;
    struct case_node *child; /* [n] of a list or block */
} case_node;

typedef struct {
    int line, column;
    char *text;
} case_problem;

enum { PROBLEM_MAX = 100 };

typedef struct {
    const char *path;        /* as given to case_read: starts every line */
    const options_list *set; /* of the command line, NULL: none */
    int n, n_more;           /* kept, and found beyond PROBLEM_MAX */
    case_problem problem[PROBLEM_MAX];
    bool no_memory;
} case_problems;

/* Note a problem at a place; line 0: the file as a whole. */
void case_problem_at(case_problems *p, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* At the value, or at the key, of a node: "<path>:<line>:<column>: <label>: <sentence>". */
void case_problem_value(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void case_problem_key(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The start of a sentence about this place: "case.yaml:12:9", "case.yaml:12" with column 0, "case.yaml" with line 0,
 * "--set KEY=VALUE". Returns `text`. */
const char *case_tree_place(const char *path, const options_list *set, int line, int column, char *text, size_t size);
/* fail() with one line per problem, by place. OK when there is none. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int case_problems_report(case_problems *p);
void case_problems_free(case_problems *p);

/* Parse a text. Syntax errors, duplicate keys, anchors, aliases, tags, control characters and nesting beyond 16 are
 * noted as problems; the tree holds what was read before a syntax error (then *whole is false). */
void case_tree_parse(const char *text, size_t size, case_node *root, bool *whole, case_problems *p);
void case_tree_free(case_node *root);

/* Put p->set into the tree, each "KEY=VALUE" with its own place. KEY: keys with '.' between them, in a list the name of
 * an entry ("openings.SMV.flow"); blocks that are not there are made. VALUE: YAML as in the file, nothing takes the
 * key out; of keys that exclude each other (mesh.spacing and mesh.cells_across) the file's goes. What does not fit is
 * noted. case_set.c */
void case_tree_set(case_node *root, case_problems *p);

/* The entry of a block, NULL when there is none or node is no block. */
const case_node *case_node_find(const case_node *node, const char *key);
#endif
