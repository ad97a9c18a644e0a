/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/run/run.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/run/run_acceleration.h"
#include "solve/run/run_cycles.h"
#include "solve/run/run_loop.h"
#include "solve/run/run_openings.h"
#include "solve/run/run_steady.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int loop_create(run_loop *l, const run_settings *r, const run_progress *from, run_result *result) {
    const bool pulsatile = r->s->steps_per_period > 0;
    if (!from)
        *result = (run_result){0};
    *l = (run_loop){.r = r, .result = result, .p = &result->progress, .fast_cell = -1};
    result->progress.cycle_change = result->progress.cycle_change_before = NAN;
    result->progress.openings_change = NAN;
    result->progress.pace = 1;
    result->progress.dt_s = r->s->dt_s;
    result->progress.target = r->s->velocity;
    result->statistics.n_opening = r->g->n;
    if (from)
        result->progress = *from;
    l->first_step = result->progress.step;
    l->near = from && from->step == 0 && !pulsatile;
    if (l->near)
        l->p->outflow_step = -1;
    int64_t wall_links = 0;
    for (int64_t k = 0; !r->d->fluid && k < r->d->n_link; k++)
        wall_links += r->d->link[k].opening == 0;
    const int counted = ranks_total(&wall_links);
    if (counted != OK)
        return counted;
    l->wall_links = (double)wall_links;
    l->given = calloc((size_t)r->monitor_every * (size_t)(domain_given(r->d) + 1), sizeof *l->given);
    l->cycle_old = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_old);
    l->cycle_new = calloc(pulsatile ? 3 * (size_t)r->d->n_cell : 1, sizeof *l->cycle_new);
    l->openings_kept = calloc(r->g->network.n > 0 ? BACKEND_PLACES : 1, sizeof *l->openings_kept);
    l->observed_step = l->p->step;
    if (!l->given || !l->cycle_old || !l->cycle_new || !l->openings_kept)
        return fail_memory("the time loop", 24.0 * (double)r->d->n_cell);
    if (from && from->cycle_velocity && pulsatile)
        memcpy(l->cycle_old, from->cycle_velocity, 3 * (size_t)r->d->n_cell * sizeof *l->cycle_old);
    result->progress.cycle_velocity = NULL;
    run_acceleration_create(l);
    run_correct_create(l);
    l->started_s = l->checkpoint_at_s = clock_s();
    return OK;
}

int run(const run_settings *r, const run_progress *from, run_result *result) {
    int rc = OK;
    run_loop l = {0};
    const bool pulsatile = r->s->steps_per_period > 0;
    TRY(loop_create(&l, r, from, result));
    if (from) { /* The first monitor compares the velocity with an earlier one. This call gives the backend the earlier
                 * velocity of an uninterrupted run. */
        backend_monitor m = {.flow = result->flow, .density = result->density, .heat_flux = result->heat_flux};
        boundary_values_at(r->g, r->s, r->ramp_s, fmax(run_loop_time(&l, -1), 0), l.given);
        run_openings_give_last(&l, l.given);
        run_loop_apply_corrections(&l, from->outflow_correction_before, from->passed_before, l.given);
        r->table->set_mass_correction(r->b, from->mass_correction_before);
        TRY(r->table->step(r->b, 0, l.given));
        TRY(r->table->monitor(r->b, &m));
        run_loop_at_planes(&l, from->outflow_correction_before, &m);
        r->table->set_mass_correction(r->b, from->mass_correction);
        result->velocity_max = pulsatile ? from->velocity_max : m.velocity_max;
        result->last = (run_monitor){from->step, from->time_s,  from->change, m.velocity_max,
                                     m.mass,     from->balance, result->flow, result->density};
        result->last.heat_flux = result->heat_flux;
        if (from->not_periodic && r->hooks.not_periodic)
            r->hooks.not_periodic(r->hooks.data, from);
    }
    run_openings_start(&l, !from);
    progress_start_open("flow");
    rc = pulsatile ? run_cycles(&l) : run_steady(&l);
    progress_end();
    result->seconds = clock_s() - l.started_s;
    result->mlups = result->progress.step == l.first_step ? NAN
                                                          : 1e-6 * (double)(result->progress.step - l.first_step) *
                                                                (double)domain_cells(r->d) / result->seconds;
    result->progress.time_before_s += result->seconds;
cleanup:
    run_acceleration_free(&l);
    run_correct_free(&l);
    free(l.given);
    free(l.openings_kept);
    free(l.cycle_old);
    free(l.cycle_new);
    return rc;
}
