/* SPDX-License-Identifier: Apache-2.0 */
/* A pulsatile flow: cycles that pause at a step or a time, and the stored phases of the last cycle. */
#include "common/base/status.h"
#include "library/solver_handle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EACH_MONITOR_S = 1e-12; /* run_settings.checkpoint_s: the hook is called at every monitor */

/* Half a step of tolerance, because a time is a multiple of the step only up to rounding. */
static bool has_reached(const pf_solver *s, const run_progress *p) {
    return p->step >= s->until_step || p->time_s + 0.5 * s->job.march.scale.dt_s >= s->until_s;
}

/* Hook in place of the checkpoint: ends the run when cancelled, or at its step or time. */
static int pause_cycles(void *data, const run_progress *p) {
    pf_solver *s = data;
    const bool cancelled = atomic_exchange(s->cancel, false);
    if (!cancelled && !has_reached(s, p))
        return OK;
    memcpy(s->cycle_velocity, p->cycle_velocity, 3 * (size_t)s->job.vessel.domain.n_cell * sizeof *s->cycle_velocity);
    s->was_cancelled = cancelled;
    s->has_paused = !cancelled;
    return fail(ERR_RESOURCE, "cancelled at step %ld; call the same function to continue", p->step);
}

/* Hook of the time loop: keeps the fields of one instant of the last cycle. */
static int keep_phase(void *data, int index, double time_s) {
    pf_solver *s = data;
    pf_fields *f;
    const int rc = solver_copy_fields(s, time_s, &f);
    if (rc != OK)
        return rc;
    pf_fields_free(s->phase[index]);
    s->phase[index] = f;
    s->n_phase = index + 1 > s->n_phase ? index + 1 : s->n_phase; /* phases of the cycle before stay until replaced */
    return OK;
}

int solver_open_cycles(pf_solver *s) {
    run_settings *r = &s->job.march.run;
    s->cycle_velocity = calloc(3 * (size_t)s->job.vessel.domain.n_cell, sizeof *s->cycle_velocity);
    s->phase = calloc((size_t)r->stores, sizeof *s->phase);
    if (!s->cycle_velocity || !s->phase)
        return fail_memory("the cycles", 12.0 * (double)s->job.vessel.domain.n_cell);
    r->checkpoint_s = EACH_MONITOR_S;
    r->hooks.monitor = NULL;
    r->hooks.checkpoint = pause_cycles;
    r->hooks.store = keep_phase;
    return OK;
}

void solver_free_cycles(pf_solver *s) {
    for (int k = 0; s->phase && k < s->job.march.run.stores; k++)
        pf_fields_free(s->phase[k]);
    free((void *)s->phase);
    free(s->cycle_velocity);
}

/* Prepares another cycle after the last one, which a later call stores again. */
static int continue_cycles(pf_solver *s) {
    run_progress *p = &s->job.out.result.progress;
    p->last_cycle = false;
    p->stored = 0;
    return s->job.march.run.table->moments(s->job.march.run.b, NULL, s->cycle_velocity, NULL);
}

int solver_run_cycles(pf_solver *s, bool whole) {
    run_progress from = s->from;
    int rc;
    s->has_paused = false;
    do {
        if (s->has_run) {
            from = s->job.out.result.progress;
            from.cycle_velocity = s->cycle_velocity;
        }
        rc = run(&s->job.march.run, s->has_run || s->started ? &from : NULL, &s->job.out.result);
        s->has_run = rc == OK || s->has_paused || s->was_cancelled;
        if (rc == OK)
            rc = continue_cycles(s);
        /* without a time to reach, the run ends when the flow is periodic */
        whole |= isinf(s->until_s) && s->job.out.result.converged;
    } while (rc == OK && !whole && !has_reached(s, &s->job.out.result.progress));
    return s->has_paused ? OK : rc;
}
