/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/dry_run.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/case/case_chain.h"
#include "common/record/provenance.h"
#include "solve/boundary/pulse_error.h"
#include "solve/setup/cost_estimate.h"
#include "solve/setup/setup_open.h"
#include "solve/setup/setup_step.h"
#include "solve/output/solve_messages.h"
#include <math.h>
#include <stdlib.h>

/* Lower bound of the velocity in an opening, m/s, from the case alone: the given velocity, or the given flow over the
 * area of a circle with the opening's radius. */
static int opening_velocity(const case_file *c, int k, double *velocity) {
    const case_opening *o = &c->opening[k];
    const lattice_opening widest = {.area_mm2 = M_PI * o->radius_mm * o->radius_mm};
    const double peak = o->profile == PROFILE_PLUG ? 1 : 2; /* ratio of peak to mean velocity */
    double flow = NAN;
    int rc = OK;
    *velocity = 0;
    if (o->condition == CONDITION_VELOCITY_MEAN)
        *velocity = peak * fabs(o->velocity_m_s);
    else if (o->condition == CONDITION_VELOCITY_PEAK)
        *velocity = fabs(o->velocity_m_s);
    else if (o->condition == CONDITION_VECTOR)
        *velocity = vec_length(o->vector_m_s);
    else if (isfinite(o->radius_mm))
        rc = case_flow_m3_s(c, k, &widest, &flow);
    if (isfinite(flow))
        *velocity = peak * fabs(flow) / (1e-6 * widest.area_mm2);
    return rc;
}

static int known_velocity(const case_file *c, double *largest) {
    int rc = OK;
    *largest = 0;
    for (int k = 0; k < c->n_opening && rc == OK; k++) {
        double velocity;
        rc = opening_velocity(c, k, &velocity);
        *largest = fmax(*largest, velocity);
    }
    return rc;
}

/* Checks the time step for a given spacing; an automatic spacing is unknown here. */
static int check_step(const case_file *c) {
    scale s;
    double velocity_m_s;
    int rc = known_velocity(c, &velocity_m_s);
    const scale_request r = {.dx_m = 1e-3 * c->mesh.spacing_mm,
                             .density_kg_m3 = c->blood.density_kg_m3,
                             .viscosity_pa_s = c->blood.viscosity_pa_s,
                             .velocity_m_s = velocity_m_s,
                             .velocity_limit = c->solve.max_lattice_velocity,
                             .tau = c->solve.tau,
                             .dt_s = c->solve.dt_s,
                             .bgk = c->solve.collision == COLLISION_BGK,
                             .cumulant = case_uses_cumulants(c),
                             .diffusivity_m2_s = c->solve.heat.on ? c->solve.heat.diffusivity_m2_s : 0};
    if (rc != OK || !isfinite(r.dx_m))
        return rc;
    rc = scale_choose(&r, &s);
    if (rc == OK)
        rc = scale_check_cumulants(&r, &s);
    if (rc == OK)
        solve_messages_coarse(c, &s, NAN);
    return rc;
}

static int look_at_openings(const case_file *c) {
    int rc = OK;
    for (int k = 0; k < c->n_opening && rc == OK && c->solve.opening == OPENING_ZOU_HE && c->space != SPACE_VOXEL; k++)
        if (!c->opening[k].normal_auto && c->opening[k].condition != CONDITION_VECTOR)
            rc = domain_on_site_check(c->opening[k].name, c->opening[k].normal,
                                      c->solve.wall == WALL_VLBM ? DOMAIN_WALL_VLBM : DOMAIN_WALL_INTERPOLATED);
    return rc;
}

static int look_at_case(const solve_options *o) {
    case_file c = {0};
    int rc;
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &c));
    TRY(setup_require_driven(&c));
    TRY(look_at_openings(&c));
    TRY(pulse_error_check_cumulants(&c));
    TRY(check_step(&c));
    rc = provenance_write_plan(o->out, "solve", NULL);
cleanup:
    case_free(&c);
    return rc;
}

/* Checks the memory of the run. The lattice that was read may be a preview, coarser than the lattice to compute. */
static int check_memory(solve_job *j) {
    double needed, available;
    int rc;
    TRY(setup_domain(j, &needed, &available));
    needed *= pow(j->vessel.lattice.spacing_mm / j->in.asked_mm, 3);
    if (needed > available)
        rc = fail(ERR_RESOURCE,
                  "the run needs about %.3g GB of memory and %.3g GB are free; use a spacing of %.3g mm or more",
                  1e-9 * needed, 1e-9 * available, 1.05 * j->in.asked_mm * cbrt(needed / fmax(available, 1)));
    else
        rc = j->march.run.table->create(&j->vessel.domain, &j->march.settings, &j->march.run.b);
cleanup:
    return rc;
}

/* Reports the cost (cost_estimate.h). */
static int report_run_cost(solve_job *j, cJSON *plan) {
    const double spacing_mm = j->in.asked_mm > 0 ? j->in.asked_mm : j->vessel.lattice.spacing_mm;
    grid_sequence *a = calloc(1, sizeof *a);
    if (!a)
        return fail_memory("the grid sequence", sizeof *a);
    grid_sequence_expect(&j->in.c, spacing_mm, a);
    const int rc = cost_estimate_report(
        j, a, spacing_mm, spacing_mm < 0.999 * j->vessel.lattice.spacing_mm ? 0 : (double)j->vessel.lattice.n_cell,
        plan);
    grid_sequence_free(a);
    free(a);
    return rc;
}

int dry_run(const solve_options *o) {
    grid_run finest = {.lattice = "lattice.h5",
                       .opening = -1,
                       .split_pressure = -1,
                       .porous = -1,
                       .factor = 1,
                       .start = -1,
                       .start_coarser = -1};
    solve_job j = {.in = {.grid = &finest, .record = "mesh"}, .out.lock = -1};
    char *look = o->in ? file_join(o->in, CASE_CHAIN_DRY_RUN ".json") : NULL;
    cJSON *plan = NULL;
    int rc;
    if (!o->in)
        return look_at_case(o);
    if (!look)
        return fail_memory("a path", FILE_PATH_MAX);
    if (file_exists(look)) {
        j.in.record = CASE_CHAIN_DRY_RUN;
        snprintf(finest.lattice, sizeof finest.lattice, "%s", CASE_CHAIN_DRY_RUN ".h5");
    }
    TRY(setup_open(&j, o));
    TRY(setup_scale(&j));
    TRY(j.in.asked_mm < 0.999 * j.vessel.lattice.spacing_mm ? check_memory(&j) : setup_backend(&j));
    plan = cJSON_CreateObject();
    TRY(report_run_cost(&j, plan));
    TRY(provenance_write_plan(o->out, "solve", plan));
    plan = NULL;
cleanup:
    cJSON_Delete(plan);
    free(look);
    solve_job_free(&j);
    return rc;
}
