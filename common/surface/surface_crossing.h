/* Does a closed surface cross itself? What lies inside it twice would be no lumen (surface_to_phi). */
#ifndef PORTAFLOW_SURFACE_CROSSING_H
#define PORTAFLOW_SURFACE_CROSSING_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"

typedef struct {
    int64_t n_pair;     /* triangles that go through each other; those that share a point are not looked at */
    double wrong_mm2;   /* of the surface that does not part the lumen from what is around it */
    double place_mm[3]; /* of a pair, in the middle of the largest such part; NaN without one */
} surface_crossing;

/* s: closed, its normals point out of the lumen (surface_nest). Method: pairs by a tree of boxes and their edges
 * (moller1997); they cut the surface into parts, and on each part the winding number, counted along rays, is 1 just
 * inside and 0 just outside where nothing is wrong. Errors: ERR_INPUT (no triangle has an area), ERR_RESOURCE. */
MUST_CHECK int surface_crossing_find(const surface *s, surface_crossing *found);
#endif
