/* The cubes on which the front moves, cut from the image round what it may fill. */
#ifndef PORTAFLOW_SEGMENT_WORKING_GRID_H
#define PORTAFLOW_SEGMENT_WORKING_GRID_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* denoised (not yet) and evened: cubes as wide as the thinnest axis, or half of it where a vessel is narrow and the box
 * small; what is far brighter than the vessel is as dark as the tissue where a tube bounds it. Errors of all functions
 * here: ERR_RESOURCE. */
MUST_CHECK int working_grid_make(const volume *image, const front_seeds *s, const front_extent *e, front_grid *g);
void working_grid_free(front_grid *g);

/* Voxels of the seeds, those of seeds beyond v the nearest. *out: the caller's. */
MUST_CHECK int working_grid_place_seeds(const volume *v, const front_seeds *s, int (**out)[3]);

/* 1 where the region of the extent is, 0 elsewhere, linear between the voxels of the image: on the working grid. */
MUST_CHECK int working_grid_region(const volume *image, const front_extent *e, const front_grid *g, volume *out);

/* Halves the cells of `evened` and of the level set (voxels) on it where vessels are narrow and there is room. */
MUST_CHECK int working_grid_halve(const front_seeds *s, front_grid *g, volume *level);
MUST_CHECK int working_grid_halve_level(volume *level); /* of that alone */

/* True when the lumen reaches a side of the box that is not a side of the image; there is then more room next time. */
bool working_grid_needs_room(front_grid *g, const volume *level);

/* Cuts the padding off: the level ends with the image. */
MUST_CHECK int working_grid_crop(const front_grid *g, volume *level);
#endif
