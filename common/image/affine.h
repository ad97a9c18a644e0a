/* SPDX-License-Identifier: Apache-2.0 */
/* Affine transforms of images, from voxel index to LPS mm, and their decomposition into spacing, origin and
 * direction. */
#ifndef PORTAFLOW_AFFINE_H
#define PORTAFLOW_AFFINE_H
#include "common/base/must_check.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Split p = a[.][0..2] * index + a[.][3] into spacing (> 0), origin and orthonormal direction (its columns are the
 * axes). Deviations up to 0.1 degree from right angles are corrected. `name`: file name for the message. Errors:
 * ERR_INPUT (not finite, zero axis, sheared by more than 0.1 degree). */
MUST_CHECK int affine_split(const char *name, double a[3][4], double spacing_mm[3], double origin_mm[3],
                            double direction[9]);

double affine_determinant(const double m[9]);
#ifdef __cplusplus
}
#endif
#endif
