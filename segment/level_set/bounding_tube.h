/* SPDX-License-Identifier: Apache-2.0 */
/* The tube that bounds the front, measured in the part of the image around seeds and openings. */
#ifndef PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#define PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Upper limit of a path without a visible wall, in radii; a longer path may have jumped to another vessel */
#define BOUNDING_TUBE_UNSEEN 1.5

/* Crop to the box of the seeds and of the openings in the options, with a margin of room_mm (0: 20 mm). Errors:
 * ERR_RESOURCE. */
MUST_CHECK int bounding_tube_crop(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *o,
                                  double room_mm, volume *out);

/* Set seeds.sign and seeds.bright from report->seeds. */
void bounding_tube_orient_seeds(front *f);

/* Measure the tube between seeds and openings in f->cropped; `out`: f->extent. If blood lies in layers of different
 * intensity, the layers are made uniform (contrast_layers.h); plaque is set as dark as the tissue (plaque.h). Both
 * change f->cropped, and the tube is then measured again. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int bounding_tube_measure(front *f);
/* As bounding_tube_measure, repeated in a larger crop of `image` if a widening of the vessel reaches the end of
 * f->cropped. */
MUST_CHECK int bounding_tube_measure_wide(const volume *image, front *f);
void bounding_tube_free(front_extent *e);

/* Noise over the contrast to the next tissue, mean along the vessel; 0: unknown. */
double bounding_tube_noise(const front *f);
/* Ratio of the contrast to the next tissue and the noise that acts on a wall (seed_noise_at_wall: larger than the noise
 * of a voxel where neighbouring voxels have correlated noise). */
double bounding_tube_clarity(const front *f);
#endif
