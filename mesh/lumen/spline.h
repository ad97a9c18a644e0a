/* A volume as a smooth function: cubic B-splines through the voxel values (Unser, Aldroubi, Eden 1993).
 *
 * Twice continuously differentiable, so the zero level of a distance has no facets the size of a voxel; fourth order
 * where the values are smooth. Test: tests/unit/mesh/test_spline.c */
#ifndef PORTAFLOW_SPLINE_H
#define PORTAFLOW_SPLINE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    volume grid;        /* geometry of the values; value NULL */
    int dims[3];        /* of the coefficients: two more on every side */
    float *coefficient; /* [dims[2]][dims[1]][dims[0]] */
} spline;

/* Errors: ERR_RESOURCE. */
MUST_CHECK int spline_create(spline *s, const volume *v);
void spline_free(spline *s);

/* Value at a continuous index of the grid, 0 <= index <= dims - 1 (clamped); gradient per voxel, may be NULL. */
double spline_at_index(const spline *s, const double index[3], double gradient[3]);

/* Value at an LPS point; outside the outermost voxel centres the value there plus the distance to it.
 * gradient_mm in LPS, per mm; may be NULL. */
double spline_value(const spline *s, const double lps_mm[3], double gradient_mm[3]);

/* How fast the gradient turns between two indices, 0 <= low <= high <= dims - 1: a bound of the norm of the second
 * derivatives, per mm2. They are mixes of the coefficients' second differences. */
double spline_bend(const spline *s, const double low[3], const double high[3]);
#endif
