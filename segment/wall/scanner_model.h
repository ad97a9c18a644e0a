/* SPDX-License-Identifier: Apache-2.0 */
/* Scanner model: the image that a scanner would give of a level set. */
#ifndef PORTAFLOW_SEGMENT_SCANNER_MODEL_H
#define PORTAFLOW_SEGMENT_SCANNER_MODEL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Model image of a level set. level: signed distance near the wall in voxels of its grid, negative inside. It is
 * interpolated linearly between grid points, as in the triangle surface of the wall. parts: voxels of the level's grid
 * per image voxel along each axis (grid_refine). out (created): each voxel is the mean of `inside` (level < 0) and
 * `outside` over its width, blurred by a Gaussian of `variance` along each axis, mm2. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_scanner_model.c */
MUST_CHECK int scanner_model_image(const volume *level, const int parts[3], const double variance[3], double inside,
                                   double outside, volume *out);

/* Point spread: variances of a Gaussian and their uncertainty, mm2. */
typedef struct {
    /* variance of the point spread along the thin axes of an image voxel, and along its thick axis (both equal without
     * a thick axis) */
    double within, across;
    double within_sd, across_sd; /* standard deviations of within and across */
} point_spread;

/* Set `out` to the variance of the point spread along each axis for the given voxel size, mm2. */
void scanner_model_variance(const point_spread *spread, const double voxel_mm[3], double out[3]);

/* Fit the point spread by least squares of
 *   image = b + a m + a sum_k dv_k dm/dv_k + a e |grad m|,  dm/dv = half the second difference along an axis,
 * over the voxels near the wall, where m is the model image of 1 inside and 0 outside, and e the offset of the wall.
 * Makes three rounds; each fits all voxels, then fits again without the voxels whose residual exceeds 2.5 rms. spread:
 * on entry a guess with its standard deviations, on return the mean of guess and fit, weighted with their inverse
 * variances. image: same voxels as scanner_model_image, uniform brightness inside. `seen`: visibility of the wall, 0 to
 * 1, on the grid of `level`, NULL: 1; voxels below 0.5 are excluded. Errors: ERR_RESOURCE. */
MUST_CHECK int scanner_model_fit(const volume *image, const volume *level, const volume *seen, const int parts[3],
                                 point_spread *spread);
#endif
