/* SPDX-License-Identifier: Apache-2.0 */
#include "common/blood/shear_profile.h"
#include <math.h>

enum { N = SHEAR_PROFILE_POINTS };

/* Fills the profile for the shear rate wall_1_s at the wall. Point k has the shear rate wall_1_s (k / N)^2. */
static void fill(const viscosity_law *l, const shear_section *s, double wall_1_s, shear_profile *p) {
    const double m = 2 * (s->peak - 1), length_m = m * s->area_m2 / s->perimeter_m;
    double rate[N + 1], mean = 0;
    p->peak = s->peak;
    p->wall_stress_pa = viscosity_law_pa_s(l, wall_1_s) * wall_1_s;
    for (int k = 0; k <= N; k++) {
        rate[k] = wall_1_s * k * k / ((double)N * N);
        /* at rate 0 the stress is the yield stress of Casson, else 0 */
        p->place[k] =
            k == 0 ? l->yield_pa / p->wall_stress_pa : viscosity_law_pa_s(l, rate[k]) * rate[k] / p->wall_stress_pa;
    }
    p->velocity[N] = 0;
    for (int k = N - 1; k >= 0; k--) {
        const double step = 0.5 * length_m * (rate[k] + rate[k + 1]) * (p->place[k + 1] - p->place[k]);
        p->velocity[k] = p->velocity[k + 1] + step;
        mean += step * 0.5 * (pow(p->place[k], m) + pow(p->place[k + 1], m));
    }
    p->mean_m_s = mean;
    for (int k = 0; k <= N; k++)
        p->velocity[k] /= mean;
}

/* Fills the profile whose mean velocity (of_peak 0) or highest velocity (of_peak 1) is velocity_m_s. The shear rate at
 * the wall is found by bisection, because both velocities grow with it. */
static void find_rate(const viscosity_law *l, const shear_section *s, int of_peak, double velocity_m_s,
                      shear_profile *p) {
    double low = 1e-9, high = 1e7;
    for (int k = 0; k < 60; k++) {
        const double middle = sqrt(low * high);
        fill(l, s, middle, p);
        if (p->mean_m_s * (of_peak ? p->velocity[0] : 1) < velocity_m_s)
            low = middle;
        else
            high = middle;
    }
}

void shear_profile_of_mean(const viscosity_law *l, const shear_section *s, double mean_m_s, shear_profile *p) {
    find_rate(l, s, 0, mean_m_s, p);
}

void shear_profile_of_peak(const viscosity_law *l, const shear_section *s, double peak_m_s, shear_profile *p) {
    find_rate(l, s, 1, peak_m_s, p);
}

double shear_profile_value(const shear_profile *p, double newtonian) {
    const double rho = sqrt(fmax(0, 1 - fabs(newtonian) / p->peak));
    int low = 0, high = N;
    if (rho <= p->place[0])
        return copysign(p->velocity[0], newtonian);
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(p->place[middle] <= rho ? &low : &high) = middle;
    }
    const double part = (rho - p->place[low]) / (p->place[high] - p->place[low]);
    return copysign(p->velocity[low] + part * (p->velocity[high] - p->velocity[low]), newtonian);
}
