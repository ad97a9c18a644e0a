/* Direction of a vessel from the wall around one cross-section, near an end. The wall normals on the rim of a tube are
 * perpendicular to the tube, even for a tilted plane, a bend, or an end that cuts off a part. The direction in which
 * they vary least is the direction of the vessel. Normals of the end itself are excluded. Test:
 * tests/unit/mesh/test_place.c */
#ifndef PORTAFLOW_RIM_AXIS_H
#define PORTAFLOW_RIM_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

#define RIM_AXIS_CUT 0.02 /* part of the rim from which a section counts as cut by an end */

/* Part of the rim (0..1) where the wall faces along `axis` (unit) by more than 30 degrees: an end, not the side of the
 * vessel. facing: mean component of the outward normals there along the axis. */
double rim_axis_cut(const section *s, const voxelize_input *in, const double axis[3], double *facing);

/* Turns `axis` (unit) to the direction of the vessel in the cross-section at `middle` (in the fluid; radius radius_mm),
 * then follows the centre of the vessel to the plane through `goal` while cross-sections are complete; *found false: no
 * direction, axis unchanged. Errors: ERR_RESOURCE. */
MUST_CHECK int rim_axis_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm,
                               const double goal_mm[3], double axis[3], bool *found);
#endif
