/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a vessel from the wall around one cross-section, near an end that cuts it off.
 *
 * On the rim of a cross-section of a tube the wall normals are perpendicular to the tube. This also holds if the plane
 * is tilted, the tube bends or an end cuts off part of the plane. The direction along which the normals vary least is
 * the direction of the vessel. Normals of an end face along the vessel and are omitted. A centerline cannot
 * replace this, because it runs in a straight line to the end: 24 degrees off at the end of a bend of 3 radii, where
 * the rim is within 5. Test: tests/unit/mesh/test_opening_plane.c */
#ifndef PORTAFLOW_RIM_AXIS_H
#define PORTAFLOW_RIM_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/cross_section.h"

#define RIM_AXIS_CUT 0.02 /* value of rim_axis_cut above which an end cuts the section */

/* Part of the rim of a section (0..1) that is an end of the vessel and not its side: there the angle between the wall
 * normal and `axis` (unit vector) is below 60 or above 120 degrees. facing: mean over this part of the outward normal's
 * component along `axis`. */
double rim_axis_cut(const section *s, const voxelize_input *in, const double axis[3], double *facing);

/* Turn `axis` (unit) to the direction of the vessel in the cross-section at middle_mm (in the fluid), on a grid of
 * half-width 2.5 radius_mm. radius_mm: radius of the vessel. Then go from section to section to the plane through
 * goal_mm, while the sections are whole. *found false: the rim gives no direction, and axis is unchanged. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int rim_axis_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm,
                               const double goal_mm[3], double axis[3], bool *found);
#endif
