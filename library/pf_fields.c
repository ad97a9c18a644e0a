/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "library/pf_solver.h"
#include "solve/output/solve_output.h"
#include <stdlib.h>

static int create_fields(const pf_solver *solver, pf_fields **out) {
    pf_fields *copy = NULL;
    int rc;
    if (!solver || !out)
        return fail(ERR_USAGE, "pf_fields_create: solver or fields is NULL; pass both");
    *out = NULL;
    if (!solver->has_run)
        return fail(ERR_USAGE, "the solver has no flow yet; call pf_solver_run first");
    copy = calloc(1, sizeof *copy);
    if (!copy)
        return fail_memory("the fields", sizeof *copy);
    TRY(solve_output_fields(&solver->job.march.run, &solver->lattice->l, 0, &solver->job.out.result, &copy->f));
    copy->lattice = lattice_share(solver->lattice);
    *out = copy;
    copy = NULL;
cleanup:
    pf_fields_free(copy);
    return rc;
}

pf_status pf_fields_create(pf_context *context, pf_solver *solver, pf_fields **copy) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_fields(solver, copy));
}

void pf_fields_free(pf_fields *handle) {
    if (!handle)
        return;
    fields_free(&handle->f);
    pf_lattice_free(handle->lattice);
    free(handle);
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
