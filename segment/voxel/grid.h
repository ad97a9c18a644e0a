/* SPDX-License-Identifier: Apache-2.0 */
/* Crop, refine, smooth and interpolate along the axes of an image. */
#ifndef PORTAFLOW_SEGMENT_GRID_H
#define PORTAFLOW_SEGMENT_GRID_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* A box of voxels, both ends included; may reach beyond the image. */
typedef struct {
    int low[3], high[3];
} grid_box;

/* Crops a volume. `out`: voxels of `v` from box.low to box.high; outside the image the value is `beyond`; with `beyond`
 * NAN it is the value of the nearest voxel. Errors: ERR_RESOURCE, ERR_INPUT (empty box). */
MUST_CHECK int grid_crop(const volume *v, const grid_box *box, float beyond, volume *out);

/* Grow the box by n voxels on both sides of each axis. within: image that limits the box, or NULL. */
void grid_box_grow(grid_box *box, const int n[3], const volume *within);

/* Sets the box of voxels of `v` around the corners of the outer faces of `of`, rounded outwards and limited to `v`;
 * empty (high < low) if `of` ends a voxel or more beyond the outermost voxel centres of `v`. */
void grid_box_overlap(const volume *v, const volume *of, grid_box *box);

/* Chooses how to divide voxels. parts: out, the number of parts of a voxel along each axis that makes the parts nearly
 * cubes of `spacing_mm`; at least 1. */
void grid_count_parts(const volume *v, double spacing_mm, int parts[3]);

/* Divide each voxel of `v` into parts[3]; the outer faces stay. cubic: Catmull-Rom interpolation along each axis
 * (through the values, 4 points per axis, clamped at the border). Otherwise each part gets the value of its voxel.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int grid_refine(const volume *v, const int parts[3], bool cubic, volume *out);

/* Smooths by a Gaussian with a standard deviation per axis in voxels, clamped at the border; in place. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int grid_smooth(volume *v, const double sigma_voxels[3]);

/* Resample on cubes of h mm over the same box: linear, after smoothing with a standard deviation of 0.4 h. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int grid_resample_cubes(const volume *v, double h, volume *out);

/* Linear interpolation at a continuous index, clamped at the border. */
double grid_sample_linear(const volume *v, const double index[3]);
#endif
