/* Direction of a straight piece of vessel behind its end, from the centroids of many cross-sections, which average the
 * coarse voxels of a mask. */
#ifndef PORTAFLOW_STRAIGHT_AXIS_H
#define PORTAFLOW_STRAIGHT_AXIS_H
#include "common/base/must_check.h"
#include "mesh/section/lumen_box.h"

/* Fits a line through centroids from the centre of the vessel at its end (middle_mm, radius_mm: vessel_axis_middle) up
 * to 3.25 radii along `axis`, which points into the vessel and is replaced by the line's direction. *found false, axis
 * unchanged: the vessel bends by more than a twentieth of its radius, forks, or is shorter than two radii. Errors:
 * ERR_RESOURCE. Test: tests/unit/mesh/test_straight.c */
MUST_CHECK int straight_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm, double axis[3],
                               bool *found);
#endif
