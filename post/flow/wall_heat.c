/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/wall_heat.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void wall_heat_free(wall_heat *r) {
    if (!r)
        return;
    free(r->side);
    free(r->temperature_c);
    free(r->nusselt);
    free(r);
}

static double widest_mm(const lattice *l) {
    float deepest = 0;
    for (int64_t c = 0; c < l->n_cell; c++)
        deepest = fminf(deepest, l->distance_mm[c]);
    return -2 * (double)deepest;
}

static int read_sides(const cJSON *heat, wall_heat *r) {
    const cJSON *sides = cJSON_GetObjectItemCaseSensitive(heat, "sides"), *item;
    r->side = calloc((size_t)cJSON_GetArraySize(sides) + 1, sizeof *r->side);
    if (!r->side)
        return fail_memory("the walls", 64.0 * cJSON_GetArraySize(sides));
    cJSON_ArrayForEach(item, sides) {
        wall_heat_side *s = &r->side[r->n++];
        const char *kind = json_get_text(item, "kind");
        s->name = item->string;
        s->wall = kind && strcmp(kind, "wall") == 0;
        s->temperature_c = json_get_number(item, "temperature_c");
        s->heat_k_mm3_s = json_get_number(item, "heat_k_mm3_s");
        s->area_mm2 = json_get_number(item, "area_mm2");
        s->flux_k_mm_s = s->heat_k_mm3_s / s->area_mm2;
        s->nusselt = s->wall ? s->flux_k_mm_s * r->length_mm / (r->diffusivity_mm2_s * r->difference_k) : NAN;
    }
    return OK;
}

/* Computes the temperature on the wall and its gradient, by fits to the cells next to the wall. */
static int read_wall(const sampler *s, const fields *f, const wall *w, wall_heat *r) {
    const size_t n = (size_t)w->shape.n_point;
    r->temperature_c = malloc((n + 1) * sizeof *r->temperature_c);
    r->nusselt = malloc((n + 1) * sizeof *r->nusselt);
    if (!r->temperature_c || !r->nusselt)
        return fail_memory("the temperature of the wall", 16.0 * (double)n);
#pragma omp parallel for schedule(dynamic, 256)
    for (size_t k = 0; k < n; k++) {
        const double *p = w->shape.point_mm + 3 * k, *normal = w->normal + 3 * k;
        double anchor[3];
        sampler_form at;
        vec_add(p, s->lattice->spacing_mm, normal, anchor);
        r->temperature_c[k] = r->nusselt[k] = NAN;
        if (!sampler_find_form(s, SAMPLER_FLOW, p, anchor, f->temperature_c, &at))
            continue;
        r->temperature_c[k] = at.value;
        r->nusselt[k] = -vec_dot(at.gradient, normal) * r->length_mm / r->difference_k;
    }
    return OK;
}

static void find_fastest(const lattice *l, const fields *f, wall_heat *r) {
    double highest = -1;
    for (int64_t c = 0; c < l->n_cell; c++) {
        const float *u = f->velocity_m_s + 3 * c;
        const double v[3] = {(double)u[0], (double)u[1], (double)u[2]};
        if (vec_length(v) > highest) {
            highest = vec_length(v);
            lattice_centre_mm(l, c, r->fastest_mm);
        }
    }
}

int wall_heat_form(const case_file *c, const sampler *s, const fields *f, const cJSON *record, const wall *w,
                   wall_heat **out) {
    const cJSON *heat = cJSON_GetObjectItemCaseSensitive(record, "heat");
    int rc;
    *out = NULL;
    if (!c->solve.heat.on)
        return OK;
    if (!heat || !f->temperature_c)
        return fail(ERR_INPUT, "solve.json or its fields have no heat, which the case requires; run solve again");
    wall_heat *r = calloc(1, sizeof *r);
    if (!r)
        return fail_memory("the heat", sizeof *r);
    r->length_mm = isnan(c->post.nusselt_length_mm) ? widest_mm(s->lattice) : c->post.nusselt_length_mm;
    r->diffusivity_mm2_s = 1e6 * json_get_number(heat, "diffusivity_m2_s");
    r->difference_k = json_get_number(heat, "difference_k");
    r->prandtl = json_get_number(heat, "prandtl");
    r->rayleigh = json_get_number(heat, "rayleigh");
    r->balance = json_get_number(heat, "balance");
    r->lowest_c = json_get_number(heat, "lowest_c");
    r->highest_c = json_get_number(heat, "highest_c");
    memcpy(r->gravity_m_s2, c->solve.heat.gravity_m_s2, sizeof r->gravity_m_s2);
    find_fastest(s->lattice, f, r);
    TRY(read_sides(heat, r));
    TRY(read_wall(s, f, w, r));
    *out = r;
    r = NULL;
cleanup:
    wall_heat_free(r);
    return rc;
}
