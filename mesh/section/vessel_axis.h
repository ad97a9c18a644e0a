/* Direction of a vessel at a point inside it: the plane through the centre with the smallest closed cross-section, then
 * turned until its normal joins the centroids of the cross-sections on both sides, which is exact for a tube. Test:
 * tests/unit/mesh/test_axis.c */
#ifndef PORTAFLOW_VESSEL_AXIS_H
#define PORTAFLOW_VESSEL_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* Moves from a point in the fluid to the centre of the vessel: middle_mm, and its wall distance radius_mm. */
void vessel_axis_middle(const voxelize_input *in, const double point_mm[3], double middle_mm[3], double *radius_mm);

/* True (*ends) if the vessel ends at a point in its centre: the centroid of the connected fluid within 3.5 radii is
 * more than 0.9 radii away; inwards: unit vector towards it. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_end(const voxelize_input *in, const double middle_mm[3], double radius_mm, bool *ends,
                               double inwards[3]);

/* Unit direction at a point in the fluid (arbitrary sign); *found false: no closed cross-section within four radii.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_axis_find(const voxelize_input *in, const double point_mm[3], double axis[3], bool *found);
#endif
