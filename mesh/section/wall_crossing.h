/* Where the wall lies between two points, and which way it faces. */
#ifndef PORTAFLOW_WALL_CROSSING_H
#define PORTAFLOW_WALL_CROSSING_H
#include "mesh/section/lumen_box.h"

/* Share of the way from a (field at_a < 0) to b (field at_b >= 0) where the field is zero, to 1e-6, in 0..1. When the
 * signs are not so (rounding at the wall): the end that is nearer to zero. Illinois method with bisection steps. */
double wall_crossing(const voxelize_input *in, const double a[3], const double b[3], double at_a, double at_b);

/* Gradient of the distance by central differences over `step_mm` on either side; and the same of unit length (0 where
 * it is flat): the wall's outward normal. */
void wall_gradient(const voxelize_input *in, const double point_mm[3], double step_mm, double gradient[3]);
void wall_slope(const voxelize_input *in, const double point_mm[3], double step_mm, double slope[3]);
#endif
