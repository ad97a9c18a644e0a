/* SPDX-License-Identifier: Apache-2.0 */
/* case.yaml as a tree of nodes with line and column, and the list of problems. Only for case_*.c. */
#ifndef PORTAFLOW_CASE_TREE_H
#define PORTAFLOW_CASE_TREE_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include <stdbool.h>
#include <stddef.h>

/* Nodes from --set have the line CASE_SETTING + index of the setting. */
enum { CASE_SETTING = -1000000 };

enum case_node_kind { NODE_SCALAR, NODE_LIST, NODE_BLOCK };

typedef struct case_node {
    int kind, line, column; /* line, column: place of the value in the file, counted from 1 */
    int key_line, key_column;
    char *key; /* key of an entry of a block; NULL: the node is an entry of a list */
    /* name of the node in messages: its key, or for an entry of a list the key of the list; borrowed */
    const char *label;
    char *text; /* text of a scalar; "" for a missing value */
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
    const char *path;        /* path of the case as given to case_read; begins every message */
    const options_list *set; /* settings of the command line; NULL: none */
    int n, n_more;           /* number of stored problems, number of further problems above PROBLEM_MAX */
    case_problem problem[PROBLEM_MAX];
    bool no_memory;
} case_problems;

/* Adds a problem at a place; line 0: the whole file. */
void case_problem_at(case_problems *p, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a problem at the value or the key of a node: "<path>:<line>:<column>: <label>: <sentence>". */
void case_problem_value(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void case_problem_key(case_problems *p, const case_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Place for the start of a message: "case.yaml:12:9", "case.yaml:12" with column 0, "case.yaml" with line 0, or "--set
 * KEY=VALUE". Returns `text`. */
const char *case_tree_place(const char *path, const options_list *set, int line, int column, char *text, size_t size);
/* Calls fail() with one line per problem, sorted by place; returns OK if there are no problems. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int case_problems_report(case_problems *p);
void case_problems_free(case_problems *p);

/* Parses a text. Syntax errors, duplicate keys, anchors, aliases, tags, control characters and nesting deeper than 16
 * become problems. After a syntax error *whole is false and the tree holds the nodes before the error. */
void case_tree_parse(const char *text, size_t size, case_node *root, bool *whole, case_problems *p);
void case_tree_free(case_node *root);

/* Applies every "KEY=VALUE" of p->set to the tree (case_setting.c). KEY: keys separated by '.', with the name of an
 * entry in a list ("openings.SMV.flow"); missing blocks are added. VALUE: YAML as in the file; an empty value removes
 * the key. If --set gives a key that excludes a key of the file (mesh.spacing and mesh.cells_per_diameter), the key of
 * the file is removed. Invalid settings become problems. */
void case_tree_set(case_node *root, case_problems *p);

/* Present name of a key that had another name in the first drafts of the format; NULL: the key was not renamed. */
const char *case_key_present(const char *block, const char *key);
/* Replaces old key names by the present names in all blocks of the tree, with a warning for each. If a block has both
 * the old and the present key, the old key is not replaced and counts as an unknown key. */
void case_tree_rename_keys(case_node *root, case_problems *p);

/* The entry of a block; NULL: no such entry, or node is not a block. */
const case_node *case_node_find(const case_node *node, const char *key);
#endif
