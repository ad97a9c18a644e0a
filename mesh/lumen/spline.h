/* SPDX-License-Identifier: Apache-2.0 */
/* A volume as a smooth function: cubic B-splines through the voxel values (Unser, Aldroubi, Eden 1993).
 *
 * The function is twice continuously differentiable, so the zero level of a distance has no facets of voxel size. It is
 * fourth-order accurate where the values are smooth. Test: tests/unit/mesh/test_spline.c */
#ifndef PORTAFLOW_SPLINE_H
#define PORTAFLOW_SPLINE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    volume grid;        /* geometry of the values, without the values */
    int dims[3];        /* size of coefficient[]: two voxels more than the grid on every side */
    float *coefficient; /* [dims[2]][dims[1]][dims[0]] spline coefficients */
} spline;

/* Compute the spline through the values of v. Errors: ERR_RESOURCE. */
MUST_CHECK int spline_create(spline *s, const volume *v);
void spline_free(spline *s);

/* Value at a continuous index of the grid, 0 <= index <= dims - 1 (clamped); gradient per voxel, may be NULL. */
double spline_at_index(const spline *s, const double index[3], double gradient[3]);

/* Value at an LPS point. Outside the outermost voxel centres: the value at the border plus the distance to the border.
 * gradient_mm in LPS, per mm; may be NULL. */
double spline_value(const spline *s, const double lps_mm[3], double gradient_mm[3]);

/* Upper bound of the norm of the second derivatives in the box between the indices low and high, 0 <= low <= high <=
 * dims - 1, per mm2. The second derivatives are weighted means of the second differences of the coefficients. */
double spline_bend(const spline *s, const double low[3], const double high[3]);
#endif
