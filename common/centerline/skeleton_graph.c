/* SPDX-License-Identifier: Apache-2.0 */
/* See skeleton_graph.h. The pruning is in skeleton_prune.c. */
#include "common/centerline/skeleton_graph.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include "common/base/vec.h"
#include "common/centerline/skeleton_prune.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void skeleton_graph_free(skeleton_graph *s) {
    for (int k = 0; k < s->n_edge; k++)
        free(s->edge[k].point);
    free(s->edge);
    free(s->node);
    memset(s, 0, sizeof *s);
}

double skeleton_graph_length_mm(const skeleton_edge *e) {
    double sum = 0;
    for (int k = 1; k < e->n; k++)
        sum += vec_distance(e->point[k - 1].at, e->point[k].at);
    return sum;
}

/* The voxels of the skeleton and their connections. */
typedef struct {
    const lumen_grid *g;
    int32_t n;
    uint8_t *degree;  /* [n] number of neighbours */
    bool *fixed;      /* [n] true: the voxel becomes a node, because it is a given end or stands for a ring */
    bool *walked;     /* [n] true: the voxel is already on an edge */
    int32_t *cluster; /* [n] union-find of neighbouring voxels with three or more neighbours */
    int32_t *node;    /* [n] node of a cluster, at the root of the cluster; -1: none */
} voxel_links;

static int32_t find_voxel(const lumen_grid *g, size_t voxel) {
    size_t low = 0, high = g->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (g->voxel[middle] < voxel)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->n && g->voxel[low] == voxel ? (int32_t)low : -1;
}

/* Lists the neighbours of skeleton voxel k, as indices of g->voxel. */
static int list_neighbours(const lumen_grid *g, int32_t k, int32_t list[LUMEN_GRID_NEIGHBOURS]) {
    int n = 0;
    for (int s = 0; s < LUMEN_GRID_NEIGHBOURS; s++) {
        const size_t to = (size_t)((ptrdiff_t)g->voxel[k] + g->step[s]);
        if (g->inside[to])
            list[n++] = find_voxel(g, to);
    }
    return n;
}

static skeleton_point point_of(const lumen_grid *g, int32_t k) {
    skeleton_point p = {.depth_mm = (double)g->depth_mm[g->voxel[k]]};
    lumen_grid_index(g, g->voxel[k], p.at);
    for (int a = 0; a < 3; a++)
        p.at[a] *= g->spacing_mm[a];
    return p;
}

static bool is_node(const voxel_links *l, int32_t k) {
    return l->degree[k] != 2 || l->fixed[k];
}

static int add_node(skeleton_graph *s, skeleton_node node) {
    if (s->n_node == s->room_node) {
        s->room_node = s->room_node > 0 ? 2 * s->room_node : 64;
        skeleton_node *list = realloc(s->node, (size_t)s->room_node * sizeof *list);
        if (list == NULL)
            return fail_memory("the graph of the vessel", s->room_node * (double)sizeof *list);
        s->node = list;
    }
    s->node[s->n_node++] = node;
    return OK;
}

static int add_edge(skeleton_graph *s, skeleton_edge edge) {
    if (s->n_edge == s->room_edge) {
        s->room_edge = s->room_edge > 0 ? 2 * s->room_edge : 64;
        skeleton_edge *list = realloc(s->edge, (size_t)s->room_edge * sizeof *list);
        if (list == NULL) {
            free(edge.point);
            return fail_memory("the graph of the vessel", s->room_edge * (double)sizeof *list);
        }
        s->edge = list;
    }
    s->node[edge.node[0]].degree++;
    s->node[edge.node[1]].degree++;
    s->edge[s->n_edge++] = edge;
    return OK;
}

/* Makes the nodes of the graph: one for each cluster of neighbouring voxels with three or more neighbours, and one for
 * each voxel with a single neighbour or none. A node lies at its voxel farthest from the wall. */
static int make_nodes(voxel_links *l, skeleton_graph *s) {
    int32_t list[LUMEN_GRID_NEIGHBOURS];
    int rc = OK;
    for (int32_t k = 0; k < l->n; k++) {
        l->degree[k] = (uint8_t)list_neighbours(l->g, k, list);
        l->cluster[k] = k;
        l->node[k] = -1;
    }
    for (int32_t k = 0; k < l->n; k++) {
        const int n = l->degree[k] > 2 ? list_neighbours(l->g, k, list) : 0;
        for (int i = 0; i < n; i++)
            if (l->degree[list[i]] > 2)
                union_find_join(l->cluster, k, list[i]);
    }
    for (int32_t k = 0; k < l->n; k++) {
        if (!is_node(l, k))
            continue;
        const int32_t root = union_find_root(l->cluster, k);
        const skeleton_node node = {point_of(l->g, k), 0, l->fixed[k]};
        if (l->node[root] < 0) {
            l->node[root] = s->n_node;
            TRY(add_node(s, node));
        } else {
            skeleton_node *old = &s->node[l->node[root]];
            if (node.p.depth_mm > old->p.depth_mm)
                old->p = node.p;
            old->fixed = old->fixed || node.fixed;
        }
    }
cleanup:
    return rc;
}

static int node_of(voxel_links *l, int32_t k) {
    return l->node[union_find_root(l->cluster, k)];
}

/* Appends a point unless it equals the last point. */
static void append_point(skeleton_edge *e, skeleton_point p) {
    if (e->n == 0 || vec_distance(e->point[e->n - 1].at, p.at) > 0)
        e->point[e->n++] = p;
}

/* Walks from node voxel `from` through its neighbour `k` to the next node voxel, and adds the edge between them. */
static int walk_edge(voxel_links *l, skeleton_graph *s, int32_t from, int32_t k) {
    int32_t list[LUMEN_GRID_NEIGHBOURS], before = from;
    int room = 64;
    skeleton_edge e = {.node = {node_of(l, from), -1}, .significance = NAN};
    e.point = malloc((size_t)room * sizeof *e.point);
    if (e.point == NULL)
        return fail_memory("the graph of the vessel", room * (double)sizeof *e.point);
    append_point(&e, s->node[e.node[0]].p);
    append_point(&e, point_of(l->g, from));
    for (;;) {
        if (e.n + 3 > room) {
            room *= 2;
            skeleton_point *point = realloc(e.point, (size_t)room * sizeof *point);
            if (point == NULL) {
                free(e.point);
                return fail_memory("the graph of the vessel", room * (double)sizeof *point);
            }
            e.point = point;
        }
        append_point(&e, point_of(l->g, k));
        if (is_node(l, k))
            break;
        l->walked[k] = true;
        list_neighbours(l->g, k, list);
        const int32_t next = list[0] == before ? list[1] : list[0];
        before = k;
        k = next;
    }
    e.node[1] = node_of(l, k);
    append_point(&e, s->node[e.node[1]].p);
    return add_edge(s, e);
}

/* Handles rings without a node: one voxel of each ring becomes a node. */
static int add_rings(voxel_links *l, skeleton_graph *s) {
    int32_t list[LUMEN_GRID_NEIGHBOURS];
    int rc = OK;
    for (int32_t k = 0; k < l->n; k++) {
        if (l->walked[k] || is_node(l, k))
            continue;
        l->fixed[k] = true; /* makes the voxel a node of the graph; the node's own flag `fixed` stays false */
        l->node[union_find_root(l->cluster, k)] = s->n_node;
        TRY(add_node(s, (skeleton_node){point_of(l->g, k), 0, false}));
        list_neighbours(l->g, k, list);
        TRY(walk_edge(l, s, k, list[0]));
    }
cleanup:
    return rc;
}

static int make_edges(voxel_links *l, skeleton_graph *s) {
    int32_t list[LUMEN_GRID_NEIGHBOURS];
    int rc = OK;
    for (int32_t k = 0; k < l->n; k++) {
        const int n = is_node(l, k) ? list_neighbours(l->g, k, list) : 0;
        for (int i = 0; i < n; i++) {
            const bool node = is_node(l, list[i]);
            if (node ? list[i] < k || node_of(l, list[i]) == node_of(l, k) : l->walked[list[i]])
                continue;
            TRY(walk_edge(l, s, k, list[i]));
        }
    }
    TRY(add_rings(l, s));
cleanup:
    return rc;
}

int skeleton_graph_build(const lumen_grid *g, int n, const size_t *fixed, skeleton_graph *out) {
    voxel_links l = {.g = g, .n = (int32_t)g->n};
    int rc = OK;
    memset(out, 0, sizeof *out);
    if (g->n > INT32_MAX / 4)
        return fail(ERR_RESOURCE, "the skeleton of the lumen has more than 2^29 voxels; give a coarser image");
    l.degree = calloc(g->n + 1, 1);
    l.fixed = calloc(g->n + 1, sizeof *l.fixed);
    l.walked = calloc(g->n + 1, sizeof *l.walked);
    l.cluster = malloc((g->n + 1) * sizeof *l.cluster);
    l.node = malloc((g->n + 1) * sizeof *l.node);
    if (l.degree == NULL || l.fixed == NULL || l.walked == NULL || l.cluster == NULL || l.node == NULL)
        GIVE_UP(fail_memory("the graph of the vessel", (double)g->n * 11));
    for (int k = 0; k < n; k++) {
        const int32_t at = find_voxel(g, fixed[k]);
        if (at >= 0)
            l.fixed[at] = true;
    }
    TRY(make_nodes(&l, out));
    TRY(make_edges(&l, out));
    TRY(skeleton_prune(out, g->thinnest_mm));
cleanup:
    free(l.degree);
    free(l.fixed);
    free(l.walked);
    free(l.cluster);
    free(l.node);
    if (rc != OK)
        skeleton_graph_free(out);
    return rc;
}
