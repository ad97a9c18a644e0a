/* SPDX-License-Identifier: Apache-2.0 */
#include "common/liver/lobule_law.h"
#include <math.h>

static lobule_quantity of(double value, double part) {
    return (lobule_quantity){value, part * value};
}

/* Stages in the order of the enum. steps: K is divided by STEP to this power. */
static const struct {
    const char *name;
    bool nodules, assumed;
    int steps;
} stages[LOBULE_STAGES] = {[LOBULE_HEALTHY] = {"healthy", false, false, 0},
                           [LOBULE_CIRRHOSIS] = {"cirrhosis", true, false, 0},
                           [LOBULE_F1] = {"F1", false, true, 1},
                           [LOBULE_F2] = {"F2", false, true, 2},
                           [LOBULE_F3] = {"F3", false, true, 3},
                           [LOBULE_CHILD_A] = {"Child A", true, true, -1},
                           [LOBULE_CHILD_B] = {"Child B", true, true, 0},
                           [LOBULE_CHILD_C] = {"Child C", true, true, 1}};
static const double STEP = 1.275; /* fourth root of R(F4) / R(F0) */

const char *lobule_stage_name(enum lobule_stage stage) {
    return stages[stage].name;
}

bool lobule_stage_is_assumed(enum lobule_stage stage) {
    return stages[stage].assumed;
}

lobule_liver lobule_default_liver(enum lobule_stage stage) {
    return (lobule_liver){.volume_ml = {NAN, 0},
                          .radius_mm = stages[stage].nodules ? of(0.75, 0.25) : of(0.5, 0.2),
                          .vein_radius_mm = of(0.03, 0.3),
                          .permeability_m2 =
                              of(1.56e-14 * pow(STEP, -stages[stage].steps), stages[stage].assumed ? 0.49 : 0.4),
                          .viscosity_pa_s = {NAN, 0},
                          .arterial_share = of(0.25, 0.4)};
}

bool lobule_is_valid(const lobule_liver *l) {
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        const double low = l->quantity[k].value - l->quantity[k].error;
        if (!(k == LOBULE_SHARE ? low >= 0 : low > 0))
            return false;
    }
    return l->radius_mm.value - l->radius_mm.error > l->vein_radius_mm.value &&
           l->radius_mm.value > l->vein_radius_mm.value + l->vein_radius_mm.error &&
           l->arterial_share.value + l->arterial_share.error < 1;
}

/* R_portal of equations (1) and (2) of lobule_law.h, Pa s/m3. */
static double portal_resistance(const lobule_liver *l) {
    const double a = 1e-3 * l->vein_radius_mm.value, b = 1e-3 * l->radius_mm.value;
    const double area = b * b * log(b / a) - 0.5 * (b * b - a * a);
    const double whole = l->viscosity_pa_s.value * area / (2 * l->permeability_m2.value * 1e-6 * l->volume_ml.value);
    return whole / (1 - l->arterial_share.value);
}

double lobule_resistance(const lobule_liver *l, double *error) {
    double square = 0;
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        lobule_liver low = *l, high = *l;
        low.quantity[k].value -= l->quantity[k].error;
        high.quantity[k].value += l->quantity[k].error;
        const double half = 0.5 * (portal_resistance(&high) - portal_resistance(&low));
        square += half * half;
    }
    *error = sqrt(square);
    return portal_resistance(l);
}

void lobule_bounds(const lobule_liver *l, double bound[2]) {
    const double r = portal_resistance(l);
    double square[2] = {0};
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        double part[2];
        for (int end = 0; end < 2; end++) {
            lobule_liver now = *l;
            now.quantity[k].value += (2 * end - 1) * l->quantity[k].error;
            part[end] = log(portal_resistance(&now) / r);
        }
        const double low = fmin(part[0], part[1]), high = fmax(part[0], part[1]);
        square[0] += low * low;
        square[1] += high * high;
    }
    bound[0] = r * exp(-sqrt(square[0]));
    bound[1] = r * exp(sqrt(square[1]));
}
