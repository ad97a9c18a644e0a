/* See solve.h: what is read (job.c), step and backend (job_step.c), the time loop with hooks that write (job_hooks.c), and
 * the verdict at the end. */
#include "solve/job.h"
#include "solve/checkpoint.h"
#include "common/lattice/field_file.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/base/stop.h"
#include "solve/output.h"
#include "solve/say.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int solve_devices(int device, FILE *to) {
    const backend_table *table = NULL;
    const int rc = device_choose(device, &table);
    if (rc != OK)
        return rc;
    fprintf(to, "cpu\n");
#ifdef PORTAFLOW_CUDA
    if (backend_cuda_count() > 0)
        fprintf(to, "cuda (%d)\n", backend_cuda_count());
#endif
    return OK;
}

static int job_write(job *j) {
    int rc;
    fields f = {0};
    char *path = file_join(j->o->out, "fields.vtkhdf");
    if (!path)
        return fail_memory("a path", 1);
    TRY(store_wait(&j->behind));
    if (j->s.steps_per_period > 0) {
        TRY(output_mean(j->o->out, &j->l, j->r.stores));
        TRY(output_cycle_mean(j->monitors_path, &j->r, &j->result));
        if (!j->supply_told)
            say_backflow(&j->g, &j->result, j->s.flow_scale);
    } else {
        TRY(output_fields(&j->r, &j->l, 0, j->result.unsteady ? &j->result.statistics.mean : NULL, &f));
        TRY(field_file_write(path, &j->l, &f));
    }
    cJSON *result = output_result(&j->c, &j->l, &j->r, &j->result, j->store_time_s);
    cJSON_AddItemToObject(j->json, "result", result);
    for (int k = 0; k < (j->s.steps_per_period > 0 ? j->r.stores : 0); k++) {
        char name[32];
        output_store_name(k, name);
        char *stored = file_join(j->o->out, name);
        rc = stored ? provenance_output(j->json, j->c.folder, stored) : fail_memory("a path", 1);
        free(stored);
        if (rc != OK)
            goto cleanup;
    }
    TRY(provenance_output(j->json, j->c.folder, path));
    TRY(provenance_output(j->json, j->c.folder, j->monitors_path));
    TRY(provenance_write(j->json, j->json_path));
cleanup:
    fields_free(&f);
    free(path);
    return rc;
}

static int judge(const job *j) {
    const run_result *r = &j->result;
    if (r->converged || r->unsteady || j->c.solve.accept_unconverged)
        return OK;
    if (j->s.steps_per_period > 0)
        return fail(
            ERR_NUMERIC,
            "not periodic after %d cycles: velocity still changes by %.2g %% from cycle to cycle (limit 1 %%)%s, "
            "or set solve.accept_unconverged",
            r->progress.cycle, 100 * r->progress.cycle_change,
            r->progress.restless ? " and this does not fall; make the spacing finer" : "; raise solve.cycles");
    return fail(
        ERR_NUMERIC,
        "not converged after %ld steps: change %.2e (tolerance %.1e), flow balance %.3g %% (limit 0.1 %%); raise "
        "solve.max_steps or solve.tolerance, or set solve.accept_unconverged",
        r->progress.step, r->last.change, j->r.tolerance, 100 * r->last.balance);
}

int solve(const solve_options *o) {
    int rc;
    job j = {.lock = -1};
    run_progress from = {0};
    bool resumed = false;
    TRY(job_open(&j, o));
    TRY(job_scale(&j));
    TRY(job_backend(&j));
    job_settings(&j);
    if (o->resume && file_exists(j.checkpoint_path)) {
        resumed = checkpoint_read(j.checkpoint_path, j.key, o->out, j.stored_sum, &j.r, j.settings.precision, &from,
                                  &j.result) == OK;
        if (resumed && from.retimes > 0)
            TRY(job_resume_pace(&j, &from));
        if (resumed)
            message_info("resumed at step %ld", from.step);
        else
            message_info("starting from rest: %s", status_message());
        if (!resumed)
            j.stored_sum[0] = '\0';
        status_clear();
    }
    remove(j.json_path); /* of an older run: its fields are about to be replaced */
    TRY(output_monitors_open(j.monitors_path, &j.l, resumed, &j.monitors));
    stop_defer(true);
    TRY(run(&j.r, resumed ? &from : NULL, &j.result));
    stop_defer(false);
    if (j.s.steps_per_period == 0 && j.r.checkpoint_s > 0)
        TRY(job_keep(&j, &j.result.progress)); /* to go on with a smaller tolerance or more steps */
    if (j.result.unsteady)
        say_unsteady_result(&j.l, &j.s, &j.result);
    else if (!j.result.converged)
        message_warn_serious("the solution is NOT converged: do not read numbers from it");
    if (j.result.velocity_max > 0.3)
        message_warn(
            "lattice velocity reached %.2f (Mach %.2f): lower solve.max_lattice_velocity for accurate pressures",
            j.result.velocity_max, j.result.velocity_max * sqrt(3.0));
    if (!j.supply_told && j.s.steps_per_period == 0) /* of a cycle job_write finds the means */
        say_backflow(&j.g, &j.result, j.s.flow_scale);
    TRY(job_write(&j));
    char speed[32] = "";
    if (isfinite(j.result.mlups))
        snprintf(speed, sizeof speed, ", %.0f MLUPS", j.result.mlups);
    message_info("%s after %ld steps, %.1f s%s; flow balance %.2g %%, largest velocity %.3g m/s",
                 j.result.unsteady    ? "unsteady flow averaged"
                 : j.result.converged ? "converged"
                                      : "NOT converged",
                 j.result.progress.step, j.result.seconds, speed, 100 * j.result.last.balance,
                 j.result.velocity_max * j.s.velocity_scale);
    rc = judge(&j);
cleanup:
    free((void *)from.cycle_velocity);
    job_free(&j);
    return rc;
}
