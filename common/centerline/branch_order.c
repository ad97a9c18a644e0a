/* SPDX-License-Identifier: Apache-2.0 */
/* See branch_order.h. */
#include "common/centerline/branch_order.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double branch_order_radius_mm(const centerline_branch_line *b) {
    double *radius = malloc((size_t)b->n * sizeof *radius), median = 0;
    int n = 0;
    for (int k = 0; radius != NULL && k < b->n; k++)
        if (b->point[k].own)
            radius[n++] = b->point[k].radius_mm;
    for (int k = 0; radius != NULL && n == 0 && k < b->n; k++)
        radius[k] = b->point[k].radius_mm;
    if (radius != NULL)
        median = order_quantile(radius, n > 0 ? n : b->n, 0.5);
    free(radius);
    return median;
}

static void reverse_branch(centerline_branch_line *b) {
    for (int i = 0, k = b->n - 1; i < k; i++, k--) {
        const centerline_point p = b->point[i];
        b->point[i] = b->point[k];
        b->point[k] = p;
    }
    for (int k = 0; k < b->n; k++) {
        b->point[k].abscissa_mm = b->length_mm - b->point[k].abscissa_mm;
        for (int a = 0; a < 3; a++)
            b->point[k].tangent[a] = -b->point[k].tangent[a];
    }
    const int node = b->node[0];
    b->node[0] = b->node[1];
    b->node[1] = node;
}

/* A search over the branches of all pieces. */
typedef struct {
    centerline *c;
    double *radius; /* [n_branch] median radius of each branch, mm */
    int32_t *piece; /* [n_node] union-find */
    double *length; /* [n_node] total length of a piece at its root node, mm */
    int *order;     /* [n] branches in their new order */
    int *place;     /* [n_branch] new number, -1: none yet */
    int n;
} branch_search;

/* Returns the node from which the next piece starts: the root of the longest piece that has no order yet. -1: none. */
static int find_root(const branch_search *s) {
    const centerline *c = s->c;
    int piece = -1, root = -1;
    for (int k = 0; k < c->n_branch; k++) {
        const int p = union_find_root(s->piece, c->branch[k].node[0]);
        if (s->place[k] < 0 && (piece < 0 || s->length[p] > s->length[piece]))
            piece = p;
    }
    double best = -1;
    for (int k = 0; k < c->n_branch && piece >= 0; k++)
        for (int side = 0; side < 2; side++) {
            const int node = c->branch[k].node[side];
            const bool end = c->node[node].degree == 1;
            const double worth = (end ? 1e6 : 0) + s->radius[k];
            if (union_find_root(s->piece, node) == piece && worth > best) {
                best = worth;
                root = node;
            }
        }
    return root;
}

/* Appends the branches at a node that have no order yet, widest first. */
static void append_branches(branch_search *s, int node, int parent, int piece) {
    centerline *c = s->c;
    for (;;) {
        int best = -1;
        for (int k = 0; k < c->n_branch; k++)
            if (s->place[k] < 0 && (c->branch[k].node[0] == node || c->branch[k].node[1] == node) &&
                (best < 0 || s->radius[k] > s->radius[best]))
                best = k;
        if (best < 0)
            return;
        centerline_branch_line *b = &c->branch[best];
        if (b->node[0] != node)
            reverse_branch(b);
        b->parent = parent;
        b->generation = parent < 0 ? 0 : c->branch[s->order[parent]].generation + 1;
        b->piece = piece;
        s->place[best] = s->n;
        s->order[s->n++] = best;
    }
}

int branch_order_sort(centerline *c) {
    const size_t n = (size_t)c->n_branch, m = (size_t)c->n_node;
    branch_search s = {c,
                       malloc(n * sizeof *s.radius),
                       malloc(m * sizeof *s.piece),
                       calloc(m, sizeof *s.length),
                       malloc(n * sizeof *s.order),
                       malloc(n * sizeof *s.place),
                       0};
    centerline_branch_line *sorted = malloc(n * sizeof *sorted);
    int rc = OK, root;
    if (!s.radius || !s.piece || !s.length || !s.order || !s.place || sorted == NULL)
        GIVE_UP(fail_memory("the order of the branches", (double)n * sizeof *sorted));
    for (int k = 0; k < c->n_node; k++)
        s.piece[k] = k;
    for (int k = 0; k < c->n_branch; k++) {
        s.radius[k] = branch_order_radius_mm(&c->branch[k]);
        s.place[k] = -1;
        union_find_join(s.piece, c->branch[k].node[0], c->branch[k].node[1]);
    }
    for (int k = 0; k < c->n_branch; k++)
        s.length[union_find_root(s.piece, c->branch[k].node[0])] += c->branch[k].length_mm;
    c->n_piece = 0;
    while ((root = find_root(&s)) >= 0) {
        int done = s.n;
        append_branches(&s, root, -1, c->n_piece);
        for (; done < s.n; done++)
            append_branches(&s, c->branch[s.order[done]].node[1], done, c->n_piece);
        c->n_piece++;
    }
    for (int k = 0; k < c->n_branch; k++)
        sorted[k] = c->branch[s.order[k]];
    memcpy(c->branch, sorted, n * sizeof *sorted);
cleanup:
    free(s.radius);
    free(s.piece);
    free(s.length);
    free(s.order);
    free(s.place);
    free(sorted);
    return rc;
}
