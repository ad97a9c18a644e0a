/* See root.h. */
#include "mesh/root.h"
#include <math.h>

double root_between(const voxelize_input *in, const double a[3], const double b[3], double at_a, double at_b) {
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
