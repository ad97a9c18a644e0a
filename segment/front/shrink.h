/* Where an image is noisy: what a wall departs from the tube round it, less the share of it that is taken for noise. */
#ifndef PORTAFLOW_SEGMENT_SHRINK_H
#define PORTAFLOW_SEGMENT_SHRINK_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* The departure d = level - tube of a wall is part shape, part noise. Within a window along the wall it has the mean m
 * and the variance v; of most windows of a noisy image v is that of the noise, u (their median). The level becomes
 *   tube + (1 - share_of_mean) m + (1 - s) (d - m),  s = share min(1, u / v):
 * the estimate of least square error when noise is the part `share` of u and shape the rest, independent of it. What is
 * rougher than usual (branches, corners) stays.
 *
 * level, tube: level sets in voxels on one grid, negative inside; level changes where both are within 3 voxels of their
 * zeros, fully within 1.5. window: standard deviation of a Gaussian, voxels. share, share_of_mean: 0 to 1.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_shrink.c */
MUST_CHECK int shrink_to_tube(const volume *tube, double window, double share, double share_of_mean, volume *level);
#endif
