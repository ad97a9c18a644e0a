/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/run_observe.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/run/run_acceleration.h"
#include "solve/run/run_balance.h"
#include "solve/run/run_openings.h"
#include "solve/run/run_pace.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lattice velocity above which the fastest cell is recorded; above 0.5 divergence is likely */
static const double FAST = 0.15;
/* A velocity below this fraction of the expected velocity counts as rest */
static const double STILL = 1e-4;

typedef struct {
    double square;
    int64_t number; /* number of the cell in the whole lattice; -1: none */
} fast_place;

/* Keeps the larger of two velocities, and the first of two equal ones. */
static void join_fast(void *all, const void *more, size_t bytes) {
    fast_place *a = all;
    const fast_place *b = more;
    (void)bytes;
    if (b->square > a->square || (b->square == a->square && b->number < a->number))
        *a = *b;
}

/* Records the fastest cell when the velocity is high and has risen. After a divergence this cell shows where the
 * divergence began. */
static int locate_fastest_cell(run_loop *l, const backend_monitor *m) {
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

static int has_diverged(const run_loop *l, const backend_monitor *m) {
    const run_trouble t = {l->p->step, l->fast_cell >= 0 ? l->fast_cell : m->bad_cell, l->fast_cell >= 0};
    if (l->r->hooks.diverged)
        return l->r->hooks.diverged(l->r->hooks.data, &t);
    return fail(ERR_NUMERIC, "the flow diverged before step %ld (%.4g s); use a smaller spacing", t.step, l->p->time_s);
}

/* Adds heat to a monitor. A velocity far below the expected one is rounding of a fluid at rest and counts as 0. */
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
        rc = run_acceleration_recover(l, &recovered);
        if (rc != OK || recovered)
            return rc;
    }
    if (m.bad_cell >= 0)
        return run_pace_free(l) ? run_pace_recover(l) : has_diverged(l, &m);
    rc = locate_fastest_cell(l, &m);
    if (rc != OK)
        return rc;
    run_loop_at_planes(l, l->p->outflow_correction, &m);
    memcpy(l->p->passed_before, l->p->passed, sizeof l->p->passed);
    for (int k = 0; k < l->r->g->n; k++)
        l->p->passed[k] = m.flow[k] * l->r->s->flow_scale;
    double sum = 0, inflow = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        sum += m.flow[k];
        inflow += fmax(m.flow[k], 0.0);
    }
    l->p->cycle_square += m.velocity_square * (double)(l->p->step - l->observed_step);
    run_openings_observe(l);
    run_balance(l, &m);
    out->last = (run_monitor){.step = l->p->step,
                              .time_s = l->p->time_s,
                              .change = m.change * run_reference_steps(l->r) / l->r->monitor_every,
                              .velocity_max = m.velocity_max,
                              .mass = m.mass,
                              .balance = inflow > 0 ? fabs(sum) / inflow : 0.0,
                              .flow = out->flow,
                              .density = out->density};
    l->p->change = isnan(out->last.change) ? 1 : out->last.change;
    l->p->velocity_max = fmax(l->p->velocity_max, m.velocity_max);
    l->p->balance = out->last.balance;
    observe_heat(l, &m);
    out->velocity_max = l->r->s->steps_per_period > 0 ? l->p->velocity_max : m.velocity_max;
    if (l->r->hooks.monitor)
        rc = l->r->hooks.monitor(l->r->hooks.data, &out->last);
    return rc;
}
