/* See start.h. */
#include "solve/start.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/record/json.h"
#include "solve/start_values.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int start_read(const char *lattice_path, const char *fields_path, start_flow *s) {
    int rc;
    *s = (start_flow){0};
    TRY(lattice_file_read(lattice_path, &s->l));
    TRY(field_file_read(fields_path, &s->l, &s->f));
cleanup:
    if (rc != OK)
        start_free(s);
    return rc;
}

int start_flows(const char *in, const char *out, const ladder *a, const ladder_run *g, start_flow flow[2]) {
    const int run[2] = {g->start, g->start_coarser};
    int rc = OK;
    for (int k = 0; k < 2 && run[k] >= 0 && a->run[run[k]].result && rc == OK; k++) {
        char file[128], *lattice_path = file_join(in, a->run[run[k]].lattice),
                        *fields_path = file_join(out, ladder_file(&a->run[run[k]], "fields", "vtkhdf", file));
        rc = lattice_path && fields_path ? start_read(lattice_path, fields_path, &flow[k])
                                         : fail_memory("a path", FILE_PATH_MAX);
        free(lattice_path);
        free(fields_path);
    }
    return rc;
}

void start_free(start_flow *s) {
    fields_free(&s->f);
    lattice_free(&s->l);
    *s = (start_flow){0};
}

static double weight_of_coarse(const start_flow *coarse, const start_flow *coarser, const lattice *l) {
    const double h = l->spacing_mm, h2 = coarse->l.spacing_mm, h3 = coarser ? coarser->l.spacing_mm : 0;
    return coarser && h3 > 1.05 * h2 ? 1 + (h2 * h2 - h * h) / (h3 * h3 - h2 * h2) : 1;
}

static void put(state_fields *out, int64_t c, const double value[START_VALUES], const scale *s, double reference_pa) {
    out->density[c] = (float)((value[0] - reference_pa) / s->pressure_scale);
    for (int a = 0; a < 3; a++)
        out->velocity[3 * c + a] = (float)(value[1 + a] / s->velocity_scale);
    for (int a = 0; a < 6; a++)
        out->stress[6 * c + a] = (float)(value[4 + a] / s->stress_scale);
}

int start_state(const start_flow *coarse, const start_flow *coarser, const lattice *l, const domain *d, const scale *s,
                double reference_pa, state_fields *out, double *apart) {
    lattice_rows rows = {0}, coarser_rows = {0};
    const double part = weight_of_coarse(coarse, coarser, l);
    double differs = 0, size = 0;
    int rc;
    TRY(state_fields_create(out, d->n_cell));
    TRY(lattice_rows_create(&rows, &coarse->l));
    if (part > 1)
        TRY(lattice_rows_create(&coarser_rows, &coarser->l));
#pragma omp parallel for schedule(static) reduction(+ : differs, size)
    for (int64_t c = 0; c < d->n_cell; c++) {
        double p[3], value[START_VALUES], other[START_VALUES], distance = l->distance_mm[d->stored[c]];
        lattice_centre_mm(l, d->stored[c], p);
        if (!start_values(&coarse->l, &coarse->f, &rows, p, distance, value))
            value[0] = reference_pa;
        else if (part > 1 && start_values(&coarser->l, &coarser->f, &coarser_rows, p, distance, other))
            for (int k = 0; k < START_VALUES; k++) {
                const double change = (part - 1) * (value[k] - other[k]);
                differs += k >= 1 && k <= 3 ? change * change : 0;
                value[k] += change;
            }
        for (int k = 1; k <= 3; k++)
            size += value[k] * value[k];
        put(out, c, value, s, reference_pa);
    }
    *apart = size > 0 ? sqrt(differs / size) : 0;
cleanup:
    lattice_rows_free(&rows);
    lattice_rows_free(&coarser_rows);
    return rc;
}

double start_tolerance(double apart, double least) {
    const double part = 1e-3, most = 5e-5;
    return fmax(least, fmin(part * apart, most));
}

double start_gain(const cJSON *result, const scale *s) {
    const double gain = json_get(result, "wall_gain"), dx_m = 1e-3 * json_get(result, "dx_mm");
    const double faster = dx_m / json_get(result, "dt_s") / s->velocity_scale; /* lattice velocity, new over old */
    const double first = gain * pow(s->dx_m / dx_m, 2.7) * faster * faster * faster;
    return isfinite(first) ? first : 0;
}
