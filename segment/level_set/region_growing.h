/* SPDX-License-Identifier: Apache-2.0 */
/* Region connected with the seeds, following slow changes of intensity along the vessel (coil sensitivity, inflow,
 * diluted contrast agent). */
#ifndef PORTAFLOW_SEGMENT_REGION_GROWING_H
#define PORTAFLOW_SEGMENT_REGION_GROWING_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include <stdint.h>

typedef struct {
    uint8_t *mask; /* [voxels] 1: the voxel is in the region; owned */
    int64_t count;
    int rounds;
    bool stopped; /* true: growing was stopped, since `count` exceeded `most` or the width exceeded `widest_mm` */
    /* local contrast N - O over the contrast at the seeds; 10th percentile over the region */
    double weakest;
    /* smooth maps of the intensity in the vessel (N) and around it (O), on a coarse grid; owned */
    volume inside, outside;
} grown_region;

/* Grows a region from the seeds in the image smoothed by 0.7 voxel. A voxel is entered if its intensity is between O +
 * 0.6 (N - O) and N + 2 (N - O). N and O are Gaussian means (width 1.5 times the vessel radius at the seeds, at least 4
 * voxels) over the current region and over a shell around it; N - O is at least 0.3 of the contrast at the seeds.
 * Rounds repeat until the region stops growing. Only a box around the seeds is read; it is enlarged where the region
 * comes near its sides.
 *
 * image: as read. sign: -1 for a dark vessel. seeds, low, high: intensities of the image times sign. start [n][3]
 * voxels. follow false: one round with low..high instead. Growing stops once the region has more than `most` voxels, or
 * a voxel of it is farther than widest_mm from the outside. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_region_growing.c */
MUST_CHECK int region_growing_find(const volume *image, double sign, const seeds_statistics *seeds, int n,
                                   const int (*start)[3], bool follow, double low, double high, int64_t most,
                                   double widest_mm, grown_region *out);
void region_growing_free(grown_region *r);

/* Makes the vessel equally bright everywhere: v <- O0 + (v - O) (N0 - O0) / (N - O). N, O: local means of region and
 * shell, as in region_growing_find; N0, O0: their values at the seeds. */
void region_growing_even(const grown_region *r, const seeds_statistics *seeds, volume *v);
#endif
