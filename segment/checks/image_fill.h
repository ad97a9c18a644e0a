/* SPDX-License-Identifier: Apache-2.0 */
/* Fill of a masked image: voxels outside a mask or field of view, which have one value or noise around one value. The
 * step at the edge of the mask is as sharp as a wall, and the level set would stop there. */
#ifndef PORTAFLOW_IMAGE_FILL_H
#define PORTAFLOW_IMAGE_FILL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint8_t *fill; /* [voxels] 1: the voxel is in the fill; owned. NULL: the image has no fill */
    double value;  /* mean value of the fill */
    double part;   /* part of the image that is fill, 0 to 1 */
    bool replaced; /* false: the tissue in front of a fill of one value is too thin to replace it, so the image is
                    * unchanged */
} image_fill;

/* Finds the fill and replaces it so that no step remains (f->replaced): outwards from its edge, each voxel becomes the
 * mean of its neighbours that are no fill. Candidates are classes of values: the value of most voxels with equal
 * neighbours, and the lowest and highest class of the histogram. A fill is connected with the border of the image,
 * covers 1 % of it or more, and contains no seed. Its edge is sharp: the first voxel outside differs from the fill by
 * as much as the third. In front of a fill of one value, up to two blurred layers, which interpolation makes, become
 * fill. Air has a blurred edge and noise, and is kept. A class is also kept if its edge is the wall of the vessel; the
 * first voxels outside it then have the intensity of the seeds. Of these, a class of one value is reported, for
 * image_fill_at_wall: a mask may lie within two voxels of the wall. seed_mm [n_seed]: LPS. Errors: ERR_RESOURCE. */
MUST_CHECK int image_fill_replace(volume *v, int n_seed, const double (*seed_mm)[3], image_fill *f);

/* Replaces all voxels of the value `padding` (image_read_padded) in the same way, wherever they are; nothing with NAN.
 * Errors: ERR_INPUT (a seed is in the padding), ERR_RESOURCE. */
MUST_CHECK int image_fill_replace_padding(volume *v, float padding, int n_seed, const double (*seed_mm)[3],
                                          image_fill *f);

/* Smallest distance of the wall to a voxel of the fill, *away_mm, and the point of the wall, LPS; INFINITY without a
 * fill or beyond limit_mm. Errors: ERR_RESOURCE. */
MUST_CHECK int image_fill_distance(const image_fill *f, const volume *v, const surface *wall, double limit_mm,
                                   double *away_mm, double place_mm[3]);
void image_fill_free(image_fill *f); /* safe on a zeroed struct */

/* Part of the points of the wall, 0..1, that lie in the fill or within one voxel of it. */
double image_fill_at_wall(const image_fill *f, const volume *v, const surface *wall);
#endif
