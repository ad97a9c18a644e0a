/* SPDX-License-Identifier: Apache-2.0 */
/* Removes bright material at the wall of a bright vessel: calcified plaque, stents, bone. */
#ifndef PORTAFLOW_PLAQUE_H
#define PORTAFLOW_PLAQUE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/seeds/seeds.h"
#include "segment/tube/tube.h"

/* Makes plaque as dark as the tissue around the vessel. The edge of plaque is then an ordinary edge, half-way from
 * the local blood up to the brightest voxel within two voxels. Voxels behind plaque, seen from the centerline, are
 * darkened, too: they contain the blur of plaque, which is in places as bright as blood.
 *
 * A voxel is plaque if, in a group of four or more touching voxels, it exceeds all of
 *
 * - the local blood (a low quantile along the vessel) by PLAQUE_BRIGHTER contrasts at the seeds;
 * - nearly all blood of the vessel by four times the noise;
 * - the local blood by 0.7 contrasts, or by twice the excess in the vessel's middle: from the wall, the larger of
 *   3 voxels and half a radius. Unmixed contrast agent and coil effects reach the middle, plaque does not.
 *
 * t: measured in `image` times sign (bright vessel). seeds: of `image` times sign. image: in and out. *changed: number
 * of plaque voxels; 0: none, image unchanged. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_plaque.c */
#define PLAQUE_BRIGHTER 0.25 /* lower limit of plaque, as a fraction of the contrast above the local blood */
MUST_CHECK int plaque_darken(const tube *t, const seeds_statistics *seeds, double sign, volume *image, size_t *changed);
#endif
