/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_wide.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    surface_wide *w;
    const surface_tree *t;
    const surface *s;
    int32_t n_node;
} builder;

static const double *corner_of(const surface *s, int64_t t, int k) {
    return s->point_mm + 3 * (int64_t)s->triangle[3 * t + k % 3];
}

/* Writes one triangle into a lane of a packet. If rounding makes its normal 0, the lower bound of its distance is 0, so
 * the triangle is always tested. */
static void add_triangle(const surface *s, surface_packet *to, int lane, int32_t t) {
    double u[3], v[3], direction[4][3];
    vec_add(corner_of(s, t, 1), -1, corner_of(s, t, 0), u);
    vec_add(corner_of(s, t, 2), -1, corner_of(s, t, 0), v);
    vec_cross(u, v, direction[0]);
    const int flat = vec_normalize(direction[0]);
    for (int k = 0; k < 4; k++) {
        const double *at = corner_of(s, t, k > 0 ? k - 1 : 0);
        double from[3];
        if (k > 0) {
            vec_add(corner_of(s, t, k), -1, at, u);
            vec_cross(direction[0], u, direction[k]);
        }
        if (!flat || !vec_normalize(direction[k]))
            memset(direction[k], 0, sizeof direction[k]);
        vec_add(at, -1, to->middle, from);
        for (int a = 0; a < 3; a++)
            to->plane[k][a][lane] = (float)direction[k][a];
        to->plane[k][3][lane] = (float)-vec_dot(direction[k], from);
        to->size = fmaxf(to->size, (float)vec_length(from));
    }
    to->triangle[lane] = t;
}

static void fill_packet(const builder *b, const surface_node *leaf, surface_packet *to) {
    memset(to, 0, sizeof *to);
    for (int a = 0; a < 3; a++)
        to->middle[a] = 0.5 * ((double)leaf->low[a] + (double)leaf->high[a]);
    for (int k = 0; k < SURFACE_WIDE; k++) {
        to->triangle[k] = -1;
        to->plane[0][3][k] = INFINITY;
        if (k < leaf->n)
            add_triangle(b->s, to, k, b->t->triangle[leaf->child + k]);
    }
}

/* Collects the grandchildren of a node. A leaf among the children, and a root that is a leaf, is collected itself.
 * Returns the number of collected nodes. */
static int collect_grandchildren(const surface_tree *t, const surface_node *node,
                                 const surface_node *out[SURFACE_WIDE]) {
    int n = 0;
    if (node->n > 0) { /* the root of a small tree is already a leaf */
        out[n++] = node;
        return n;
    }
    for (int k = 0; k < 2; k++) {
        const surface_node *child = &t->node[node->child + k];
        if (child->n > 0)
            out[n++] = child;
        else
            for (int m = 0; m < 2; m++)
                out[n++] = &t->node[child->child + m];
    }
    return n;
}

static int32_t build_node(builder *b, const surface_node *from) {
    const surface_node *child[SURFACE_WIDE];
    const int n = collect_grandchildren(b->t, from, child);
    const int32_t at = b->n_node++;
    surface_wide_node *node = &b->w->node[at];
    memset(node, 0, sizeof *node);
    for (int k = 0; k < SURFACE_WIDE; k++)
        for (int a = 0; a < 3; a++) {
            const double low = k < n ? (double)child[k]->low[a] - b->w->middle[a] : INFINITY;
            const double high = k < n ? (double)child[k]->high[a] - b->w->middle[a] : -INFINITY;
            node->low[a][k] = (float)low;
            node->high[a][k] = (float)high;
        }
    for (int k = 0; k < n; k++) {
        if (child[k]->n > 0) {
            fill_packet(b, child[k], &b->w->packet[b->w->n_packet]);
            node->child[k] = -1 - b->w->n_packet++;
        } else
            node->child[k] = build_node(b, child[k]);
    }
    return at;
}

static size_t count_leaves(const surface_tree *t, const surface_node *node) {
    return node->n > 0 ? 1 : count_leaves(t, &t->node[node->child]) + count_leaves(t, &t->node[node->child + 1]);
}

int surface_wide_create(surface_wide *w, const surface_tree *t, const surface *s) {
    const size_t n = count_leaves(t, t->node); /* a tree has fewer inner nodes than leaves */
    builder b = {.w = w, .t = t, .s = s};
    *w = (surface_wide){.n_packet = 0};
    w->node = malloc(n * sizeof *w->node);
    w->packet = malloc(n * sizeof *w->packet);
    if (!w->node || !w->packet) {
        surface_wide_free(w);
        return fail_memory("the triangles of a surface", (double)n * (sizeof *w->node + sizeof *w->packet));
    }
    for (int a = 0; a < 3; a++) {
        w->middle[a] = 0.5 * ((double)t->node[0].low[a] + (double)t->node[0].high[a]);
        w->size += t->node[0].high[a] - t->node[0].low[a];
    }
    build_node(&b, t->node);
    return OK;
}

void surface_wide_free(surface_wide *w) {
    free(w->node);
    free(w->packet);
    *w = (surface_wide){0};
}
