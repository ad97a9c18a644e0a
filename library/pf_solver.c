/* SPDX-License-Identifier: Apache-2.0 */
/* One run of solve/solve.c without files: the same setup and the same time loop, so the flow has the same bits. */
#include "library/solver_handle.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include "solve/output/solve_messages.h"
#include "solve/setup/setup_hooks.h"
#include "solve/setup/setup_start.h"
#include "solve/setup/setup_step.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TIME_HIGH_S = 1e6;

/* Copies the case. The texts still belong to `source`; the openings are copied, because setters may change them
 * later. */
static int take_case(pf_solver *s, const pf_case *source) {
    case_file *c = &s->job.in.c;
    case_opening *copy = malloc(((size_t)source->c.n_opening + 1) * sizeof *copy);
    if (!copy)
        return fail_memory("the case", sizeof *copy * (double)source->c.n_opening);
    if (source->c.n_opening > 0)
        memcpy(copy, source->c.opening, (size_t)source->c.n_opening * sizeof *copy);
    s->source = case_share(source);
    *c = source->c;
    c->opening = copy;
    c->mesh.grid_levels = 1;
    return OK;
}

static int check_case(const pf_case *source) {
    const case_file *c = &source->c;
    int n_free = case_count_free_openings(c), n_wave = 0;
    for (int k = 0; k < c->n_opening; k++) {
        n_free += c->opening[k].condition == CONDITION_SPLIT;
        n_wave += c->opening[k].condition == CONDITION_WAVEFORM;
    }
    if (c->solve.mode == MODE_PULSATILE && n_wave == 0)
        return fail(ERR_INPUT, "a pulsatile flow needs a waveform at one opening; call pf_case_set_flow_waveform");
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].condition < 0)
            return fail(ERR_INPUT,
                        "opening '%s' has no condition; call pf_case_set_flow, pf_case_set_flow_waveform or "
                        "pf_case_set_pressure",
                        c->opening[k].name);
    if (source->needs_pressure && c->n_opening > 0 && n_free == 0)
        return fail(ERR_INPUT, "every opening has a flow; give one opening a pressure with pf_case_set_pressure");
    return OK;
}

/* Hook of the time loop: ends the run if pf_context_cancel was called. */
static int end_if_cancelled(void *data, const run_monitor *m) {
    pf_solver *s = data;
    if (!atomic_exchange(s->cancel, false))
        return OK;
    s->was_cancelled = true;
    return fail(ERR_RESOURCE, "cancelled at step %ld; call pf_solver_run to continue", m->step);
}

static int open_solver(pf_solver *s, const pf_context *context, const pf_lattice *vessel, const pf_case *source) {
    solve_job *j = &s->job;
    int rc;
    s->options = (solve_options){.device = context->device, .threads = context->threads};
    s->gpu = context->gpu;
    j->out.lock = -1;
    TRY(call_select_gpu(s->options.device, s->gpu));
    TRY(take_case(s, source));
    s->is_pulsatile = j->in.c.solve.mode == MODE_PULSATILE;
    j->out.store_time_s = calloc((size_t)j->in.c.solve.stores + 1, sizeof *j->out.store_time_s);
    if (!j->out.store_time_s)
        GIVE_UP(fail_memory("the phases", 8.0 * j->in.c.solve.stores));
    grid_sequence_plan(&j->in.c, NULL, vessel->l.spacing_mm, &s->sequence);
    s->lattice = lattice_share(vessel);
    j->vessel.lattice = vessel->l;
    j->in.options = &s->options;
    j->in.sequence = &s->sequence;
    j->in.grid = &s->sequence.run[0];
    j->in.record = "mesh";
    j->in.wall_uncertainty_mm = NAN;
    case_warn_plausible(&j->in.c);
    TRY(setup_scale(j));
    TRY(setup_backend(j));
    TRY(setup_hooks(j));
    j->march.run.checkpoint_s = 0;
    j->march.run.hooks.checkpoint = NULL;
    j->march.run.hooks.store = NULL;
    j->march.run.hooks.monitor = end_if_cancelled;
    if (s->is_pulsatile)
        TRY(solver_open_cycles(s));
    s->max_steps = j->march.run.max_steps;
    s->endless = j->march.run.endless;
    TRY(setup_start(j, &s->from, &s->started));
    lattice_free(&j->vessel.coarse);
cleanup:
    return rc;
}

static int create_solver(const pf_context *context, const pf_lattice *vessel, const pf_case *source, pf_solver **out) {
    pf_solver *s = NULL;
    int rc;
    if (!vessel || !source || !out)
        return fail(ERR_USAGE, "pf_solver_create: vessel, c or solver is NULL; pass all three");
    *out = NULL;
    TRY(check_case(source));
    s = calloc(1, sizeof *s);
    if (!s)
        GIVE_UP(fail_memory("the solver", sizeof *s));
    TRY(open_solver(s, context, vessel, source));
    *out = s;
    s = NULL;
cleanup:
    pf_solver_free(s);
    return rc;
}

pf_status pf_solver_create(pf_context *context, const pf_lattice *vessel, const pf_case *c, pf_solver **solver) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_solver(context, vessel, c, solver));
}

void pf_solver_free(pf_solver *s) {
    if (!s)
        return;
    solver_free_cycles(s);
    free(s->job.in.c.opening);
    memset(&s->job.in.c, 0, sizeof s->job.in.c); /* the rest belongs to `source` */
    s->job.vessel.lattice = (lattice){0};        /* belongs to `lattice` */
    solve_job_free(&s->job);
    grid_sequence_free(&s->sequence);
    pf_case_free(s->source);
    pf_lattice_free(s->lattice);
    free(s);
}

/* Sends the warnings about the computed flow. */
static void warn_of_flow(solve_job *j) {
    const run_result *r = &j->out.result;
    if (r->unsteady)
        solve_messages_unsteady(&j->vessel.lattice, &j->march.scale, r);
    if (run_friction(&j->march.run, r) > RESOLUTION_FRICTION_USELESS)
        solve_messages_too_coarse(&j->in.c, &j->march.run, r);
    if (!j->out.supply_told && j->march.scale.steps_per_period == 0)
        solve_messages_backflow(&j->vessel.openings, r, j->march.scale.flow_scale);
}

static int check_converged(const solve_job *j) {
    const run_result *r = &j->out.result;
    if (r->converged || r->unsteady || j->in.c.solve.accept_unconverged)
        return OK;
    if (j->march.scale.steps_per_period > 0)
        return fail(ERR_NUMERIC,
                    "not periodic after %d cycles: the velocity still changes by %.2g %% from cycle to cycle (limit 1 "
                    "%%); request more cycles with pf_case_set_pulsatile",
                    r->progress.cycle, 100 * r->progress.cycle_change);
    return fail(ERR_NUMERIC,
                "not converged after %ld steps: residual %.2e (tolerance %.1e), flow balance %.3g %% (limit 0.1 %%); "
                "raise solve.max_steps or the tolerance",
                r->progress.step, r->progress.change, j->march.run.tolerance, 100 * r->last.balance);
}

static int check_solver(const pf_context *context, pf_solver *s) {
    if (!s)
        return fail(ERR_USAGE, "pf_solver_run: the solver is NULL; create it with pf_solver_create");
    s->was_cancelled = false;
    if (s->has_failed)
        return fail(ERR_USAGE, "an earlier run of this solver failed; create another solver");
    s->cancel = (atomic_bool *)&context->cancel; /* the cast drops `const`; only the request is cleared */
    return call_select_gpu(s->options.device, s->gpu);
}

/* Computes until the solver's limits, or if `whole` is true until the flow is steady or periodic. */
static int run_flow(pf_solver *s, bool whole) {
    solve_job *j = &s->job;
    const run_progress from = s->has_run ? j->out.result.progress : s->from;
    const int rc = s->is_pulsatile ? solver_run_cycles(s, whole)
                                   : run(&j->march.run, s->has_run || s->started ? &from : NULL, &j->out.result);
    s->has_run = rc == OK || s->was_cancelled;
    s->has_failed = !s->has_run;
    if (!s->was_cancelled)
        atomic_store(s->cancel, false); /* a request that came after the last check was meant for this run */
    if (rc != OK)
        return rc;
    if (j->out.result.converged || j->out.result.unsteady)
        warn_of_flow(j);
    return whole ? check_converged(j) : OK;
}

static int run_solver(pf_context *context, pf_solver *s, int64_t max_steps) {
    int rc;
    TRY(check_solver(context, s));
    if (max_steps < 0)
        return fail(ERR_USAGE, "max_steps is %lld; it must be 0 or more", (long long)max_steps);
    run_settings *r = &s->job.march.run;
    const long step = s->has_run ? s->job.out.result.progress.step : s->from.step, left = LONG_MAX - step;
    s->until_step = max_steps == 0 || max_steps > left ? LONG_MAX : step + (long)max_steps;
    s->until_s = INFINITY;
    r->max_steps = max_steps == 0 ? s->max_steps : s->until_step;
    r->endless = max_steps == 0 && s->endless;
    rc = run_flow(s, max_steps == 0);
cleanup:
    return rc;
}

static int run_solver_to(pf_context *context, pf_solver *s, double time_s) {
    int rc;
    TRY(check_solver(context, s));
    if (!s->is_pulsatile)
        GIVE_UP(fail(ERR_USAGE, "this flow is steady, and its time has no meaning; call pf_solver_run, or "
                                "pf_case_set_pulsatile before pf_solver_create"));
    if (!(time_s >= 0 && time_s <= TIME_HIGH_S))
        GIVE_UP(fail(ERR_USAGE, "the time is %g s; it must be 0 to %g s", time_s, TIME_HIGH_S));
    if (pf_solver_get_result(s).time_s + 0.5 * s->job.march.scale.dt_s >= time_s)
        goto cleanup; /* the flow has reached time_s, to half a step */
    s->until_step = LONG_MAX;
    s->until_s = time_s;
    rc = run_flow(s, false);
cleanup:
    return rc;
}

pf_status pf_solver_run(pf_context *context, pf_solver *solver, int64_t max_steps) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    const pf_status status = call_end(context, before, run_solver(context, solver, max_steps));
    return status != PF_OK && solver && solver->was_cancelled ? PF_CANCELLED : status;
}

pf_status pf_solver_run_to(pf_context *context, pf_solver *solver, double time_s) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    const pf_status status = call_end(context, before, run_solver_to(context, solver, time_s));
    return status != PF_OK && solver && solver->was_cancelled ? PF_CANCELLED : status;
}

int pf_solver_phases(const pf_solver *s) {
    return s ? s->n_phase : 0;
}

const char *pf_solver_device(const pf_solver *s) {
    return s ? s->job.march.run.table->name : NULL;
}

pf_solver_result pf_solver_get_result(const pf_solver *s) {
    if (!s || !s->has_run)
        return (pf_solver_result){0};
    const run_result *r = &s->job.out.result;
    const scale *q = &s->job.march.scale;
    return (pf_solver_result){.converged = r->converged,
                              .unsteady = r->unsteady,
                              .steps = r->progress.step,
                              .residual = r->progress.change,
                              .flow_balance = r->last.balance,
                              .time_step_s = q->dt_s,
                              .relaxation_time = q->tau,
                              .reynolds = q->reynolds,
                              .time_s = s->is_pulsatile ? r->progress.time_s : 0,
                              .period_s = s->is_pulsatile ? q->steps_per_period * q->dt_s : 0,
                              .cycles = r->progress.cycle,
                              .cycle_change = s->is_pulsatile ? r->progress.cycle_change : 0,
                              .velocity_max_m_s = r->velocity_max * q->velocity_scale};
}

pf_opening_result pf_solver_get_opening(const pf_solver *s, int k) {
    if (!s || !s->has_run || k < 0 || k >= s->job.vessel.openings.n)
        return (pf_opening_result){NULL, NAN, NAN, NAN};
    const run_settings *r = &s->job.march.run;
    const run_result *result = &s->job.out.result;
    const lattice_opening *o = &s->lattice->l.opening[k];
    const double sign = r->g->from[k]->role == ROLE_OUTLET ? -1 : 1;
    const double flow_m3_s = sign * result->flow[k] * r->s->flow_scale;
    const double reference_pa = run_reference_pa(r, &result->progress, result->flow, result->density);
    return (pf_opening_result){.name = o->name,
                               .flow_m3_s = flow_m3_s,
                               .mean_velocity_m_s = flow_m3_s / (1e-6 * o->area_mm2),
                               .pressure_pa = run_opening_pressure_pa(r, &result->progress, k, result->flow[k],
                                                                      result->density[k], reference_pa)};
}
