/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/boundary/pulse_error.h"
#include "solve/output/solve_output.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include "solve/output/rank_files.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int solve_output_fields(const run_settings *r, const lattice *l, double time_s, const run_result *result, fields *f) {
    const domain *d = r->d;
    const size_t n = (size_t)d->n_cell;
    const float velocity_scale = (float)r->s->velocity_scale, pressure_scale = (float)r->s->pressure_scale,
                stress_scale = (float)r->s->stress_scale,
                reference = (float)run_reference_pa(r, &result->progress, result->flow, result->density);
    const state_fields *mean = result->unsteady ? &result->statistics.mean : NULL;
    int rc = OK;
    float *density = malloc(n * sizeof *density), *velocity = malloc(3 * n * sizeof *velocity),
          *stress = malloc(6 * n * sizeof *stress);
    *f = (fields){0};
    if (!density || !velocity || !stress)
        GIVE_UP(fail_memory("the fields", 40.0 * (double)n));
    TRY(fields_create(f, l->n_cell));
    if (mean) {
        memcpy(density, mean->density, n * sizeof *density);
        memcpy(velocity, mean->velocity, 3 * n * sizeof *velocity);
        memcpy(stress, mean->stress, 6 * n * sizeof *stress);
    } else
        TRY(r->table->moments(r->b, density, velocity, stress));
    f->time_s = time_s;
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < l->n_cell; c++)
        f->pressure_pa[c] = NAN;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < n; k++) {
        const size_t c = (size_t)d->stored[k];
        f->pressure_pa[c] = density[k] * pressure_scale + reference;
        for (size_t a = 0; a < 3; a++)
            f->velocity_m_s[3 * c + a] = velocity[3 * k + a] * velocity_scale;
        for (size_t a = 0; a < 6; a++)
            f->stress_pa[6 * c + a] = stress[6 * k + a] * stress_scale;
    }
    if (r->heat)
        TRY(solve_output_temperature(r, f));
cleanup:
    free(density);
    free(velocity);
    free(stress);
    if (rc != OK)
        fields_free(f);
    return rc;
}

void solve_output_store_name(int index, char name[32]) {
    snprintf(name, 32, "fields_%04d.vtkhdf", index);
}

static int mean_add(const char *folder, const lattice *l, int index, double *sum) {
    char name[32];
    fields f = {0};
    int rc = OK;
    const int64_t n = l->n_cell;
    solve_output_store_name(index, name);
    char *path = file_join(folder, name);
    if (!path)
        return fail_memory("a path", 1);
    TRY(field_file_read(path, l, &f));
    for (int64_t k = 0; k < n; k++) {
        sum[k] += f.pressure_pa[k];
        for (int a = 0; a < 3; a++)
            sum[n + 3 * k + a] += f.velocity_m_s[3 * k + a];
        for (int a = 0; a < 6; a++)
            sum[4 * n + 6 * k + a] += f.stress_pa[6 * k + a];
    }
cleanup:
    fields_free(&f);
    free(path);
    return rc;
}

int solve_output_mean(const char *folder, const lattice *l, int stores) {
    const int64_t n = l->n_cell;
    int rc = OK;
    fields f = {0};
    double *sum = calloc(10 * (size_t)n, sizeof *sum);
    char *path = file_join(folder, "fields.vtkhdf");
    if (!sum || !path)
        GIVE_UP(fail_memory("the mean fields", 80.0 * (double)n));
    TRY(fields_create(&f, n));
    for (int k = 0; k < stores; k++)
        TRY(mean_add(folder, l, k, sum));
    for (int64_t k = 0; k < n; k++)
        f.pressure_pa[k] = (float)(sum[k] / stores);
    for (int64_t k = 0; k < 3 * n; k++)
        f.velocity_m_s[k] = (float)(sum[n + k] / stores);
    for (int64_t k = 0; k < 6 * n; k++)
        f.stress_pa[k] = (float)(sum[4 * n + k] / stores);
    TRY(field_file_write_ranks(path, l, &f, rank_files_fields()));
cleanup:
    fields_free(&f);
    free(sum);
    free(path);
    return rc;
}

int solve_output_monitors_open(const char *path, const case_file *c, const lattice *l, bool resumed, FILE **file) {
    *file = file_open_growing(path, resumed);
    if (!*file)
        return fail(ERR_OUTPUT, "cannot write '%s': %s; check the folder of --out", path, strerror(errno));
    if (!resumed) {
        fprintf(*file, "step,time_s,residual,flow_balance");
        for (int k = 0; k < l->n_opening; k++)
            fprintf(*file, ",%s_flow_ml_s,%s_pressure_pa", l->opening[k].name, l->opening[k].name);
        if (c->solve.heat.on)
            solve_output_heat_head(*file, c, l);
        fprintf(*file, "\n");
    }
    return OK;
}

/* +1 for an inlet, -1 for an outlet: files hold flows that are positive in the direction of the opening's role. */
static double role_sign(const boundary_values *g, int k) {
    return g->from[k]->role == ROLE_OUTLET ? -1.0 : 1.0;
}

int solve_output_monitors_row(FILE *file, const run_settings *r, const run_progress *p, const run_monitor *m) {
    const double reference_pa = run_reference_pa(r, p, m->flow, m->density);
    fprintf(file, "%ld,%.9g,%.6g,%.6g", m->step, m->time_s, m->change, m->balance);
    for (int k = 0; k < r->g->n; k++)
        fprintf(file, ",%.9g,%.9g", role_sign(r->g, k) * m->flow[k] * r->s->flow_scale * 1e6,
                run_opening_pressure_pa(r, p, k, m->flow[k], m->density[k], reference_pa));
    if (r->heat)
        solve_output_heat_row(file, r, m);
    fprintf(file, "\n");
    return fflush(file) == 0 ? OK : fail(ERR_OUTPUT, "cannot write monitors.csv: the disk is full or not writable");
}

/* Parses one row of monitors.csv: step and values of the openings [2 n]. Returns false if the row is incomplete. */
static bool row_take(const csv *row, int n, long *step, double *value) {
    enum { OPENINGS = 4 }; /* number of columns before the openings: step, time_s, residual, flow_balance */
    double number = 0;
    int rc = row->n == OPENINGS + 2 * n ? csv_finite(row, 0, &number) : ERR_INPUT;
    for (int k = 0; k < 2 * n && rc == OK; k++)
        rc = csv_number(row, OPENINGS + k, &value[k]);
    *step = (long)number;
    status_clear();
    return rc == OK;
}

static void cycle_mean_set(const run_settings *r, const double *mean, run_result *result) {
    double sum = 0, inflow = 0;
    for (int k = 0; k < r->g->n; k++) {
        result->flow[k] = role_sign(r->g, k) * mean[2 * k] / (1e6 * r->s->flow_scale);
        result->density[k] = (mean[2 * k + 1] - r->g->reference_pa) / r->s->pressure_scale;
        sum += result->flow[k];
        inflow += fmax(result->flow[k], 0.0);
    }
    /* 0.0 * sum is NaN if a flow is unknown, otherwise 0 */
    result->last.balance = inflow > 0 ? fabs(sum) / inflow : 0.0 * sum;
}

int solve_output_cycle_mean(const char *path, const run_settings *r, run_result *result) {
    const int n = r->g->n;
    const long end = result->progress.step, begin = end - r->s->steps_per_period;
    long before = -1, covered = 0;
    csv row = {0};
    int rc = OK;
    double *mean = calloc(6 * (size_t)n + 1, sizeof *mean);
    if (!mean)
        return fail_memory("the means over the cycle", 48.0 * n);
    double *old = mean + 2 * n, *now = mean + 4 * n;
    TRY(csv_open(&row, path, (size_t)1 << 30));
    while (csv_next(&row)) {
        long step;
        if (!row_take(&row, n, &step, now))
            continue; /* skip the header and incomplete rows */
        const long last = before < 0 && step > begin && step - begin <= 2 * r->monitor_every ? begin : before;
        if (last >= begin && step <= end && step > last) {
            for (int k = 0; k < 2 * n; k++) /* the first row has no earlier row for the trapezoidal rule */
                mean[k] += (double)(step - last) * (before < 0 ? now[k] : 0.5 * (old[k] + now[k]));
            covered += step - last;
        }
        before = step;
        memcpy(old, now, 2 * (size_t)n * sizeof *old);
    }
    for (int k = 0; k < 2 * n; k++)
        mean[k] = covered == end - begin ? mean[k] / (double)covered : NAN;
    cycle_mean_set(r, mean, result);
cleanup:
    free(mean);
    csv_close(&row);
    return rc;
}

static void result_openings(cJSON *object, const lattice *l, const run_settings *r, const run_result *result) {
    const bool pulsatile = r->s->steps_per_period > 0; /* cycle_mean_set has set the means */
    const double reference =
        pulsatile ? r->g->reference_pa : run_reference_pa(r, &result->progress, result->flow, result->density);
    cJSON *openings = cJSON_AddObjectToObject(object, "openings");
    for (int k = 0; k < r->g->n; k++) {
        cJSON *o = cJSON_AddObjectToObject(openings, l->opening[k].name);
        const double flow = role_sign(r->g, k) * result->flow[k] * r->s->flow_scale;
        cJSON_AddStringToObject(o, "role", lattice_role_name[l->opening[k].role]);
        json_add_number(o, "flow_ml_s", flow * 1e6);
        json_add_number(o, "pressure_pa",
                        pulsatile ? result->density[k] * r->s->pressure_scale + reference
                                  : run_opening_pressure_pa(r, &result->progress, k, result->flow[k],
                                                            result->density[k], reference));
        json_add_number(o, "mean_velocity_m_s", flow / (1e-6 * l->opening[k].area_mm2));
    }
}

/* Adds mean, range and standard error of each opening and of the pressure differences between all pairs. */
static void result_unsteady(cJSON *object, const lattice *l, const run_settings *r, const run_result *result) {
    const double flow = 1e6 * r->s->flow_scale, pressure = r->s->pressure_scale;
    cJSON *o = cJSON_AddObjectToObject(object, "unsteady"), *openings = NULL, *drops = NULL;
    json_add_number(o, "mean_of_s", result->unsteady_s);
    json_add_number(o, "samples", (double)result->statistics.n_sample);
    openings = cJSON_AddObjectToObject(o, "openings");
    for (int k = 0; k < r->g->n; k++) {
        cJSON *one = cJSON_AddObjectToObject(openings, l->opening[k].name);
        const fluctuation_value q = fluctuation_of(&result->statistics, 2 * k, -1),
                                p = fluctuation_of(&result->statistics, 2 * k + 1, -1);
        json_add_number(one, "flow_deviation_ml_s", q.deviation * flow);
        json_add_number(one, "flow_error_ml_s", q.error * flow);
        json_add_number(one, "pressure_deviation_pa", p.deviation * pressure);
        json_add_number(one, "pressure_error_pa", p.error * pressure);
    }
    drops = cJSON_AddArrayToObject(o, "pressure_differences");
    for (int a = 0; a < r->g->n; a++)
        for (int b = a + 1; b < r->g->n; b++) {
            const fluctuation_value d = fluctuation_of(&result->statistics, 2 * a + 1, 2 * b + 1);
            cJSON *one = cJSON_CreateObject();
            cJSON_AddStringToObject(one, "from", l->opening[a].name);
            cJSON_AddStringToObject(one, "to", l->opening[b].name);
            json_add_number(one, "mean_pa", d.mean * pressure);
            json_add_number(one, "low_pa", d.low * pressure);
            json_add_number(one, "high_pa", d.high * pressure);
            json_add_number(one, "deviation_pa", d.deviation * pressure);
            json_add_number(one, "error_pa", d.error * pressure);
            cJSON_AddItemToArray(drops, one);
        }
}

static void result_fields(cJSON *object, const run_settings *r, const double *store_time_s) {
    cJSON *list = cJSON_AddArrayToObject(object, "fields");
    const int stores = r->s->steps_per_period > 0 ? r->stores : 0;
    for (int k = 0; k < (stores ? stores : 1); k++) {
        char name[32] = "fields.vtkhdf";
        cJSON *one = cJSON_CreateObject();
        if (stores)
            solve_output_store_name(k, name);
        cJSON_AddStringToObject(one, "file", name);
        json_add_number(one, "time_s", stores ? store_time_s[k] : 0);
        cJSON_AddItemToArray(list, one);
    }
    if (stores)
        cJSON_AddStringToObject(object, "fields_mean", "fields.vtkhdf");
}

/* Speed in million cell updates per second. If this call computed nothing, the speed over all calls. */
static double mean_speed(const run_settings *r, const run_result *result) {
    const double seconds = result->progress.time_before_s;
    return isfinite(result->mlups) || !(seconds > 0)
               ? result->mlups
               : 1e-6 * (double)domain_cells(r->d) * (double)result->progress.step / seconds;
}

/* Adds the porous regions of the case. drag: nu / K in lattice units (kernels/porous_drag.h). */
static void result_porous(cJSON *o, const case_file *c, const scale *s) {
    cJSON *list = c->n_porous > 0 ? cJSON_AddArrayToObject(o, "porous") : NULL;
    for (int k = 0; list && k < c->n_porous; k++) {
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", c->porous[k].name);
        json_add_number(one, "permeability_m2", c->porous[k].permeability_m2);
        json_add_number(one, "permeability_error_m2", c->porous[k].permeability_error);
        json_add_number(one, "drag", s->viscosity * s->dx_m * s->dx_m / c->porous[k].permeability_m2);
        cJSON_AddItemToArray(list, one);
    }
}

/* Largest error of mean pressure drops by the waveform of an opening, Pa. */
static double find_pulse_error(const case_file *c, const lattice *l, const run_settings *r) {
    const pulse_lattice on = {r->s->dx_m, r->s->sound_angle, r->s->regularized};
    double most = 0;
    for (int k = 0; k < r->g->n; k++)
        most = fmax(most, pulse_error_pa(c, l, r->g, k, &on));
    return most;
}

cJSON *solve_output_result(const case_file *c, const lattice *l, const run_settings *r, const run_result *result,
                           const double *store_time_s) {
    static const char *const precision[] = {"float", "double", "half"};
    const scale *s = r->s;
    const bool pulsatile = s->steps_per_period > 0;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddBoolToObject(o, "converged", result->converged || result->unsteady);
    json_add_number(o, "steps", (double)result->progress.step);
    json_add_number(o, "dx_mm", s->dx_m * 1e3);
    json_add_number(o, "dt_s", s->dt_s);
    json_add_number(o, "tau", s->tau);
    char blood[CASE_BLOOD_NAME];
    if (case_is_shear_thinning(c) || c->blood.unknown)
        cJSON_AddStringToObject(o, "blood", case_write_blood(c, blood));
    if (case_is_shear_thinning(c))
        json_add_number(o, "wall_viscosity_pa_s", c->blood.density_kg_m3 * s->viscosity * s->dx_m * s->dx_m / s->dt_s);
    result_porous(o, c, s);
    json_add_number(o, "reynolds", s->reynolds);
    json_add_number(o, "womersley", pulsatile ? s->womersley : NAN);
    json_add_number(o, "mach", result->velocity_max * sqrt(3.0));
    cJSON_AddStringToObject(o, "device", r->table->device(r->b));
    json_add_number(o, "cells", (double)domain_cells(r->d));
    json_add_number(o, "mlups", mean_speed(r, result));
    json_add_number(o, "seconds", result->progress.time_before_s);
    json_add_number(o, "flow_balance", result->last.balance);
    json_add_number(o, "residual", pulsatile ? NAN : result->progress.change);
    json_add_number(o, "variation",
                    result->converged && !result->unsteady && result->unsteady_s > 0 ? result->largest_swing : NAN);
    json_add_number(o, "cycle_change", pulsatile ? result->progress.cycle_change : NAN);
    json_add_number(o, "cycles_left", pulsatile ? result->cycles_left : NAN);
    json_add_number(o, "tolerance", pulsatile ? NAN : r->tolerance);
    json_add_number(o, "velocity_max_m_s", result->velocity_max * s->velocity_scale);
    cJSON_AddStringToObject(o, "mode", pulsatile ? "pulsatile" : "steady");
    cJSON_AddStringToObject(o, "wall", c->solve.wall == WALL_VLBM ? "vlbm" : "interpolated");
    cJSON_AddStringToObject(o, "opening", c->solve.opening == OPENING_ZOU_HE ? "zou-he" : "half-way");
    cJSON_AddStringToObject(o, "collision",
                            s->cumulant                           ? "cumulant"
                            : c->solve.collision == COLLISION_BGK ? "bgk"
                                                                  : "trt");
    cJSON_AddBoolToObject(o, "regularized", s->regularized);
    json_add_number(o, "fourth_moments", s->regularized ? s->fourth : NAN);
    json_add_number(o, "third_moments_kept", s->regularized ? 1 - s->omega_minus : NAN);
    json_add_number(o, "cell_reynolds", s->cell_reynolds);
    json_add_number(o, "cell_reynolds_found", run_cell_reynolds(r, result));
    json_add_number(o, "lattice_friction", run_friction(r, result));
    json_add_number(o, "pulse_error_pa", pulsatile ? find_pulse_error(c, l, r) : NAN);
    cJSON_AddBoolToObject(o, "too_coarse", run_friction(r, result) > RESOLUTION_FRICTION_USELESS);
    cJSON_AddStringToObject(o, "precision", precision[c->solve.precision]);
    json_add_number(o, "cycle_period_s", pulsatile ? s->steps_per_period * s->dt_s : NAN);
    json_add_number(o, "cycles", pulsatile ? result->progress.cycle : NAN);
    result_openings(o, l, r, result);
    if (r->heat)
        solve_output_heat_result(o, c, l, r, result);
    if (result->unsteady)
        result_unsteady(o, l, r, result);
    result_fields(o, r, store_time_s);
    return o;
}
