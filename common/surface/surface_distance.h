/* SPDX-License-Identifier: Apache-2.0 */
/* Exact signed distance to a closed triangle surface, anywhere and from many threads at once.
 *
 * A tree of bounding boxes finds the nearest triangle. The sign follows from the angle-weighted normal of the nearest
 * face, edge or corner (Baerentzen and Aanaes 2005), so sharp edges stay sharp. Each thread caches the triangles near
 * recent points at the wall; neighbouring points are then cheap. Test: tests/unit/common/test_surface_distance.c */
#ifndef PORTAFLOW_SURFACE_DISTANCE_H
#define PORTAFLOW_SURFACE_DISTANCE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct surface_distance surface_distance;

/* Creates the distance to s, which is borrowed and must not change; its coincident points must be merged. near_mm:
 * largest edge of the cubes of the cache, about a cell; it affects only the speed. Errors: ERR_INPUT (no triangle has
 * an area), ERR_RESOURCE. */
MUST_CHECK int surface_distance_create(surface_distance **d, const surface *s, double near_mm);
void surface_distance_free(surface_distance *d); /* d may be NULL */

/* Sets near_mm; only while no other thread uses d. */
void surface_distance_set_near(surface_distance *d, double near_mm);

/* Signed distance, mm, negative inside. */
double surface_distance_mm(const surface_distance *d, const double lps_mm[3]);

/* Returns the signed distance, mm. gradient: its unit gradient, which points out of the surface; on the surface, the
 * normal of the surface. */
double surface_distance_gradient_mm(const surface_distance *d, const double lps_mm[3], double gradient[3]);

/* Signed distance if this thread has cached the triangles near this point; NaN otherwise. */
double surface_distance_cached_mm(const surface_distance *d, const double lps_mm[3]);

/* Number of outside points (surface_distance_mm >= 0) among the centres of the n x n x n parts of a cube (n 8 or 4).
 * Much cheaper than n^3 single calls. distance_mm: distance of the cube's centre. -1: too many triangles for this
 * method. */
int surface_distance_count_outside(const surface_distance *d, const double middle[3], double width_mm, int n,
                                   double distance_mm);
#endif
