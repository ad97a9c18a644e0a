/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/start/start_flow.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/lattice_part.h"
#include "common/lattice/lattice_stretch.h"
#include "common/record/json.h"
#include "solve/ranks/ranks.h"
#include "solve/start/start_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int start_flow_read(const char *lattice_path, const char *fields_path, start_flow *s) {
    int rc;
    *s = (start_flow){0};
    TRY(lattice_file_read(lattice_path, &s->l));
    TRY(field_file_read(fields_path, &s->l, &s->f));
cleanup:
    if (rc != OK)
        start_flow_free(s);
    return rc;
}

/* Marks the bricks (lattice_marks) that contain a cell centre of l. */
static void mark_cells(const lattice *box, const lattice *l, lattice_marks *m) {
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3];
        int32_t at[3];
        lattice_centre_mm(l, c, p);
        for (int a = 0; a < 3; a++)
            at[a] = (int32_t)fmin(box->dims[a] - 1, fmax(0, floor((p[a] - box->origin_mm[a]) / box->spacing_mm)));
        *lattice_marks_at(m, at) = 1;
    }
}

int start_flow_read_round(const char *lattice_path, const char *fields_path, const lattice *round, start_flow *s) {
    enum { EDGE = 4 }; /* cells on each side that interpolation needs (start_values.h) */
    lattice box = {0};
    lattice_marks m = {0};
    lattice_part part = {0};
    int rc;
    *s = (start_flow){0};
    TRY(lattice_stretches_read(lattice_path, LATTICE_STRETCH, &box, NULL, NULL, NULL));
    TRY(lattice_marks_create(&m, box.dims, EDGE));
    mark_cells(&box, round, &m);
    lattice_marks_spread(&m, box.periodic, 1);
    TRY(lattice_part_read(lattice_path, &m, &part));
    s->l = part.l;
    part.l = (lattice){0};
    TRY(field_file_read(fields_path, &s->l, &s->f));
cleanup:
    lattice_free(&box);
    lattice_marks_free(&m);
    lattice_part_free(&part);
    if (rc != OK)
        start_flow_free(s);
    return rc;
}

int start_flow_of_runs(const char *in, const char *out, const grid_sequence *a, const grid_run *g, const lattice *round,
                       start_flow flow[2]) {
    const int run[2] = {g->start, g->start_coarser};
    int rc = OK;
    for (int k = 0; k < 2 && run[k] >= 0 && a->run[run[k]].result && rc == OK; k++) {
        char file[128], *lattice_path = file_join(in, a->run[run[k]].lattice),
                        *fields_path = file_join(out, grid_sequence_file(&a->run[run[k]], "fields", "vtkhdf", file));
        if (!lattice_path || !fields_path)
            rc = fail_memory("a path", FILE_PATH_MAX);
        else
            rc = round ? start_flow_read_round(lattice_path, fields_path, round, &flow[k])
                       : start_flow_read(lattice_path, fields_path, &flow[k]);
        free(lattice_path);
        free(fields_path);
    }
    return rc;
}

void start_flow_free(start_flow *s) {
    fields_free(&s->f);
    lattice_free(&s->l);
    *s = (start_flow){0};
}

static bool has_two_levels(const start_flow *coarse, const start_flow *coarser) {
    return coarser && coarser->l.spacing_mm > 1.05 * coarse->l.spacing_mm;
}

/* Weight of the difference `coarse` minus `coarser` in the Richardson extrapolation (start_flow.h). It is 0 without
 * `coarser`, and if the run has the spacing of `coarse`. */
static double weight_of_difference(const start_flow *coarse, const start_flow *coarser, const lattice *l) {
    const double h = l->spacing_mm, h2 = coarse->l.spacing_mm, h3 = coarser ? coarser->l.spacing_mm : 0;
    return has_two_levels(coarse, coarser) ? fmax(0, (h2 * h2 - h * h) / (h3 * h3 - h2 * h2)) : 0;
}

static void put_cell(state_fields *out, int64_t c, const double value[START_VALUES], const scale *s,
                     double reference_pa) {
    out->density[c] = (float)((value[0] - reference_pa) / s->pressure_scale);
    for (int a = 0; a < 3; a++)
        out->velocity[3 * c + a] = (float)(value[1 + a] / s->velocity_scale);
    for (int a = 0; a < 6; a++)
        out->stress[6 * c + a] = (float)(value[4 + a] / s->stress_scale);
}

enum { STRETCH = 4096 }; /* number of cells that a thread takes at a time; small, because cells near walls cost more */

int start_flow_state(const start_flow *coarse, const start_flow *coarser, const lattice *l, const domain *d,
                     const scale *s, double reference_pa, state_fields *out, double *apart) {
    start_source from = {0}, beyond = {0};
    const bool two = has_two_levels(coarse, coarser);
    const double weight = weight_of_difference(coarse, coarser, l), measured = weight > 0 ? weight : 1;
    exact_sum sums[2] = {0}; /* sums of squares: of velocity differences, of velocities; lattice units */
    const double unit = 1 / s->velocity_scale;
    int rc;
    TRY(state_fields_create(out, d->n_cell));
    TRY(start_source_create(&from, &coarse->l, &coarse->f));
    if (two)
        TRY(start_source_create(&beyond, &coarser->l, &coarser->f));
#pragma omp parallel
    {
        exact_sum own[2] = {0};
        start_rows rows = {0}, rows_beyond = {0};
#pragma omp for schedule(dynamic, STRETCH)
        for (int64_t c = 0; c < d->n_cell; c++) {
            double p[3], value[START_VALUES], other[START_VALUES], distance = l->distance_mm[d->stored[c]];
            lattice_centre_mm(l, d->stored[c], p);
            if (!start_values(&from, &rows, p, distance, value))
                value[0] = reference_pa;
            else if (two && start_values(&beyond, &rows_beyond, p, distance, other))
                for (int k = 0; k < START_VALUES; k++) {
                    const double difference = value[k] - other[k], change = measured * difference;
                    if (k >= 1 && k <= 3)
                        exact_sum_add(&own[0], unit * unit * change * change);
                    value[k] += weight * difference;
                }
            for (int k = 1; k <= 3; k++)
                exact_sum_add(&own[1], unit * unit * value[k] * value[k]);
            put_cell(out, c, value, s, reference_pa);
        }
#pragma omp critical
        for (int k = 0; k < 2; k++)
            exact_sum_join(&sums[k], &own[k]);
    }
    TRY(ranks_sums(sums, 2));
    *apart = exact_sum_value(&sums[1]) > 0 ? sqrt(exact_sum_value(&sums[0]) / exact_sum_value(&sums[1])) : 0;
cleanup:
    start_source_free(&from);
    start_source_free(&beyond);
    return rc;
}

/* Upper limits of the default tolerances; the second with uncertain image or given flows */
static const double LOOSEST = 5e-5, LOOSEST_UNCERTAIN = 2e-4;

double start_flow_tolerance(double apart, double least) {
    const double part = 1e-3;
    return fmax(least, fmin(part * apart, LOOSEST));
}

double start_flow_tolerance_accepted(double friction, double accepted, double decay, double least) {
    const double most = 5e-3, error = fmin(fmax(friction / 100, accepted / 30), most);
    return fmax(least, fmin(error / decay, accepted > 0.01 ? LOOSEST_UNCERTAIN : LOOSEST));
}

double start_flow_mass_correction(const cJSON *result, const scale *s) {
    const double mass_correction = json_get_number(result, "wall_gain"), dx_m = 1e-3 * json_get_number(result, "dx_mm");
    /* ratio of new to old lattice velocities */
    const double faster = dx_m / json_get_number(result, "dt_s") / s->velocity_scale;
    const double first = mass_correction * pow(s->dx_m / dx_m, 2.7) * faster * faster * faster;
    return isfinite(first) ? first : 0;
}
