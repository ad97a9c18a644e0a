/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "library/solver_handle.h"
#include "solve/output/solve_output.h"
#include <math.h>
#include <stdlib.h>

pf_fields *fields_share(pf_fields *f) {
    atomic_fetch_add(&f->references, 1);
    return f;
}

int solver_copy_fields(const pf_solver *solver, double time_s, pf_fields **out) {
    int rc;
    pf_fields *copy = calloc(1, sizeof *copy);
    if (!copy)
        return fail_memory("the fields", sizeof *copy);
    atomic_init(&copy->references, 1);
    TRY(solve_output_fields(&solver->job.march.run, &solver->lattice->l, time_s, &solver->job.out.result, &copy->f));
    copy->lattice = lattice_share(solver->lattice);
    *out = copy;
    copy = NULL;
cleanup:
    pf_fields_free(copy);
    return rc;
}

static int create_fields(const pf_solver *solver, pf_fields **out) {
    if (!solver || !out)
        return fail(ERR_USAGE, "pf_fields_create: solver or copy is NULL; pass both");
    *out = NULL;
    if (!solver->has_run)
        return fail(ERR_USAGE, "the solver has no flow yet; call pf_solver_run first");
    const int rc = call_select_gpu(solver->options.device, solver->gpu);
    return rc != OK
               ? rc
               : solver_copy_fields(solver, solver->is_pulsatile ? solver->job.out.result.progress.time_s : 0, out);
}

static int share_phase(const pf_solver *solver, int k, pf_fields **out) {
    if (!solver || !out)
        return fail(ERR_USAGE, "pf_fields_create_phase: solver or copy is NULL; pass both");
    *out = NULL;
    if (k < 0 || k >= solver->n_phase)
        return fail(ERR_USAGE,
                    "phase %d is not stored; stored are %d phases (pf_solver_phases), from 0. A pulsatile flow stores "
                    "them in its last cycle",
                    k, solver->n_phase);
    *out = fields_share(solver->phase[k]);
    return OK;
}

pf_status pf_fields_create_phase(pf_context *context, pf_solver *solver, int k, pf_fields **copy) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, share_phase(solver, k, copy));
}

pf_status pf_fields_create(pf_context *context, pf_solver *solver, pf_fields **copy) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_fields(solver, copy));
}

void pf_fields_free(pf_fields *handle) {
    if (!handle || atomic_fetch_sub(&handle->references, 1) > 1)
        return;
    fields_free(&handle->f);
    pf_lattice_free(handle->lattice);
    free(handle);
}

double pf_fields_time_s(const pf_fields *handle) {
    return handle ? handle->f.time_s : NAN;
}

pf_array pf_fields_temperature(const pf_fields *handle) {
    return handle && handle->f.temperature_c ? (pf_array){handle->f.temperature_c, {handle->f.n_cell, 1}, "degC"}
                                             : (pf_array){0};
}

pf_array pf_fields_pressure(const pf_fields *handle) {
    return handle ? (pf_array){handle->f.pressure_pa, {handle->f.n_cell, 1}, "Pa"} : (pf_array){0};
}

pf_array pf_fields_velocity(const pf_fields *handle) {
    return handle ? (pf_array){handle->f.velocity_m_s, {handle->f.n_cell, 3}, "m/s"} : (pf_array){0};
}

pf_array pf_fields_stress(const pf_fields *handle) {
    return handle ? (pf_array){handle->f.stress_pa, {handle->f.n_cell, 6}, "Pa"} : (pf_array){0};
}
