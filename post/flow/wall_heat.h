/* What is read of the heat that a fluid carries: heat and Nusselt number of each wall, mean and local, and where the
 * fluid is fastest. */
#ifndef PORTAFLOW_POST_FLOW_WALL_HEAT_H
#define PORTAFLOW_POST_FLOW_WALL_HEAT_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "post/wall/wall.h"
#include <cjson/cJSON.h>

typedef struct {
    const char *name; /* of a wall or an opening, borrowed from the record */
    bool wall;
    double temperature_c;                       /* NaN: insulated, or free */
    double heat_k_mm3_s, area_mm2, flux_k_mm_s; /* into the fluid, over density and heat capacity */
    double
        nusselt; /* flux_k_mm_s length / (diffusivity difference): 1 is conduction over the length; NaN at openings */
} wall_heat_side;

typedef struct {
    int n;
    wall_heat_side *side; /* [n] owned */
    double length_mm;     /* post.nusselt_length, or the width of the widest passage */
    double difference_k, diffusivity_mm2_s, prandtl, rayleigh, balance, lowest_c, highest_c;
    double gravity_m_s2[3]; /* LPS; zero: the temperature drives nothing */
    double fastest_mm[3];   /* LPS, the cell with the largest velocity */
    double *temperature_c;  /* [w->shape.n_point] on the wall, owned */
    double *nusselt;        /* [..] local: of the gradient there, positive where heat goes into the fluid; owned */
} wall_heat;

/* `record`: the "result" of solve.json, which must outlive *r. *r stays NULL without heat. Errors: ERR_RESOURCE,
 * ERR_INPUT (solve.json and the fields do not agree). */
MUST_CHECK int wall_heat_form(const case_file *c, const sampler *s, const fields *f, const cJSON *record, const wall *w,
                              wall_heat **r);
void wall_heat_free(wall_heat *r); /* NULL will do */
#endif
