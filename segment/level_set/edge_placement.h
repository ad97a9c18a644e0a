/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the level set from within a voxel of the edges onto them, with sub-voxel accuracy. */
#ifndef PORTAFLOW_SEGMENT_EDGE_PLACEMENT_H
#define PORTAFLOW_SEGMENT_EDGE_PLACEMENT_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Places the wall at the edges of the image:
 * 1. Move the wall in two rounds to the steepest gradient of f->grid.evened, which is first denoised near the wall,
 *    along its level lines.
 * 2. Smooth the level set. With a tube, move the wall to the half height of its profiles (half_height_edge.h) and
 *    smooth again. Then undo the theoretical shift of curved walls (blur.h).
 * 3. Bias correction by a parametric bootstrap (Efron and Tibshirani 1993): simulate the scanner image of the wall
 *    (scanner_model.h), repeat 1 and 2 in it, and subtract the error, smoothed along the wall, up to half an image
 *    voxel.
 *
 * Step 3 has full weight from a contrast of 6 times the noise and weight 0 below 3. Its weight also falls from 1 at a
 * point spread of 0.9 image voxels to 0 at 1.2. In slices thicker than 3 widths of an image voxel, half heights and
 * step 3 are left out; step 3 also on a grid of more than 30 million voxels.
 *
 * typical: gradient at the wall, per mm. level: voxels, in place. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_edge_placement.c */
MUST_CHECK int edge_placement_move(const volume *image, front *f, double typical, volume *level);
#endif
