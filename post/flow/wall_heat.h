/* Heat transport by the fluid: heat and Nusselt number of each wall, mean and local, and the point of highest
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
    double temperature_c;                       /* NaN: no temperature is given (insulated wall, outlet) */
    double heat_k_mm3_s, area_mm2, flux_k_mm_s; /* into the fluid, divided by density and heat capacity */
    double
        /* flux_k_mm_s length / (diffusivity difference): 1 for pure conduction over the length; NaN at openings */
        nusselt;
} wall_heat_side;

typedef struct {
    int n;
    wall_heat_side *side; /* [n] owned */
    double length_mm;     /* post.nusselt_length, or the width of the widest passage */
    double difference_k, diffusivity_mm2_s, prandtl, rayleigh, balance, lowest_c, highest_c;
    double gravity_m_s2[3]; /* LPS; zero: no buoyancy */
    double fastest_mm[3];   /* LPS, the cell with the largest velocity */
    double *temperature_c;  /* [w->shape.n_point] on the wall, owned */
    /* [w->shape.n_point] local value from the gradient, positive for heat into the fluid; owned */
    double *nusselt;
} wall_heat;

/* Compute heat flows, Nusselt numbers and the values on the wall. `record`: the "result" of solve.json, which must
 * outlive *r. *r stays NULL without heat. Errors: ERR_RESOURCE, ERR_INPUT (solve.json and the fields do not match). */
MUST_CHECK int wall_heat_form(const case_file *c, const sampler *s, const fields *f, const cJSON *record, const wall *w,
                              wall_heat **r);
void wall_heat_free(wall_heat *r); /* r may be NULL */
#endif
