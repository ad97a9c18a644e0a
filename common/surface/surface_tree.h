/* SPDX-License-Identifier: Apache-2.0 */
/* A tree of bounding boxes over the triangles of a surface, for nearest triangles and intersections. */
#ifndef PORTAFLOW_SURFACE_TREE_H
#define PORTAFLOW_SURFACE_TREE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

enum { SURFACE_TREE_DEPTH = 64, SURFACE_TREE_LEAF = 4 /* triangles per leaf of the tree */ };

/* Inner node: children `child` and `child` + 1. Leaf: n > 0 triangles of the list from `child` on. */
typedef struct {
    float low[3], high[3]; /* corners of the node's box, mm, rounded outwards */
    int32_t child, n;
} surface_node;

typedef struct {
    surface_node *node;
    int32_t *triangle; /* [n] triangles that have an area, sorted by leaf */
    int32_t n;
} surface_tree;

/* Builds the tree over the triangles of s. Errors: ERR_INPUT (no triangle has an area), ERR_RESOURCE. */
MUST_CHECK int surface_tree_create(surface_tree *t, const surface *s);
void surface_tree_free(surface_tree *t); /* safe on a zeroed struct and twice */
#endif
