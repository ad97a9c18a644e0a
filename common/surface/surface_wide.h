/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of four triangles, and a tree of bounding boxes with four children per node, for vector instructions; part of
 * surface_nearest.c.
 *
 * Both select candidates within a given distance of a point in single precision. The bounds are conservative: no
 * candidate is missed, and some that are farther away are included. */
#ifndef PORTAFLOW_SURFACE_WIDE_H
#define PORTAFLOW_SURFACE_WIDE_H
#include "common/base/must_check.h"
#include "common/surface/surface_tree.h"
#include <string.h>

enum { SURFACE_WIDE = SURFACE_TREE_LEAF };

typedef struct {
    /* corners of the children's boxes, mm, relative to the tree's centre; low INFINITY: no child */
    float low[3][SURFACE_WIDE], high[3][SURFACE_WIDE];
    int32_t child[SURFACE_WIDE]; /* >= 0: index of the child node; < 0: packet -1 - child */
} surface_wide_node;

/* Four linear functions for each triangle: plane[k][0..2] . (p - middle) + plane[k][3], mm. k = 0: height above the
 * plane of the triangle; k = 1..3: distance to each edge, positive inside. */
typedef struct {
    double middle[3];
    float plane[4][4][SURFACE_WIDE], size; /* size: distance from middle to the farthest corner, mm */
    int32_t triangle[SURFACE_WIDE];        /* triangles of the packet; -1: none */
} surface_packet;

typedef struct {
    double middle[3];
    float size; /* sum of the edge lengths of the root box, mm */
    int32_t n_packet;
    surface_wide_node *node;
    surface_packet *packet; /* [n_packet] packets, in the order of the tree's leaves */
} surface_wide;

/* Builds packets and wide nodes from a tree over the surface s. Errors: ERR_RESOURCE. */
MUST_CHECK int surface_wide_create(surface_wide *w, const surface_tree *t, const surface *s);
void surface_wide_free(surface_wide *w); /* safe on a zeroed struct and twice */

/* Squared distance in single precision, rounded up. */
static inline float surface_wide_limit(double square) {
    return (float)square * (1 + 1e-6F) + 1e-30F;
}

/* Four values in one vector register: extension of GCC and Clang for any processor. */
typedef float surface_four __attribute__((vector_size(16)));
typedef int32_t surface_mask __attribute__((vector_size(16)));

static inline surface_four surface_four_load(const float x[SURFACE_WIDE]) {
    surface_four out;
    memcpy(&out, x, sizeof out);
    return out;
}

static inline surface_four surface_four_max(surface_four x, surface_four y) {
    const surface_mask first = x > y;
    return (surface_four)(((surface_mask)x & first) | ((surface_mask)y & ~first));
}

/* max(x, 0) */
static inline surface_four surface_four_positive(surface_four x) {
    return (surface_four)((surface_mask)x & (x > 0));
}

/* Lower bounds of the squared distances of a point to the boxes of a node's children. `from`: the point relative to the
 * tree's centre, and the bound of its rounding error. */
static inline surface_four surface_wide_boxes(const surface_wide_node *node, const float from[4]) {
    surface_four square = {0};
    for (int a = 0; a < 3; a++) {
        const surface_four below = surface_four_load(node->low[a]) - from[a];
        const surface_four above = from[a] - surface_four_load(node->high[a]);
        const surface_four away = surface_four_positive(surface_four_max(below, above) - from[3]);
        square += away * away;
    }
    return square;
}

static inline void surface_wide_from(const surface_wide *w, const double p[3], float from[4]) {
    from[3] = w->size;
    for (int a = 0; a < 3; a++) {
        from[a] = (float)(p[a] - w->middle[a]);
        from[3] += from[a] < 0 ? -from[a] : from[a];
    }
    from[3] *= 3e-7F;
}

/* Lower bounds of the squared distances of p to the triangles of a packet. */
static inline surface_four surface_packet_squares(const surface_packet *t, const double p[3]) {
    const float x = (float)(p[0] - t->middle[0]), y = (float)(p[1] - t->middle[1]), z = (float)(p[2] - t->middle[2]);
    const float off = 1e-6F * ((x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z) + t->size);
    surface_four at[4];
    for (int k = 0; k < 4; k++)
        at[k] = surface_four_load(t->plane[k][0]) * x + surface_four_load(t->plane[k][1]) * y +
                surface_four_load(t->plane[k][2]) * z + surface_four_load(t->plane[k][3]);
    const surface_four height = surface_four_positive(surface_four_max(at[0], -at[0]) - off);
    const surface_four beyond = surface_four_max(surface_four_max(-at[1], -at[2]), -at[3]);
    const surface_four outside = surface_four_positive(beyond - off);
    return height * height + outside * outside;
}
#endif
