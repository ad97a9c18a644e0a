/* What lies against the wall of a bright vessel and is clearly brighter than its blood: calcified plaque, a stent,
 * bone. */
#ifndef PORTAFLOW_PLAQUE_H
#define PORTAFLOW_PLAQUE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

/* Makes it as dark as the tissue round the vessel, so that its edge is one like any other: half way up from the blood
 * nearby to the brightest voxel within two voxels. What lies behind it, seen from the vessel's middle, is its blur,
 * which passes through the brightness of blood, and becomes as dark.
 *
 * Clearly brighter than the blood nearby (a low quantile along the vessel, which plaque does not raise) and than nearly
 * all blood of the vessel: by a quarter of the contrast at the seeds and by four times the noise; unless brighter
 * by 0.7 contrasts, also by twice what the brightest of the vessel's own middle is (contrast that has not mixed, a
 * coil: they reach into the middle, three voxels and half a radius away from the wall, where a vessel has one). Four
 * voxels at least that touch.
 *
 * t: measured in `image` times sign (bright vessel). seeds: of that. image: in and out. *changed: voxels; 0: there is
 * none. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_plaque.c */
#define PLAQUE_BRIGHTER 0.25 /* contrasts above the blood nearby */
MUST_CHECK int plaque_darken(const tube *t, const seeds_statistics *seeds, double sign, volume *image, size_t *changed);
#endif
