/* Everything that is connected with the seeds, following slow changes of intensity along the vessel (coil sensitivity,
 * inflow, thinning contrast agent). */
#ifndef PORTAFLOW_SEGMENT_REGION_GROWING_H
#define PORTAFLOW_SEGMENT_REGION_GROWING_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include <stdint.h>

typedef struct {
    uint8_t *mask; /* [voxels] 1: reached; owned */
    int64_t count;
    int rounds;
    bool stopped;           /* count passed `most` or the width `widest_mm`: nothing more was looked at */
    double weakest;         /* 10th percentile over what was reached of (N - O) / its value at the seeds */
    volume inside, outside; /* smooth maps of the intensity in and round the vessel, coarse grid, owned */
} grown_region;

/* image: as read; sign: -1 where the vessel is dark. seeds, low, high: of the image times sign. start [n][3] voxels.
 * What is flooded is that, smoothed by 0.7 voxel; no more of it is looked at than a box round the seeds, which grows
 * where what is reached comes near its sides. A voxel is entered when it is nearer to the vessel's intensity nearby
 * than to that around it: above O + 0.6 (N - O), below N + 2 (N - O), N and O Gaussian means (1.5 radii wide) over
 * what was reached so far and over a shell round it; repeated until it stops growing. N - O is kept above three tenths
 * of the contrast at the seeds.
 * follow false: low to high instead, once. most, widest_mm: as soon as more voxels were reached, or one further
 * from all that were not, it stops. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_region_growing.c */
MUST_CHECK int region_growing_find(const volume *image, double sign, const seeds_statistics *seeds, int n,
                                   const int (*start)[3], bool follow, double low, double high, int64_t most,
                                   double widest_mm, grown_region *out);
void region_growing_free(grown_region *r);

/* v <- O0 + (v - O) (N0 - O0) / (N - O) with N0, O0 of the seeds: the vessel gets the same intensity everywhere. */
void region_growing_even(const grown_region *r, const seeds_statistics *seeds, volume *v);
#endif
