/* SPDX-License-Identifier: Apache-2.0 */
/* Smooth curve through measured points: local polynomials of the arc length (Cleveland 1979). */
#ifndef PORTAFLOW_CURVE_FIT_H
#define PORTAFLOW_CURVE_FIT_H
#include <stdbool.h>

enum { CURVE_FIT_DEGREE = 5 };

typedef struct {
    double at[3], d1[3], d2[3], d3[3]; /* position and derivatives by arc length */
    int degree;                        /* degree of the polynomial; less than the requested degree if there are few
                                        * points */
} curve_point;

/* Fit a polynomial to the points within width_mm of s0 with tricube weights, and evaluate it at s0.
 *   n, s, at  arc lengths, ascending, and points
 *   degree    1 .. CURVE_FIT_DEGREE
 * If the window has fewer than two points per coefficient, it grows. If there are too few points in total, the degree
 * falls. Returns false with fewer than two points. */
bool curve_fit_at(int n, const double *s, const double (*at)[3], double s0, double width_mm, int degree,
                  curve_point *out);

/* Curvature and torsion, 1/mm, of a curve with the derivatives of p. Torsion is NaN if the curvature is below
 * least_curvature. */
void curve_fit_frame(const curve_point *p, double least_curvature, double *curvature, double *torsion);
#endif
