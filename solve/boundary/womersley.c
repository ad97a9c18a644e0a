/* SPDX-License-Identifier: Apache-2.0 */
/* See womersley.h. */
#include "solve/boundary/womersley.h"
#include <complex.h>
#include <math.h>

enum { TERMS = 120, POINTS = 400, SAMPLES = 512, HARMONICS = WOMERSLEY_HARMONICS };
/* The power series serve alpha from SMALL to LARGE. Below SMALL the profile differs from a parabola by less than 1e-7.
 * Above LARGE the series lose too many digits to rounding. */
static const double SMALL = 0.05, LARGE = 30;
static const double ANGLE_MOST = 1.2; /* near pi / 2 a wave between the openings would be in resonance */

/* Bessel function J0 (order 0) or J1 (order 1) by power series. */
static double complex bessel_j(int order, double complex z) {
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
    if (alpha > LARGE) /* asymptotic form: a boundary layer of thickness 1 / alpha */
        return 1 + (womersley_momentum(LARGE) - 1) * LARGE / alpha;
    const double complex l = alpha * cexp(0.75 * M_PI * I);
    const double complex at_wall = bessel_j(0, l), mean = 1 - 2 * bessel_j(1, l) / (l * at_wall);
    double sum = 0;
    for (int k = 0; k < POINTS; k++) {
        const double r = (k + 0.5) / POINTS, u = cabs((1 - bessel_j(0, l * r) / at_wall) / mean);
        sum += 2 * r * u * u / POINTS;
    }
    return sum;
}

double womersley_wall(double alpha) {
    if (alpha < SMALL)
        return 4;
    if (alpha > LARGE)
        return womersley_wall(LARGE) * alpha / LARGE;
    const double complex l = alpha * cexp(0.75 * M_PI * I), g = bessel_j(1, l) / bessel_j(0, l);
    return cabs(l * g / (1 - 2 * g / l));
}

double womersley_lattice(double layer_cells, bool regularized) {
    return fmin(1, regularized ? 1 / (3 * pow(layer_cells, 2)) : 0.3 / pow(layer_cells, 3));
}

/* Amplitude |Q_k| of the k-th harmonic of the flow. */
static double harmonic_m3_s(const waveform *w, int k) {
    double complex part = 0;
    for (int n = 0; n < SAMPLES; n++)
        part +=
            2.0 / SAMPLES * waveform_flow_m3_s(w, w->period_s * n / SAMPLES) * cexp(-2 * M_PI * k * n / SAMPLES * I);
    return cabs(part);
}

static double alpha_of(const waveform *w, int k, double radius_m, double nu_m2_s) {
    return radius_m * sqrt(2 * M_PI * k / (w->period_s * nu_m2_s));
}

double womersley_excess(const waveform *w, double radius_m, double nu_m2_s) {
    double sum = 0;
    for (int k = 1; k <= HARMONICS; k++)
        sum += (4.0 / 3.0 - womersley_momentum(alpha_of(w, k, radius_m, nu_m2_s))) * 0.5 * pow(harmonic_m3_s(w, k), 2);
    return fmax(sum, 0);
}

womersley_series womersley_series_of(const waveform *w, double radius_m, double nu_m2_s) {
    womersley_series s;
    for (int k = 1; k <= HARMONICS; k++) {
        const double alpha = alpha_of(w, k, radius_m, nu_m2_s);
        s.square[k - 1] = 0.5 * pow(harmonic_m3_s(w, k), 2);
        s.momentum[k - 1] = womersley_momentum(alpha);
        s.layer_m[k - 1] = sqrt(2) * radius_m / alpha;
    }
    return s;
}

double womersley_growth(const womersley_series *s, double dx_m, bool regularized, double angle) {
    double sum = 0;
    for (int k = 1; k <= HARMONICS; k++) {
        const double longer = 1 / cos(fmin(k * angle, ANGLE_MOST)) - 1;
        const double steeper = dx_m > 0 ? womersley_lattice(s->layer_m[k - 1] / dx_m, regularized) : 0;
        sum += s->square[k - 1] * (2 * s->momentum[k - 1] * longer + 0.7 * steeper);
    }
    return sum;
}

/* stress: sum of squares of the wall stresses of the harmonics, in units of mu / (pi R^3). slope: estimate of the sum
 * of squares of the pressure gradients, in units of mu / (pi R^4): squares of inertia, alpha^2, and of steady friction,
 * 8. */
womersley_layer womersley_layer_of(const waveform *w, double radius_m, double nu_m2_s, double dx_m, bool regularized) {
    double stress = 0, slope = 0, wrong = 0, largest = 0;
    womersley_layer found = {0};
    for (int k = 1; k <= HARMONICS; k++) {
        const double alpha = alpha_of(w, k, radius_m, nu_m2_s), flow = harmonic_m3_s(w, k);
        const double layer_m = sqrt(2) * radius_m / alpha, wall = flow * womersley_wall(alpha);
        found.layer_m = wall > largest ? layer_m : found.layer_m;
        largest = fmax(largest, wall);
        stress += wall * wall;
        slope += pow(flow * alpha * alpha, 2) + pow(8 * flow, 2);
        wrong += pow(wall * womersley_lattice(layer_m / dx_m, regularized), 2);
    }
    found.pulse = sqrt(0.5 * stress) / (4 * fabs(waveform_mean_m3_s(w)));
    found.wall = stress > 0 ? sqrt(wrong / stress) : 0;
    found.drop = slope > 0 ? 2 * sqrt(wrong / slope) : 0;
    return found;
}
