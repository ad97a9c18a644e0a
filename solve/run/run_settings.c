/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/run_settings.h"
#include "common/lattice/resolution.h"
#include "solve/ranks/ranks.h"
#include <math.h>

/* Square of the first zero of the Bessel function J0. The viscous time constant of a tube is R^2 / (nu SLOWEST). */
static const double SLOWEST = 5.78;

void run_result_free(run_result *result) {
    fluctuation_free(&result->statistics);
    state_fields_free(&result->good[0]);
    state_fields_free(&result->good[1]);
}

double run_cell_reynolds(const run_settings *r, const run_result *result) {
    return result->velocity_max / r->s->viscosity;
}

double run_friction(const run_settings *r, const run_result *result) {
    return resolution_friction(r->corners, run_cell_reynolds(r, result), r->fastest_across);
}

int run_monitor_every(double radius_cells, double viscosity) {
    const double steps = radius_cells * radius_cells / (6.0 * viscosity);
    return 2 * (int)(fmin(fmax(steps, 20.0), 100.0) / 2.0);
}

double run_advection_rate(int monitor_every, double viscosity) {
    const double damped = 3 * monitor_every * viscosity / 2;
    return damped < 1 ? 2 * damped / (1 + damped) : 1;
}

double run_reference_pa(const run_settings *r, const run_progress *p, const double *flow, const double *density) {
    const opening_network *w = &r->g->network;
    if (w->n > 0 && w->pulsatile)
        return p->openings.pressure_pa[w->level];
    return boundary_values_reference_pa(r->g, r->s, flow, density);
}

double run_opening_pressure_pa(const run_settings *r, const run_progress *p, int k, double flow, double density,
                               double reference_pa) {
    const opening_network *w = &r->g->network;
    for (int i = 0; i < w->n; i++)
        if (w->opening[i] == k && w->port[i].modelled)
            return w->pulsatile ? p->openings.pressure_pa[i]
                                : opening_port_pressure(&w->port[i], -flow * r->s->flow_scale);
    return density * r->s->pressure_scale + reference_pa;
}

double run_viscous_steps(const run_settings *r) {
    return r->radius_cells * r->radius_cells / (SLOWEST * r->s->viscosity);
}

double run_reference_steps(const run_settings *r) {
    return r->s->velocity > 0 ? fmin(r->radius_cells / r->s->velocity, run_viscous_steps(r)) : r->radius_cells;
}

int run_mass(const domain *d, const state_fields *f, double *mass) {
    exact_sum sum = {0}, own = {0};
#pragma omp parallel firstprivate(own)
    {
#pragma omp for schedule(static)
        for (int64_t c = 0; c < d->n_cell; c++)
            exact_sum_add(&own, (double)f->density[c]);
#pragma omp critical
        exact_sum_join(&sum, &own);
    }
    const int rc = ranks_sums(&sum, 1);
    *mass = exact_sum_value(&sum);
    return rc;
}
