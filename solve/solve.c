/* SPDX-License-Identifier: Apache-2.0 */
/* Reads input (setup_open.c), chooses step and backend (setup_step.c), runs the time loop with its hooks
 * (setup_hooks.c), and judges the result. */
#include "solve/solve.h"
#include "solve/setup/setup_hooks.h"
#include "solve/setup/setup_open.h"
#include "solve/setup/setup_start.h"
#include "solve/setup/setup_step.h"
#include "solve/output/checkpoint.h"
#include "solve/setup/cost_estimate.h"
#include "common/lattice/field_file.h"
#include "common/lattice/resolution.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/base/steps.h"
#include "common/cli/stop.h"
#include "solve/output/solve_output.h"
#include "solve/start/finest_level.h"
#include "solve/output/rank_files.h"
#include "solve/ranks/ranks.h"
#include "solve/output/solve_messages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Limit of the remaining transient, as a fraction of the velocity; above it a warning is reported */
static const double CYCLES_LEFT_MOST = 0.01;

int solve_devices(int device, FILE *to) {
    const backend_table *table = NULL;
    const int rc = device_choose(device, &table);
    if (rc != OK)
        return rc;
    fprintf(to, "cpu\n");
    if (device_count_gpus() > 0)
        fprintf(to, "cuda (%d)\n", device_count_gpus());
    return OK;
}

static int write_results(solve_job *j) {
    const bool first = ranks_number() == 0;
    int rc;
    fields f = {0};
    char file[128], *path = file_join(j->in.options->out, grid_sequence_file(j->in.grid, "fields", "vtkhdf", file));
    if (!path)
        return fail_memory("a path", 1);
    TRY(field_store_wait(&j->out.behind));
    file_group_begin();
    if (j->march.scale.steps_per_period > 0) {
        TRY(solve_output_mean(j->in.options->out, &j->vessel.lattice, j->march.run.stores));
        if (first)
            TRY(solve_output_cycle_mean(j->in.monitors_path, &j->march.run, &j->out.result));
        if (!j->out.supply_told)
            solve_messages_backflow(&j->vessel.openings, &j->out.result, j->march.scale.flow_scale);
    } else {
        TRY(solve_output_fields(&j->march.run, &j->vessel.lattice, 0, &j->out.result, &f));
        TRY(solve_messages_porous(&j->in.c, &j->vessel.lattice, &f));
        TRY(field_file_write_ranks(path, &j->vessel.lattice, &f, rank_files_fields()));
    }
    cJSON *result =
        solve_output_result(&j->in.c, &j->vessel.lattice, &j->march.run, &j->out.result, j->out.store_time_s);
    cJSON_AddItemToObject(j->out.json, "result", result);
    if (j->out.corrected_cell_steps > 0)
        json_add_number(result, "correction_cell_updates", j->out.corrected_cell_steps);
    if (*j->in.grid->name) {
        cJSON_AddStringToObject(result, "key", j->march.key);
        if (j->out.result.progress.share_used)
            cJSON_AddTrueToObject(result, "share_used");
        if (j->out.result.progress.falling)
            cJSON_AddTrueToObject(result, "falling");
        json_add_number(result, "wall_gain", j->out.result.progress.mass_correction);
        cJSON_ReplaceItemInObjectCaseSensitive(cJSON_GetArrayItem(json_find(result, "fields"), 0), "file",
                                               cJSON_CreateString(file));
    } else if (first)
        TRY(grid_sequence_record(j->in.sequence, &j->in.c, j->in.options->out, j->out.json, result));
    if (!first)
        goto cleanup;
    for (int k = 0; k < (j->march.scale.steps_per_period > 0 ? j->march.run.stores : 0); k++) {
        char name[32];
        solve_output_store_name(k, name);
        char *stored = file_join(j->in.options->out, name);
        rc = stored ? provenance_add_output(j->out.json, j->in.c.folder, stored) : fail_memory("a path", 1);
        free(stored);
        if (rc != OK)
            goto cleanup;
    }
    TRY(provenance_add_output(j->out.json, j->in.c.folder, path));
    TRY(provenance_add_output(j->out.json, j->in.c.folder, j->in.monitors_path));
    TRY(provenance_write(j->out.json, j->in.json_path));
cleanup:
    fields_free(&f);
    free(path);
    return file_group_end(rc);
}

static int judge_result(const solve_job *j) {
    const run_result *r = &j->out.result;
    if (r->converged || r->unsteady || j->in.c.solve.accept_unconverged || j->in.grid->mean)
        return OK;
    if (j->march.scale.steps_per_period > 0)
        return fail(ERR_NUMERIC,
                    "the flow is not periodic after %d cycles: the velocity still changes by %.2g %% from cycle to "
                    "cycle (limit 1 "
                    "%%)%s, or accept the result: solve: {accept_unconverged: true}",
                    r->progress.cycle, 100 * r->progress.cycle_change,
                    r->progress.not_periodic ? " and this no longer decreases; use a smaller spacing"
                                             : "; raise solve.cycles");
    return fail(
        ERR_NUMERIC,
        "not converged after %ld steps: residual %.2e (solve.tolerance %.1e), flow balance %.3g %% (limit 0.1 %%); "
        "raise solve.max_steps or solve.tolerance, or accept the result: solve: {accept_unconverged: true}",
        r->progress.step, r->progress.change, j->march.run.tolerance, 100 * r->last.balance);
}

/* Copies the `result` of this run into the record of the grid sequence. */
static int write_run_record(const solve_inputs *in, const solve_results *out) {
    in->grid->result = cJSON_Duplicate(json_find(out->json, "result"), 1);
    return in->grid->result ? OK : fail_memory("solve.json", 4096);
}

/* Reads the checkpoint. An unusable checkpoint is not an error: the reason is reported and the run starts anew. */
static int take_checkpoint(solve_job *j, const solve_options *o, run_progress *from, bool *resumed) {
    int rc = OK;
    *resumed = ranks_settle(checkpoint_read(j->in.checkpoint_path, j->march.key, o->out, j->out.stored_sum,
                                            &j->march.run, j->march.settings.precision, from, &j->out.result)) == OK;
    if (*resumed && from->retimes > 0)
        TRY(setup_resume_step(j, from));
    if (*resumed)
        message_info("resumed at step %ld", from->step);
    else
        message_info("starting anew: %s", status_message());
    if (!*resumed)
        j->out.stored_sum[0] = '\0';
    status_clear();
cleanup:
    return rc;
}

/* Reads the checkpoint if --resume is set, or if the last run of the sequence continues the run before it
 * (finest_level.h). */
static int find_checkpoint(solve_job *j, const solve_options *o, run_progress *from, bool *resumed) {
    const bool continues = !*j->in.grid->name && j->in.grid->of_mesh;
    bool there = (o->resume || continues) && file_exists(j->in.checkpoint_path);
    int rc;
    TRY(ranks_share(&there, sizeof there));
    if (there)
        TRY(take_checkpoint(j, o, from, resumed));
cleanup:
    return rc;
}

/* Reads the result of this run if an earlier call of solve has computed it. If the result is missing on one rank or
 * more, all ranks solve the run again. */
static int take_earlier(const solve_inputs *in, const solve_march *m, const solve_options *o) {
    double missing;
    int rc;
    TRY(grid_sequence_take(o->out, m->key, m->run.tolerance, in->grid));
    missing = in->grid->result == NULL;
    TRY(ranks_largest(&missing));
    if (missing > 0) {
        cJSON_Delete(in->grid->result);
        in->grid->result = NULL;
        in->grid->taken = false;
    }
cleanup:
    return rc;
}

/* Reports the cost before the first run; messages of coarser runs are hidden. */
static int report_cost(solve_job *j, grid_sequence *a) {
    message_suppress(false);
    const bool alone = a->n == 1;
    const int rc = cost_estimate_report(j, a, alone ? j->vessel.lattice.spacing_mm : a->run[a->n - 1].spacing_mm,
                                        alone ? (double)j->vessel.lattice.n_cell : a->cells, NULL);
    message_suppress(*j->in.grid->name != 0); /* hide messages again if this run is on a coarser level */
    return rc;
}

/* Warns if velocities still differed between the last cycles. */
static void warn_of_transient(const run_result *r) {
    const double left = r->cycles_left, ratio = r->progress.cycle_change / r->progress.cycle_change_before;
    if (left > CYCLES_LEFT_MOST)
        message_warn("the flow is not fully periodic: velocities and means over the cycle have an error of about %.2g "
                     "%%; errors of wall shear stress and pressure drops are larger; solve: {cycles: %.0f} reduces "
                     "the error below 1 %%",
                     100 * left, r->progress.cycle + ceil(log(CYCLES_LEFT_MOST / left) / log(ratio)));
}

/* Warns if shear-thinning blood is so slow that tau at the wall exceeds its limit: the time step was given, or could
 * not be shortened any more. */
static void warn_of_slow_blood(const solve_job *j) {
    const double few = 0.9, longest = setup_longest_step(&j->in, &j->march, j->out.result.velocity_max);
    if (longest < few)
        message_warn("blood.model: blood flows more slowly than the time step allows: tau at the wall is %.2f (limit "
                     "%.2f), and flows have errors of several %%; %s",
                     0.5 + (scale_tau_most(&j->march.request) - 0.5) / longest, scale_tau_most(&j->march.request),
                     case_sets_time_step(&j->in.c)
                         ? "remove solve.time_step, solve.tau and solve.max_lattice_velocity, so that the time step "
                           "follows from the flow"
                         : "write solve: {collision: trt}");
}

/* Reports warnings about the computed flow. */
static void warn_of_outcome(const solve_job *j) {
    if (j->out.result.unsteady)
        solve_messages_unsteady(&j->vessel.lattice, &j->march.scale, &j->out.result);
    else if (j->out.result.converged && j->out.result.unsteady_s > 0)
        solve_messages_still(j->out.result.largest_swing);
    else if (!j->out.result.converged && !j->in.grid->mean)
        message_warn_about("convergence",
                           "the solution is NOT converged: do not use its numbers; raise solve.max_steps");
    if (j->march.scale.steps_per_period > 0 && j->out.result.converged)
        warn_of_transient(&j->out.result);
    if (run_friction(&j->march.run, &j->out.result) > RESOLUTION_FRICTION_USELESS)
        solve_messages_too_coarse(&j->in.c, &j->march.run, &j->out.result);
    if (j->out.result.converged && j->march.scale.steps_per_period == 0)
        warn_of_slow_blood(j);
    if (j->out.result.velocity_max > 0.3)
        message_warn("the lattice velocity reached %.2f (Mach %.2f), above the limit 0.3 of accurate "
                     "pressures: set a smaller solve.max_lattice_velocity",
                     j->out.result.velocity_max, j->out.result.velocity_max * sqrt(3.0));
}

static void say_end(const solve_job *j) {
    char speed[32] = "";
    if (isfinite(j->out.result.mlups))
        snprintf(speed, sizeof speed, ", %.0f MLUPS", j->out.result.mlups);
    message_info("%s after %ld steps, %.1f s%s; flow balance %.2g %%, largest velocity %.3g m/s",
                 j->out.result.unsteady    ? "unsteady flow averaged"
                 : j->out.result.converged ? "converged"
                                           : "NOT converged",
                 j->out.result.progress.step, j->out.result.seconds, speed, 100 * j->out.result.last.balance,
                 j->out.result.velocity_max * j->march.scale.velocity_scale);
}

static int solve_run(const solve_options *o, grid_sequence *all, grid_run *one) {
    int rc;
    solve_job j = {.in = {.sequence = all, .grid = one, .record = "mesh"}, .out.lock = -1};
    run_progress from = {0};
    steps took; /* duration of each part of the run, shown with --verbose */
    bool resumed = false;
    const bool first = ranks_number() == 0;
    steps_start(&took);
    TRY(setup_open(&j, o));
    steps_end(&took, "reading");
    TRY(setup_scale(&j));
    steps_end(&took, "time step");
    TRY(setup_backend(&j));
    steps_end(&took, "device");
    TRY(setup_hooks(&j));
    if (*one->name && o->resume) {
        TRY(take_earlier(&j.in, &j.march, o));
        if (one->result)
            goto cleanup;
    }
    TRY(find_checkpoint(&j, o, &from, &resumed));
    bool started = resumed;
    if (!o->resume && one == (all->run[0].mean ? &all->run[all->n - 1] : &all->run[0]))
        TRY(report_cost(&j, all));
    TRY(setup_start(&j, resumed ? NULL : &from, &started));
    lattice_free(&j.vessel.coarse);
    steps_end(&took, "start");
    if (first) {
        remove(j.in.json_path); /* the old record is removed first, because it describes fields that are about to be
                                 * replaced */
        TRY(solve_output_monitors_open(j.in.monitors_path, &j.in.c, &j.vessel.lattice, resumed, &j.out.monitors));
        stop_defer_signals(true);
    }
    TRY(run(&j.march.run, started ? &from : NULL, &j.out.result));
    steps_end(&took, "flow");
    if (j.march.scale.steps_per_period == 0 &&
        (j.march.run.checkpoint_s > 0 || finest_level_may_continue(&j.in.c, all, one)))
        /* the checkpoint stays, because a later call may have a smaller tolerance or more steps */
        TRY(setup_keep_checkpoint(&j, &j.out.result.progress));
    steps_end(&took, "checkpoint");
    warn_of_outcome(&j);
    /* for pulsatile flow write_results reports backflow, from the means over the cycle */
    if (!j.out.supply_told && j.march.scale.steps_per_period == 0)
        solve_messages_backflow(&j.vessel.openings, &j.out.result, j.march.scale.flow_scale);
    TRY(write_results(&j));
    if (first)
        stop_defer_signals(false); /* signals may end the program now, because all results are in files */
    steps_end(&took, "files");
    if (*one->name)
        TRY(write_run_record(&j.in, &j.out));
    rc = judge_result(&j);
    if (rc == OK) /* after an error the error message already reports the end of the run */
        say_end(&j);
cleanup:
    free((void *)from.cycle_velocity);
    solve_job_free(&j);
    return rc;
}

/* Reports which run of the grid sequence starts. The messages of a coarser run are shown only with --verbose. */
static void report_run(const grid_sequence *a, int k) {
    const grid_run *g = &a->run[k];
    const bool continued = !*g->name && g->of_mesh;
    if (a->n > 1)
        message_info("grid sequence, run %d of %d: %s%s, spacing %.4g mm%s", k + 1, a->n,
                     *g->name    ? g->name
                     : continued ? a->run[g->start].name
                                 : "the finest lattice",
                     continued ? " continued" : "", g->spacing_mm,
                     g->blood                 ? ", with shear-thinning blood"
                     : g->opening >= 0        ? ", with a changed value at one opening"
                     : g->split_pressure >= 0 ? ", with a changed pressure of the split"
                                              : "");
}

/* Reports and clears an error of a coarser run that gave no result, so that the grid sequence continues without this
 * run. Returns all other errors. */
static int judge_run(const grid_run *g, int rc) {
    if (rc == ERR_NUMERIC ||
        /* the lattice of the run is too coarse, or the case has an error; the run on the finest level reports an error
         * of the case */
        rc == ERR_INPUT) {
        message_info("run '%s' of the grid sequence gave no result and is left out: %s", g->name, status_message());
        status_clear();
        return OK;
    }
    return rc;
}

/* Reports a run of a coarser level that reached its limit of steps (share_steps) before it settled. */
static void report_share(const grid_run *g) {
    const double mean_s = grid_sequence_share_mean_s(g);
    if (isfinite(mean_s) && !g->taken)
        message_info(
            "grid sequence: run '%s' did not become steady within its limit of %.0f steps. It is replaced by its "
            "average over the last %.3g s, both as the start of the next level and in the discretization errors",
            g->name, json_get_number(g->result, "steps"), mean_s);
}

/* Sets the part of run k in the estimated time of the whole grid sequence, for the progress line. */
static void set_progress_part(const grid_sequence *a, int k) {
    char name[32];
    double before = 0, timed = 0, whole = 0;
    for (int i = 0; i < a->n; i++) {
        const double work = grid_sequence_work(a, i);
        whole += work;
        before += i < k ? work : 0;
        timed += i < k && !a->run[i].taken ? work : 0;
    }
    snprintf(name, sizeof name, "%d of %d", k + 1, a->n);
    progress_set_part(before / whole, timed / whole, a->n > 1 ? grid_sequence_work(a, k) / whole : 0, name);
}

int solve(const solve_options *o) {
    int rc;
    case_file c = {0};
    cJSON *mesh = NULL;
    grid_sequence *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory("the grid sequence", sizeof *a);
    if (!o->in)
        GIVE_UP(fail(ERR_USAGE,
                     "--in is missing: the folder with lattice.h5, written by mesh (optional with --dry-run only)"));
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &c));
    if (c.mesh.grid_levels > 1) /* hide errors of this run, because the run on the finest level reports them */
        status_ignore(case_chain_open(&c, "mesh", o->in, &mesh));
    grid_sequence_plan(&c, mesh, json_get_number(json_find(mesh, "result"), "spacing_mm"), a);
    a->cells = json_get_number(json_find(mesh, "result"), "cells");
    for (int k = 0; k + 1 < a->n; k++) {
        report_run(a, k);
        set_progress_part(a, k);
        message_suppress(true);
        rc = ranks_settle(solve_run(o, a, &a->run[k]));
        message_suppress(false);
        TRY(judge_run(&a->run[k], rc));
        report_share(&a->run[k]);
    }
    if (ranks_number() == 0)
        grid_sequence_clean(a, &c, o->out);
    TRY(finest_level_choose(&c, a));
    report_run(a, a->n - 1);
    set_progress_part(a, a->n - 1);
    TRY(solve_run(o, a, &a->run[a->n - 1]));
cleanup:
    grid_sequence_free(a);
    free(a);
    cJSON_Delete(mesh);
    case_free(&c);
    return rc;
}
