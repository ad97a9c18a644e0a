/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/run/run_acceleration.h"
#include "solve/run/run_average.h"
#include "solve/run/run_observe.h"
#include "solve/run/run_openings.h"
#include "solve/run/run_pace.h"
#include "solve/run/run_steady.h"
#include "solve/statistics/settling.h"
#include <math.h>
#include <stdio.h>

/* Upper limit of the flow balance at which a steady run may end */
static const double BALANCE_LIMIT = 1e-3;

static bool is_steady(const run_loop *l) {
    const run_settings *r = l->r;
    return l->p->time_s > r->ramp_s + 1.5 * r->monitor_every * r->s->dt_s && l->p->change <= r->tolerance &&
           l->p->balance <= BALANCE_LIMIT && run_openings_settled(l) && run_acceleration_plain(l) && !run_correct_on(l);
}

/* Shows the progress line with the remaining time (settling.h), limited by the step limit. */
static void show_steady(const run_loop *l) {
    const run_settings *r = l->r;
    const run_monitor *m = &l->result->last;
    const fluctuation *f = &l->result->statistics;
    const double every_s = r->monitor_every * r->s->dt_s;
    const double settle_s = every_s * settling_monitors(f->n_change, f->log_change, r->tolerance);
    double left_s = run_average_left_s(l, settle_s);
    char note[160];
    if (l->p->averaging)
        run_average_note(l, note, sizeof note);
    else if (isnan(m->change))
        snprintf(note, sizeof note, "step %ld, flow balance %.2g %%", m->step, 100 * m->balance);
    else
        snprintf(note, sizeof note, "step %ld, residual %.2e (target %.2g), flow balance %.2g %%", m->step, m->change,
                 r->tolerance, 100 * m->balance);
    if (!r->endless && !isnan(left_s))
        left_s = fmin(left_s, (double)(r->max_steps - l->p->step) * r->s->dt_s);
    progress_set_remaining(run_wall_s(l, left_s), note);
}

/* Ends the settling of a coarser level that has used up its share_steps: its flow is averaged from here on. */
static void end_share(run_loop *l) {
    l->p->share_used = true;
    l->p->falling = run_acceleration_falls(l);
    if (run_acceleration_on(l))
        run_acceleration_end(l, "this grid level has reached its limit of steps");
}

int run_steady(run_loop *l) {
    const run_settings *r = l->r;
    int rc = OK;
    l->result->converged = is_steady(l); /* the run may have resumed from its final checkpoint */
    if (!l->result->converged && run_average_done(l))
        return OK;
    while (!l->result->converged && !l->result->unsteady && (l->p->step < r->max_steps || r->endless) &&
           !run_average_spent(l)) {
        const int retimes = l->p->retimes;
        const bool acceleration_off = l->p->acceleration_off;
        TRY(run_advance(l, r->monitor_every));
        TRY(run_observe(l));
        if (l->p->acceleration_off > acceleration_off)
            continue;
        if (l->p->retimes == retimes)
            TRY(run_pace_adapt(l));
        if (l->p->retimes > retimes) {
            run_acceleration_restart(l);
            continue;
        }
        l->result->converged = is_steady(l);
        /* the first monitor has no earlier velocity for a residual */
        if (l->p->time_s > r->ramp_s && l->p->monitors > 1)
            TRY(fluctuation_change(&l->result->statistics, l->p->change));
        if (!l->result->converged && !l->p->share_used && run_average_share_used(l))
            end_share(l);
        if (l->p->averaging || (!l->result->converged && l->p->share_used) ||
            (!l->result->converged && run_average_due(l)))
            TRY(run_average_add(l));
        show_steady(l);
        if (!l->result->converged)
            TRY(run_correct_on(l) ? run_correct_add(l) : run_acceleration_add(l));
        if (!l->result->converged && !run_average_done(l))
            TRY(run_checkpoint(l));
    }
cleanup:
    return rc;
}
