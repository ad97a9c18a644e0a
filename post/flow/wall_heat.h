/* SPDX-License-Identifier: Apache-2.0 */
/* Heat transport by the fluid: heat and Nusselt number of each wall, local Nusselt numbers, and the point of highest
 * velocity. */
#ifndef PORTAFLOW_POST_FLOW_WALL_HEAT_H
#define PORTAFLOW_POST_FLOW_WALL_HEAT_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/wall/wall.h"
#include <cjson/cJSON.h>

typedef struct {
    const char *name; /* name of a wall or opening, borrowed from the record */
    bool wall;
    double temperature_c; /* given temperature; NaN: none is given (insulated wall, outlet) */
    /* heat that enters the fluid through this wall or opening, divided by density and heat capacity, K mm3/s; its area;
     * its heat per area, K mm/s */
    double heat_k_mm3_s, area_mm2, flux_k_mm_s;
    double
        /* Nusselt number: flux_k_mm_s length / (diffusivity times temperature difference). It is 1 for conduction
         * between plates `length` apart; NaN at openings. */
        nusselt;
} wall_heat_side;

typedef struct {
    int n;
    wall_heat_side *side; /* [n] walls and openings, owned */
    double length_mm;     /* length of the Nusselt number: post.nusselt_length, or twice the largest wall distance */
    double difference_k, diffusivity_mm2_s, prandtl, rayleigh, balance, lowest_c, highest_c;
    double gravity_m_s2[3]; /* gravity, LPS; zero: no buoyancy */
    double fastest_mm[3];   /* position of the cell with the largest velocity, LPS */
    double *temperature_c;  /* [w->shape.n_point] temperature at the points of the wall, owned */
    /* [w->shape.n_point] local Nusselt number from the temperature gradient, positive if heat enters the fluid;
     * owned */
    double *nusselt;
} wall_heat;

/* Computes heat, Nusselt numbers and the values on the wall. record: the "result" of solve.json, which must outlive *r.
 * Without heat, *r stays NULL. Errors: ERR_RESOURCE, ERR_INPUT (solve.json and the fields do not match). */
MUST_CHECK int wall_heat_form(const case_file *c, const sampler *s, const fields *f, const cJSON *record, const wall *w,
                              wall_heat **r);
void wall_heat_free(wall_heat *r); /* r may be NULL */
#endif
