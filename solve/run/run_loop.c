/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/run_loop.h"
#include "solve/core/domain_openings.h"
#include "solve/run/run_openings.h"
#include "common/base/clock.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include <limits.h>
#include <math.h>

enum { OUTLETS_STEPS = 100 };

bool run_corrects_outflow(const run_loop *l, int k) {
    const domain_opening *o = &l->r->d->opening[k];
    return l->r->s->steps_per_period == 0 && o->kind == DOMAIN_FLOW && !o->on_site && l->r->g->mean_m3_s[k] < 0;
}

/* Time of the step `ahead` steps from now, s. In pulsatile flow it has the same bits as in an uninterrupted run. */
double run_loop_time(const run_loop *l, long ahead) {
    const scale *s = l->r->s;
    return s->steps_per_period > 0 ? (double)(l->p->step + ahead) * s->dt_s : l->p->time_s + (double)ahead * s->dt_s;
}

/* Pressure loss, in units of lattice density, between the plane of opening k and the cells that hold its pressure. */
static double setback_loss(const run_settings *r, int k, double flow_m3_s) {
    return r->g->setback_pa_s_m3[k] * flow_m3_s / r->s->pressure_scale;
}

void run_loop_apply_corrections(const run_loop *l, double correction, const double *passed, prescribed_value *given) {
    for (int k = 0; k < l->r->d->n_opening; k++) {
        if (run_corrects_outflow(l, k))
            given[k].flow *= 1 + correction;
        if (l->r->d->opening[k].kind == DOMAIN_PRESSURE)
            given[k].pressure -= setback_loss(l->r, k, passed[k]);
    }
}

/* Computes the boundary values of the step `ahead` of the next n steps. Returns the mass that enters through flow
 * openings. At on-site openings the mass is measured instead (backend_monitor.entered). */
static double values_at(run_loop *l, int ahead, int n, prescribed_value *given) {
    const run_settings *r = l->r;
    double entered = 0;
    boundary_values_at(r->g, r->s, r->ramp_s, run_loop_time(l, ahead), given);
    run_openings_give(l, ahead, n, given);
    run_loop_apply_corrections(l, l->p->outflow_correction, l->p->passed, given);
    for (int k = 0; k < r->d->n_opening; k++)
        entered += r->d->opening[k].kind == DOMAIN_FLOW && !r->d->opening[k].on_site ? given[k].flow : 0.0;
    return entered;
}

/* Remaining steps in which pressure outlets take their prescribed pressure at once (BACKEND_AT_ONCE). Normally outlets
 * approach it over many steps, so that sound leaves (setup_step.c). A state that was interpolated from fields has
 * errors of about 1 % at outlets, which would then decay over thousands of steps. */
static long outlets_steps(run_loop *l) {
    const long left = l->near ? l->written_step + OUTLETS_STEPS - l->p->step : 0;
    if (l->at_once != (left > 0)) {
        l->at_once = left > 0;
        l->r->table->set_outlets(l->r->b, l->at_once);
    }
    return left > 0 ? left : LONG_MAX;
}

int run_advance(run_loop *l, long steps) {
    const run_settings *r = l->r;
    while (steps > 0) {
        const long most = outlets_steps(l) < r->monitor_every ? outlets_steps(l) : r->monitor_every;
        const int n = (int)(steps < most ? steps : most);
        run_openings_step(l, n);
        for (int k = 0; k < n; k++)
            l->p->entered += values_at(l, k, n, l->given + (long)k * domain_given(r->d));
        const int rc = r->table->step(r->b, n, l->given);
        if (rc != OK)
            return rc;
        if (r->s->steps_per_period > 0)
            l->p->entered += l->p->mass_correction * l->wall_links * n;
        l->p->time_s = run_loop_time(l, n);
        l->p->step += n;
        steps -= n;
    }
    return OK;
}

/* Adds the inertia of a pulsatile flow to the densities of flow openings (domain_opening.inertia). */
static void add_inertia(const run_loop *l, const backend_monitor *m) {
    const run_settings *r = l->r;
    prescribed_value now[BACKEND_GIVEN] = {0}, next[BACKEND_GIVEN] = {0};
    if (r->s->steps_per_period == 0)
        return;
    boundary_values_at(r->g, r->s, r->ramp_s, run_loop_time(l, 0), now);
    boundary_values_at(r->g, r->s, r->ramp_s, run_loop_time(l, 1), next);
    for (int k = 0; k < r->g->n; k++)
        m->density[k] += r->d->opening[k].inertia * (next[k].flow - now[k].flow);
}

/* Subtracts from the densities the momentum of the pulse profiles in the last step. */
static void subtract_pulses(const run_loop *l, const backend_monitor *m) {
    const run_settings *r = l->r;
    prescribed_value given[BACKEND_GIVEN];
    if (r->d->n_pulse == 0)
        return;
    boundary_values_at(r->g, r->s, r->ramp_s, fmax(run_loop_time(l, -1), 0), given);
    for (int k = 0; k < r->d->n_opening; k++)
        m->density[k] -= domain_pulse_carried(r->d, k, m->flow[k], given);
}

void run_loop_at_planes(const run_loop *l, double correction, const backend_monitor *m) {
    add_inertia(l, m);
    subtract_pulses(l, m);
    for (int k = 0; k < l->r->g->n; k++) {
        m->flow[k] /= run_corrects_outflow(l, k) ? 1 + correction : 1;
        m->density[k] += setback_loss(l->r, k, m->flow[k] * l->r->s->flow_scale);
    }
}

int run_checkpoint(run_loop *l) {
    int32_t due =
        l->r->hooks.checkpoint && l->r->checkpoint_s > 0 && clock_s() - l->checkpoint_at_s >= l->r->checkpoint_s;
    const int shared = ranks_share(&due, sizeof due);
    /* `due` is the value of rank 0, so all ranks return here or none */
    if (shared != OK || !due || !l->r->hooks.checkpoint)
        return shared;
    run_progress p = *l->p;
    p.time_before_s += clock_s() - l->started_s;
    p.cycle_velocity = l->r->s->steps_per_period > 0 ? l->cycle_old : NULL;
    const int rc = l->r->hooks.checkpoint(l->r->hooks.data, &p);
    l->checkpoint_at_s = clock_s();
    return rc;
}

double run_wall_s(const run_loop *l, double flow_s) {
    const long steps = l->p->step - l->first_step;
    return steps > 0 ? flow_s / l->r->s->dt_s * (clock_s() - l->started_s) / (double)steps : NAN;
}
