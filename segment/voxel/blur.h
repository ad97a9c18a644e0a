/* SPDX-License-Identifier: Apache-2.0 */
/* Undoes the shift of curved walls by blur. */
#ifndef PORTAFLOW_SEGMENT_BLUR_H
#define PORTAFLOW_SEGMENT_BLUR_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Sum of the principal curvatures of the level surfaces, per voxel, positive on a ball; limited to -0.6 .. 0.6.
 * Computed within 3 voxels of the zero level from the level set smoothed by 1.5 voxels; 0 elsewhere. level: voxels,
 * negative inside, distance-like. `out`: created. Errors: ERR_RESOURCE. */
MUST_CHECK int blur_curvature(const volume *level, volume *out);

/* Undoes the shift of walls by blur. A Gaussian of standard deviation sigma moves both the half height and the steepest
 * place of a convex wall inwards by about sigma^2 kappa / 2, kappa the sum of the principal curvatures (Bouma et al.
 * 2005). The half height follows from the heat equation, which moves level sets by their curvature. Within 3 voxels of
 * the wall the level set is shifted outwards by this distance, by up to 0.3 times the largest variance.
 *
 * For a different sigma per axis (thick slices) the shift is half of the sum over a of sigma_a^2 times the second
 * derivative of the distance along axis a. Only the part along the wall counts, as blur across a wall does not move it.
 *
 * level: in place, voxels, negative inside, distance-like near its zero level. variance: sigma^2, voxels^2. Errors:
 * ERR_RESOURCE. Test: tests/unit/segment/test_segment_level_set.c */
MUST_CHECK int blur_undo_shift(volume *level, const double variance[3]);
#endif
