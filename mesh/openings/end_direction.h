/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a straight vessel at its end, from the centerline of the lumen around the end. */
#ifndef PORTAFLOW_END_DIRECTION_H
#define PORTAFLOW_END_DIRECTION_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* Finds the direction of the vessel behind its end, if the vessel is straight there. middle_mm, radius_mm: middle of
 * the vessel near the end (vessel_axis_middle). axis: in, direction that the rim of one section gives, unit; out,
 * direction of the centerline up to 5 radii from the end, of the same sign. *found false, axis unchanged: the vessel is
 * short, or bends so that its centerline at the end is parallel to `axis`. Errors: ERR_RESOURCE. Test:
 * tests/unit/mesh/test_end_direction.c */
MUST_CHECK int end_direction(const voxelize_input *in, const double middle_mm[3], double radius_mm, double axis[3],
                             bool *found);
#endif
