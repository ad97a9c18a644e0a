/* SPDX-License-Identifier: Apache-2.0 */
/* Detects self-intersections of a closed surface. A region enclosed twice would not count as lumen in
 * surface_to_phi. */
#ifndef PORTAFLOW_SURFACE_CROSSING_H
#define PORTAFLOW_SURFACE_CROSSING_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int64_t n_pair;     /* number of intersecting pairs of triangles, without pairs that share a point */
    double wrong_mm2;   /* area of the surface that does not separate lumen and surroundings */
    double place_mm[3]; /* point on the largest such part; NaN: none */
} surface_crossing;

/* Finds the intersecting triangles of s, which is closed and has normals that point out of the lumen
 * (surface_orient_pieces). Method: pairs are found in a tree of bounding boxes by edge-triangle intersection
 * (moller1997). The pairs cut the surface into parts. On a correct part the winding number, counted along rays, is 1
 * just inside and 0 just outside. Errors: ERR_INPUT (no triangle has an area), ERR_RESOURCE. */
MUST_CHECK int surface_crossing_find(const surface *s, surface_crossing *found);
#endif
