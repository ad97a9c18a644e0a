/* SPDX-License-Identifier: Apache-2.0 */
/* Position of the wall between two points, and its normal. */
#ifndef PORTAFLOW_WALL_CROSSING_H
#define PORTAFLOW_WALL_CROSSING_H
#include "mesh/section/lumen_box.h"

/* Position of the zero of the field on the segment from a (value at_a < 0) to b (value at_b >= 0), as a fraction 0..1
 * with an error below 1e-6. If at_a and at_b have other signs, because of rounding at the wall, the result is the end
 * whose value is nearer to zero. Illinois method with bisection steps. */
double wall_crossing(const voxelize_input *in, const double a[3], const double b[3], double at_a, double at_b);

/* Gradient of the distance by central differences over `step_mm` on either side. wall_slope: this gradient as a unit
 * vector, which is the outward normal of the wall; 0 where the field is flat. */
void wall_gradient(const voxelize_input *in, const double point_mm[3], double step_mm, double gradient[3]);
void wall_slope(const voxelize_input *in, const double point_mm[3], double step_mm, double slope[3]);
#endif
