/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/run/run_pace.h"
#include "solve/run/run_openings.h"
#include <math.h>
#include <string.h>

/* The time step changes if the ratio of measured to expected lattice velocity is above TOO_FAST or below TOO_SLOW, if
 * the lattice velocity exceeds FASTEST, or if hooks.longest requires it. */
static const double TOO_FAST = 1.5, FASTEST = 0.24, TOO_SLOW = 0.5;
/* The time step grows only while the residual exceeds NEARLY times the tolerance. Later, the sound caused by a new time
 * step would cost more steps than a longer time step saves. */
static const double NEARLY = 100;
/* Smallest factor by which the time step is lengthened: a smaller factor saves less than the change costs. */
static const double LEAST_GAIN = 1.1;
/* The time step is shortened for shear-thinning blood if hooks.longest is below LONGEST, to CLOSER times hooks.longest.
 * The flow is then nearly settled: slow blood at the start of a run does not count. */
static const double LONGEST = 0.9, CLOSER = 0.97;
enum { SNAPSHOT_MONITORS = 20, RETIMES = 8 };

bool run_pace_free(const run_loop *l) {
    return l->r->hooks.retime && l->p->retimes < RETIMES;
}

/* Multiplies the time step by `factor`, starting from state f. */
static int change_step(run_loop *l, double factor, bool diverged, state_fields *f) {
    const run_settings *r = l->r;
    run_progress *p = l->p;
    int rc = r->hooks.retime(r->hooks.data, factor, diverged, f);
    if (rc != OK)
        return rc;
    l->at_once = false; /* a new backend starts with delayed pressure outlets (set_outlets) */
    p->pace *= factor;
    p->dt_s = r->s->dt_s;
    p->diverged |= diverged;
    p->mass_correction *= factor * factor * factor;
    p->mass_correction_before = p->mass_correction_from = p->mass_correction_goal = p->mass_correction;
    p->entered = 0;
    p->mass_correction_step = p->step;
    p->outflow_step = -1;
    rc = run_mass(r->d, f, &p->kept); /* p->kept depends on the time step */
    if (rc != OK)
        return rc;
    r->table->set_mass_correction(r->b, p->mass_correction);
    l->p->monitors = 0;
    l->p->retimes++;
    l->fast_cell = -1;
    return OK;
}

/* Allocates a state at rest. */
static int rest_create(state_fields *f, int64_t n) {
    const int rc = state_fields_create(f, n);
    if (rc != OK)
        return rc;
    memset(f->density, 0, (size_t)n * sizeof *f->density);
    memset(f->velocity, 0, 3 * (size_t)n * sizeof *f->velocity);
    memset(f->stress, 0, 6 * (size_t)n * sizeof *f->stress);
    return OK;
}

int run_pace_keep_cycle(run_loop *l) {
    const run_settings *r = l->r;
    state_fields *f = &l->result->good[0];
    int rc = OK;
    if (!run_pace_free(l) || (l->p->cycle == 0 && !r->g->from_mean))
        return OK;
    if (!f->density)
        TRY(state_fields_create(f, r->d->n_cell));
    TRY(r->table->moments(r->b, f->density, f->velocity, f->stress));
cleanup:
    return rc;
}

/* After a divergence in pulsatile flow: repeats the running cycle, its stored instants included. After a second
 * divergence stresses are limited as well. */
static int recover_cycle(run_loop *l) {
    const run_settings *r = l->r;
    const int64_t n = r->d->n_cell;
    const long done = l->p->step - l->first_step;
    run_progress *p = l->p;
    state_fields f = l->result->good[0];
    int rc = OK;
    l->result->good[0] = (state_fields){0};
    if (!f.density)
        TRY(rest_create(&f, n));
    message_info("diverged at step %ld: continuing from the start of cycle %d with half the time step, %.3g s", p->step,
                 p->cycle + 1, 0.5 * r->s->dt_s);
    p->time_s = (double)p->cycle * r->s->steps_per_period * r->s->dt_s;
    p->mass_correction = 0;
    p->stored = 0;
    p->openings = p->openings_cycle;
    p->step = (long)p->cycle * 2 * r->s->steps_per_period;
    l->observed_step = p->step;
    l->first_step = p->step - done;
    for (int64_t k = 0; k < 3 * n; k++)
        l->cycle_old[k] *= 0.5F;
    TRY(change_step(l, 0.5, p->retimes > 0, &f));
cleanup:
    state_fields_free(&f);
    return rc;
}

/* After a divergence: halves the step and continues from the older of the last two good states, or from rest. */
int run_pace_recover(run_loop *l) {
    const run_settings *r = l->r;
    const int64_t n = r->d->n_cell;
    const bool rest = !l->result->good[1].density;
    state_fields f = {0};
    int rc;
    if (r->s->steps_per_period > 0)
        return recover_cycle(l);
    if (rest) {
        TRY(rest_create(&f, n));
    } else {
        f = l->result->good[1];
        l->result->good[1] = (state_fields){0};
        /* the time step may have changed since the good state was stored */
        state_fields_retime(&f, n, l->p->pace / l->p->good_pace[1]);
    }
    message_info("diverged at step %ld: continuing from %s with half the time step, %.3g s", l->p->step,
                 rest ? "rest" : "an earlier state", 0.5 * r->s->dt_s);
    l->p->time_s = rest ? 0 : l->p->good_time_s[1];
    l->p->plain_s = fmin(l->p->plain_s, l->p->time_s);
    l->p->averaging = l->p->quiet = false; /* stop averaging, since the average belongs to the flow that diverged */
    l->result->statistics.n_change = l->result->statistics.n_sample = l->result->statistics.n_field = 0;
    l->p->mass_correction = 0;
    if (rest)
        run_openings_start(l, true);
    TRY(change_step(l, 0.5, true, &f));
    state_fields_free(&l->result->good[0]);
    state_fields_free(&l->result->good[1]);
cleanup:
    state_fields_free(&f);
    return rc;
}

/* Factor for the time step after a good monitor; 1: no change. */
static double step_factor(const run_loop *l) {
    const run_settings *r = l->r;
    const double fastest = l->result->last.velocity_max, expected = l->p->target;
    if (!run_pace_free(l) || l->p->monitors < 2)
        return 1;
    const double longest = r->hooks.longest && fastest > 0 ? r->hooks.longest(r->hooks.data, fastest) : INFINITY;
    if (longest < LONGEST && l->p->change <= NEARLY * r->tolerance && l->p->retimes < RETIMES / 2)
        return CLOSER * longest;
    if (fastest > fmin(TOO_FAST * expected, fmax(FASTEST, expected)))
        return fmax(0.25, 0.9 * expected / fastest);
    const bool slow = fastest < TOO_SLOW * expected && r->s->tau < 0.9 && l->p->time_s > 3 * r->ramp_s &&
                      l->p->change > NEARLY * r->tolerance;
    if (!slow || l->p->monitors < 2 * SNAPSHOT_MONITORS || l->p->retimes >= RETIMES / 2)
        return 1;
    /* the expected velocity stays possible: scale_choose refuses more than SCALE_VELOCITY_MOST */
    const double factor =
        fmin(longest, fmin(fmin(2, 0.8 * expected / fastest), 0.999 * SCALE_VELOCITY_MOST / r->s->velocity));
    return factor > LEAST_GAIN ? factor : 1;
}

/* Stores a good state from time to time, and adapts the step to the measured velocity. */
int run_pace_adapt(run_loop *l) {
    const run_settings *r = l->r;
    state_fields f = {0};
    int rc = OK;
    l->p->monitors++;
    /* a run with heat keeps its time step; after a divergence it starts from rest */
    if (!r->hooks.retime || l->p->averaging || r->heat)
        return OK;
    const double factor = step_factor(l);
    if (factor == 1 && l->p->monitors % SNAPSHOT_MONITORS != 0)
        return OK;
    TRY(state_fields_create(&f, r->d->n_cell));
    TRY(r->table->moments(r->b, f.density, f.velocity, f.stress));
    if (factor != 1) {
        message_info(
            "largest lattice velocity %.3f at step %ld: continuing with %.2g times the previous time step, now %.3g s",
            l->result->last.velocity_max, l->p->step, factor, factor * r->s->dt_s);
        /* if the velocity is too high after two changes, the flow itself grows: the change counts as a divergence */
        const bool too_slow = factor < 1 && l->result->last.velocity_max <= l->p->target;
        TRY(change_step(l, factor, l->p->retimes >= 2 && !too_slow, &f));
    } else {
        state_fields_free(&l->result->good[1]);
        l->result->good[1] = l->result->good[0];
        l->p->good_time_s[1] = l->p->good_time_s[0];
        l->p->good_pace[1] = l->p->good_pace[0];
        l->result->good[0] = f;
        l->p->good_time_s[0] = l->p->time_s;
        l->p->good_pace[0] = l->p->pace;
        f = (state_fields){0};
    }
cleanup:
    state_fields_free(&f);
    return rc;
}
