/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/setup_hooks.h"
#include "solve/setup/setup_step.h"
#include "solve/output/checkpoint.h"
#include "solve/setup/coarse_correction.h"
#include "solve/setup/cost_estimate.h"
#include "common/lattice/field_file.h"
#include "common/lattice/resolution.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/cli/stop.h"
#include "solve/ranks/ranks.h"
#include "solve/output/solve_output.h"
#include "solve/output/solve_messages.h"
#include "solve/start/finest_level.h"
#include "solve/start/start_flow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int hook_monitor(void *data, const run_monitor *m) {
    solve_job *j = data;
    if (ranks_number() > 0)
        return OK;
    if (stop_requested_signal())
        j->march.run.checkpoint_s = 1e-9; /* makes a checkpoint due at the next monitor, where the run ends */
    return solve_output_monitors_row(j->out.monitors, &j->march.run, &j->out.result.progress, m);
}

/* Writes the record of the checkpoint: step, and checksums of case, lattice and program. `pipeline` shows it before
 * resuming. */
static int keep_record(const solve_inputs *in, const solve_march *m, const run_progress *p) {
    char *path = file_join(in->options->out, "checkpoint.json");
    cJSON *o = cJSON_CreateObject();
    int rc;
    if (!path || !o)
        GIVE_UP(fail_memory("the record of the checkpoint", 0));
    json_add_number(o, "step", (double)p->step);
    cJSON_AddStringToObject(o, "case_xxh3", in->digest);
    cJSON_AddStringToObject(o, "lattice_xxh3", in->lattice_sum);
    cJSON_AddStringToObject(o, "program_xxh3", strrchr(m->key, ' ') + 1);
    TRY(json_write_sealed(path, o));
cleanup:
    cJSON_Delete(o);
    free(path);
    return rc;
}

int setup_keep_checkpoint(void *data, const run_progress *p) {
    solve_job *j = data;
    const bool first = ranks_number() == 0;
    char mark[STORED_FILES_MARK] = "";
    int32_t stop = stop_requested_signal();
    int rc;
    TRY(field_store_wait(&j->out.behind));
    if (first)
        TRY(stored_files_mark(j->in.options->out, j->out.stored_sum, mark));
    TRY(checkpoint_write(j->in.checkpoint_path, j->march.key, mark, &j->march.run, j->march.settings.precision, p,
                         &j->out.result));
    if (first)
        TRY(keep_record(&j->in, &j->march, p));
    TRY(ranks_share(&stop, sizeof stop)); /* all ranks use the stop flag of rank 0 */
    if (stop)
        rc = fail(ERR_RESOURCE,
                  "stopped at step %ld; a checkpoint was saved as '%s': the same command with --resume continues",
                  p->step, j->in.checkpoint_path);
cleanup:
    return rc;
}

static int hook_store(void *data, int index, double time_s) {
    solve_job *j = data;
    char name[32];
    fields f = {0};
    int rc;
    solve_output_store_name(index, name);
    char *path = file_join(j->in.options->out, name);
    if (!path)
        return fail_memory("a path", 1);
    rc = solve_output_fields(&j->march.run, &j->vessel.lattice, time_s, &j->out.result, &f);
    if (rc == OK)
        return field_store_start(&j->out.behind, path, &j->vessel.lattice, &f, j->out.stored_sum);
    free(path);
    return rc;
}

static int hook_diverged(void *data, const run_trouble *t) {
    const solve_job *j = data;
    return solve_messages_diverged(&j->in.c, &j->vessel.lattice, &j->vessel.domain, j->out.result.progress.time_s, t);
}

static int hook_retime(void *data, double factor, bool diverged, state_fields *f) {
    solve_job *j = data;
    int rc;
    if (diverged && !j->march.has_diverged)
        solve_messages_limited(&j->march.scale);
    j->march.has_diverged |= diverged;
    /* the time step has changed, so monitors and instants of this cycle fall on other times: discard them */
    if (j->march.scale.steps_per_period > 0) {
        TRY(field_store_wait(&j->out.behind));
        j->out.stored_sum[0] = '\0';
        const bool is_open = j->out.monitors != NULL; /* false: other ranks, libportaflow */
        if (is_open)
            fclose(j->out.monitors);
        j->out.monitors = NULL;
        if (is_open)
            TRY(solve_output_monitors_open(j->in.monitors_path, &j->in.c, &j->vessel.lattice, false, &j->out.monitors));
    }
    TRY(setup_change_step(j, factor * j->march.scale.dt_s));
    state_fields_retime(f, j->vessel.domain.n_cell, factor);
    TRY(setup_write_state(&j->vessel, &j->march, f, j->march.run.ramp_s, j->out.result.progress.time_s, 0));
cleanup:
    return rc;
}

double setup_longest_step(const solve_inputs *in, const solve_march *m, double velocity) {
    const scale_request *q = &m->request;
    if (!q->cumulant || !q->shear_thinning || !(q->velocity_m_s > 0) || !(velocity > 0))
        return INFINITY;
    const viscosity_law law = case_viscosity_law(&in->c);
    const double slower = velocity * m->scale.velocity_scale / q->velocity_m_s;
    const double nu =
        viscosity_law_wall_pa_s(&law, slower * q->diameter_velocity_m_s, q->diameter_m) / q->density_kg_m3;
    return (scale_tau_most(q) - 0.5) * m->scale.dx_m * m->scale.dx_m / (3 * nu * m->scale.dt_s);
}

static double hook_longest(const void *data, double velocity) {
    const solve_job *j = data;
    return setup_longest_step(&j->in, &j->march, velocity);
}

static void hook_averaging(void *data, const run_progress *p) {
    (void)data;
    solve_messages_averaging(p);
}

static int hook_correct(void *data, const state_fields *before, double time_s, state_fields *now) {
    return coarse_correction_apply(data, before, time_s, now);
}

static void hook_not_periodic(void *data, const run_progress *p) {
    const solve_job *j = data;
    solve_messages_not_periodic(&j->march.scale, p);
}

/* Chooses the steps per Anderson window (run/anderson.h): an eighth of the period of the slowest sound. Returns
 * 0, i.e. no acceleration, if it is not requested, in pulsatile flow, with heat, and with too little memory. */
static int find_anderson_window(const solve_inputs *in, const solve_vessel *v, const solve_march *m) {
    const double places = (double)backend_slots(&m->settings) * BACKEND_PLACES * (double)v->domain.n_cell *
                          backend_value_bytes(m->settings.precision);
    double needed = 0, available = 0, lacking; /* 1 if any rank lacks memory */
    if (in->c.solve.acceleration == ACCELERATION_NONE || m->scale.steps_per_period > 0 || m->settings.heat)
        return 0;
    m->run.table->memory(&v->domain, &m->settings, &needed, &available);
    lacking = places >= 0.8 * available;
    if (ranks_largest(&lacking) == OK && lacking == 0)
        return setup_sound_steps(&v->lattice) / 8;
    message_info(
        "the run takes more steps without Anderson acceleration, which needs %.1f GB of memory while %.1f GB are free",
        places * 1e-9, available * 1e-9);
    return 0;
}

/* Number of steps after which a run on a coarser level ends, because it only serves as a start and for the error
 * estimate. */
static long share_steps(const solve_inputs *in, const solve_vessel *v) {
    const grid_sequence *a = in->sequence;
    const double finer = v->lattice.spacing_mm / a->run[a->n - 1].spacing_mm;
    if (!*in->grid->name || in->grid->mean)
        return 0;
    return grid_sequence_share_steps(a, in->grid,
                                     cost_estimate_steps(&in->c, a, finer * setup_sound_steps(&v->lattice), 0));
}

/* Upper bound of the iteration error of the pressure drops over the residual, for a run that starts from one coarser
 * level: up to 22 at a residual of 2e-4, up to 33 at 5e-5 (8 random vessels, seeds 201 to 208). */
static const double DECAY_STARTED = 35;

/* Default tolerance of the finest level (start_flow_tolerance_accepted). On a single lattice with TRT it follows
 * from numerical friction alone. With three levels, setup_start.c may raise it further. */
static int own_tolerance(const solve_inputs *in, solve_march *m) {
    run_settings *r = &m->run;
    /* a level without a result was given up; the run then starts from another state */
    const grid_run *run = in->sequence->run;
    const bool started = in->grid->start >= 0 && run[in->grid->start].result,
               extrapolated = started && in->grid->start_coarser >= 0 && run[in->grid->start_coarser].result;
    const double friction =
        extrapolated ? 0 : resolution_friction(m->scale.cumulant, m->scale.cell_reynolds, r->fastest_across);
    double accepted = 0;
    if (!in->c.solve.tolerance_is_default || *in->grid->name || r->heat || m->scale.steps_per_period > 0)
        return OK;
    if (m->scale.cumulant || in->grid->start >= 0) {
        const int rc = finest_level_accepted_error(&in->c, in->sequence, &accepted);
        if (rc != OK)
            return rc;
    }
    if (extrapolated && accepted <= 0.01) /* nothing is uncertain: the difference of the levels decides */
        return OK;
    const double slowest = run_viscous_steps(r) / run_reference_steps(r),
                 decay = extrapolated ? 10
                         : started    ? fmin(slowest, DECAY_STARTED)
                                      : slowest,
                 own = start_flow_tolerance_accepted(friction, accepted, decay, r->tolerance);
    if (own > r->tolerance && friction / 100 >= accepted / 30)
        message_info(
            "the tolerance of the residual was raised to %.1e, because numerical viscosity changes the pressure "
            "drop by about %.2g %%; to choose it, set solve.tolerance",
            own, 100 * friction);
    else if (own > r->tolerance)
        message_info("the tolerance of the residual was raised to %.1e, enough for a discretization error of %.2g %% "
                     "(solve.accuracy); to choose it, set solve.tolerance",
                     own, 100 * accepted);
    r->tolerance = own;
    return OK;
}

int setup_hooks(solve_job *j) {
    int rc;
    run_settings *r = &j->march.run;
    const case_file *c = &j->in.c;
    r->d = &j->vessel.domain;
    r->g = &j->vessel.openings;
    r->heat = j->vessel.heat.on ? &j->vessel.heat : NULL;
    r->corners = j->march.settings.cumulant;
    r->s = &j->march.scale;
    r->tolerance = grid_sequence_tolerance(j->in.grid, c->solve.tolerance, c->solve.tolerance_is_default);
    r->max_steps = c->solve.max_steps > 0 ? c->solve.max_steps : 200000;
    r->endless = c->solve.max_steps == 0;
    if (r->heat && r->endless) { /* such a run is never averaged, so it needs a step limit */
        const double crossings =
            100 * fmax(r->heat->steps, setup_length_cells(&j->vessel.lattice) / fmax(1e-3, j->march.scale.velocity));
        r->max_steps = (long)fmin(fmax(crossings, 200000), 2e9);
        r->endless = false;
    }
    r->share_steps = share_steps(&j->in, &j->vessel);
    const cJSON *before = j->in.grid->start >= 0 ? j->in.sequence->run[j->in.grid->start].result : NULL;
    r->starts_unsteady = json_find(before, "unsteady") && !cJSON_IsTrue(json_find(before, "falling"));
    if (j->in.grid->mean) { /* the mean flow only serves as a start, so the run may end unconverged */
        r->max_steps = 20L * setup_sound_steps(&j->vessel.lattice);
        r->endless = false;
    }
    r->length_cells = setup_length_cells(&j->vessel.lattice);
    r->radius_cells = j->vessel.radius_cells;
    r->fastest_across = 1e3 * j->march.request.diameter_m / j->vessel.lattice.spacing_mm;
    TRY(own_tolerance(&j->in, &j->march));
    r->monitor_every = setup_monitor_every(&j->in, &j->vessel, &j->march);
    r->cycles = c->solve.cycles;
    r->stores = c->solve.stores;
    r->checkpoint_s = c->solve.checkpoint_s;
    r->hooks = (run_hooks){j,    hook_monitor, setup_keep_checkpoint, hook_store, hook_diverged, hook_not_periodic,
                           NULL, NULL,         hook_averaging,        NULL};
    if (setup_chooses_step(&j->in, &j->vessel))
        r->hooks.retime = hook_retime;
    if (j->march.scale.steps_per_period == 0)
        r->hooks.longest = hook_longest;
    r->mass_correction_every = setup_sound_steps(&j->vessel.lattice);
    r->anderson_window_steps = find_anderson_window(&j->in, &j->vessel, &j->march);
    /* the coarse correction has fixed boundary values */
    r->corrections = j->vessel.openings.network.n > 0 || j->march.settings.viscosity
                         ? 0
                         : coarse_correction_times(&j->in, &j->march);
    if (r->corrections > 0)
        r->hooks.correct = hook_correct;
    /* rise slowly from rest, because blood damps sound little */
    r->ramp_s =
        (j->march.scale.steps_per_period > 0 ? j->march.scale.steps_per_period / 2 : 2 * r->mass_correction_every) *
        j->march.scale.dt_s;
    solve_job_key(j);
    setup_instants(&j->march, &j->out);
cleanup:
    return rc;
}
