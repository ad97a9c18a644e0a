/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a straight piece of a vessel behind its end, from the centroids of many cross-sections. Averaging
 * over many sections removes the effect of coarse voxels on the rim of a single section. A centerline of
 * common/centerline is as accurate at blunt ends (2.3 degrees, sections 2.2: test_straight_axis), but it needs the
 * distance on a grid. */
#ifndef PORTAFLOW_STRAIGHT_AXIS_H
#define PORTAFLOW_STRAIGHT_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* Finds the direction of the vessel behind its end, if the vessel is straight there. Starts at the middle of the vessel
 * at its end (middle_mm, radius_mm: vessel_axis_middle) and covers 3.25 radii along `axis`, which points into the
 * vessel. `axis` becomes the least-squares line through the centroids. *found false, axis unchanged: the vessel forks,
 * is shorter than two radii, or bends by more than a twentieth of its radius over that length. Errors: ERR_RESOURCE.
 * Test: tests/unit/mesh/test_straight_axis.c */
MUST_CHECK int straight_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm, double axis[3],
                               bool *found);
#endif
