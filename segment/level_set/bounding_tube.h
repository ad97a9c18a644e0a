/* The tube of the vessel that bounds the front, measured in the part of the image round seeds and openings. */
#ifndef PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#define PORTAFLOW_SEGMENT_BOUNDING_TUBE_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

#define BOUNDING_TUBE_UNSEEN 1.5 /* radii along which no wall may be seen: the path may have jumped to another vessel */

/* The box of the seeds and the options' openings with room round it; room_mm 0: 20 mm. Errors: ERR_RESOURCE. */
MUST_CHECK int bounding_tube_crop(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *o,
                                  double room_mm, volume *out);

/* seeds.sign and seeds.bright of report->seeds. */
void bounding_tube_turn_seeds(front *f);

/* extent: the tube between seeds and openings in f->cropped. There blood in layers is made as bright everywhere
 * (contrast_layers.h), plaque as dark as the tissue (plaque.h), and all is measured anew. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int bounding_tube_measure(front *f);
/* The same, in a wider part of `image` where f->cropped ends within a widening of the vessel. */
MUST_CHECK int bounding_tube_measure_wide(const volume *image, front *f);
void bounding_tube_free(front_extent *e);

/* Noise over the contrast to the next tissue, mean along the vessel; 0: not known. */
double bounding_tube_noise(const front *f);
/* That contrast over the noise as a wall shows it: what is alike in neighbouring voxels is more of it. */
double bounding_tube_clarity(const front *f);
#endif
