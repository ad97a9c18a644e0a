/* A straight extension beyond an opening: the cross-section goes on along the normal, the vessel that was there goes.
 *
 *   0 < height above the plane: inside or beside the cross-section the distance is that of the foot point in the plane;
 *   further out the old vessel is left out as far as it is connected to the cut's outer side */
#ifndef PORTAFLOW_EXTENSION_H
#define PORTAFLOW_EXTENSION_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

typedef struct {
    section s;
    double length_mm;
    double reach_mm;  /* lateral distance from the point up to which the old vessel is left out */
    double low_mm[3]; /* LPS, node 0,0,0 of the map below */
    double step_mm;
    int dims[3];
    uint8_t *old; /* [dims[2]][dims[1]][dims[0]] 1: in or beside the vessel beyond the plane that is left out */
} tube;

/* `in` is the field without this tube. Errors: ERR_INPUT (another part of the vessel is in the way), ERR_RESOURCE. */
MUST_CHECK int tube_create(tube *t, const voxelize_input *in, const mesh_opening *opening, double length_mm);
void tube_free(tube *t);

/* The distance at p when it was `distance_mm` before; `in` as for tube_create. */
double tube_distance(const tube *t, const voxelize_input *in, const double lps_mm[3], double distance_mm);

/* Whether everything within reach_mm of p lies behind the plane, where the tube changes nothing. */
bool tube_is_behind(const tube *t, const double lps_mm[3], double reach_mm);
#endif
