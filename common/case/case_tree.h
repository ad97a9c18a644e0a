/* case.yaml as a tree with places, and the list of problems found in it. Only for case_*.c. */
#ifndef PORTAFLOW_CASE_TREE_H
#define PORTAFLOW_CASE_TREE_H
#include <stdbool.h>
#include <stddef.h>

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
    const char *path; /* as given to case_read: starts every line */
    int n, n_more;    /* kept, and found beyond PROBLEM_MAX */
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
/* fail() with one line per problem, by place. OK when there is none. */
int case_problems_report(case_problems *p);
void case_problems_free(case_problems *p);

/* Parse a text. Syntax errors, duplicate keys, anchors, aliases, tags, control characters and nesting beyond 16 are
 * noted as problems; the tree holds what was read before a syntax error (then *whole is false). */
void case_tree_parse(const char *text, size_t size, case_node *root, bool *whole, case_problems *p);
void case_tree_free(case_node *root);

/* The entry of a block, NULL when there is none or node is no block. */
const case_node *case_node_find(const case_node *node, const char *key);
#endif
