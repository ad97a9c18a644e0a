/* See run.h: steps, monitors, checkpoints; what steady and pulsatile runs have in common. */
#include "solve/run/run.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include "solve/ranks/ranks.h"
#include "solve/run/run_loop.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUTLETS_STEPS = 100 };
static const double FAST = 0.15;    /* lattice velocity from which a run is watched: it may diverge at 0.5 */
static const double STILL = 1e-4;   /* of the expected velocity */
static const double SLOWEST = 5.78; /* first zero of J0 squared: viscosity in a tube takes R^2 / (nu SLOWEST) */

void run_result_free(run_result *result) {
    fluctuation_free(&result->statistics);
    state_fields_free(&result->good[0]);
    state_fields_free(&result->good[1]);
}

double run_cell_reynolds(const run_settings *r, const run_result *result) {
    return result->velocity_max / r->s->viscosity;
}

double run_friction(const run_settings *r, const run_result *result) {
    return resolution_friction(run_cell_reynolds(r, result), r->fastest_across);
}

int run_monitor_every(double radius_cells, double viscosity) {
    const double steps = radius_cells * radius_cells / (6.0 * viscosity);
    return 2 * (int)(fmin(fmax(steps, 20.0), 100.0) / 2.0);
}

/* Time of a step from where the run stands; of cycles exactly as of a run in one go. */
static double time_at(const run_loop *l, long ahead) {
    const scale *s = l->r->s;
    return s->steps_per_period > 0 ? (double)(l->p->step + ahead) * s->dt_s : l->p->time_s + (double)ahead * s->dt_s;
}

/* What a flow loses between the plane of opening k and where the lattice has its pressure; lattice density. */
static double lost(const run_settings *r, int k, double flow_m3_s) {
    return r->g->setback_pa_s_m3[k] * flow_m3_s / r->s->pressure_scale;
}

/* What is asked for beside what the case gives: of a flow that leaves `leave` more; a pressure where the lattice has
 * it, passed [n] being the flows. */
static void ask(const run_loop *l, double leave, const double *passed, double *value) {
    for (int k = 0; k < l->r->d->n_opening; k++) {
        value[k] *= run_led_out(l, k) ? 1 + leave : 1;
        value[k] -= l->r->d->opening[k].kind == DOMAIN_PRESSURE ? lost(l->r, k, passed[k]) : 0;
    }
}

/* Of one step; returns the mass that flow openings let in (an on-site one is measured: backend_monitor.entered). */
static double values_at(const run_loop *l, long ahead, double *value) {
    const run_settings *r = l->r;
    double entered = 0;
    driving_values(r->g, r->s, r->ramp_s, time_at(l, ahead), value);
    ask(l, l->p->leave, l->p->passed, value);
    for (int k = 0; k < r->d->n_opening; k++)
        entered += r->d->opening[k].kind == DOMAIN_FLOW && !r->d->opening[k].on_site ? value[k] : 0.0;
    return entered;
}

/* What comes in through a pressure outlet is a variable of its own, which follows slowly so that sound leaves there
 * (job_step.c). A flow that was made of fields has it from the cell alone, off by a percent of the flow; slowly that
 * would be gone after thousands of steps, most in shapes across the outlet that carry no flow. Steps that are left
 * during which outlets follow at once. */
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
        for (int k = 0; k < n; k++)
            l->p->entered += values_at(l, k, l->value + (long)k * r->g->n);
        const int rc = r->table->step(r->b, n, l->value);
        if (rc != OK)
            return rc;
        if (r->s->steps_per_period > 0)
            l->p->entered += l->p->gain * l->wall_links * n;
        l->p->time_s = time_at(l, n);
        l->p->step += n;
        steps -= n;
    }
    return OK;
}

typedef struct {
    double square;
    int64_t number; /* of the cell in the whole lattice, -1 */
} fast_place;

/* Of equal ones the first. */
static void join_fast(void *all, const void *more, size_t bytes) {
    fast_place *a = all;
    const fast_place *b = more;
    (void)bytes;
    if (b->square > a->square || (b->square == a->square && b->number < a->number))
        *a = *b;
}

/* Remember where the flow is fastest while it still is one: looked for when the velocity is high and has risen. */
static int watch(run_loop *l, const backend_monitor *m) {
    if (!(m->velocity_max > FAST) || (l->fast_cell >= 0 && m->velocity_max < 1.02 * l->fast))
        return OK;
    const int64_t n = l->r->d->n_cell;
    float *velocity = malloc(3 * (size_t)n * sizeof *velocity);
    if (!velocity)
        return fail_memory("the velocities", 12.0 * (double)n);
    int rc = l->r->table->moments(l->r->b, NULL, velocity, NULL);
    fast_place f = {.square = -1, .number = -1};
    for (int64_t c = 0; rc == OK && c < n; c++) {
        const double square = (double)velocity[3 * c] * velocity[3 * c] +
                              (double)velocity[3 * c + 1] * velocity[3 * c + 1] +
                              (double)velocity[3 * c + 2] * velocity[3 * c + 2];
        if (square > f.square)
            f = (fast_place){square, domain_number(l->r->d, c)};
    }
    free(velocity);
    if (rc == OK)
        rc = ranks_join(&f, sizeof f, join_fast);
    l->fast_cell = f.number;
    l->fast = m->velocity_max;
    return rc;
}

static int diverged(const run_loop *l, const backend_monitor *m) {
    const run_trouble t = {l->p->step, l->fast_cell >= 0 ? l->fast_cell : m->bad_cell, l->fast_cell >= 0};
    if (l->r->hooks.diverged)
        return l->r->hooks.diverged(l->r->hooks.data, &t);
    return fail(ERR_NUMERIC, "the flow diverged before step %ld (%.4g s)", t.step, l->p->time_s);
}

/* What the openings' planes have: the flows as given, not as asked for; their pressures. */
static void at_planes(const run_loop *l, double leave, const backend_monitor *m) {
    for (int k = 0; k < l->r->g->n; k++) {
        m->flow[k] /= run_led_out(l, k) ? 1 + leave : 1;
        m->density[k] += lost(l->r, k, m->flow[k] * l->r->s->flow_scale);
    }
}

double run_viscous_steps(const run_settings *r) {
    return r->radius_cells * r->radius_cells / (SLOWEST * r->s->viscosity);
}

double run_reference_steps(const run_settings *r) {
    return r->s->velocity > 0 ? fmin(r->radius_cells / r->s->velocity, run_viscous_steps(r)) : r->radius_cells;
}

/* The part of a monitor that heat adds. A velocity far below the expected one is that of a fluid at rest, which
 * rounding moves. */
static void observe_heat(run_loop *l, const backend_monitor *m) {
    const run_settings *r = l->r;
    run_monitor *last = &l->result->last;
    double sum = 0, size = 0;
    if (!r->heat)
        return;
    for (int k = 0; k < r->heat->h.n_side; k++) {
        sum += m->heat_flux[k];
        size += 0.5 * fabs(m->heat_flux[k]);
    }
    const double still = m->velocity_max > 0 ? fmin(1, m->velocity_max / (STILL * r->s->velocity)) : 0;
    last->heat_change = m->theta_change * fmin(r->heat->steps, run_reference_steps(r)) / r->monitor_every;
    last->heat_balance = size > 0 ? fabs(sum) / size : 0;
    last->heat_flux = l->result->heat_flux;
    l->p->change = fmax(last->change * still, last->heat_change);
    l->p->balance = fmax(last->balance, last->heat_balance);
}

int run_observe(run_loop *l) {
    run_result *out = l->result;
    backend_monitor m = {.flow = out->flow, .density = out->density, .heat_flux = out->heat_flux};
    int rc = l->r->table->monitor(l->r->b, &m);
    if (rc != OK)
        return rc;
    if (m.bad_cell >= 0) {
        bool recovered;
        rc = run_mix_recover(l, &recovered);
        if (rc != OK || recovered)
            return rc;
    }
    if (m.bad_cell >= 0)
        return run_pace_free(l) ? run_pace_recover(l) : diverged(l, &m);
    rc = watch(l, &m);
    if (rc != OK)
        return rc;
    at_planes(l, l->p->leave, &m);
    memcpy(l->p->passed_before, l->p->passed, sizeof l->p->passed);
    for (int k = 0; k < l->r->g->n; k++)
        l->p->passed[k] = m.flow[k] * l->r->s->flow_scale;
    double sum = 0, inflow = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        sum += m.flow[k];
        inflow += fmax(m.flow[k], 0.0);
    }
    run_balance(l, &m);
    out->last = (run_monitor){.step = l->p->step,
                              .time_s = l->p->time_s,
                              .change = m.change * run_reference_steps(l->r) / l->r->monitor_every,
                              .velocity_max = m.velocity_max,
                              .mass = m.mass,
                              .balance = inflow > 0 ? fabs(sum) / inflow : 0.0,
                              .flow = out->flow,
                              .density = out->density};
    l->p->change = out->last.change;
    l->p->velocity_max = fmax(l->p->velocity_max, m.velocity_max);
    l->p->balance = out->last.balance;
    observe_heat(l, &m);
    out->velocity_max = l->r->s->steps_per_period > 0 ? l->p->velocity_max : m.velocity_max;
    if (l->r->hooks.monitor)
        rc = l->r->hooks.monitor(l->r->hooks.data, &out->last);
    return rc;
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

int run_keep(run_loop *l) {
    int32_t due =
        l->r->hooks.checkpoint && l->r->checkpoint_s > 0 && clock_s() - l->checkpoint_at_s >= l->r->checkpoint_s;
    const int shared = ranks_share(&due, sizeof due);
    if (shared != OK || !due || !l->r->hooks.checkpoint) /* all ranks have one or none */
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

static int loop_create(run_loop *l, const run_settings *r, const run_progress *from, run_result *result) {
    const bool pulsatile = r->s->steps_per_period > 0;
    if (!from)
        *result = (run_result){0};
    *l = (run_loop){.r = r, .result = result, .p = &result->progress, .fast_cell = -1};
    result->progress.cycle_change = result->progress.cycle_change_before = NAN;
    result->progress.pace = 1;
    result->progress.dt_s = r->s->dt_s;
    result->progress.target = r->s->velocity;
    result->statistics.n_opening = r->g->n;
    if (from)
        result->progress = *from;
    l->first_step = result->progress.step;
    l->near = from && from->step == 0 && !pulsatile;
    if (l->near)
        l->p->leave_step = -1;
    int64_t wall_links = 0;
    for (int64_t k = 0; !r->d->fluid && k < r->d->n_link; k++)
        wall_links += r->d->link[k].opening == 0;
    const int counted = ranks_total(&wall_links);
    if (counted != OK)
        return counted;
    l->wall_links = (double)wall_links;
    l->value = calloc((size_t)r->monitor_every * (size_t)(r->g->n + 1), sizeof *l->value);
    l->cycle_old = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_old);
    l->cycle_new = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_new);
    if (!l->value || !l->cycle_old || !l->cycle_new)
        return fail_memory("the time loop", 24.0 * (double)r->d->n_cell);
    if (from && from->cycle_velocity && pulsatile)
        memcpy(l->cycle_old, from->cycle_velocity, 3 * (size_t)r->d->n_cell * sizeof *l->cycle_old);
    result->progress.cycle_velocity = NULL;
    run_mix_create(l);
    run_correct_create(l);
    l->started_s = l->checkpoint_at_s = clock_s();
    return OK;
}

int run(const run_settings *r, const run_progress *from, run_result *result) {
    int rc = OK;
    run_loop l = {0};
    const bool pulsatile = r->s->steps_per_period > 0;
    TRY(loop_create(&l, r, from, result));
    if (from) { /* what the first monitor compares with, as the uninterrupted run has it */
        backend_monitor m = {.flow = result->flow, .density = result->density, .heat_flux = result->heat_flux};
        driving_values(r->g, r->s, r->ramp_s, fmax(time_at(&l, -1), 0), l.value);
        ask(&l, from->leave_before, from->passed_before, l.value);
        r->table->set_gain(r->b, from->gain_before);
        TRY(r->table->step(r->b, 0, l.value));
        TRY(r->table->monitor(r->b, &m));
        at_planes(&l, from->leave_before, &m);
        r->table->set_gain(r->b, from->gain);
        result->velocity_max = pulsatile ? from->velocity_max : m.velocity_max;
        result->last = (run_monitor){from->step, from->time_s,  from->change, m.velocity_max,
                                     m.mass,     from->balance, result->flow, result->density};
        result->last.heat_flux = result->heat_flux;
        if (from->restless && r->hooks.restless)
            r->hooks.restless(r->hooks.data, from);
    }
    progress_start_open("flow");
    rc = pulsatile ? run_cycles(&l) : run_steady(&l);
    progress_end();
    result->seconds = clock_s() - l.started_s;
    result->mlups = result->progress.step == l.first_step ? NAN
                                                          : 1e-6 * (double)(result->progress.step - l.first_step) *
                                                                (double)domain_cells(r->d) / result->seconds;
    result->progress.time_before_s += result->seconds;
cleanup:
    run_mix_free(&l);
    run_correct_free(&l);
    free(l.value);
    free(l.cycle_old);
    free(l.cycle_new);
    return rc;
}
