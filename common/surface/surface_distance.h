/* The exact signed distance to a closed triangle surface, anywhere and from many threads at once.
 *
 * The nearest triangle is found in a tree of boxes; the sign is that of the angle-weighted normal of the face, edge or
 * corner that is nearest (Baerentzen and Aanaes 2005), so sharp edges stay sharp. Each thread remembers the triangles
 * round the last place it asked for, so that many points close together cost little. Test:
 * tests/unit/common/test_surface_distance.c */
#ifndef PORTAFLOW_SURFACE_DISTANCE_H
#define PORTAFLOW_SURFACE_DISTANCE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct surface_distance surface_distance;

/* The surface is borrowed and may not change; coincident points must be one. near_mm: how far from the last place asked
 * for the remembered triangles serve, about a cell; a matter of speed alone. Errors: ERR_INPUT (no triangle with an
 * area), ERR_RESOURCE. */
MUST_CHECK int surface_distance_create(surface_distance **d, const surface *s, double near_mm);
void surface_distance_free(surface_distance *d); /* NULL will do */

/* Another near_mm, before other threads ask. */
void surface_distance_near(surface_distance *d, double near_mm);

/* mm, negative inside. */
double surface_distance_mm(const surface_distance *d, const double lps_mm[3]);

/* The same where this thread remembers the triangles, at little cost; NaN elsewhere. */
double surface_distance_remembered_mm(const surface_distance *d, const double lps_mm[3]);
#endif
