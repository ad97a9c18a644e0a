/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a vessel at a point inside it. A vessel shorter than three radii has openings, but no centerline of
 * common/centerline.
 *
 * Of many planes through the middle of the vessel, the plane with the smallest closed cross-section is chosen. Then the
 * plane is turned until its normal joins the centroids of the cross-sections on both sides, which is exact for a tube
 * of any orientation. Test: tests/unit/mesh/test_vessel_axis.c */
#ifndef PORTAFLOW_VESSEL_AXIS_H
#define PORTAFLOW_VESSEL_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* From a point in the fluid, climb the distance to the middle of the vessel. Sets middle_mm and radius_mm, the distance
 * of the middle to the wall. */
void vessel_axis_middle(const voxelize_input *in, const double point_mm[3], double middle_mm[3], double *radius_mm);

/* *ends: true if the vessel ends near middle_mm, a point on its axis. The fluid within 3.5 radii that is connected with
 * this point then lies to one side: its centroid is more than 0.9 radii away. inwards: unit vector to this centroid.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_end(const voxelize_input *in, const double middle_mm[3], double radius_mm, bool *ends,
                               double inwards[3]);

/* Sets axis to the unit direction (of arbitrary sign) of the vessel at a point in the fluid. *found false: no plane has
 * a cross-section that closes within 4 radii, or within 32 radii in a flat vessel. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_find(const voxelize_input *in, const double point_mm[3], double axis[3], bool *found);
#endif
