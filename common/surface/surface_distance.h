/* The exact signed distance to a closed triangle surface, anywhere and from many threads at once.
 *
 * The nearest triangle is found in a tree of boxes; the sign is that of the angle-weighted normal of the face, edge or
 * corner that is nearest (Baerentzen and Aanaes 2005), so sharp edges stay sharp. Each thread remembers the triangles
 * round the places near the wall that it asked for, so that many points close together cost little. Test:
 * tests/unit/common/test_surface_distance.c */
#ifndef PORTAFLOW_SURFACE_DISTANCE_H
#define PORTAFLOW_SURFACE_DISTANCE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct surface_distance surface_distance;

/* The surface is borrowed and may not change; coincident points must be one. near_mm: size of the cubes of space whose
 * triangles are remembered, about a cell; a matter of speed alone. Errors: ERR_INPUT (no triangle with an
 * area), ERR_RESOURCE. */
MUST_CHECK int surface_distance_create(surface_distance **d, const surface *s, double near_mm);
void surface_distance_free(surface_distance *d); /* NULL will do */

/* Another near_mm, before other threads ask. */
void surface_distance_near(surface_distance *d, double near_mm);

/* mm, negative inside. */
double surface_distance_mm(const surface_distance *d, const double lps_mm[3]);

/* The same with its gradient, a unit vector: away from the nearest point, on the surface its normal. */
double surface_distance_slope(const surface_distance *d, const double lps_mm[3], double gradient[3]);

/* The same where this thread remembers the triangles, at little cost; NaN elsewhere. */
double surface_distance_remembered_mm(const surface_distance *d, const double lps_mm[3]);

/* Of n x n x n points (n 8 or 4) in the middle of the parts of a cube of that width, how many are not inside, as
 * surface_distance_mm says of each, for the price of a few of them. distance_mm: of the middle. -1: there are too many
 * triangles for that. */
int surface_distance_outside(const surface_distance *d, const double middle[3], double width_mm, int n,
                             double distance_mm);
#endif
