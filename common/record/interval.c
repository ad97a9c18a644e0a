/* SPDX-License-Identifier: Apache-2.0 */
/* Equation numbers refer to post/readouts/INTERVALS.md. */
#include "common/record/interval.h"
#include <math.h>
#include <stdio.h>

/* SAFE: safety factor with three lattices; SAFE_FEW: with two lattices (Roache 1994) */
static const double SAFE = 1.25, SAFE_FEW = 3;
/* Lower limits of the half-width. CORRECTION: as a fraction of the correction. LEAST (with cumulants LEAST_CUMULANTS):
 * as a fraction of the value; in straight pipes an error of this size follows no power of the spacing. */
static const double CORRECTION = 0.33, LEAST = 1.6e-2, LEAST_CUMULANTS = 1e-2;
/* A value counts as prescribed if its relative spread over the lattices is below this */
static const double GIVEN = 1e-6;
/* If no accuracy is given, interval_lattice_limit is the larger of REST_PART * interval_rest and VALUE_PART * value */
static const double REST_PART = 1.0 / 3, VALUE_PART = 0.01;
/* For three lattices. APPROACH: the values converge if the difference between the two finest lattices is below this
 * fraction of the difference between the two coarser ones, and has the same sign. NOISE: values that do not converge
 * give an interval only if their spread is below this fraction of the value. */
static const double NOISE = 0.1, APPROACH = 0.8;
/* Ramps of the observed order. From TRUSTED down to SLOW and from STEEP up to STEEPEST, the extrapolation changes from
 * three lattices to the two finest, and the interval becomes wider. */
static const double SLOW = 1.5, TRUSTED = 2, STEEP = 4, STEEPEST = 5;

/* Lower limit of the half-width for a value of magnitude `size`. */
static double least_half_width(const interval *u, double size) {
    return SAFE * (u->cumulants ? LEAST_CUMULANTS : LEAST) * fabs(size);
}

/* Weight of f1 - f2 in an extrapolation from two lattices (eqs. 1 and 1c of
 * post/readouts/INTERVALS.md): second order, with cumulants third order. */
static double two_lattices_weight(const interval *u, const double *h) {
    const double r = h[1] / h[0];
    return 1 / ((u->cumulants ? r * r * r : r * r) - 1);
}

/* Richardson extrapolation of second order, eq. (1) of post/readouts/INTERVALS.md. */
static double extrapolate_second_order(const double *h, const double *f) {
    const double r = h[1] / h[0];
    return f[0] + (f[0] - f[1]) / (r * r - 1);
}

/* Observed order p of three lattices: solves eq. (3) of post/readouts/INTERVALS.md by bisection in 0.1..8. The
 * right-hand side of eq. (3) rises with p. NAN: no solution in this range. */
static double observed_order(const double *h, const double *f) {
    const double wanted = (f[2] - f[1]) / (f[1] - f[0]);
    double low = 0.1, high = 8;
    if (!(wanted > 0))
        return NAN;
    for (int k = 0; k < 60; k++) {
        const double p = 0.5 * (low + high);
        const double ratio = (pow(h[2], p) - pow(h[1], p)) / (pow(h[1], p) - pow(h[0], p));
        *(ratio < wanted ? &low : &high) = p;
    }
    return low > 7.99 || high < 0.11 ? NAN : low;
}

static double value_spread(const double *f) {
    return fmax(fabs(f[0] - f[1]), fmax(fabs(f[1] - f[2]), fabs(f[0] - f[2])));
}

/* Ramp that is 0 up to a, 1 from b on, and linear between; 1 for NaN. */
static double linear_ramp(double value, double a, double b) {
    return fmax(0, fmin(1, (value - a) / (b - a)));
}

static void from_three(const double *h, const double *f, interval *u) {
    const double e1 = extrapolate_second_order(h, f), e2 = extrapolate_second_order(h + 1, f + 1), r = h[2] / h[0];
    const double e = e1 + (e1 - e2) / (r * r - 1);
    const double fine = f[0] - f[1], coarse = f[1] - f[2], size = fabs(f[0]);
    const bool small = value_spread(f) <= NOISE * size;
    u->order = observed_order(h, f);
    if (value_spread(f) <= GIVEN * size) { /* a spread this small shows that the case prescribes the value */
        u->measured = u->lattice = 0;
    } else if (fine * coarse > 0 && fabs(fine) < APPROACH * fabs(coarse)) {
        const double slow = 1 - linear_ramp(u->order, SLOW, TRUSTED),
                     steep = isnan(u->order) ? 1 : linear_ramp(u->order, STEEP, STEEPEST);
        const double part = (1 - slow) * (1 - steep); /* share of the coarsest lattice in the extrapolation */
        const double value = e1 + part * (e - e1), taken = fabs(value - f[0]);
        const double open =
            (1 - steep) * SAFE * fmin(fabs(e - e1), fabs(e - f[0])) + steep * SAFE_FEW * fabs(e1 - f[0]);
        u->kind = INTERVAL_EXTRAPOLATED;
        u->value = value;
        u->measured = fmax(open, SAFE * (1 + slow) * CORRECTION * taken);
        u->lattice = fmax(u->measured, least_half_width(u, value));
    } else if (small) {
        u->measured = SAFE_FEW * value_spread(f);
        u->lattice = fmax(u->measured, least_half_width(u, size));
    } else {
        u->kind = INTERVAL_REFUSED;
        u->lattice = NAN;
    }
}

interval interval_of_lattices(int n, const double *spacing_mm, const double *value, bool cumulants) {
    interval u = {.value = value[0],
                  .finest = value[0],
                  .order = NAN,
                  .kind = INTERVAL_NONE,
                  .cumulants = cumulants,
                  .measured = NAN,
                  .lattice = NAN,
                  .image = NAN,
                  .inputs = NAN,
                  .total = NAN};
    if (n < 2)
        return u;
    for (int k = 0; k < n; k++)
        if (!isfinite(value[k]))
            return u;
    u.kind = INTERVAL_NOISE;
    if (n > 2) {
        from_three(spacing_mm, value, &u);
        return u;
    }
    if (fabs(value[0] - value[1]) <= GIVEN * fabs(value[0])) {
        u.measured = u.lattice = 0;
        return u;
    }
    u.kind = INTERVAL_EXTRAPOLATED;
    u.value = value[0] + two_lattices_weight(&u, spacing_mm) * (value[0] - value[1]);
    u.measured = SAFE_FEW * fabs(u.value - value[0]);
    u.lattice = fmax(u.measured, least_half_width(&u, value[0]));
    return u;
}

void interval_of_two_flows(int n, const double *spacing_mm, const double *value, const double *error, interval *u) {
    if (n < 2 || u->kind == INTERVAL_NONE || u->lattice == 0)
        return;
    if ((error[0] > 0) != (error[1] > 0)) {
        u->kind = INTERVAL_NOISE;
        u->value = value[0];
        u->measured = SAFE_FEW * fabs(value[0] - value[1]);
        u->lattice = fmax(u->measured, least_half_width(u, value[0]));
    } else if (n > 2 && (error[0] > 0) != (error[2] > 0)) {
        *u = interval_of_lattices(2, spacing_mm, value, u->cumulants);
    }
}

void interval_of_means(int n, const double *spacing_mm, const double *value, const double *error, interval *u) {
    if (n < 2 || !(u->lattice > 0))
        return;
    const double r = spacing_mm[1] / spacing_mm[0];
    /* three lattices: an error in even powers of the spacing is assumed */
    const double weight = n > 2 ? 1 / (r * r - 1) : two_lattices_weight(u, spacing_mm),
                 q = u->kind == INTERVAL_EXTRAPOLATED ? weight : 0;
    const double fine = (1 + q) * error[0] * value[0], coarse = q * error[1] * value[1];
    u->lattice = hypot(u->lattice, 2 * hypot(fine, coarse));
}

double interval_of_image(const interval *u, double narrower, double unmoved, double wider) {
    const double part = unmoved != 0 ? fabs(u->value / unmoved) : 1;
    return 0.5 * fabs(wider - narrower) * (isfinite(part) ? fmin(fmax(part, 0.5), 2) : NAN);
}

double interval_of_input(double changed, double unmoved, double change, double error) {
    return (changed - unmoved) * error / fabs(change);
}

double interval_rest(const interval *u) {
    const double given = hypot(isnan(u->inputs) ? 0 : u->inputs, isnan(u->blood) ? 0 : u->blood);
    return hypot(isnan(u->image) ? 0 : u->image, given);
}

double interval_lattice_limit(const interval *u, double accuracy) {
    return isnan(accuracy) ? fmax(REST_PART * interval_rest(u), VALUE_PART * fabs(u->value))
                           : accuracy * fabs(u->value);
}

void interval_add_up(interval *u) {
    u->total = sqrt(u->lattice * u->lattice + u->image * u->image + u->inputs * u->inputs + u->blood * u->blood);
}

double interval_known(const interval *u) {
    const double without = interval_rest(u);
    return u->kind == INTERVAL_INPUTS ? without : hypot(u->lattice, without);
}
