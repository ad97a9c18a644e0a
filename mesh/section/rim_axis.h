/* The direction of a vessel from the wall round one cross-section, near an end that cuts it off.
 *
 * The wall's normals on the rim of a cross-section of a tube lie across the tube, also where the plane is tilted, the
 * tube bends or an end cuts off a part of the plane: the direction that they vary least in is that of the vessel. What
 * belongs to an end faces along it and is left out. Test: tests/unit/mesh/test_place.c */
#ifndef PORTAFLOW_RIM_AXIS_H
#define PORTAFLOW_RIM_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

#define RIM_AXIS_CUT 0.02 /* from this part of the rim on, a section counts as cut by an end */

/* Part of the rim of a section (0..1) where the wall faces along `axis` (unit) by more than 30 degrees: an end, not the
 * side of the vessel. facing: the sum of the wall's outward normals there along the axis, over their number. */
double rim_axis_cut(const section *s, const voxelize_input *in, const double axis[3], double *facing);

/* Turn `axis` (unit) to the direction of the vessel in the cross-section at `middle` (in the fluid), radius_mm wide
 * half across, then follow the middle of the vessel from there to the plane through `goal`, as far as the
 * cross-sections are whole; *found false: there is no such direction, axis is as it was. Errors: ERR_RESOURCE. */
MUST_CHECK int rim_axis_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm,
                               const double goal_mm[3], double axis[3], bool *found);
#endif
