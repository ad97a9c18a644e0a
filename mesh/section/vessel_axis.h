/* The direction of a vessel at a point inside it.
 *
 * Of many planes through the middle of the vessel the one with the smallest closed cross-section is taken; then the
 * plane is turned until its normal joins the centroids of the cross-sections on both sides of it, which is exact for a
 * tube however it is tilted. Test: tests/unit/mesh/test_axis.c */
#ifndef PORTAFLOW_VESSEL_AXIS_H
#define PORTAFLOW_VESSEL_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* Climb from a point in the fluid to the middle of the vessel: middle_mm, and its distance to the wall radius_mm. */
void vessel_axis_middle(const voxelize_input *in, const double point_mm[3], double middle_mm[3], double *radius_mm);

/* Whether the vessel ends at a point in its middle: the middle of the fluid connected with it within 3.5 radii lies off
 * it by more than nine tenths of a radius; inwards: unit, the way there. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_end(const voxelize_input *in, const double middle_mm[3], double radius_mm, bool *ends,
                               double inwards[3]);

/* Unit direction at a point in the fluid (its sign is arbitrary); *found false: no plane has a closed cross-section
 * within four radii. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_find(const voxelize_input *in, const double point_mm[3], double axis[3], bool *found);
#endif
