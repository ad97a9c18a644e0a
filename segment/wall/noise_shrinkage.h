/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinks the deviations of a noisy wall from the tube by the part that is estimated to be noise. */
#ifndef PORTAFLOW_SEGMENT_NOISE_SHRINKAGE_H
#define PORTAFLOW_SEGMENT_NOISE_SHRINKAGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double fluctuation_weight, mean_weight, hidden_weight; /* weights of eq. 1 below, 0 to 1 */
} noise_shares;

/* Shrinks the noise of a wall by drawing the wall towards the tube. The deviation d = level - tube of a wall consists
 * of shape and noise. A window along the wall has the mean m and the variance v of d. In a noisy image most windows
 * have the variance u of the noise (upper quartile of v, since a window holds few independent places). The level
 * becomes tube + (1 - mean_weight) m + (1 - s) (d - m), s = fluctuation_weight min(1, u / v), (1) the estimate of least
 * square error if noise is the part fluctuation_weight of u and independent of the shape. Rougher places (branches,
 * corners) are kept. Where the wall is not visible, s and mean_weight are at least hidden_weight (1 - visibility). No
 * change if fluctuation_weight is 0. level, tube: level sets in voxels on one grid, negative inside. `seen`:
 * visibility, 0 to 1, on the same grid; NULL: 1. window: standard deviation of a Gaussian, voxels. resolution: of the
 * image, voxels; the level changes within 3 `resolution` of the walls of both level sets, with full weight within 1.5
 * `resolution`. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_noise_shrinkage.c */
MUST_CHECK int noise_shrinkage_to_tube(const volume *tube, const volume *seen, double window, double resolution,
                                       const noise_shares *shares, volume *level);
#endif
