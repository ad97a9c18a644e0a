/* SPDX-License-Identifier: Apache-2.0 */
/* Signed distance of the voxels of a mask to its border, from exact distances between voxel centres. */
#ifndef PORTAFLOW_SEGMENT_MASK_DISTANCE_H
#define PORTAFLOW_SEGMENT_MASK_DISTANCE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Computes the signed distance to the border of a mask. mask: > 0.5 inside. `out`: geometry of the mask, mm, negative
 * inside, |out| <= limit_mm: distance to the nearest voxel centre on the other side, less half of the smallest spacing
 * of the used axes. In cubes the border is thus halfway between voxels. axes[a] false: no distance along axis a (each
 * slice separately). Felzenszwalb, Huttenlocher 2012. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_mask_distance.c */
MUST_CHECK int mask_distance(const volume *mask, const bool axes[3], double limit_mm, volume *out);
#endif
