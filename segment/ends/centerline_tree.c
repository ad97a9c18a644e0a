/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/ends/centerline_tree.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "segment/ends/ends_constants.h"
#include "segment/import/label_mask.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cheapest paths from one node of the centerlines to all others. The cost of a branch is the integral of its length
 * over the squared radius (Sato et al. 2000), so that paths go the wide way round a loop. */
typedef struct {
    const centerline *c;
    double *cost;   /* [c->n_node] cost of the path, 1/mm; INFINITY: not connected */
    double *far_mm; /* [c->n_node] length of the path */
    int *via;       /* [c->n_node] last branch of the path; -1: none */
    bool *joined;   /* [c->n_node] true: the node is on the tree */
} node_paths;

void centerline_tree_free(centerline_tree *t) {
    for (int k = 0; k < t->n; k++) {
        free(t->branch[k].at_mm);
        free(t->branch[k].radius_mm);
    }
    free(t->branch);
    memset(t, 0, sizeof *t);
}

static double branch_cost(const centerline_branch_line *b) {
    double sum = 0;
    for (int k = 1; k < b->n; k++)
        sum += (b->point[k].abscissa_mm - b->point[k - 1].abscissa_mm) /
               fmax(1e-9, b->point[k].radius_mm * b->point[k].radius_mm);
    return sum;
}

/* Bellman-Ford algorithm. */
static void cheapest_paths(node_paths *p, int root) {
    bool changed = true;
    for (int k = 0; k < p->c->n_node; k++) {
        p->cost[k] = k == root ? 0 : INFINITY;
        p->far_mm[k] = 0;
        p->via[k] = -1;
    }
    while (changed) {
        changed = false;
        for (int k = 0; k < 2 * p->c->n_branch; k++) {
            const centerline_branch_line *b = &p->c->branch[k / 2];
            const int from = b->node[k % 2], to = b->node[1 - k % 2];
            const double cost = p->cost[from] + branch_cost(b);
            if (cost >= p->cost[to])
                continue;
            p->cost[to] = cost;
            p->far_mm[to] = p->far_mm[from] + b->length_mm;
            p->via[to] = k / 2;
            changed = true;
        }
    }
}

/* The end that is farthest from the root and not yet on the tree; -1: none. */
static int farthest_end(const node_paths *p) {
    int best = -1;
    for (int k = 0; k < p->c->n_node; k++)
        if (p->c->node[k].degree == 1 && !p->joined[k] && isfinite(p->cost[k]) &&
            (best < 0 || p->far_mm[k] > p->far_mm[best]))
            best = k;
    return best;
}

/* Append the points of a line, from node `from` on, without a point that is already there. */
static int append_line(const centerline_branch_line *line, int from, centerline_branch *b) {
    const size_t n = (size_t)(b->n + line->n);
    double(*at)[3] = realloc(b->at_mm, n * sizeof *at);
    if (at != NULL)
        b->at_mm = at;
    double *radius = realloc(b->radius_mm, n * sizeof *radius);
    if (radius != NULL)
        b->radius_mm = radius;
    if (at == NULL || radius == NULL)
        return fail_memory("the tree of the vessel", (double)n * 4 * sizeof(double));
    for (int k = b->n > 0; k < line->n; k++) {
        const centerline_point *q = &line->point[line->node[0] == from ? k : line->n - 1 - k];
        memcpy(b->at_mm[b->n], q->at_mm, sizeof q->at_mm);
        b->radius_mm[b->n++] = q->radius_mm;
    }
    return OK;
}

static int median_radius(const centerline_tree *t, int first, double *median) {
    size_t n = 0;
    for (int k = first; k < t->n; k++)
        n += (size_t)t->branch[k].n;
    double *all = malloc((n + 1) * sizeof *all);
    if (all == NULL)
        return fail_memory("the tree of the vessel", (double)n * sizeof *all);
    n = 0;
    for (int k = first; k < t->n; k++)
        for (int i = 0; i < t->branch[k].n; i++)
            all[n++] = t->branch[k].radius_mm[i];
    *median = order_quantile(all, (int)n, 0.5);
    free(all);
    return OK;
}

static void drop_last_branch(centerline_tree *t) {
    centerline_branch *b = &t->branch[--t->n];
    free(b->at_mm);
    free(b->radius_mm);
    *b = (centerline_branch){0};
}

/* Add the path from an end to the tree as a branch, unless it is too short: then it is a corner of the mask. */
static int add_path(node_paths *p, int end, centerline_tree *out) {
    centerline_branch *b = &out->branch[out->n++];
    double length = 0, reach = 0, median = 0;
    int rc = OK, node = end;
    do {
        const centerline_branch_line *line = &p->c->branch[p->via[node]];
        TRY(append_line(line, node, b));
        length += line->length_mm;
        node = line->node[line->node[0] == node ? 1 : 0];
    } while (!p->joined[node]);
    const double joined = b->radius_mm[b->n - 1];
    for (int k = 0; k < b->n; k++)
        reach = fmax(reach, vec_distance(b->at_mm[k], b->at_mm[b->n - 1]));
    TRY(median_radius(out, out->n - 1, &median));
    if (out->n > 1 && reach - joined < fmax(joined, LEAST_BRANCH * median)) {
        drop_last_branch(out);
        p->joined[end] = true;
        return OK;
    }
    for (int at = end; at != node;) {
        const centerline_branch_line *line = &p->c->branch[p->via[at]];
        p->joined[at] = true;
        at = line->node[line->node[0] == at ? 1 : 0];
    }
    out->length_mm += length;
cleanup:
    return rc;
}

/* Add a branch for each end, the farthest first. */
static int grow_tree(node_paths *p, centerline_tree *out) {
    int rc = OK, end;
    cheapest_paths(p, p->c->branch[0].node[0]);
    end = farthest_end(p);
    if (end >= 0) {
        cheapest_paths(p, end);
        p->joined[end] = true;
    }
    while ((end = farthest_end(p)) >= 0 && out->n < BRANCHES_MAX)
        TRY(add_path(p, end, out));
cleanup:
    return rc;
}

static int build_tree(const centerline *c, centerline_tree *out) {
    const size_t nodes = (size_t)c->n_node + 1;
    node_paths p = {.c = c};
    int rc = OK;
    p.cost = malloc(nodes * sizeof *p.cost);
    p.far_mm = malloc(nodes * sizeof *p.far_mm);
    p.via = malloc(nodes * sizeof *p.via);
    p.joined = calloc(nodes, sizeof *p.joined);
    if (p.cost == NULL || p.far_mm == NULL || p.via == NULL || p.joined == NULL)
        rc = fail_memory("the tree of the vessel", (double)nodes * sizeof *p.far_mm);
    else
        rc = grow_tree(&p, out);
    free(p.cost);
    free(p.far_mm);
    free(p.via);
    free(p.joined);
    return rc;
}

int centerline_tree_find(const volume *mask, centerline_tree *out) {
    volume phi = {0};
    centerline c = {0};
    int rc = OK;
    *out = (centerline_tree){.branch = calloc(BRANCHES_MAX, sizeof *out->branch)};
    if (out->branch == NULL)
        return fail_memory("the tree of the vessel", BRANCHES_MAX * (double)sizeof *out->branch);
    TRY(label_mask_to_distance(mask, &phi));
    TRY(centerline_find(&phi, 0, NULL, &c));
    if (c.n_branch == 0)
        goto cleanup;
    TRY(build_tree(&c, out));
    TRY(median_radius(out, 0, &out->radius_mm));
cleanup:
    volume_free(&phi);
    centerline_free(&c);
    if (rc != OK)
        centerline_tree_free(out);
    return rc;
}
