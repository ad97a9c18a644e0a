/* Where the wall lies between two points. */
#ifndef PORTAFLOW_ROOT_H
#define PORTAFLOW_ROOT_H
#include "mesh/voxelize.h"

/* Share of the way from a (field at_a < 0) to b (field at_b >= 0) where the field is zero, to 1e-6, in 0..1. When the
 * signs are not so (rounding at the wall): the end that is nearer to zero. Illinois method with bisection steps. */
double root_between(const voxelize_input *in, const double a[3], const double b[3], double at_a, double at_b);
#endif
