/* SPDX-License-Identifier: Apache-2.0 */
/* Move a level set to the half height of the image profile across the wall. */
#ifndef PORTAFLOW_SEGMENT_HALF_HEIGHT_EDGE_H
#define PORTAFLOW_SEGMENT_HALF_HEIGHT_EDGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Moves the level set to the half height of the image profile of each voxel along the gradient of the level set. If a
 * thin layer of another tissue covers the vessel, the wall is at half height between vessel and layer, not at the
 * steepest slope: fat beyond the layer shifts the steepest slope outwards, by more than a voxel in CT.
 *
 * The wall is where the image passes (N + L) / 2, corrected for the blur, in five iterations from (inside + outside) /
 * 2. N: image at 2 s inside the wall, limited to `inside` +- 0.3 (inside - outside). L: minimum within 1.5 s outside.
 * s: standard deviation of the blur across the wall. A blur moves the half height of a curved wall (blur.h); the caller
 * corrects this.
 *
 * image: brighter inside. level: in place, voxels, negative inside, smooth; fully moved where N - L is above 0.5
 * (inside - outside), unchanged where N - L is below 0.2 (inside - outside) or the profile does not pass the half
 * height. Voxels further than 3 from the zero level do not move. variance: variance of the image's blur along each
 * axis, voxels^2. seen: out, created; visibility of the wall near the level set, 0 to 1, averaged over 1.5 voxels; 1
 * elsewhere. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_half_height_edge.c */
MUST_CHECK int half_height_edge_move(const volume *image, double inside, double outside, const double variance[3],
                                     volume *level, volume *seen);
#endif
