/* SPDX-License-Identifier: Apache-2.0 */
/* See vessel_line.h. */
#include "common/vessel/vessel_line.h"
#include "common/base/status.h"
#include <math.h>

enum { CHOSEN_MAX = 64 };

static double absolute_deviation(int n, const double *x, const double *y, double a, double slope) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += fabs(y[k] - a - slope * x[k]);
    return sum;
}

/* An optimal line passes through two of the points, so all pairs are tried. A line that falls to 0 within the branch is
 * no reference and is skipped. */
int vessel_line_median(int n, const double *x, const double *y, double *a, double *slope) {
    double u[CHOSEN_MAX], v[CHOSEN_MAX], least = INFINITY;
    const int m = n < CHOSEN_MAX ? n : CHOSEN_MAX;
    if (n < 2)
        return fail(ERR_INTERNAL,
                    "the reference diameter of a branch needs two points, but there is %d (error in the program)", n);
    for (int k = 0; k < m; k++) {
        u[k] = x[(int)((double)k * (n - 1) / (m - 1) + 0.5)];
        v[k] = y[(int)((double)k * (n - 1) / (m - 1) + 0.5)];
    }
    *a = v[0];
    *slope = 0;
    for (int i = 0; i < m; i++)
        for (int k = i; k < m; k++) {
            const double s = u[k] > u[i] ? (v[k] - v[i]) / (u[k] - u[i]) : 0, b = v[i] - s * u[i];
            if (b + s * u[0] <= 0 || b + s * u[m - 1] <= 0)
                continue;
            const double here = absolute_deviation(m, u, v, b, s);
            if (here < least) {
                least = here;
                *a = b;
                *slope = s;
            }
        }
    return OK;
}

double vessel_line_slope(int n, const double *x, const double *y) {
    double mx = 0, my = 0, xx = 0, xy = 0;
    for (int k = 0; k < n; k++) {
        mx += x[k] / n;
        my += y[k] / n;
    }
    for (int k = 0; k < n; k++) {
        xx += (x[k] - mx) * (x[k] - mx);
        xy += (x[k] - mx) * (y[k] - my);
    }
    return xx > 0 ? xy / xx : NAN;
}
