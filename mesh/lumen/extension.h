/* A straight extension beyond an opening: the cross-section continues along the normal and replaces the vessel there.
 * For heights above the plane, in or next to the cross-section, the distance is that of the foot point in the plane.
 * Further out, the old vessel is removed where it is connected to the outer side of the cut. */
#ifndef PORTAFLOW_EXTENSION_H
#define PORTAFLOW_EXTENSION_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

typedef struct {
    section s;
    double length_mm;
    double reach_mm;  /* lateral distance up to which the old vessel is removed */
    double low_mm[3]; /* LPS, node 0,0,0 of `old` */
    double step_mm;
    int dims[3];
    uint8_t *old; /* [dims[2]][dims[1]][dims[0]] 1: in or next to the removed vessel */
} tube;

/* in: the field without this tube. Errors: ERR_INPUT (another part of the vessel is in the way), ERR_RESOURCE. */
MUST_CHECK int tube_create(tube *t, const voxelize_input *in, const mesh_opening *opening, double length_mm);
void tube_free(tube *t);

/* Distance at p with the tube; distance_mm: without it; `in` as for tube_create. */
double tube_distance(const tube *t, const voxelize_input *in, const double lps_mm[3], double distance_mm);

/* True if all points within reach_mm of p are behind the plane, where the tube changes nothing. */
bool tube_is_behind(const tube *t, const double lps_mm[3], double reach_mm);
#endif
