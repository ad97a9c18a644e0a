/* SPDX-License-Identifier: Apache-2.0 */
/* The working grid: voxels on which the front moves, divided from the image voxels around the extent. */
#ifndef PORTAFLOW_SEGMENT_WORKING_GRID_H
#define PORTAFLOW_SEGMENT_WORKING_GRID_H
#include "common/base/must_check.h"
#include "segment/level_set/front.h"

/* Create the grid g around the extent, with the images g->denoised (not yet denoised) and g->evened. Its voxels are
 * cubes as wide as the thinnest side of an image voxel, or half as wide where a vessel is narrow and the box small. In
 * a box of more than 200 million such voxels, they are the image voxels. Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int working_grid_make(const volume *image, const front_seeds *s, const front_extent *e, front_grid *g);
void working_grid_free(front_grid *g);

/* Finds the voxels of n points (LPS), or of the seeds; a point outside v gets the nearest voxel.
 * working_grid_place_seeds allocates *out, owned by the caller. */
void working_grid_place_points(const volume *v, int n, const double (*at_mm)[3], int (*out)[3]);
MUST_CHECK int working_grid_place_seeds(const volume *v, const front_seeds *s, int (**out)[3]);

/* Region of the extent on the working grid: 1 inside, 0 outside, linear between image voxels. */
MUST_CHECK int working_grid_region(const volume *image, const front_extent *e, const front_grid *g, volume *out);

/* Halve the width of the voxels of g->evened and of `level` (unit: voxels) if vessels are narrow and memory allows. */
MUST_CHECK int working_grid_halve(const front_seeds *s, front_grid *g, volume *level);
MUST_CHECK int working_grid_halve_level(volume *level); /* halves the width of its voxels */

/* True if the lumen reaches a side of the box that is not a side of the image. axes: out, 1 for each axis with such a
 * side. place_mm: out, LPS, a voxel of the lumen there; unchanged if there is none. */
bool working_grid_reaches_side(const front_grid *g, const volume *level, int axes[3], double place_mm[3]);
/* True if the lumen reaches a side of the box that is not a side of the image; then also enlarges g->extra_margin for
 * the next box. */
bool working_grid_needs_room(front_grid *g, const volume *level);

/* Remove the voxels beyond the image, so that the level set ends with the image. */
MUST_CHECK int working_grid_crop(const front_grid *g, volume *level);
#endif
