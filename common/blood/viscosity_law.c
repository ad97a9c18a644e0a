/* SPDX-License-Identifier: Apache-2.0 */
#include "common/blood/viscosity_law.h"
#include <math.h>

viscosity_law viscosity_law_newtonian(double viscosity_pa_s) {
    return (viscosity_law){.model = VISCOSITY_NEWTONIAN, .infinite_pa_s = viscosity_pa_s};
}

int viscosity_law_default_set(int model) {
    return model == VISCOSITY_QUEMADA          ? VISCOSITY_COKELET
           : model == VISCOSITY_CARREAU_YASUDA ? VISCOSITY_CHO_KENSEY
                                               : VISCOSITY_SHIBESHI;
}

int viscosity_law_fits(int model, int set) {
    return model != VISCOSITY_NEWTONIAN &&
           (set == viscosity_law_default_set(model) || (model == VISCOSITY_CARREAU_YASUDA && set == VISCOSITY_ABRAHAM));
}

/* Cokelet 1987: exponentials of polynomials in the haematocrit h. */
static viscosity_law cokelet(double h) {
    return (viscosity_law){.model = VISCOSITY_QUEMADA,
                           .infinite_pa_s = 1.2e-3,
                           .hematocrit = h,
                           .k0 = exp(3.874 + h * (-10.41 + h * (13.8 - h * 6.738))),
                           .k1 = exp(1.3435 + h * (-2.803 + h * (2.711 - h * 0.6479))),
                           .critical_1_s = exp(-6.1508 + h * (27.923 + h * (-25.6 + h * 3.697)))};
}

viscosity_law viscosity_law_of(int model, int set, double hematocrit) {
    const viscosity_law cho_kensey = {.model = VISCOSITY_CARREAU_YASUDA,
                                      .infinite_pa_s = 3.45e-3,
                                      .zero_pa_s = 56e-3,
                                      .time_s = 3.313,
                                      .width = 2,
                                      .power = 0.3568};
    const viscosity_law abraham = {.model = VISCOSITY_CARREAU_YASUDA,
                                   .infinite_pa_s = 3.5e-3,
                                   .zero_pa_s = 160e-3,
                                   .time_s = 8.2,
                                   .width = 0.64,
                                   .power = 0.2128};
    if (model == VISCOSITY_CARREAU_YASUDA)
        return set == VISCOSITY_ABRAHAM ? abraham : cho_kensey;
    if (model == VISCOSITY_CASSON)
        return (viscosity_law){.model = model, .infinite_pa_s = 3.8e-3, .yield_pa = 4.97e-3};
    if (model == VISCOSITY_POWER_LAW)
        return (viscosity_law){.model = model, .consistency_pa_sn = 14.67e-3, .power = 0.7755};
    return cokelet(hematocrit);
}

double viscosity_law_pa_s(const viscosity_law *l, double rate_1_s) {
    if (l->model == VISCOSITY_CARREAU_YASUDA)
        return l->infinite_pa_s + (l->zero_pa_s - l->infinite_pa_s) *
                                      pow(1 + pow(l->time_s * rate_1_s, l->width), (l->power - 1) / l->width);
    if (l->model == VISCOSITY_CASSON) {
        const double root = sqrt(l->yield_pa / rate_1_s) + sqrt(l->infinite_pa_s);
        return root * root;
    }
    if (l->model == VISCOSITY_POWER_LAW)
        return l->consistency_pa_sn * pow(rate_1_s, l->power - 1);
    if (l->model == VISCOSITY_QUEMADA) {
        const double part = sqrt(rate_1_s / l->critical_1_s), k = (l->k0 + l->k1 * part) / (1 + part);
        const double room = 1 - 0.5 * k * l->hematocrit;
        return l->infinite_pa_s / (room * room);
    }
    return l->infinite_pa_s;
}

double viscosity_law_rate_1_s(const viscosity_law *l, double stress_pa) {
    double low = 1e-9, high = 1e7;
    for (int k = 0; k < 100; k++) { /* bisection: the stress grows with the rate */
        const double middle = sqrt(low * high);
        if (viscosity_law_pa_s(l, middle) * middle < stress_pa)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double viscosity_law_wall_pa_s(const viscosity_law *l, double mean_velocity_m_s, double diameter_m) {
    return viscosity_law_pa_s(l, fmax(8 * fabs(mean_velocity_m_s) / diameter_m, 1e-3));
}
