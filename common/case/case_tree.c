/* SPDX-License-Identifier: Apache-2.0 */
/* Collecting and reporting problems, and access to the tree. */
#include "common/case/case_tree.h"
#include "common/base/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_problem(case_problems *p, int line, int column, const char *label, const char *format, va_list args) {
    char text[1024];
    int start = 0;
    if (p->n == PROBLEM_MAX) {
        p->n_more++;
        return;
    }
    if (label)
        start = snprintf(text, 200, "%.100s: ", label);
    vsnprintf(text + start, sizeof text - (size_t)start, format, args);
    char *copy = strdup(text);
    if (copy)
        p->problem[p->n++] = (case_problem){line, column, copy};
    else
        p->no_memory = true;
}

void case_problem_at(case_problems *p, int line, int column, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_problem(p, line, column, NULL, format, args);
    va_end(args);
}

void case_problem_value(case_problems *p, const case_node *node, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add_problem(p, node->line, node->column, node->label, format, args);
    va_end(args);
}

void case_problem_key(case_problems *p, const case_node *node, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (node->key)
        add_problem(p, node->key_line, node->key_column, node->label, format, args);
    else
        add_problem(p, node->line, node->column, node->label, format, args);
    va_end(args);
}

static int by_place(const void *a, const void *b) {
    const case_problem *x = a, *y = b;
    if (x->line != y->line)
        return x->line - y->line;
    return x->column - y->column;
}

const char *case_tree_place(const char *path, const options_list *set, int line, int column, char *text, size_t size) {
    const int setting = line - CASE_SETTING;
    if (set != NULL && setting >= 0 && setting < set->n)
        snprintf(text, size, "--set %.300s", set->word[setting]);
    else if (line > 0 && column > 0)
        snprintf(text, size, "%.300s:%d:%d", path, line, column);
    else if (line > 0)
        snprintf(text, size, "%.300s:%d", path, line);
    else
        snprintf(text, size, "%.300s", path);
    return text;
}

int case_problems_report(case_problems *p) {
    enum { SIZE = 60000 };
    if (p->no_memory)
        return fail_memory("the case file", SIZE);
    if (p->n == 0)
        return OK;
    char *all = calloc(1, SIZE + 1);
    if (!all)
        return fail_memory("the list of problems", SIZE);
    qsort(p->problem, (size_t)p->n, sizeof p->problem[0], by_place);
    size_t used = 0;
    for (int k = 0; k < p->n && used < SIZE - 2000; k++) {
        const case_problem *q = &p->problem[k];
        char place[512];
        case_tree_place(p->path, p->set, q->line, q->column, place, sizeof place);
        used += (size_t)snprintf(all + used, SIZE - used, "%s%s: %s", k ? "\n" : "", place, q->text);
    }
    if (p->n_more > 0)
        snprintf(all + used, SIZE - used, "\n%.300s: ... and %d more", p->path, p->n_more);
    fail(ERR_INPUT, "%s", all);
    free(all);
    return ERR_INPUT;
}

void case_problems_free(case_problems *p) {
    for (int k = 0; k < p->n; k++)
        free(p->problem[k].text);
    p->n = 0;
}

void case_tree_free(case_node *root) {
    for (int k = 0; k < root->n; k++)
        case_tree_free(&root->child[k]);
    free(root->child);
    free(root->key);
    free(root->text);
    memset(root, 0, sizeof *root);
}

const case_node *case_node_find(const case_node *node, const char *key) {
    if (node && node->kind == NODE_BLOCK)
        for (int k = 0; k < node->n; k++)
            if (strcmp(node->child[k].key, key) == 0)
                return &node->child[k];
    return NULL;
}
