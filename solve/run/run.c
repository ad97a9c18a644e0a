/* See run.h: one loop for steady runs, one for cycles, on any backend. */
#include "solve/run/run.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAST = 0.15; /* lattice velocity from which a run is watched: it may diverge at 0.5 */
static const double BALANCE_LIMIT = 1e-3, CYCLE_LIMIT = 1e-2, GAIN_PART = 0.5;
static const double SLOWEST = 5.78; /* first zero of J0 squared: viscosity in a tube takes R^2 / (nu SLOWEST) */
static const double TOO_FAST = 1.5, FASTEST = 0.24,
                    TOO_SLOW = 0.5;                         /* of the expected lattice velocity; the middle one of 1 */
static const double ERROR_LIMIT = 0.01, STILL_LIMIT = 5e-4; /* of the largest pressure difference and of the inflow */
enum { SNAPSHOT_MONITORS = 20, RETIMES = 8, FIELD_SAMPLES = 400 };
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
    /* of a steady run whose step may change: the last two good states, with their time and pace */
    state_fields good[2];
    double good_time_s[2], good_pace[2];
    long monitors;  /* since the start or the last change of the step */
    int retimes;    /* how often the step was changed */
    double target;  /* largest lattice velocity that the step was chosen for */
    bool averaging; /* the flow is unsteady */
    double begin_s; /* of averaging */
    long field_gap; /* monitors between two fields */
} run_loop;

void run_result_free(run_result *result) {
    fluctuation_free(&result->statistics);
}

int run_monitor_every(double radius_cells, double viscosity) {
    const double steps = radius_cells * radius_cells / (6.0 * viscosity);
    return 2 * (int)(fmin(fmax(steps, 20.0), 200.0) / 2.0);
}

/* Time of a step from where the run stands; of cycles exactly as of a run in one go. */
static double time_at(const run_loop *l, long ahead) {
    const scale *s = l->r->s;
    return s->steps_per_period > 0 ? (double)(l->p->step + ahead) * s->dt_s : l->p->time_s + (double)ahead * s->dt_s;
}

/* Of one step; returns the mass that flow openings let in (an on-site one is measured: backend_monitor.entered). */
static double values_at(const run_loop *l, long ahead, double *value) {
    const run_settings *r = l->r;
    double entered = 0;
    driving_values(r->g, r->s, r->ramp_s, time_at(l, ahead), value);
    for (int k = 0; k < r->d->n_opening; k++)
        entered += r->d->opening[k].kind == DOMAIN_FLOW && !r->d->opening[k].on_site ? value[k] : 0.0;
    return entered;
}

static int advance(run_loop *l, long steps) {
    const run_settings *r = l->r;
    while (steps > 0) {
        const int n = steps < r->monitor_every ? (int)steps : r->monitor_every;
        for (int k = 0; k < n; k++)
            l->p->entered += values_at(l, k, l->value + (long)k * r->g->n);
        const int rc = r->table->step(r->b, n, l->value);
        if (rc != OK)
            return rc;
        l->p->time_s = time_at(l, n);
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
    return fail(ERR_NUMERIC, "the flow diverged before step %ld (%.4g s)", t.step, l->p->time_s);
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

/* Steps in which viscosity crosses the radius. */
static double viscous_steps(const run_settings *r) {
    return r->radius_cells * r->radius_cells / (SLOWEST * r->s->viscosity);
}

/* Steps in which blood moves on by one radius, or viscosity crosses it if that is sooner. */
static double reference_steps(const run_settings *r) {
    return r->s->velocity > 0 ? fmin(r->radius_cells / r->s->velocity, viscous_steps(r)) : r->radius_cells;
}

static int recover(run_loop *l);

static bool may_retime(const run_loop *l) {
    return l->r->hooks.retime && l->retimes < RETIMES;
}

static int observe(run_loop *l) {
    run_result *out = l->result;
    backend_monitor m = {.flow = out->flow, .density = out->density};
    int rc = l->r->table->monitor(l->r->b, &m);
    if (rc != OK)
        return rc;
    if (m.bad_cell >= 0)
        return may_retime(l) ? recover(l) : diverged(l, &m);
    rc = watch(l, &m);
    if (rc != OK)
        return rc;
    double sum = 0, inflow = 0;
    for (int k = 0; k < l->r->g->n; k++) {
        sum += m.flow[k];
        inflow += fmax(m.flow[k], 0.0);
    }
    balance_walls(l, &m);
    out->last = (run_monitor){.step = l->p->step,
                              .time_s = l->p->time_s,
                              .change = m.change * reference_steps(l->r) / l->r->monitor_every,
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
    return l->p->time_s > r->ramp_s + 1.5 * r->monitor_every * r->s->dt_s && l->p->change <= r->tolerance &&
           l->p->balance <= BALANCE_LIMIT;
}

/* The step becomes `factor` times as long, from the state f. */
static int retime(run_loop *l, double factor, bool diverged, state_fields *f) {
    const run_settings *r = l->r;
    run_progress *p = l->p;
    const int rc = r->hooks.retime(r->hooks.data, factor, diverged, f);
    if (rc != OK)
        return rc;
    p->pace *= factor;
    p->gain *= factor * factor * factor;
    p->gain_before = p->gain;
    p->entered = 0;
    p->gain_step = p->step;
    p->kept = 0; /* the mass in the new step's units; walls of vlbm take none */
    for (int64_t c = 0; c < r->d->n_cell; c++)
        p->kept += f->density[c];
    r->table->set_gain(r->b, p->gain);
    l->monitors = 0;
    l->retimes++;
    l->fast_cell = -1;
    return OK;
}

/* After a divergence: from the older of the last two good states, or from rest, with half the step. */
static int recover(run_loop *l) {
    const run_settings *r = l->r;
    const int64_t n = r->d->n_cell;
    const bool rest = !l->good[1].density;
    state_fields f = {0};
    int rc;
    if (rest) {
        TRY(state_fields_create(&f, n));
        memset(f.density, 0, (size_t)n * sizeof *f.density);
        memset(f.velocity, 0, 3 * (size_t)n * sizeof *f.velocity);
        memset(f.stress, 0, 6 * (size_t)n * sizeof *f.stress);
    } else {
        f = l->good[1];
        l->good[1] = (state_fields){0};
        state_fields_retime(&f, n, l->p->pace / l->good_pace[1]); /* it may be of another step */
    }
    message_info("diverged at step %ld: on from %s with half the time step, %.3g s", l->p->step,
                 rest ? "rest" : "an earlier state", 0.5 * r->s->dt_s);
    l->p->time_s = rest ? 0 : l->good_time_s[1];
    l->p->gain = 0;
    TRY(retime(l, 0.5, true, &f));
    state_fields_free(&l->good[0]);
    state_fields_free(&l->good[1]);
cleanup:
    state_fields_free(&f);
    return rc;
}

/* What to do with the step after a good monitor: nothing (1), or make it that many times as long. */
static double step_factor(const run_loop *l) {
    const run_settings *r = l->r;
    const double fastest = l->result->last.velocity_max, expected = l->target;
    if (!may_retime(l) || l->monitors < 2)
        return 1;
    if (fastest > fmin(TOO_FAST * expected, fmax(FASTEST, expected)))
        return fmax(0.25, 0.9 * expected / fastest);
    const bool slow = fastest < TOO_SLOW * expected && r->s->tau < 0.9 && l->p->time_s > 3 * r->ramp_s;
    return slow && l->monitors >= 2 * SNAPSHOT_MONITORS && l->retimes < RETIMES / 2 ? fmin(2, 0.8 * expected / fastest)
                                                                                    : 1;
}

/* Keeps a good state now and then, and fits the step to the velocity that was found. */
static int adapt(run_loop *l) {
    const run_settings *r = l->r;
    state_fields f = {0};
    int rc = OK;
    l->monitors++;
    if (!r->hooks.retime || l->averaging)
        return OK;
    const double factor = step_factor(l);
    if (factor == 1 && l->monitors % SNAPSHOT_MONITORS != 0)
        return OK;
    TRY(state_fields_create(&f, r->d->n_cell));
    TRY(r->table->moments(r->b, f.density, f.velocity, f.stress));
    if (factor != 1) {
        message_info("largest lattice velocity %.3f at step %ld: on with %.2g times the time step, %.3g s",
                     l->result->last.velocity_max, l->p->step, factor, factor * r->s->dt_s);
        TRY(retime(l, factor, l->retimes >= 2, &f)); /* again and again: it grows by itself */
    } else {
        state_fields_free(&l->good[1]);
        l->good[1] = l->good[0];
        l->good_time_s[1] = l->good_time_s[0];
        l->good_pace[1] = l->good_pace[0];
        l->good[0] = f;
        l->good_time_s[0] = l->p->time_s;
        l->good_pace[0] = l->p->pace;
        f = (state_fields){0};
    }
cleanup:
    state_fields_free(&f);
    return rc;
}

/* Largest pressure difference of the means, and inflow: what errors and swings count against. */
static void unsteady_scale(const run_loop *l, double *density, double *flow) {
    const fluctuation *f = &l->result->statistics;
    double low = INFINITY, high = -INFINITY;
    *flow = 0;
    for (int k = 0; k < f->n_opening; k++) {
        const double rho = fluctuation_of(f, 2 * k + 1, -1).mean;
        low = fmin(low, rho);
        high = fmax(high, rho);
        *flow += fmax(fluctuation_of(f, 2 * k, -1).mean, 0.0);
    }
    *density = high - low;
}

/* Of the quantity of all openings that is worst: standard error (error) or deviation of its mean, relative. */
static double unsteady_worst(const run_loop *l, bool error) {
    const fluctuation *f = &l->result->statistics;
    double density, flow, worst = 0;
    unsteady_scale(l, &density, &flow);
    for (int k = 0; k < f->n_opening; k++)
        for (int what = 2 * k; what < 2 * k + 2; what++) {
            const fluctuation_value v = fluctuation_of(f, what, -1);
            const double part = (error ? v.error : v.deviation) / (what % 2 ? density : flow);
            worst = isfinite(part) ? fmax(worst, part) : INFINITY;
        }
    return worst;
}

/* Ten passages of the fastest blood through the vessel. */
static double passages_s(const run_settings *r) {
    return 10 * r->length_cells / fmax(r->s->velocity, 1e-9) * r->s->dt_s;
}

/* Has the flow had the time that its slowest ways to settle take? */
static bool had_its_time(const run_loop *l) {
    const run_settings *r = l->r;
    return l->p->time_s - r->ramp_s > fmax(viscous_steps(r) * r->s->dt_s, passages_s(r));
}

static int average(run_loop *l) {
    const run_settings *r = l->r;
    fluctuation *f = &l->result->statistics;
    state_fields now = {0};
    int rc = OK;
    if (!l->averaging) {
        l->averaging = true;
        l->begin_s = l->p->time_s;
        l->field_gap = 1;
        if (r->hooks.unsteady)
            r->hooks.unsteady(r->hooks.data, l->p);
    }
    TRY(fluctuation_sample(f, l->result->flow, l->result->density));
    if (f->n_sample % l->field_gap == 0) {
        TRY(state_fields_create(&now, r->d->n_cell));
        TRY(r->table->moments(r->b, now.density, now.velocity, now.stress));
        TRY(fluctuation_fields(f, &now, r->d->n_cell));
        if (f->n_field % FIELD_SAMPLES == 0)
            l->field_gap *= 2;
    }
cleanup:
    state_fields_free(&now);
    return rc;
}

/* Averaged for long enough? Then flow and density become means. */
static bool averaged(run_loop *l) {
    const run_settings *r = l->r;
    run_result *out = l->result;
    const double passage_s = passages_s(r);
    const double since = l->p->time_s - l->begin_s;
    if (!l->averaging || since < passage_s || out->statistics.n_sample % 16 != 0)
        return false;
    if (!(unsteady_worst(l, true) < ERROR_LIMIT) && since < 20 * passage_s)
        return false;
    out->unsteady = unsteady_worst(l, false) > STILL_LIMIT;
    out->converged = !out->unsteady; /* to rounding */
    out->unsteady_s = since;
    for (int k = 0; k < r->g->n && out->unsteady; k++) {
        out->flow[k] = fluctuation_of(&out->statistics, 2 * k, -1).mean;
        out->density[k] = fluctuation_of(&out->statistics, 2 * k + 1, -1).mean;
    }
    return true;
}

static void show_steady(const run_loop *l, double *done) {
    const run_settings *r = l->r;
    const run_monitor *m = &l->result->last;
    char note[160];
    if (l->averaging)
        snprintf(note, sizeof note, "step %ld, unsteady: mean of %.3g s, standard error %.2g %% (ends at %.0f %%)",
                 m->step, l->p->time_s - l->begin_s,
                 l->result->statistics.n_sample % 16 == 0 ? 100 * unsteady_worst(l, true) : NAN, 100 * ERROR_LIMIT);
    else
        snprintf(note, sizeof note, "step %ld, change %.2e (stops at %.0e), balance %.2g %%", m->step, m->change,
                 r->tolerance, 100 * m->balance);
    *done = fmax(*done, 100.0 * fmin(log(fmin(m->change, 1.0)) / log(r->tolerance), 1.0));
    progress_set(*done, note);
}

static int run_steady(run_loop *l) {
    const run_settings *r = l->r;
    double done = 0; /* percent: the change falls exponentially */
    int rc = OK;
    l->result->converged = is_steady(l); /* of a checkpoint at the end */
    while (!l->result->converged && !l->result->unsteady && (l->p->step < r->max_steps || r->endless)) {
        const int retimes = l->retimes;
        TRY(advance(l, r->monitor_every));
        TRY(observe(l));
        if (l->retimes > retimes)
            continue;
        TRY(adapt(l));
        if (l->retimes > retimes)
            continue;
        l->result->converged = is_steady(l);
        if (l->p->time_s > r->ramp_s)
            TRY(fluctuation_change(&l->result->statistics, l->p->change));
        if (l->averaging || (!l->result->converged && had_its_time(l) && fluctuation_lasts(&l->result->statistics)))
            TRY(average(l));
        show_steady(l, &done);
        if (!l->result->converged && !averaged(l))
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
    result->progress.pace = 1;
    result->statistics.n_opening = r->g->n;
    if (from)
        result->progress = *from;
    l->target = r->s->velocity / result->progress.pace;
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
        driving_values(r->g, r->s, r->ramp_s, fmax(time_at(&l, -1), 0), l.value);
        r->table->set_gain(r->b, from->gain_before);
        TRY(r->table->step(r->b, 0, l.value));
        TRY(r->table->monitor(r->b, &m));
        r->table->set_gain(r->b, from->gain);
        result->velocity_max = pulsatile ? from->velocity_max : m.velocity_max;
        result->last = (run_monitor){from->step, from->time_s,  from->change, m.velocity_max,
                                     m.mass,     from->balance, result->flow, result->density};
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
    state_fields_free(&l.good[0]);
    state_fields_free(&l.good[1]);
    free(l.value);
    free(l.cycle_old);
    free(l.cycle_new);
    return rc;
}
