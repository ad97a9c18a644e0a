/* SPDX-License-Identifier: Apache-2.0 */
/* A steady run starts from the flow of coarser grid levels, else from a guess (developed_flow.h). */
#include "solve/setup/setup_start.h"
#include "solve/setup/setup_step.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "solve/output/checkpoint.h"
#include "solve/start/developed_flow.h"
#include "solve/ranks/ranks.h"
#include "solve/start/start_flow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Upper limit of the largest velocity of a guess, divided by the expected velocity; a guess above the limit is
 * rejected */
static const double FAST = 1.3;

/* Writes the fields to the backend. The boundary values then do not rise from rest. */
static int take_fields(solve_job *j, const state_fields *f, double mass_correction, run_progress *from) {
    const double ramp_s = j->march.run.ramp_s;
    int rc;
    TRY(setup_write_state(&j->vessel, &j->march, f, ramp_s, j->vessel.openings.from_mean ? 0 : ramp_s,
                          mass_correction));
    *from = (run_progress){.cycle_change = NAN,
                           .cycle_change_before = NAN,
                           .pace = 1,
                           .dt_s = j->march.scale.dt_s,
                           .target = j->march.scale.velocity,
                           .change = 1,
                           .balance = 1,
                           .time_s = j->march.scale.steps_per_period > 0 ? 0 : ramp_s,
                           .mass_correction = mass_correction,
                           .mass_correction_before = mass_correction,
                           .mass_correction_from = mass_correction,
                           .mass_correction_goal = mass_correction};
    TRY(run_mass(&j->vessel.domain, f, &from->kept));
cleanup:
    return rc;
}

void setup_shift_pressures(const solve_vessel *v, const grid_run *g, int64_t n_cell, fields *f) {
    const cJSON *openings = json_find(g->result, "openings");
    double zero = 0;
    const opening_network *w = &v->openings.network;
    if (w->n > 0 && w->port[w->level].modelled) /* the pressure of a modelled opening may differ on the coarser level */
        zero =
            json_get_number(cJSON_GetObjectItemCaseSensitive(openings, v->lattice.opening[w->opening[w->level]].name),
                            "pressure_pa") -
            v->openings.reference_pa;
    for (int k = 0; v->openings.rest >= 0 && k < v->openings.n; k++)
        if (v->openings.condition[k].kind == DOMAIN_PRESSURE)
            zero =
                json_get_number(cJSON_GetObjectItemCaseSensitive(openings, v->lattice.opening[k].name), "pressure_pa");
    for (int64_t c = 0; zero != 0 && c < n_cell; c++)
        f->pressure_pa[c] -= (float)zero;
}

/* Starts the modelled openings with the flows and pressures of a steady coarser level. */
static void start_openings(const solve_vessel *v, const grid_run *g, opening_state *s) {
    const opening_network *w = &v->openings.network;
    const cJSON *openings = json_find(g->result, "openings");
    double flow[OPENING_PORTS] = {0}, pressure[OPENING_PORTS] = {0};
    bool known = w->n > 0 && !w->pulsatile && cJSON_IsTrue(json_find(g->result, "converged"));
    for (int i = 0; i < w->n && known; i++) {
        const int k = w->opening[i];
        const cJSON *o = cJSON_GetObjectItemCaseSensitive(openings, v->lattice.opening[k].name);
        flow[i] = (v->openings.from[k]->role == ROLE_OUTLET ? 1e-6 : -1e-6) * json_get_number(o, "flow_ml_s");
        pressure[i] = json_get_number(o, "pressure_pa");
        known = isfinite(flow[i]) && isfinite(pressure[i]);
    }
    if (known)
        opening_network_start_changed(w, flow, pressure, s);
}

/* Starts from the flow of coarser grid levels. from NULL: a resumed run, of which only the tolerance is set. */
static int start_coarser(solve_job *j, run_progress *from, bool *started) {
    const bool chosen =
        !*j->in.grid->name && j->march.scale.steps_per_period == 0 && j->in.c.solve.tolerance_is_default;
    start_flow flow[2] = {{{0}}};
    state_fields f = {0};
    double apart = 0;
    int rc = OK;
    if (!from && !chosen)
        return OK;
    TRY(start_flow_of_runs(j->in.options->in, j->in.options->out, j->in.sequence, j->in.grid,
                           ranks_count() > 1 ? &j->vessel.lattice : NULL, flow));
    if (flow[0].l.n_cell == 0)
        goto cleanup;
    setup_shift_pressures(&j->vessel, &j->in.sequence->run[j->in.grid->start], flow[0].l.n_cell, &flow[0].f);
    if (flow[1].l.n_cell > 0)
        setup_shift_pressures(&j->vessel, &j->in.sequence->run[j->in.grid->start_coarser], flow[1].l.n_cell,
                              &flow[1].f);
    TRY(start_flow_state(&flow[0], flow[1].l.n_cell ? &flow[1] : NULL, &j->vessel.lattice, &j->vessel.domain,
                         &j->march.scale, j->vessel.openings.reference_pa, &f, &apart));
    /* a tolerance that follows from uncertain inputs is in the run already (setup_hooks.c) */
    if (chosen && start_flow_tolerance(apart, j->march.run.tolerance) > j->march.run.tolerance) {
        j->march.run.tolerance = start_flow_tolerance(apart, j->march.run.tolerance);
        message_info("the tolerance of the residual was raised to %.1e, because %s by %.1f %%; to choose it, set "
                     "solve.tolerance",
                     j->march.run.tolerance,
                     j->in.grid->of_mesh ? "the velocities of the grid levels differ"
                                         : "the flow of the coarser grid level differs from the extrapolated flow",
                     100 * apart);
    }
    if (!from)
        goto cleanup;
    TRY(take_fields(j, &f, start_flow_mass_correction(j->in.sequence->run[j->in.grid->start].result, &j->march.scale),
                    from));
    start_openings(&j->vessel, &j->in.sequence->run[j->in.grid->start], &from->openings);
    *started = true;
cleanup:
    start_flow_free(&flow[0]);
    start_flow_free(&flow[1]);
    state_fields_free(&f);
    return rc;
}

/* True for steady flow driven by openings alone, on a CPU. On a GPU a start from rest takes less time than computing
 * the guess, which runs on the CPU, except with porous regions: there pressure spreads slowly, by diffusion with the
 * coefficient K / (3 nu) in lattice units. */
static bool can_guess(const solve_inputs *in, const solve_march *m) {
    return (!setup_on_gpu(m) || m->settings.porous) && in->c.solve.acceleration != ACCELERATION_NONE &&
           m->scale.steps_per_period == 0 && !m->settings.forced && in->c.solve.opening == OPENING_HALF_WAY;
}

static int largest_velocity(const state_fields *f, int64_t n, double *velocity) {
    double square = 0;
#pragma omp parallel for schedule(static) reduction(max : square)
    for (int64_t c = 0; c < n; c++) {
        const double x = f->velocity[3 * c], y = f->velocity[3 * c + 1], z = f->velocity[3 * c + 2];
        square = fmax(square, x * x + y * y + z * z);
    }
    *velocity = sqrt(square);
    return ranks_largest(velocity);
}

static int start_guess(solve_job *j, run_progress *from, bool *started) {
    double flow[256], pressure[256], permeability[POROUS_REGIONS] = {0};
    start_flow guess = {.l = *j->vessel.preview};
    state_fields f = {0};
    double apart, velocity;
    bool known;
    int rc;
    for (int k = 0; k < j->vessel.openings.n; k++) {
        flow[k] = j->vessel.openings.condition[k].kind == DOMAIN_PRESSURE ? NAN : j->vessel.openings.mean_m3_s[k];
        pressure[k] = boundary_values_pressure_pa(&j->vessel.openings, k);
    }
    for (int k = 0; k < j->in.c.n_porous; k++)
        permeability[k] = j->in.c.porous[k].permeability_m2;
    const developed_input in = {.viscosity_pa_s = j->march.request.viscosity_pa_s,
                                .flow_m3_s = flow,
                                .pressure_pa = pressure,
                                .n_porous = j->in.c.n_porous,
                                .permeability_m2 = permeability};
    TRY(developed_flow(j->vessel.preview, &in, &guess.f, &known));
    if (!known)
        goto cleanup;
    TRY(start_flow_state(&guess, NULL, &j->vessel.lattice, &j->vessel.domain, &j->march.scale,
                         j->vessel.openings.reference_pa, &f, &apart));
    TRY(largest_velocity(&f, j->vessel.domain.n_cell, &velocity));
    if (velocity > FAST * j->march.scale.velocity)
        goto cleanup;
    TRY(take_fields(j, &f, 0, from));
    *started = true;
cleanup:
    fields_free(&guess.f);
    state_fields_free(&f);
    return rc;
}

int setup_start(solve_job *j, run_progress *from, bool *started) {
    int rc = j->in.grid->start >= 0 ? start_coarser(j, from, started) : OK;
    if (rc == OK && from && !*started && can_guess(&j->in, &j->march))
        rc = start_guess(j, from, started);
    if (!from)
        return rc;
    if (rc == OK && *started && j->vessel.openings.from_mean)
        message_info("the cycles start from the mean flow");
    else if (rc == OK && *started)
        message_debug("started from %s",
                      j->in.grid->start >= 0 ? "the flow on a coarser grid level" : "developed flow");
    return rc;
}
