/* SPDX-License-Identifier: Apache-2.0 */
/* See skeleton_prune.h. */
#include "common/centerline/skeleton_prune.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits, chosen on phantoms. A terminal edge is a branch only if its length beyond the vessel at its node reaches the
 * largest of three lengths: LEAST_VISIBLE radii of that vessel, LEAST_RADII radii of its own, LEAST_VOXELS voxels. */
static const double LEAST_VISIBLE = 1.2;
static const double SEARCH_RADII = 3; /* radii of the vessel: radius around a node in which its deepest point
                                       * (farthest from the wall) is searched */
static const double LEAST_RADII = 2;
static const double LEAST_VOXELS = 2;
static const double LEAST_LOOP = 8; /* shortest loop that is kept, in radii; a loop around a hole without width has
                                     * length 2 pi. The radius of a closed edge counts as at least LEAST_VOXELS */
enum {
    EDGES_MAX = 5000
};                                         /* upper limit of the number of edges before pruning, so that the search ends
                                            * in time */
static const double ONE_BIFURCATION = 0.5; /* bifurcations closer than this are merged, in radii */

/* Radius of the vessel at a node. It is the depth of the deepest point on the other edges of the node whose inscribed
 * sphere contains the node. The node itself may lie near the wall, at a flat end. */
static double vessel_radius(const skeleton_graph *s, int node, const skeleton_edge *without) {
    const skeleton_point *p = &s->node[node].p;
    double radius = p->depth_mm;
    for (int k = 0; k < s->n_edge; k++) {
        const skeleton_edge *e = &s->edge[k];
        if (e->removed || e == without || (e->node[0] != node && e->node[1] != node))
            continue;
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < e->n && e->node[side] == node; i++) {
                const skeleton_point *q = &e->point[side == 0 ? i : e->n - 1 - i];
                const double away = vec_distance(p->at, q->at);
                if (away < q->depth_mm)
                    radius = fmax(radius, q->depth_mm);
                else if (away > SEARCH_RADII * radius)
                    break;
            }
    }
    return radius;
}

/* Significance of a terminal edge: its length beyond the vessel at its node, over the limit of this length. */
static int measure_significance(const skeleton_graph *s, skeleton_edge *e, double thinnest_mm) {
    const int base = e->node[s->node[e->node[0]].degree > 1 ? 0 : 1];
    const double around = vessel_radius(s, base, e);
    double *depth = malloc((size_t)(e->n + 1) * sizeof *depth);
    int n = 0;
    if (depth == NULL)
        return fail_memory("the graph of the vessel", e->n * (double)sizeof *depth);
    for (int k = 0; k < e->n; k++)
        if (vec_distance(e->point[k].at, s->node[base].p.at) > around)
            depth[n++] = e->point[k].depth_mm;
    const double radius = n > 0 ? order_quantile(depth, n, 0.5) : 0;
    const double limit = fmax(LEAST_VISIBLE * around, fmax(LEAST_RADII * radius, LEAST_VOXELS * thinnest_mm));
    e->significance = (skeleton_graph_length_mm(e) - around) / limit;
    free(depth);
    return OK;
}

static bool is_terminal(const skeleton_graph *s, const skeleton_edge *e) {
    const skeleton_node *a = &s->node[e->node[0]], *b = &s->node[e->node[1]];
    if (e->removed || e->node[0] == e->node[1])
        return false;
    return (a->degree == 1 && !a->fixed && b->degree > 1) || (b->degree == 1 && !b->fixed && a->degree > 1);
}

static void remove_edge(skeleton_graph *s, skeleton_edge *e) {
    e->removed = true;
    s->node[e->node[0]].degree--;
    s->node[e->node[1]].degree--;
}

static void reverse_edge(skeleton_edge *e) {
    const int node = e->node[0];
    for (int i = 0, k = e->n - 1; i < k; i++, k--) {
        const skeleton_point p = e->point[i];
        e->point[i] = e->point[k];
        e->point[k] = p;
    }
    e->node[0] = e->node[1];
    e->node[1] = node;
}

/* Appends edge b to edge a at their common node `at`. */
static int join_edges(skeleton_graph *s, skeleton_edge *a, skeleton_edge *b, int at) {
    if (a->node[1] != at)
        reverse_edge(a);
    if (b->node[0] != at)
        reverse_edge(b);
    skeleton_point *point = realloc(a->point, (size_t)(a->n + b->n) * sizeof *point);
    if (point == NULL)
        return fail_memory("the graph of the vessel", (a->n + b->n) * (double)sizeof *point);
    a->point = point;
    memcpy(point + a->n, b->point + 1, (size_t)(b->n - 1) * sizeof *point);
    a->n += b->n - 1;
    a->node[1] = b->node[1];
    a->significance = NAN;
    b->removed = true;
    s->node[at].degree = 0;
    return OK;
}

/* Joins the two edges at a node that has only these two. The node of a ring stays. */
static int dissolve_node(skeleton_graph *s, int at) {
    int found[2], n = 0;
    if (s->node[at].degree != 2 || s->node[at].fixed)
        return OK;
    for (int k = 0; k < s->n_edge && n < 2; k++)
        if (!s->edge[k].removed && (s->edge[k].node[0] == at || s->edge[k].node[1] == at))
            found[n++] = k;
    return n == 2 ? join_edges(s, &s->edge[found[0]], &s->edge[found[1]], at) : OK;
}

/* Discards the significance of the edges at a node, because the edges at the node have changed. */
static void forget_significance(skeleton_graph *s, int node) {
    for (int k = 0; k < s->n_edge; k++)
        if (s->edge[k].node[0] == node || s->edge[k].node[1] == node)
            s->edge[k].significance = NAN;
}

static int drop_edge(skeleton_graph *s, int k) {
    skeleton_edge *e = &s->edge[k];
    const int node[2] = {e->node[0], e->node[1]};
    int rc = OK;
    remove_edge(s, e);
    for (int side = 0; side < 2; side++) {
        forget_significance(s, node[side]);
        TRY(dissolve_node(s, node[side]));
    }
cleanup:
    return rc;
}

static int remove_spurs(skeleton_graph *s, double thinnest_mm) {
    int rc = OK;
    for (;;) {
        int least = -1;
        for (int k = 0; k < s->n_edge; k++) {
            skeleton_edge *e = &s->edge[k];
            if (!is_terminal(s, e))
                continue;
            if (isnan(e->significance))
                TRY(measure_significance(s, e, thinnest_mm));
            if (e->significance < 1 && (least < 0 || e->significance < s->edge[least].significance))
                least = k;
        }
        if (least < 0)
            return OK;
        TRY(drop_edge(s, least));
    }
cleanup:
    return rc;
}

static double least_depth(const skeleton_edge *e) {
    double least = INFINITY;
    for (int k = 0; k < e->n; k++)
        least = fmin(least, e->point[k].depth_mm);
    return least;
}

static double mean_depth(const skeleton_edge *e) {
    double sum = 0;
    for (int k = 0; k < e->n; k++)
        sum += e->point[k].depth_mm;
    return sum / e->n;
}

/* An edge with its two nodes in order. */
typedef struct {
    int low, high, edge;
} node_pair;

static int order_pairs(const void *a, const void *b) {
    const node_pair *x = a, *y = b;
    const int difference = x->low != y->low ? x->low - y->low : x->high - y->high;
    return difference != 0 ? difference : x->edge - y->edge;
}

/* If two parallel edges form a loop that is too short: the number of the narrower edge, otherwise -1. */
static int narrower_of_loop(const skeleton_graph *s, int k, int m) {
    const skeleton_edge *a = &s->edge[k], *b = &s->edge[m];
    const double length = skeleton_graph_length_mm(a) + skeleton_graph_length_mm(b);
    if (length >= LEAST_LOOP * fmax(mean_depth(a), mean_depth(b)))
        return -1;
    return least_depth(a) < least_depth(b) ? k : m;
}

/* True if a closed edge at a bifurcation is too short: it surrounds no hole, or only a hole of one voxel, as at the
 * sharp edge of an oblique end. A ring that is a whole piece stays. */
static bool is_short_ring(const skeleton_graph *s, const skeleton_edge *e, double thinnest_mm) {
    return s->node[e->node[0]].degree > 2 &&
           skeleton_graph_length_mm(e) < LEAST_LOOP * fmax(mean_depth(e), LEAST_VOXELS * thinnest_mm);
}

/* Finds a loop that is too short. *edge: the edge to remove, which is the narrower of two parallel edges, or a closed
 * edge; -1: no such loop. */
static int find_short_loop(const skeleton_graph *s, double thinnest_mm, int *edge) {
    node_pair *pair = malloc(((size_t)s->n_edge + 1) * sizeof *pair);
    int n = 0;
    *edge = -1;
    if (pair == NULL)
        return fail_memory("the graph of the vessel", s->n_edge * (double)sizeof *pair);
    for (int k = 0; k < s->n_edge; k++) {
        const skeleton_edge *e = &s->edge[k];
        const int low = e->node[0] < e->node[1] ? e->node[0] : e->node[1];
        if (!e->removed)
            pair[n++] = (node_pair){low, e->node[0] + e->node[1] - low, k};
    }
    qsort(pair, (size_t)n, sizeof *pair, order_pairs);
    for (int i = 0; i < n && *edge < 0; i++) {
        const skeleton_edge *e = &s->edge[pair[i].edge];
        if (pair[i].low == pair[i].high) {
            if (is_short_ring(s, e, thinnest_mm))
                *edge = pair[i].edge;
            continue;
        }
        for (int k = i + 1; k < n && pair[k].low == pair[i].low && pair[k].high == pair[i].high && *edge < 0; k++)
            *edge = narrower_of_loop(s, pair[i].edge, pair[k].edge);
    }
    free(pair);
    return OK;
}

/* The node of edge e that is not `node`. */
static int far_node(const skeleton_edge *e, int node) {
    return e->node[e->node[0] == node ? 1 : 0];
}

static bool joins_nodes(const skeleton_edge *e, int a, int b) {
    return !e->removed && e->node[0] != e->node[1] &&
           ((e->node[0] == a && e->node[1] == b) || (e->node[0] == b && e->node[1] == a));
}

/* Number of the narrowest of three edges if they are a loop that is too short, else -1. */
static int narrowest_of_triangle(const skeleton_graph *s, const int edge[3]) {
    double length = 0, depth = 0;
    int narrowest = edge[0];
    for (int i = 0; i < 3; i++) {
        const skeleton_edge *e = &s->edge[edge[i]];
        length += skeleton_graph_length_mm(e);
        depth = fmax(depth, mean_depth(e));
        narrowest = least_depth(e) < least_depth(&s->edge[narrowest]) ? edge[i] : narrowest;
    }
    return length < LEAST_LOOP * depth ? narrowest : -1;
}

/* Returns the edge to remove from a too short loop of three edges, as where a branch touches its trunk again; -1:
 * none. */
static int find_short_triangle(const skeleton_graph *s) {
    for (int k = 0; k < s->n_edge; k++) {
        const skeleton_edge *e = &s->edge[k];
        if (e->removed || e->node[0] == e->node[1] || s->node[e->node[0]].degree < 3 || s->node[e->node[1]].degree < 3)
            continue;
        for (int m = k + 1; m < s->n_edge; m++) {
            const skeleton_edge *f = &s->edge[m];
            const int at = f->node[0] == e->node[0] || f->node[1] == e->node[0] ? 0 : 1,
                      third = far_node(f, e->node[at]);
            if (!joins_nodes(f, e->node[at], third) || third == e->node[1 - at])
                continue;
            for (int l = k + 1; l < s->n_edge; l++) {
                const int narrowest = joins_nodes(&s->edge[l], third, e->node[1 - at])
                                          ? narrowest_of_triangle(s, (const int[3]){k, m, l})
                                          : -1;
                if (narrowest >= 0)
                    return narrowest;
            }
        }
    }
    return -1;
}

/* Removes the loops that are too short, and the spurs that remain of such loops. */
static int remove_short_loops(skeleton_graph *s, double thinnest_mm) {
    int rc = OK, edge;
    for (;;) {
        TRY(find_short_loop(s, thinnest_mm, &edge));
        if (edge < 0)
            edge = find_short_triangle(s);
        if (edge < 0)
            return OK;
        TRY(drop_edge(s, edge));
        TRY(remove_spurs(s, thinnest_mm));
    }
cleanup:
    return rc;
}

/* Merges the two nodes of edge k. The deeper node takes the edges of the other node, and edge k is removed. */
static int merge_nodes(skeleton_graph *s, int k) {
    skeleton_edge *between = &s->edge[k];
    const bool first = s->node[between->node[0]].p.depth_mm >= s->node[between->node[1]].p.depth_mm;
    const int stay = between->node[first ? 0 : 1], go = between->node[first ? 1 : 0];
    remove_edge(s, between);
    for (int m = 0; m < s->n_edge; m++) {
        skeleton_edge *e = &s->edge[m];
        for (int side = 0; side < 2 && !e->removed; side++) {
            if (e->node[side] != go)
                continue;
            skeleton_point *point = realloc(e->point, (size_t)(e->n + 1) * sizeof *point);
            if (point == NULL)
                return fail_memory("the graph of the vessel", e->n * (double)sizeof *point);
            e->point = point;
            if (side == 0)
                memmove(point + 1, point, (size_t)e->n * sizeof *point);
            point[side == 0 ? 0 : e->n] = s->node[stay].p;
            e->n++;
            e->node[side] = stay;
            e->significance = NAN;
            s->node[stay].degree++;
            s->node[go].degree--;
        }
    }
    return OK;
}

static int find_double_bifurcation(const skeleton_graph *s, double thinnest_mm) {
    for (int k = 0; k < s->n_edge; k++) {
        const skeleton_edge *e = &s->edge[k];
        if (e->removed || e->node[0] == e->node[1])
            continue;
        const skeleton_node *a = &s->node[e->node[0]], *b = &s->node[e->node[1]];
        if (a->degree < 3 || b->degree < 3 || a->fixed || b->fixed)
            continue;
        const double limit = fmax(ONE_BIFURCATION * fmax(a->p.depth_mm, b->p.depth_mm), thinnest_mm);
        if (skeleton_graph_length_mm(e) < limit)
            return k;
    }
    return -1;
}

int skeleton_prune(skeleton_graph *s, double thinnest_mm) {
    int rc = OK, k;
    if (s->n_edge > EDGES_MAX)
        return fail(ERR_INPUT,
                    "the lumen is no vessel: its skeleton has %d branches (limit %d); smooth the mask, or choose the "
                    "vessel's label",
                    s->n_edge, EDGES_MAX);
    for (int node = 0; node < s->n_node; node++)
        TRY(dissolve_node(s, node));
    TRY(remove_spurs(s, thinnest_mm));
    TRY(remove_short_loops(s, thinnest_mm));
    while ((k = find_double_bifurcation(s, thinnest_mm)) >= 0)
        TRY(merge_nodes(s, k));
    TRY(remove_short_loops(s, thinnest_mm));
cleanup:
    return rc;
}
