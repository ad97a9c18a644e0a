/* SPDX-License-Identifier: Apache-2.0 */
/* Anderson acceleration is switched off where it does not help. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/run/run_acceleration.h"
#include "solve/run/run_openings.h"
#include <math.h>
#include <stdlib.h>

/* WORSE: an Anderson step is undone if the residual grows by more than this factor. FASTER: upper limit of the factor
 * by which an Anderson step may raise the largest velocity. FALLS: a residual below this fraction of the smallest
 * residual so far counts as falling. */
static const double WORSE = 2, FASTER = 1.15, FALLS = 0.8;
/* Smallest decrease of log(residual) that run_acceleration_falls counts as falling */
static const double FALLEN = 0.5;
/* Anderson acceleration ends above UNDONE_LIMIT undone Anderson steps, or above NO_FALL_LIMIT windows without a falling
 * residual */
enum { UNDONE_LIMIT = 3, NO_FALL_LIMIT = 48 };
/* Growth (anderson_growth) above which the window map counts as unstable; several unstable windows in a row show an
 * unstable steady state. Settling flows have a growth of 0.5 to 0.97 from the fourth window on. */
static const double GROWS = 1.02;
enum { GROWS_DOUBT = 3, GROWS_MOST = BACKEND_PLACES + 1 };
/* The flow is an unsteady jet if the growth exceeds UNSTEADY_GROWTH in more than the fraction UNSTEADY_LIMIT of the
 * last UNSTEADY_WINDOWS windows (moving average). In settling flows this fraction reaches 0.06. A single outlier window
 * enters six estimates of the growth and so raises the fraction to 0.32. */
static const double UNSTEADY_GROWTH = 1.005, UNSTEADY_WINDOWS = 16, UNSTEADY_LIMIT = 0.4;

static bool is_enabled(const run_loop *l) {
    return l->acceleration.window > 0 && !l->p->acceleration_off && !l->p->averaging && !l->acceleration.waits_for_fall;
}

bool run_acceleration_on(const run_loop *l) {
    return is_enabled(l) && !run_correct_on(l) && l->p->time_s > l->r->ramp_s;
}

void run_acceleration_create(run_loop *l) {
    const run_settings *r = l->r;
    const int every = r->monitor_every;
    const int monitors = (r->anderson_window_steps + every / 2) / every;
    if (r->anderson_window_steps > 0 && r->s->steps_per_period == 0)
        l->acceleration.window = (monitors > 1 ? monitors : 1) * every;
    l->acceleration.least = INFINITY;
    l->acceleration.waits_for_fall = r->starts_unsteady;
}

void run_acceleration_free(run_loop *l) {
    anderson_free(&l->acceleration.states);
}

/* Continues the run with plain steps only. Averaging may start one passage later. */
void run_acceleration_end(run_loop *l, const char *why) {
    message_info("Anderson acceleration is switched off at step %ld: %s", l->p->step, why);
    l->p->acceleration_off = true;
    l->acceleration.running = false;
    l->p->plain_s = l->p->time_s;
    l->result->statistics.n_change = 0;
    run_acceleration_free(l);
}

/* Starts a window at the present state of the backend. The mass lost at walls is counted from this state on. */
static int begin_window(run_loop *l, double mass_correction) {
    const run_settings *r = l->r;
    run_progress *p = l->p;
    double flow[256], density[256];
    backend_monitor m = {.flow = flow, .density = density};
    int rc;
    p->mass_correction = p->mass_correction_before = mass_correction;
    r->table->set_mass_correction(r->b, mass_correction);
    TRY(r->table->monitor(r->b, &m));
    p->kept = m.mass;
    p->entered = 0;
    p->mass_correction_step = p->accelerated_step = p->step;
    for (int k = 0; k < r->g->n; k++)
        p->passed[k] = m.flow[k] * r->s->flow_scale;
    l->acceleration.fastest = m.bad_cell >= 0 ? INFINITY : m.velocity_max;
cleanup:
    return rc;
}

/* Restores the state stored `back` windows earlier; 0: the last one. */
static int take_back(run_loop *l, int back) {
    double weight[BACKEND_PLACES];
    const double mass_correction = anderson_undo(&l->acceleration.states, back, weight);
    int rc;
    l->acceleration.before = INFINITY;
    TRY(l->r->table->combine(l->r->b, weight));
    run_openings_combine(l, weight);
    TRY(begin_window(l, mass_correction));
cleanup:
    return rc;
}

int run_acceleration_recover(run_loop *l, bool *recovered) {
    int rc = OK;
    *recovered = run_acceleration_on(l) && l->acceleration.running && l->acceleration.states.count > 0;
    if (!*recovered)
        return OK;
    TRY(take_back(l, 0));
    run_acceleration_end(l, "the flow diverged; continuing from the last stored state");
cleanup:
    return rc;
}

static int compute_growth(run_loop *l) {
    anderson *m = &l->acceleration.states;
    int rc;
    TRY(l->r->table->sample(l->r->b, m->n_own, m->own, m->value));
    TRY(anderson_observe(m));
cleanup:
    return rc;
}

static int first_window(run_loop *l) {
    int rc;
    if (!l->acceleration.states.own)
        TRY(anderson_create(&l->acceleration.states, l->r->d));
    TRY(compute_growth(l));
    anderson_restart(&l->acceleration.states);
    l->acceleration.before = INFINITY;
    l->acceleration.running = true;
    TRY(begin_window(l, l->p->mass_correction));
cleanup:
    return rc;
}

/* Compares a finished window with the window before it. Returns true if the residual of the finished window is
 * worse than the residual before the Anderson step that started this window. Sets *helps to false after NO_FALL_LIMIT
 * windows without a falling residual. */
static bool is_worse(run_loop *l, double residual, bool *helps) {
    const bool worse = residual > WORSE * l->acceleration.before, falls = residual < FALLS * l->acceleration.least;
    l->acceleration.windows_without_fall = falls ? 0 : l->acceleration.windows_without_fall + 1;
    l->acceleration.least = falls ? residual : l->acceleration.least;
    l->acceleration.before = residual;
    l->acceleration.steps_undone += worse;
    *helps = l->acceleration.windows_without_fall <= NO_FALL_LIMIT && l->acceleration.steps_undone <= UNDONE_LIMIT;
    return worse;
}

/* Restarts from the oldest stored state, because Anderson acceleration also converges to unstable steady states and the
 * residual does not show it. The oldest state is farthest from such a steady state. */
static int leave_unstable_state(run_loop *l) {
    const int rc = take_back(l, l->acceleration.states.count - 1);
    run_acceleration_end(l, "the flow approaches an unstable steady state");
    return rc;
}

/* Stores the state at the end of a window, and starts the next window at the accelerated state. */
static int next_window(run_loop *l) {
    const run_settings *r = l->r;
    anderson *m = &l->acceleration.states;
    double weight[BACKEND_PLACES];
    const double limit = FASTER * fmax(l->result->last.velocity_max, l->p->target);
    bool helps;
    int rc;
    if (r->table->keep(r->b, anderson_next_place(m)) != OK) {
        status_clear();
        run_acceleration_end(l, "not enough memory to store states of the flow");
        return OK;
    }
    run_openings_keep(l, anderson_next_place(m));
    TRY(compute_growth(l));
    const bool worse = is_worse(l, anderson_add(m, l->p->mass_correction), &helps);
    const double growth = m->count > 2 ? anderson_growth(m) : 0;
    l->acceleration.growing_windows = growth > GROWS ? l->acceleration.growing_windows + 1 : 0;
    l->acceleration.unsteady_part += ((growth > UNSTEADY_GROWTH) - l->acceleration.unsteady_part) / UNSTEADY_WINDOWS;
    if (l->acceleration.growing_windows >= GROWS_MOST)
        return leave_unstable_state(l);
    if (worse)
        TRY(take_back(l, 1));
    if (!helps)
        run_acceleration_end(l, "residuals do not fall");
    else if (l->acceleration.unsteady_part > UNSTEADY_LIMIT)
        run_acceleration_end(l, "residuals grow and decay in turn, as in an unsteady jet");
    if (worse || l->p->acceleration_off)
        goto cleanup;
    const double mass_correction = m->count > 1 ? anderson_combine(m, weight) : anderson_undo(m, 0, weight);
    if (m->count > 1) {
        TRY(r->table->combine(r->b, weight));
        run_openings_combine(l, weight);
    }
    TRY(begin_window(l, mass_correction));
    if (!(l->acceleration.fastest <= limit))
        TRY(take_back(l, 0));
cleanup:
    return rc;
}

bool run_acceleration_falls(const run_loop *l) {
    const fluctuation *f = &l->result->statistics;
    const fluctuation_trend t = fluctuation_trend_of_change(f, f->n_change / 2);
    return t.change < -FALLEN && t.change < -3 * t.error;
}

int run_acceleration_add(run_loop *l) {
    if (l->acceleration.waits_for_fall && !l->p->averaging)
        l->acceleration.waits_for_fall = !run_acceleration_falls(l);
    if (!run_acceleration_on(l))
        return OK;
    if (!l->acceleration.running)
        return first_window(l);
    return l->p->step - l->p->accelerated_step < l->acceleration.window ? OK : next_window(l);
}

bool run_acceleration_plain(const run_loop *l) {
    return !is_enabled(l) || (l->p->step - l->p->accelerated_step >= l->acceleration.window &&
                              l->acceleration.growing_windows < GROWS_DOUBT);
}

void run_acceleration_restart(run_loop *l) {
    l->acceleration.running = false;
}

/* The state before the coarse correction is measured over one window. PLAIN_STEPS: steps before this window, in which
 * interpolation errors decay. WINDOW_STEPS: steps of this window. */
enum { PLAIN_STEPS = 100, WINDOW_STEPS = 200 };

void run_correct_create(run_loop *l) {
    l->correct.wanted = l->near && l->r->hooks.correct ? l->r->corrections : 0;
}

bool run_correct_on(const run_loop *l) {
    return l->correct.wanted > 0;
}

/* Applies the coarse correction. The corrected state is in a new backend, so the count of mass lost at walls
 * restarts. */
static int take_correction(run_loop *l) {
    const run_settings *r = l->r;
    run_progress *p = l->p;
    state_fields now = {0};
    int rc;
    TRY(state_fields_create(&now, r->d->n_cell));
    TRY(r->table->moments(r->b, now.density, now.velocity, now.stress));
    TRY(r->hooks.correct(r->hooks.data, &l->correct.before, p->time_s - l->correct.before_s, &now));
    p->mass_correction_before = p->mass_correction;
    p->entered = 0;
    p->mass_correction_step = p->step;
    p->outflow_step = -1;
    TRY(run_mass(r->d, &now, &p->kept));
    r->table->set_mass_correction(r->b, p->mass_correction);
    p->monitors = 0; /* the next monitor has no earlier velocity for a residual */
    p->accelerated_step = p->step;
    l->at_once = false; /* a new backend starts with delayed pressure outlets (set_outlets) */
    l->written_step = p->step;
    l->correct.wanted--;
    state_fields_free(&l->correct.before);
    run_acceleration_restart(l);
    if (l->acceleration.window > 0)
        /* only slow sound needs longer windows, and the correction has removed it */
        l->acceleration.window = r->monitor_every;
cleanup:
    state_fields_free(&now);
    return rc;
}

int run_correct_add(run_loop *l) {
    const run_settings *r = l->r;
    state_fields *before = &l->correct.before;
    int rc = OK;
    if (before->density && l->p->step - l->correct.begin >= WINDOW_STEPS)
        return take_correction(l);
    if (before->density || l->p->step - l->written_step < PLAIN_STEPS)
        return OK;
    TRY(state_fields_create(before, r->d->n_cell));
    TRY(r->table->moments(r->b, before->density, before->velocity, before->stress));
    l->correct.begin = l->p->step;
    l->correct.before_s = l->p->time_s;
cleanup:
    return rc;
}

void run_correct_free(run_loop *l) {
    state_fields_free(&l->correct.before);
}
