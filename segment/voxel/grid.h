/* Grids: crop, refine, and interpolate along the axes of an image. */
#ifndef PORTAFLOW_SEGMENT_GRID_H
#define PORTAFLOW_SEGMENT_GRID_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* A box of voxels, both ends included; may reach beyond the image. */
typedef struct {
    int low[3], high[3];
} grid_box;

/* Voxels of `v` from box.low to box.high; beyond the image the value is `beyond`, or (NAN) that of the nearest voxel.
 * Errors: ERR_RESOURCE, ERR_INPUT (empty box). */
MUST_CHECK int grid_crop(const volume *v, const grid_box *box, float beyond, volume *out);

/* Grow by n voxels per axis; `within`: not beyond the image. */
void grid_box_grow(grid_box *box, const int n[3], const volume *within);

/* The voxels of `v` whose centres may lie within the outer faces of `of`; empty (high < low) when none do. */
void grid_box_of(const volume *v, const volume *of, grid_box *box);

/* The parts each voxel is cut into along each axis so that the parts are nearly cubes no wider than `spacing_mm`
 * (not cut where the voxel is already smaller). */
void grid_parts(const volume *v, double spacing_mm, int parts[3]);

/* Same box as `v`, each voxel cut into parts[3]; the outer faces of the voxels stay where they are.
 * cubic: Catmull-Rom interpolation along each axis (passes through the values, 4 points per axis, clamped at the
 * border), otherwise each part takes the value of its voxel. Errors: ERR_RESOURCE. */
MUST_CHECK int grid_refine(const volume *v, const int parts[3], bool cubic, volume *out);

/* Gaussian with a standard deviation per axis in voxels, clamped at the border; in place. Errors: ERR_RESOURCE. */
MUST_CHECK int grid_smooth(volume *v, const double sigma_voxels[3]);

/* Cubes of h mm over the same box, linear in the image smoothed by two fifths of h. Errors: ERR_RESOURCE. */
MUST_CHECK int grid_cubes(const volume *v, double h, volume *out);

/* Linear between the voxels at a continuous index, clamped at the border. */
double grid_sample_linear(const volume *v, const double index[3]);
#endif
