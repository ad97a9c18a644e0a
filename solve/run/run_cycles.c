/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/run/run_cycles.h"
#include "solve/run/run_observe.h"
#include "solve/run/run_openings.h"
#include "solve/run/run_pace.h"
#include "solve/statistics/settling.h"
#include <math.h>
#include <stdio.h>

/* Two upper limits of a periodic flow: of the relative velocity difference between two cycles, and of the remaining
 * transient relative to the velocity */
static const double CYCLE_LIMIT = 1e-2;
/* lower limit of the reference of velocity differences, in root mean square velocities of the cycle: blood may be at
 * rest at the end of a cycle */
static const double REFERENCE_LEAST = 0.5;
/* upper limit of the remaining transient of a Windkessel, relative */
static const double OPENINGS_LIMIT = 5e-3;

/* Step of stored instant k within its cycle, an even number. */
static long instant_step(const run_settings *r, int k) {
    return 2 * lround(0.5 * (double)k * r->s->steps_per_period / r->stores);
}

/* Expected number of cycles: complete cycles plus the running cycle if it is the last one, else an estimate from the
 * differences so far. */
static int cycles_expected(const run_loop *l) {
    const run_progress *p = l->p;
    return p->last_cycle
               ? p->cycle + 1
               : settling_cycles(p->cycle, p->cycle_change, p->cycle_change_before, CYCLE_LIMIT, l->r->cycles);
}

/* Remaining transient, as a fraction of the velocity. Its slowest mode decays with the viscous time constant. */
static double cycles_left(const run_loop *l) {
    const double slowest = exp(-l->r->s->steps_per_period / run_viscous_steps(l->r));
    return settling_cycles_left(l->p->cycle_change, l->p->cycle_change_before, slowest);
}

/* Runs one cycle from the present state; the last cycle stores instants. */
static int run_cycle(run_loop *l) {
    const run_settings *r = l->r;
    const long begin = (long)l->p->cycle * r->s->steps_per_period, end = begin + r->s->steps_per_period;
    int rc = OK;
    if (l->p->step == begin) {
        l->p->velocity_max = l->p->cycle_square = 0;
        l->p->openings_cycle = l->p->openings;
        TRY(run_pace_keep_cycle(l));
    }
    while (l->p->step < end) {
        if (l->p->last_cycle && l->p->stored < r->stores && l->p->step == begin + instant_step(r, l->p->stored)) {
            if (r->hooks.store)
                TRY(r->hooks.store(r->hooks.data, l->p->stored, (double)(l->p->step - begin) * r->s->dt_s));
            l->p->stored++;
        }
        long next = l->p->step / r->monitor_every * r->monitor_every + r->monitor_every;
        if (l->p->last_cycle && l->p->stored < r->stores && begin + instant_step(r, l->p->stored) < next)
            next = begin + instant_step(r, l->p->stored);
        if (next > end)
            next = end;
        TRY(run_advance(l, next - l->p->step));
        if (next % r->monitor_every == 0 || next == end) {
            char note[96];
            const int retimes = l->p->retimes;
            TRY(run_observe(l));
            if (l->p->retimes > retimes)
                return run_cycle(l); /* repeats the cycle from its start, with the smaller time step */
            snprintf(note, sizeof note, "cycle %d%s, largest velocity %.3g m/s", l->p->cycle + 1,
                     l->p->last_cycle ? " (stored)" : "", l->result->last.velocity_max * r->s->velocity_scale);
            const double all = (double)cycles_expected(l) * r->s->steps_per_period;
            progress_set_remaining(run_wall_s(l, (all - (double)l->p->step) * r->s->dt_s), note);
        }
        if (next % r->monitor_every == 0 && next < end)
            TRY(run_checkpoint(l));
    }
cleanup:
    return rc;
}

/* Sets progress.cycle_change. */
static int cycle_compare(run_loop *l) {
    exact_sum sum[2] = {0}; /* sums of squares: of velocity differences, of velocities */
    const double least = pow(REFERENCE_LEAST, 2) * l->p->cycle_square / l->r->s->steps_per_period;
    const int64_t n = 3 * l->r->d->n_cell;
    int rc = l->r->table->moments(l->r->b, NULL, l->cycle_new, NULL);
    if (rc != OK)
        return rc;
    for (int64_t k = 0; k < n; k++) {
        const double difference = (double)l->cycle_new[k] - l->cycle_old[k];
        exact_sum_add(&sum[0], difference * difference);
        exact_sum_add(&sum[1], (double)l->cycle_new[k] * l->cycle_new[k]);
    }
    rc = ranks_sums(sum, 2);
    if (rc != OK)
        return rc;
    const double change = exact_sum_value(&sum[0]), reference = fmax(exact_sum_value(&sum[1]), least);
    l->p->cycle_change_before = l->p->cycle_change;
    l->p->cycle_change = l->p->cycle > 1 && reference > 0 ? sqrt(change / reference) : NAN;
    float *swap = l->cycle_old;
    l->cycle_old = l->cycle_new;
    l->cycle_new = swap;
    return OK;
}

/* Warns once when the difference between cycles has stopped falling. */
static void warn_not_periodic(const run_loop *l) {
    run_progress *p = l->p;
    if (p->not_periodic ||
        !(p->cycle_change > CYCLE_LIMIT && p->cycle_change > SETTLING_FALLS * p->cycle_change_before))
        return;
    p->not_periodic = true;
    if (l->r->hooks.not_periodic)
        l->r->hooks.not_periodic(l->r->hooks.data, p);
}

static void say_cycle(const run_loop *l) {
    char left[80] = "";
    if (isfinite(l->p->cycle_change_before))
        snprintf(left, sizeof left, ", remaining transient about %.2g %%", 100 * cycles_left(l));
    if (isfinite(l->p->cycle_change))
        message_info("cycle %d: the velocity differs by %.2g %% from the cycle before%s", l->p->cycle,
                     100 * l->p->cycle_change, left);
}

int run_cycles(run_loop *l) {
    const run_settings *r = l->r;
    int rc = OK;
    for (bool last = false; !last;) {
        const bool settled = l->p->cycle_change <= CYCLE_LIMIT && l->p->openings_change <= OPENINGS_LIMIT &&
                             cycles_left(l) <= CYCLE_LIMIT;
        if (!l->p->last_cycle)
            l->p->last_cycle = l->p->cycle + 1 >= r->cycles && (settled || l->p->cycle + 1 >= 3 * r->cycles);
        last = l->p->last_cycle;
        TRY(run_cycle(l));
        l->p->cycle++;
        run_openings_end_cycle(l);
        TRY(cycle_compare(l));
        say_cycle(l);
        warn_not_periodic(l);
        if (!last)
            TRY(run_checkpoint(l));
    }
    l->result->converged = l->p->cycle_change <= CYCLE_LIMIT && l->p->openings_change <= CYCLE_LIMIT;
    l->result->cycles_left = cycles_left(l);
cleanup:
    return rc;
}
