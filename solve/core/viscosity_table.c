/* SPDX-License-Identifier: Apache-2.0 */
/* See viscosity_table.h. */
#include "solve/core/viscosity_table.h"
#include <math.h>
#include <stdint.h>

typedef double real;
#include "solve/kernels/shear_viscosity.h"

_Static_assert((int)VISCOSITY_TABLE_SEGMENTS == (int)SHEAR_SEGMENTS, "tables and kernels have the same segments");
_Static_assert(sizeof(viscosity_segment) == sizeof(shear_segment),
               "viscosity_segment is the shear_segment of the kernels in double");

typedef struct {
    const viscosity_law *law;
    double scale; /* 3 nu in lattice units over mu in Pa s */
    double dt_s;
} lattice_law;

/* 3 nu (lattice units) at the shear rate `rate` (per time step). */
static double three_nu(const lattice_law *l, double rate) {
    return fmin(l->scale * viscosity_law_pa_s(l->law, rate / l->dt_s), VISCOSITY_TABLE_TAU_MOST - 0.5);
}

/* Returns 3 nu at the shear rate g that satisfies (part + 3 nu) g = goal. Bisects the logarithm of g; the left side
 * grows with g. */
static double solve_for(const lattice_law *l, double part, double goal) {
    double low = log(goal / (part + VISCOSITY_TABLE_TAU_MOST - 0.5)) - 1, high = log(goal) + 40;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high), rate = exp(middle);
        if ((part + three_nu(l, rate)) * rate < goal)
            low = middle;
        else
            high = middle;
    }
    return three_nu(l, exp(high));
}

/* Lower end of segment n; n = SHEAR_SEGMENTS gives the upper end of the last segment. */
static double segment_end(int n) {
    const union {
        uint32_t bits;
        float value;
    } end = {.bits = (uint32_t)(SHEAR_FIRST + n) << SHEAR_SHIFT};
    return (double)end.value;
}

/* Fills a table of 3 nu as a function of q. The shear rate g and q obey (part + 3 nu(g)) g = factor sqrt(q). */
static void fill(const lattice_law *l, double part, double factor, viscosity_segment *to) {
    double low = segment_end(0), from = solve_for(l, part, factor * sqrt(low));
    for (int n = 0; n < VISCOSITY_TABLE_SEGMENTS; n++) {
        const double high = segment_end(n + 1), end = solve_for(l, part, factor * sqrt(high));
        const double slope = n == 0 || n == VISCOSITY_TABLE_SEGMENTS - 1 ? 0 : (end - from) / (high - low);
        to[n] = (viscosity_segment){(n == 0 ? end : from) - slope * low, slope};
        low = high;
        from = end;
    }
}

void viscosity_table_fill(const viscosity_law *law, double density_kg_m3, double dx_m, double dt_s,
                          viscosity_table *t) {
    const lattice_law l = {law, 3 * dt_s / (density_kg_m3 * dx_m * dx_m), dt_s};
    fill(&l, 0.5, 3 / sqrt(2.0), t->flux);
    fill(&l, 0, 3 / sqrt(2.0), t->stress); /* the norm of the stress 2 nu S is sqrt(2) nu g */
}

double viscosity_table_three_nu(const viscosity_segment *s, double argument) {
    return shear_three_nu((const shear_segment *)s, argument);
}

void viscosity_table_copy(const viscosity_table *t, bool wide, void *to) {
    for (int n = 0; n < VISCOSITY_TABLE_SEGMENTS; n++)
        if (wide)
            ((viscosity_segment *)to)[n] = t->flux[n];
        else {
            ((float *)to)[2 * n] = (float)t->flux[n].constant;
            ((float *)to)[2 * n + 1] = (float)t->flux[n].slope;
        }
}
