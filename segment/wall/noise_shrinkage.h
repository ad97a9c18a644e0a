/* Where an image is noisy: what a wall departs from the tube round it, less the share of it that is taken for noise. */
#ifndef PORTAFLOW_SEGMENT_NOISE_SHRINKAGE_H
#define PORTAFLOW_SEGMENT_NOISE_SHRINKAGE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    double rough, mean, unseen; /* 0 to 1 */
} noise_shares;

/* The departure d = level - tube of a wall is part shape, part noise. Within a window along the wall it has the mean m
 * and the variance v; of most windows of a noisy image v is that of the noise, u (their upper quartile, as a window
 * holds few places that noise moved apart). The level becomes
 *   tube + (1 - mean) m + (1 - s) (d - m),  s = rough min(1, u / v):
 * the estimate of least square error when noise is the part `rough` of u and shape the rest, independent of it. What is
 * rougher than that (branches, corners) stays. Where the image shows no wall the part `unseen` is the tube's at least.
 *
 * level, tube: level sets in voxels on one grid, negative inside. seen: 0 to 1 on the same grid; NULL: everywhere.
 * window: standard deviation of a Gaussian, voxels. resolved: width of what the image resolves, voxels; level changes
 * where both are within 3 of it of their zeros, fully within 1.5. Errors: ERR_RESOURCE.
 * Test: tests/unit/segment/test_segment_noise_shrinkage.c */
MUST_CHECK int noise_shrinkage_to_tube(const volume *tube, const volume *seen, double window, double resolved,
                                       const noise_shares *shares, volume *level);
#endif
