/* Removes bright material at the wall of a bright vessel: calcified plaque, stents, bone. */
#ifndef PORTAFLOW_PLAQUE_H
#define PORTAFLOW_PLAQUE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

/* Make plaque as dark as the tissue around the vessel; its edge then is an ordinary edge, half way up from the local
 * blood to the brightest voxel within two voxels. Voxels behind plaque, seen from the centerline, hold the blur of
 * plaque, which passes through the brightness of blood; they are darkened, too.
 *
 * A voxel is plaque if it exceeds, in groups of at least four touching voxels,
 * - the local blood (a low quantile along the vessel) by PLAQUE_BRIGHTER contrasts at the seeds;
 * - nearly all blood of the vessel by four times the noise;
 * - the local blood by 0.7 contrasts, or by twice the excess of the vessel's middle, which is 3 voxels and half a
 *   radius away from the wall. Unmixed contrast and coil effects reach the middle, plaque does not.
 *
 * t: measured in `image` times sign (bright vessel). seeds: of `image` times sign. image: in and out. *changed: number
 * of plaque voxels; 0: none, image unchanged. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_plaque.c */
#define PLAQUE_BRIGHTER 0.25 /* contrasts above the local blood: lower limit of plaque */
MUST_CHECK int plaque_darken(const tube *t, const seeds_statistics *seeds, double sign, volume *image, size_t *changed);
#endif
