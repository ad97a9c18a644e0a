/* The triangles of a surface in packets of four and a tree of boxes with four children each, so that four of either
 * are looked at in one go; part of surface_nearest.c.
 *
 * Both say in single precision which ones may be nearer to a point than a given distance: none that is gets lost, a few
 * that are not stay. */
#ifndef PORTAFLOW_SURFACE_WIDE_H
#define PORTAFLOW_SURFACE_WIDE_H
#include "common/base/must_check.h"
#include "common/surface/surface_tree.h"
#include <string.h>

enum { SURFACE_WIDE = SURFACE_TREE_LEAF };

typedef struct {
    float low[3][SURFACE_WIDE], high[3][SURFACE_WIDE]; /* mm from the tree's middle; low INFINITY: there is none */
    int32_t child[SURFACE_WIDE];                       /* a node; below 0: packet -1 - child */
} surface_wide_node;

/* Height above the plane of each triangle and way to the inner side of each of its edges:
 * plane[k][0..2] . (p - middle) + plane[k][3], k = 0 the height, 1..3 the edges; mm. */
typedef struct {
    double middle[3];
    float plane[4][4][SURFACE_WIDE], size; /* size: from the middle to the farthest corner, mm */
    int32_t triangle[SURFACE_WIDE];        /* -1: none */
} surface_packet;

typedef struct {
    double middle[3];
    float size; /* mm */
    int32_t n_packet;
    surface_wide_node *node;
    surface_packet *packet; /* [n_packet] in the order of the tree's leaves */
} surface_wide;

/* Errors: ERR_RESOURCE. */
MUST_CHECK int surface_wide_create(surface_wide *w, const surface_tree *t, const surface *s);
void surface_wide_free(surface_wide *w); /* safe on a zeroed struct and twice */

/* A little more, in single precision. */
static inline float surface_wide_limit(double square) {
    return (float)square * (1 + 1e-6F) + 1e-30F;
}

/* Four values at once, as GCC and Clang have them on any machine. */
typedef float surface_four __attribute__((vector_size(16)));
typedef int32_t surface_mask __attribute__((vector_size(16)));

static inline surface_four surface_four_load(const float x[SURFACE_WIDE]) {
    surface_four out;
    memcpy(&out, x, sizeof out);
    return out;
}

static inline surface_four surface_four_more(surface_four x, surface_four y) {
    const surface_mask first = x > y;
    return (surface_four)(((surface_mask)x & first) | ((surface_mask)y & ~first));
}

/* x where it is above 0, else 0 */
static inline surface_four surface_four_above(surface_four x) {
    return (surface_four)((surface_mask)x & (x > 0));
}

/* Squared distances of a place to the boxes of a node's children, or a little less. from: the place, from the tree's
 * middle, and how far rounding may be off there. */
static inline surface_four surface_wide_boxes(const surface_wide_node *node, const float from[4]) {
    surface_four square = {0};
    for (int a = 0; a < 3; a++) {
        const surface_four below = surface_four_load(node->low[a]) - from[a];
        const surface_four above = from[a] - surface_four_load(node->high[a]);
        const surface_four away = surface_four_above(surface_four_more(below, above) - from[3]);
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

/* Squared distances of p to the triangles of a packet, or less. */
static inline surface_four surface_packet_squares(const surface_packet *t, const double p[3]) {
    const float x = (float)(p[0] - t->middle[0]), y = (float)(p[1] - t->middle[1]), z = (float)(p[2] - t->middle[2]);
    const float off = 1e-6F * ((x < 0 ? -x : x) + (y < 0 ? -y : y) + (z < 0 ? -z : z) + t->size);
    surface_four at[4];
    for (int k = 0; k < 4; k++)
        at[k] = surface_four_load(t->plane[k][0]) * x + surface_four_load(t->plane[k][1]) * y +
                surface_four_load(t->plane[k][2]) * z + surface_four_load(t->plane[k][3]);
    const surface_four height = surface_four_above(surface_four_more(at[0], -at[0]) - off);
    const surface_four beyond = surface_four_more(surface_four_more(-at[1], -at[2]), -at[3]);
    const surface_four outside = surface_four_above(beyond - off);
    return height * height + outside * outside;
}
#endif
