/* SPDX-License-Identifier: Apache-2.0 */
/* Direction of the vessel at a single seed. common/centerline needs a lumen, which does not exist yet. */
#ifndef PORTAFLOW_TUBE_AXIS_H
#define PORTAFLOW_TUBE_AXIS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

/* Find the direction of the vessel at a seed. Each of many directions over half a sphere is tested by rays
 * perpendicular to it. Of the directions with nearly the largest number of rays that agree on a wall, the direction
 * with the narrowest cross-section is chosen. image: brighter inside, lightly smoothed. seed LPS mm. `end`: out, LPS
 * mm, two points on the centerline, a radius to both sides of the seed. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_tube.c */
MUST_CHECK int tube_axis(const volume *image, const tube_guess *guess, const double seed[3], double end[2][3]);
#endif
