/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of solve_output.h: heat in fields, monitors and solve.json. */
#include "solve/output/solve_output.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include <math.h>
#include <stdlib.h>

int solve_output_temperature(const run_settings *r, fields *f) {
    const domain *d = r->d;
    int rc;
    float *theta = malloc(((size_t)d->n_cell + 1) * sizeof *theta);
    if (!theta)
        return fail_memory("the temperature", 4.0 * (double)d->n_cell);
    TRY(fields_add_temperature(f));
    TRY(r->table->temperature(r->b, theta, NULL));
    for (int64_t k = 0; k < d->n_cell; k++)
        f->temperature_c[d->stored[k]] = (float)(r->heat->reference_c + r->heat->unit_k * (double)theta[k]);
cleanup:
    free(theta);
    return rc;
}

void solve_output_heat_head(FILE *file, const case_file *c, const lattice *l) {
    fprintf(file, ",temperature_change,heat_balance");
    for (int k = 0; k < c->n_wall + l->n_opening; k++)
        fprintf(file, ",%s_heat_k_mm3_s", heat_boundary_values_name(c, l, k));
}

void solve_output_heat_row(FILE *file, const run_settings *r, const run_monitor *m) {
    fprintf(file, ",%.6g,%.6g", m->heat_change, m->heat_balance);
    for (int k = 0; k < r->heat->h.n_side; k++)
        fprintf(file, ",%.9g", m->heat_flux[k] * r->heat->heat_scale * 1e9);
}

/* Computes the area of each wall. A link along an axis represents an area of 1 / (|nx| + |ny| + |nz|) cell faces. n is
 * the wall normal, computed from the wall distances of the neighbouring cells. area_mm2 [n_wall] out. Errors:
 * ERR_RESOURCE. */
static int wall_areas(const domain *d, const lattice *l, int n_wall, double *area_mm2) {
    lattice_rows rows;
    const int rc = lattice_rows_create(&rows, l);
    if (rc != OK)
        return rc;
    for (const domain_link *k = d->link; k < d->link + d->n_link; k++) {
        const int32_t c = d->stored[k->cell], *p = l->cell + 3 * (int64_t)c;
        double n[3], square = 0, sum = 0;
        if (k->opening || k->dir > 6)
            continue;
        for (int a = 0; a < 3; a++) {
            const int64_t low = lattice_rows_find(&rows, p[0] - (a == 0), p[1] - (a == 1), p[2] - (a == 2)),
                          high = lattice_rows_find(&rows, p[0] + (a == 0), p[1] + (a == 1), p[2] + (a == 2));
            /* a neighbour that is not stored is solid; use the one-sided difference of the wall distances */
            const double own = l->distance_mm[c];
            n[a] = low >= 0 && high >= 0 ? 0.5 * ((double)l->distance_mm[high] - (double)l->distance_mm[low])
                   : high >= 0           ? (double)l->distance_mm[high] - own
                   : low >= 0            ? own - (double)l->distance_mm[low]
                                         : 0;
            square += n[a] * n[a];
            sum += fabs(n[a]);
        }
        area_mm2[k->wall < n_wall ? k->wall : 0] += l->spacing_mm * l->spacing_mm * (sum > 0 ? sqrt(square) / sum : 1);
    }
    lattice_rows_free(&rows);
    return OK;
}

static void temperature_range(const run_settings *r, double *low, double *high) {
    float *theta = malloc(((size_t)r->d->n_cell + 1) * sizeof *theta);
    *low = *high = NAN;
    if (theta && r->table->temperature(r->b, theta, NULL) == OK)
        for (int64_t c = 0; c < r->d->n_cell; c++) {
            *low = fmin(*low, r->heat->reference_c + r->heat->unit_k * (double)theta[c]);
            *high = fmax(*high, r->heat->reference_c + r->heat->unit_k * (double)theta[c]);
        }
    free(theta);
}

void solve_output_heat_result(cJSON *object, const case_file *c, const lattice *l, const run_settings *r,
                              const run_result *result) {
    const heat_boundary_values *h = r->heat;
    double area_mm2[256] = {0}, low, high;
    cJSON *o = cJSON_AddObjectToObject(object, "heat"), *sides;
    const bool measured = wall_areas(r->d, l, c->n_wall, area_mm2) == OK;
    temperature_range(r, &low, &high);
    status_clear();
    json_add_number(o, "diffusivity_m2_s", c->solve.heat.diffusivity_m2_s);
    json_add_number(o, "reference_c", h->reference_c);
    json_add_number(o, "difference_k", h->difference_k);
    json_add_number(o, "tau", r->s->heat_tau);
    json_add_number(o, "prandtl", h->prandtl);
    json_add_number(o, "rayleigh", h->rayleigh);
    json_add_number(o, "balance", result->last.heat_balance);
    json_add_number(o, "lowest_c", low);
    json_add_number(o, "highest_c", high);
    sides = cJSON_AddObjectToObject(o, "sides");
    for (int k = 0; k < h->h.n_side; k++) {
        cJSON *one = cJSON_AddObjectToObject(sides, heat_boundary_values_name(c, l, k));
        const double heat_k_mm3_s = result->heat_flux[k] * h->heat_scale * 1e9;
        const bool given = h->h.side[k].kind == HEAT_GIVEN, wall = k < c->n_wall;
        cJSON_AddStringToObject(one, "kind", wall ? "wall" : "opening");
        json_add_number(one, "temperature_c", given ? h->reference_c + h->unit_k * h->h.side[k].temperature : NAN);
        json_add_number(one, "heat_k_mm3_s", heat_k_mm3_s);
        json_add_number(one, "area_mm2",
                        wall && measured ? area_mm2[k]
                        : wall           ? NAN
                                         : l->opening[k - c->n_wall].area_mm2);
    }
}
