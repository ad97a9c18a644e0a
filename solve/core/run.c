/* See run.h: one loop for steady runs, one for cycles, on any backend. */
#include "solve/core/run.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAST = 0.15; /* lattice velocity from which a run is watched: it may diverge at 0.5 */
static const double BALANCE_LIMIT = 1e-3, CYCLE_LIMIT = 1e-2, GAIN_PART = 0.5;
static const double FALLING = 0.95; /* of the change from cycle to cycle: a start from rest fades faster than that */

typedef struct {
    const run_settings *r;
    run_result *result;
    run_progress *p;  /* = &result->progress */
    double *value;    /* [monitor_every][n_opening] */
    float *cycle_old; /* [n_cell][3] velocity at the end of the last cycle; pulsatile */
    float *cycle_new;
    double started_s, checkpoint_at_s;
    long first_step;
    double wall_links; /* that interpolate, 0 for vlbm */
    int64_t fast_cell; /* the fastest when the velocity was last seen to be high, -1: never */
    double fast;       /* its velocity */
} run_loop;

int run_monitor_every(double radius_cells, double viscosity) {
    const double steps = radius_cells * radius_cells / (6.0 * viscosity);
    return 2 * (int)(fmin(fmax(steps, 20.0), 200.0) / 2.0);
}

/* Of one step; returns the mass that flow openings let in (an on-site one is measured: backend_monitor.entered). */
static double values_at(const run_loop *l, long step, double *value) {
    const run_settings *r = l->r;
    double entered = 0;
    driving_values(r->g, r->s, step, value);
    for (int k = 0; k < r->d->n_opening; k++)
        entered += r->d->opening[k].kind == DOMAIN_FLOW && !r->d->opening[k].on_site ? value[k] : 0.0;
    return entered;
}

static int advance(run_loop *l, long steps) {
    const run_settings *r = l->r;
    while (steps > 0) {
        const int n = steps < r->monitor_every ? (int)steps : r->monitor_every;
        for (int k = 0; k < n; k++)
            l->p->entered += values_at(l, l->p->step + k, l->value + (long)k * r->g->n);
        const int rc = r->table->step(r->b, n, l->value);
        if (rc != OK)
            return rc;
        l->p->step += n;
        steps -= n;
    }
    return OK;
}

/* Remember where the flow is fastest while it still is one: looked for when the velocity is high and has risen. */
static int watch(run_loop *l, const backend_monitor *m) {
    if (!(m->velocity_max > FAST) || (l->fast_cell >= 0 && m->velocity_max < 1.02 * l->fast))
        return OK;
    const int64_t n = l->r->d->n_cell;
    float *velocity = malloc(3 * (size_t)n * sizeof *velocity);
    if (!velocity)
        return fail_memory("the velocities", 12.0 * (double)n);
    const int rc = l->r->table->moments(l->r->b, NULL, velocity, NULL);
    double largest = -1;
    for (int64_t c = 0; rc == OK && c < n; c++) {
        const double square = (double)velocity[3 * c] * velocity[3 * c] +
                              (double)velocity[3 * c + 1] * velocity[3 * c + 1] +
                              (double)velocity[3 * c + 2] * velocity[3 * c + 2];
        if (square > largest) {
            largest = square;
            l->fast_cell = c;
        }
    }
    l->fast = m->velocity_max;
    free(velocity);
    return rc;
}

static int diverged(const run_loop *l, const backend_monitor *m) {
    const run_trouble t = {l->p->step, l->fast_cell >= 0 ? l->fast_cell : m->bad_cell, l->fast_cell >= 0};
    if (l->r->hooks.diverged)
        return l->r->hooks.diverged(l->r->hooks.data, &t);
    return fail(ERR_NUMERIC, "the flow diverged before step %ld (%.4g s)", t.step, (double)t.step * l->r->s->dt_s);
}

/* The mass that the walls took is given back from now on. */
static void balance_walls(run_loop *l, const backend_monitor *m) {
    run_progress *p = l->p;
    const long steps = p->step - p->gain_step;
    p->gain_before = p->gain;
    p->entered += m->entered;
    if (steps < l->r->gain_every || !(l->wall_links > 0))
        return;
    p->gain += GAIN_PART * (p->entered - (m->mass - p->kept)) / (double)steps / l->wall_links;
    l->r->table->set_gain(l->r->b, p->gain);
    p->gain_step = p->step;
    p->kept = m->mass;
    p->entered = 0;
}

static int observe(run_loop *l) {
    run_result *out = l->result;
    backend_monitor m = {.flow = out->flow, .density = out->density};
    int rc = l->r->table->monitor(l->r->b, &m);
    if (rc != OK)
        return rc;
    if (m.bad_cell >= 0)
        return diverged(l, &m);
    rc = watch(l, &m);
    if (rc != OK)
        return rc;
    double sum = 0, inflow = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        sum += m.flow[k];
        inflow += fmax(m.flow[k], 0.0);
    }
    balance_walls(l, &m);
    const double reference = l->r->s->velocity > 0 ? l->r->radius_cells / l->r->s->velocity : l->r->radius_cells;
    out->last = (run_monitor){.step = l->p->step,
                              .time_s = (double)l->p->step * l->r->s->dt_s,
                              .change = m.change * reference / l->r->monitor_every,
                              .velocity_max = m.velocity_max,
                              .mass = m.mass,
                              .balance = inflow > 0 ? fabs(sum) / inflow : 0.0,
                              .flow = out->flow,
                              .density = out->density};
    l->p->change = out->last.change;
    l->p->velocity_max = fmax(l->p->velocity_max, m.velocity_max);
    l->p->balance = out->last.balance;
    out->velocity_max = l->r->s->steps_per_period > 0 ? l->p->velocity_max : m.velocity_max;
    if (l->r->hooks.monitor)
        rc = l->r->hooks.monitor(l->r->hooks.data, &out->last);
    return rc;
}

static int keep(run_loop *l) {
    if (!l->r->hooks.checkpoint || !(l->r->checkpoint_s > 0) || clock_s() - l->checkpoint_at_s < l->r->checkpoint_s)
        return OK;
    run_progress p = *l->p;
    p.time_before_s += clock_s() - l->started_s;
    p.cycle_velocity = l->r->s->steps_per_period > 0 ? l->cycle_old : NULL;
    const int rc = l->r->hooks.checkpoint(l->r->hooks.data, &p);
    l->checkpoint_at_s = clock_s();
    return rc;
}

static bool is_steady(const run_loop *l) {
    const run_settings *r = l->r;
    return l->p->step > r->g->ramp + r->monitor_every && l->p->change <= r->tolerance && l->p->balance <= BALANCE_LIMIT;
}

static int run_steady(run_loop *l) {
    const run_settings *r = l->r;
    double done = 0; /* percent: the change falls exponentially */
    int rc = OK;
    l->result->converged = is_steady(l); /* of a checkpoint at the end */
    while (!l->result->converged && l->p->step < r->max_steps) {
        char note[128];
        TRY(advance(l, r->monitor_every));
        TRY(observe(l));
        const run_monitor *m = &l->result->last;
        snprintf(note, sizeof note, "step %ld, change %.2e (stops at %.0e), balance %.2g %%", l->p->step, m->change,
                 r->tolerance, 100 * m->balance);
        done = fmax(done, 100.0 * fmin(log(fmin(m->change, 1.0)) / log(r->tolerance), 1.0));
        progress_set(done, note);
        l->result->converged = is_steady(l);
        if (!l->result->converged)
            TRY(keep(l));
    }
cleanup:
    return rc;
}

/* Steps of stored instant k within its cycle, even. */
static long instant(const run_settings *r, int k) {
    return 2 * lround(0.5 * (double)k * r->s->steps_per_period / r->stores);
}

/* One cycle from where it stands, instants stored when it is the last one. */
static int run_cycle(run_loop *l) {
    const run_settings *r = l->r;
    const long begin = (long)l->p->cycle * r->s->steps_per_period, end = begin + r->s->steps_per_period;
    int rc = OK;
    if (l->p->step == begin)
        l->p->velocity_max = 0;
    while (l->p->step < end) {
        if (l->p->last_cycle && l->p->stored < r->stores && l->p->step == begin + instant(r, l->p->stored)) {
            if (r->hooks.store)
                TRY(r->hooks.store(r->hooks.data, l->p->stored, (double)(l->p->step - begin) * r->s->dt_s));
            l->p->stored++;
        }
        long next = l->p->step / r->monitor_every * r->monitor_every + r->monitor_every;
        if (l->p->last_cycle && l->p->stored < r->stores && begin + instant(r, l->p->stored) < next)
            next = begin + instant(r, l->p->stored);
        if (next > end)
            next = end;
        TRY(advance(l, next - l->p->step));
        if (next % r->monitor_every == 0 || next == end) {
            char note[96];
            TRY(observe(l));
            snprintf(note, sizeof note, "cycle %d%s, largest velocity %.3g m/s", l->p->cycle + 1,
                     l->p->last_cycle ? " (stored)" : "", l->result->last.velocity_max * r->s->velocity_scale);
            progress_set(fmin((double)l->p->step, (double)(r->cycles + 1) * r->s->steps_per_period), note);
        }
        if (next % r->monitor_every == 0 && next < end)
            TRY(keep(l));
    }
cleanup:
    return rc;
}

/* Velocity now against that one cycle ago: sets progress.cycle_change. */
static int cycle_compare(run_loop *l) {
    double change = 0, square = 0;
    const int64_t n = 3 * l->r->d->n_cell;
    const int rc = l->r->table->moments(l->r->b, NULL, l->cycle_new, NULL);
    if (rc != OK)
        return rc;
    for (int64_t k = 0; k < n; k++) {
        const double difference = (double)l->cycle_new[k] - l->cycle_old[k];
        change += difference * difference;
        square += (double)l->cycle_new[k] * l->cycle_new[k];
    }
    l->p->cycle_change_before = l->p->cycle_change;
    l->p->cycle_change = l->p->cycle > 1 && square > 0 ? sqrt(change / square) : NAN;
    float *swap = l->cycle_old;
    l->cycle_old = l->cycle_new;
    l->cycle_new = swap;
    return OK;
}

/* Does the velocity come nearer to that of the cycle before? */
static void watch_cycles(const run_loop *l) {
    run_progress *p = l->p;
    if (p->restless || !(p->cycle_change > CYCLE_LIMIT && p->cycle_change > FALLING * p->cycle_change_before))
        return;
    p->restless = true;
    if (l->r->hooks.restless)
        l->r->hooks.restless(l->r->hooks.data, p);
}

static int run_pulsatile(run_loop *l) {
    const run_settings *r = l->r;
    int rc = OK;
    for (bool last = false; !last;) {
        const bool settled = l->p->cycle_change <= CYCLE_LIMIT;
        if (!l->p->last_cycle)
            l->p->last_cycle = l->p->cycle + 1 >= r->cycles && (settled || l->p->cycle + 1 >= 3 * r->cycles);
        last = l->p->last_cycle;
        TRY(run_cycle(l));
        l->p->cycle++;
        TRY(cycle_compare(l));
        if (isfinite(l->p->cycle_change))
            message_info("cycle %d: velocity differs by %.2g %% from the cycle before", l->p->cycle,
                         100 * l->p->cycle_change);
        watch_cycles(l);
    }
    l->result->converged = l->p->cycle_change <= CYCLE_LIMIT;
cleanup:
    return rc;
}

static int loop_create(run_loop *l, const run_settings *r, const run_progress *from, run_result *result) {
    const bool pulsatile = r->s->steps_per_period > 0;
    memset(result, 0, sizeof *result);
    *l = (run_loop){.r = r, .result = result, .p = &result->progress, .fast_cell = -1};
    result->progress.cycle_change = result->progress.cycle_change_before = NAN;
    if (from)
        result->progress = *from;
    l->first_step = result->progress.step;
    for (int64_t k = 0; !r->d->fluid && k < r->d->n_link; k++)
        l->wall_links += r->d->link[k].opening == 0;
    l->value = calloc((size_t)r->monitor_every * (size_t)(r->g->n + 1), sizeof *l->value);
    l->cycle_old = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_old);
    l->cycle_new = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_new);
    if (!l->value || !l->cycle_old || !l->cycle_new)
        return fail_memory("the time loop", 24.0 * (double)r->d->n_cell);
    if (from && from->cycle_velocity && pulsatile)
        memcpy(l->cycle_old, from->cycle_velocity, 3 * (size_t)r->d->n_cell * sizeof *l->cycle_old);
    result->progress.cycle_velocity = NULL;
    l->started_s = l->checkpoint_at_s = clock_s();
    return OK;
}

int run(const run_settings *r, const run_progress *from, run_result *result) {
    int rc = OK;
    run_loop l = {0};
    const bool pulsatile = r->s->steps_per_period > 0;
    TRY(loop_create(&l, r, from, result));
    if (from) { /* what the first monitor compares with, as the uninterrupted run has it */
        backend_monitor m = {.flow = result->flow, .density = result->density};
        driving_values(r->g, r->s, from->step > 0 ? from->step - 1 : 0, l.value);
        r->table->set_gain(r->b, from->gain_before);
        TRY(r->table->step(r->b, 0, l.value));
        TRY(r->table->monitor(r->b, &m));
        r->table->set_gain(r->b, from->gain);
        result->velocity_max = pulsatile ? from->velocity_max : m.velocity_max;
        result->last = (run_monitor){from->step,   (double)from->step * r->s->dt_s,
                                     from->change, m.velocity_max,
                                     m.mass,       from->balance,
                                     result->flow, result->density};
    }
    if (pulsatile)
        progress_start("flow", (double)(r->cycles + 1) * r->s->steps_per_period, "steps");
    else
        progress_start("flow", 100, "% converged");
    rc = pulsatile ? run_pulsatile(&l) : run_steady(&l);
    progress_end();
    result->seconds = clock_s() - l.started_s;
    result->mlups = result->progress.step == l.first_step ? NAN
                                                          : 1e-6 * (double)(result->progress.step - l.first_step) *
                                                                (double)r->d->n_cell / result->seconds;
    result->progress.time_before_s += result->seconds;
cleanup:
    free(l.value);
    free(l.cycle_old);
    free(l.cycle_new);
    return rc;
}
