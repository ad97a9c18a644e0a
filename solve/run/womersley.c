/* See womersley.h. */
#include "solve/run/womersley.h"
#include <complex.h>
#include <math.h>

enum { TERMS = 120, POINTS = 400, SAMPLES = 512, HARMONICS = 20 };
static const double SMALL = 0.05, LARGE = 30; /* alpha: a parabola to 1e-7; beyond it the series loses its digits */

/* J0 (order 0) and J1 by their power series. */
static double complex bessel(int order, double complex z) {
    double complex term = order ? 0.5 * z : 1, sum = term;
    for (int k = 1; k < TERMS; k++) {
        term *= -0.25 * z * z / (k * (double)(k + order));
        sum += term;
    }
    return sum;
}

double womersley_momentum(double alpha) {
    if (alpha < SMALL)
        return 4.0 / 3.0;
    if (alpha > LARGE) /* a layer at the wall, as thick as 1 / alpha */
        return 1 + (womersley_momentum(LARGE) - 1) * LARGE / alpha;
    const double complex l = alpha * cexp(0.75 * M_PI * I);
    const double complex at_wall = bessel(0, l), mean = 1 - 2 * bessel(1, l) / (l * at_wall);
    double sum = 0;
    for (int k = 0; k < POINTS; k++) {
        const double r = (k + 0.5) / POINTS, u = cabs((1 - bessel(0, l * r) / at_wall) / mean);
        sum += 2 * r * u * u / POINTS;
    }
    return sum;
}

double womersley_excess(const waveform *w, double radius_m, double nu_m2_s) {
    double sum = 0;
    for (int k = 1; k <= HARMONICS; k++) {
        double complex part = 0;
        for (int n = 0; n < SAMPLES; n++)
            part += 2.0 / SAMPLES * waveform_flow_m3_s(w, w->period_s * n / SAMPLES) *
                    cexp(-2 * M_PI * k * n / SAMPLES * I);
        const double alpha = radius_m * sqrt(2 * M_PI * k / (w->period_s * nu_m2_s));
        sum += (4.0 / 3.0 - womersley_momentum(alpha)) * 0.5 * creal(part * conj(part));
    }
    return fmax(sum, 0);
}
