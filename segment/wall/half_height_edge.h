/* Moves a level set onto the half height of the image's profile across the wall. */
#ifndef PORTAFLOW_SEGMENT_HALF_HEIGHT_EDGE_H
#define PORTAFLOW_SEGMENT_HALF_HEIGHT_EDGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* The wall of a vessel that a thin layer of another tissue covers lies where the image falls half way to that layer,
 * not
 * where it falls most steeply: fat beyond the layer pulls the steepest place outwards, by more than a voxel in CT.
 * Along the gradient of the level set, from each voxel near it: N is the image 2 s inside the wall (not further than
 * three tenths of the contrast from `inside`), L the least value within 1.5 s outside it, s the blur's standard
 * deviation across the wall; the wall is where the image passes (N + L) / 2 next (what the blur leaves out of both
 * added), from (inside + outside) / 2 on, in
 * five rounds. A blur moves the half height of a curved wall by its variance (blur.h): the caller undoes it.
 *
 * image: brighter inside. level: in place, voxels, negative inside, smooth; not where N - L is below a fifth of
 * inside -
 * outside (fully from half of it on) or the profile does not pass the half height. variance: blur of the image along
 * each axis, voxels^2. seen: out, created; how far the wall was seen near the level set, 0 to 1 (mean over 1.5 voxels),
 * 1 elsewhere. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_half_height_edge.c */
MUST_CHECK int half_height_edge_move(const volume *image, double inside, double outside, const double variance[3],
                                     volume *level, volume *seen);
#endif
