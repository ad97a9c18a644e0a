/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/half_height.h"
#include <math.h>

enum { SAMPLES = HALF_HEIGHT_SAMPLES, HALF = HALF_HEIGHT_SIDE, ROUNDS = 5 };
static const double step = HALF_HEIGHT_STEP;
/* The intensities N of the vessel and L of the tissue are read at these distances from the wall, in standard deviations
 * of the blur (half_height.h) */
static const double core = 2, shell = 1.5;
/* Fall from N to the wall, as a fraction of N - L: (0.5 - 0.023) / (1 - 0.090). A step blurred by a Gaussian of
 * standard deviation s lacks 0.023 of its height at 2 s inside and still has 0.067 of it at 1.5 s outside. */
static const double half = 0.524;
/* Largest difference between N and `inside`, as a fraction of the contrast */
static const double off_core = 0.3;
/* A fall of intensity, as a fraction of the contrast, has weight 0 up to no_fall and weight 1 from full_fall on */
static const double no_fall = 0.2, full_fall = 0.5;

/* Profile at x, linear between the samples; x in voxels from the middle. */
static double profile_at(const double f[SAMPLES], double x) {
    const double s = fmin(SAMPLES - 1.001, fmax(0, x / step + HALF));
    const int low = (int)s;
    return f[low] + (s - low) * (f[low + 1] - f[low]);
}

/* Position on the profile, nearest to `from`, at which it falls below `value`; NAN: none. */
static double falls_through(const double f[SAMPLES], double value, double from) {
    double best = NAN;
    for (int i = 0; i + 1 < SAMPLES; i++) {
        if (!(f[i] >= value && f[i + 1] < value))
            continue;
        const double x = step * (i - HALF + (f[i] - value) / (f[i] - f[i + 1]));
        if (isnan(best) || fabs(x - from) < fabs(best - from))
            best = x;
    }
    return best;
}

static double least_within(const double f[SAMPLES], double low, double high) {
    double least = fmin(profile_at(f, low), profile_at(f, high));
    for (int i = 0; i < SAMPLES; i++)
        if (step * (i - HALF) > low && step * (i - HALF) < high)
            least = fmin(least, f[i]);
    return least;
}

double half_height(const double f[SAMPLES], double inside, double outside, double s, double *part) {
    const double contrast = inside - outside;
    double x = falls_through(f, 0.5 * (inside + outside), 0);
    *part = 0;
    for (int round = 0; round < ROUNDS && !isnan(x); round++) {
        const double n =
            fmin(inside + off_core * contrast, fmax(inside - off_core * contrast, profile_at(f, x - core * s)));
        const double fall = n - least_within(f, x, x + shell * s);
        *part = fall / contrast;
        x = falls_through(f, n - half * fall, x);
    }
    return x;
}

double half_height_trust(double part) {
    return fmin(1, fmax(0, (part - no_fall) / (full_fall - no_fall)));
}

double half_height_rising(const double *f, int first, int n, int reach, double inside, double least) {
    double peak = f[first];
    for (int s = first; s < n && s <= first + reach; s++)
        peak = fmax(peak, f[s]);
    const double middle = 0.5 * (inside + peak);
    int s = first > 0 ? first - 1 : 0;
    if (peak < least)
        return NAN;
    while (s + 1 < n && f[s + 1] < middle)
        s++;
    return s + 1 < n ? s + fmin(1, fmax(0, (middle - f[s]) / fmax(f[s + 1] - f[s], 1e-9))) : s;
}
