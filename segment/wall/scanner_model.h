/* What a scanner would show of a wall: the picture of a level set on the voxels of an image. */
#ifndef PORTAFLOW_SEGMENT_SCANNER_MODEL_H
#define PORTAFLOW_SEGMENT_SCANNER_MODEL_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* level: voxels of its grid, negative inside, distance-like near its zero. parts: of its grid a voxel of the image has
 * along each axis (grid_refine). Each voxel of `out` (created) is the mean over its width of `inside` where the level
 * is negative and `outside` elsewhere, seen through a point spread of `variance` along each axis (that of a Gaussian,
 * mm2). The level is taken as linear between its places, as the surface of its zero is. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_scanner_model.c */
MUST_CHECK int scanner_model_image(const volume *level, const int parts[3], const double variance[3], double inside,
                                   double outside, volume *out);

/* A point spread and how well it is known: variances of a Gaussian, mm2. */
typedef struct {
    double within, across; /* along the thin axes of a voxel, along the thick one (the same where there is none) */
    double within_sd, across_sd; /* standard deviations of these */
} point_spread;

/* Along each axis of voxels so wide, mm2. */
void scanner_model_variance(const point_spread *spread, const double voxel_mm[3], double out[3]);

/* The point spread with which the picture of a level set is most like the image near the wall: least squares of
 *   image = b + a m + a sum_k dv_k dm/dv_k + a e |grad m|,  dm/dv = half the second difference along an axis,
 * m the picture with 1 inside and 0 outside: e takes up a wall that lies elsewhere. Three rounds, far outliers left
 * out. A measured variance counts by its standard error against `spread` as handed in, a guess with its standard
 * deviation.
 *
 * image: on the voxels of scanner_model_image, as bright inside everywhere. seen: 0 to 1 on the grid of `level`, NULL:
 * 1; where it is below a half nothing is looked at. Errors: ERR_RESOURCE. */
MUST_CHECK int scanner_model_fit(const volume *image, const volume *level, const volume *seen, const int parts[3],
                                 point_spread *spread);
#endif
