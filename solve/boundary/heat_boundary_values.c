/* SPDX-License-Identifier: Apache-2.0 */
/* See heat_boundary_values.h. */
#include "solve/boundary/heat_boundary_values.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MAGIC = 0.25; /* equals HEAT_MAGIC (kernels/heat_cell.h) */
/* FREE_FALL, SLOT: factors of the two velocity estimates (heat_boundary_values.h). A slot of width W = 2 R has the
 * factor W^2 / (72 sqrt 3 R^2) = 0.032; SLOT is 1.5 times this. SLOWEST: square of the first zero of J0, for the
 * slowest decay of heat in a tube. */
static const double FREE_FALL = 0.5, SLOT = 0.05, SLOWEST = 5.78;

/* Finds the smallest and the largest prescribed temperature. */
static void temperature_range(const case_file *c, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int k = 0; k < c->n_wall; k++) {
        *low = fmin(*low, c->wall[k].temperature_c);
        *high = fmax(*high, c->wall[k].temperature_c);
    }
    for (int k = 0; k < c->n_opening; k++) {
        *low = fmin(*low, c->opening[k].temperature_c);
        *high = fmax(*high, c->opening[k].temperature_c);
    }
}

static heat_side side_of(const heat_boundary_values *g, double temperature_c, int otherwise) {
    return isnan(temperature_c) ? (heat_side){otherwise, 0}
                                : (heat_side){HEAT_GIVEN, (temperature_c - g->reference_c) / g->unit_k};
}

/* Height of the lattice along gravity, m. */
static double height_m(const case_file *c, const lattice *l) {
    const double *g = c->solve.heat.gravity_m_s2;
    double height = 0;
    for (int a = 0; a < 3; a++)
        height += fabs(g[a]) / vec_length(g) * l->dims[a];
    return 1e-3 * l->spacing_mm * height;
}

static void estimate_buoyancy(const case_file *c, const lattice *l, double radius_m, heat_boundary_values *g) {
    const double nu = c->blood.viscosity_pa_s / c->blood.density_kg_m3, width = 2 * radius_m;
    const double pull = vec_length(c->solve.heat.gravity_m_s2) * fabs(c->solve.heat.expansion_1_k) * g->difference_k;
    g->prandtl = nu / c->solve.heat.diffusivity_m2_s;
    g->rayleigh = pull * width * width * width / (nu * c->solve.heat.diffusivity_m2_s);
    if (pull > 0)
        g->velocity_m_s = fmin(FREE_FALL * sqrt(pull * height_m(c, l)), SLOT * pull * radius_m * radius_m / nu);
}

int heat_boundary_values_create(const case_file *c, const lattice *l, double radius_m, heat_boundary_values *g) {
    double low, high;
    memset(g, 0, sizeof *g);
    if (!c->solve.heat.on)
        return OK;
    g->on = true;
    if (c->n_wall > 1 && !l->link_wall)
        return fail(ERR_INPUT, "the lattice was built without the walls of the case; run mesh again");
    temperature_range(c, &low, &high);
    g->reference_c = isnan(c->solve.heat.reference_c) ? 0.5 * (low + high) : c->solve.heat.reference_c;
    g->unit_k = fmax(fabs(low - g->reference_c), fabs(high - g->reference_c));
    if (!(g->unit_k > 0))
        g->unit_k = 1;
    g->difference_k = high - low;
    g->h.n_wall = c->n_wall;
    g->h.n_side = c->n_wall + c->n_opening;
    for (int k = 0; k < c->n_wall; k++)
        g->h.side[k] = side_of(g, c->wall[k].temperature_c, HEAT_NO_FLUX);
    for (int k = 0; k < l->n_opening; k++) {
        const case_opening *o = case_find_opening(c, l->opening[k].name);
        if (o)
            g->h.side[c->n_wall + k] = side_of(g, o->temperature_c, HEAT_FREE);
    }
    estimate_buoyancy(c, l, radius_m, g);
    return OK;
}

void heat_boundary_values_scale(const case_file *c, const scale *s, double radius_cells, heat_boundary_values *g) {
    if (!g->on)
        return;
    const double diffusivity = c->solve.heat.diffusivity_m2_s * s->dt_s / (s->dx_m * s->dx_m);
    g->h.omega_minus = 1 / (0.5 + 4 * diffusivity);
    g->h.omega_plus = 1 / (0.5 + MAGIC / (4 * diffusivity));
    for (int a = 0; a < 3; a++)
        g->h.buoyancy[a] =
            -c->solve.heat.gravity_m_s2[a] * c->solve.heat.expansion_1_k * g->unit_k * s->dt_s * s->dt_s / s->dx_m;
    g->heat_scale = g->unit_k * s->dx_m * s->dx_m * s->dx_m / s->dt_s;
    g->steps = radius_cells * radius_cells / (SLOWEST * diffusivity);
}

const char *heat_boundary_values_name(const case_file *c, const lattice *l, int side) {
    return side < c->n_wall ? c->wall[side].name : l->opening[side - c->n_wall].name;
}
