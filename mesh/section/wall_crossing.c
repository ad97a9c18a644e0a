/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/wall_crossing.h"
#include "common/base/vec.h"
#include <math.h>

double wall_crossing(const voxelize_input *in, const double a[3], const double b[3], double at_a, double at_b) {
    if (!(at_a < 0 && at_b >= 0))
        return fabs(at_a) < fabs(at_b) ? 0 : 1;
    double low = 0, high = 1, at_low = at_a, at_high = at_b;
    int side = 0;
    for (int step = 0; step < 60 && high - low > 1e-6 && at_high > 0; step++) {
        const bool bisect = step % 4 == 3;
        const double t = bisect ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
        double p[3];
        for (int k = 0; k < 3; k++)
            p[k] = a[k] + t * (b[k] - a[k]);
        const double d = in->distance(in->data, p);
        if (fabs(d) < 1e-9 * in->spacing_mm)
            return t;
        if (d < 0) {
            at_high = side == -1 && !bisect ? at_high / 2 : at_high;
            low = t, at_low = d, side = -1;
        } else {
            at_low = side == 1 && !bisect ? at_low / 2 : at_low;
            high = t, at_high = d, side = 1;
        }
    }
    return low - at_low * (high - low) / (at_high - at_low);
}

/* Gradient of the distance by central differences. */
void wall_gradient(const voxelize_input *in, const double p[3], double step, double g[3]) {
    for (int a = 0; a < 3; a++) {
        double low[3] = {p[0], p[1], p[2]}, high[3] = {p[0], p[1], p[2]};
        low[a] -= step;
        high[a] += step;
        g[a] = (in->distance(in->data, high) - in->distance(in->data, low)) / (2 * step);
    }
}

void wall_slope(const voxelize_input *in, const double point_mm[3], double step_mm, double slope[3]) {
    wall_gradient(in, point_mm, step_mm, slope);
    const double length = sqrt(vec_dot(slope, slope));
    for (int a = 0; a < 3 && length > 0; a++)
        slope[a] /= length;
}
