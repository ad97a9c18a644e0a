/* SPDX-License-Identifier: Apache-2.0 */
#include "post/wall/wall.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 512 };

static double angle_at(const surface *s, const int32_t *t, int corner) {
    const double *p = s->point_mm + 3 * (int64_t)t[corner];
    double u[3], v[3], n[3];
    vec_add(s->point_mm + 3 * (int64_t)t[(corner + 1) % 3], -1, p, u);
    vec_add(s->point_mm + 3 * (int64_t)t[(corner + 2) % 3], -1, p, v);
    vec_cross(u, v, n);
    return atan2(vec_length(n), vec_dot(u, v));
}

/* Unit normals of the points: mean over the triangles at a point, weighted by the angle of each triangle there
 * (Thuermer and Wuethrich 1998). A flat cap then does not dominate at its rim. (0, 0, 0): no normal. */
static double *point_normals(const surface *s) {
    double *normal = calloc(3 * (size_t)s->n_point + 1, sizeof *normal);
    for (int64_t t = 0; normal && t < s->n_triangle; t++) {
        double n[3];
        if (surface_triangle_mm2(s, t, n) > 0)
            vec_normalize(n);
        for (int k = 0; k < 3; k++) {
            double *at = normal + 3 * (int64_t)s->triangle[3 * t + k];
            vec_add(at, angle_at(s, s->triangle + 3 * t, k), n, at);
        }
    }
    for (int64_t k = 0; normal && k < s->n_point; k++)
        vec_normalize(normal + 3 * k);
    return normal;
}

/* Computes outward normals. The triangles of a surface read from a file enclose a positive volume, so around an
 * obstacle their normals point into the fluid. Such normals are reversed. *turned: true if they were reversed. Errors:
 * ERR_RESOURCE. */
static int normals_outward(const sampler *s, const surface *lumen, double **outward, bool *turned) {
    const int64_t step = lumen->n_point / 500 + 1;
    int vote = 0;
    *outward = point_normals(lumen);
    if (!*outward)
        return fail_memory("the normals of the wall", 24.0 * (double)lumen->n_point);
    for (int64_t k = 0; k < lumen->n_point; k += step) {
        double gradient[3];
        if (isfinite(sampler_distance_mm(s, lumen->point_mm + 3 * k, gradient)))
            vote += vec_dot(gradient, *outward + 3 * k) < 0 ? -1 : 1;
    }
    *turned = vote < 0;
    for (int64_t k = 0; *turned && k < 3 * lumen->n_point; k++)
        (*outward)[k] = -(*outward)[k];
    return OK;
}

static int reserve_array(void **array, size_t n, size_t size) {
    void *p = realloc(*array, (n + 1) * size);
    if (!p)
        return fail_memory("the weights of the wall", (double)n * (double)size);
    *array = p;
    return OK;
}

static int append_weights(wall *w, int64_t *reserved, const wall_weights *p, int64_t at) {
    int64_t end = w->start[at] + p->n;
    if (end > *reserved) {
        *reserved = end + end / 2 + 65536;
        const int rc = reserve_array((void **)&w->weight, (size_t)*reserved, sizeof *w->weight);
        if (rc != OK)
            return rc;
    }
    memcpy(w->weight + w->start[at], p->weight, (size_t)p->n * sizeof *p->weight);
    w->start[at + 1] = end;
    memcpy(w->normal + 3 * at, p->frame.normal, sizeof p->frame.normal);
    memcpy(w->turn[at], p->frame.turn, sizeof p->frame.turn);
    w->lift_m[at] = p->frame.lift_m;
    return OK;
}

/* True if a cell of the fits of a point is in a porous region. The traction there varies over sqrt(K), which is less
 * than a cell, so the polynomials of eq. 3 do not describe it. */
static bool is_porous(const lattice *l, const wall_samples *p) {
    for (int k = 0; k < p->n; k++)
        for (int m = 0; m < p->sample[k].n; m++)
            if (l->region[p->sample[k].cell[m]] > 0)
                return true;
    return false;
}

/* Finds the weights of every point. status[k]: status of point k of `lumen` (enum wall_samples_status). index[k]:
 * number of this point among the points with weights; -1: the point has no weights. */
static int find_weights(const sampler *s, const surface *lumen, const double *outward, wall *w, uint8_t *status,
                        int32_t *index) {
    wall_weights *chunk = malloc(CHUNK * sizeof *chunk);
    int64_t n = 0, reserved = 0;
    int rc = chunk ? OK : fail_memory("the weights of the wall", CHUNK * (double)sizeof *chunk);
    for (int64_t first = 0; rc == OK && first < lumen->n_point; first += CHUNK) {
        int64_t count = lumen->n_point - first < CHUNK ? lumen->n_point - first : CHUNK;
#pragma omp parallel for schedule(dynamic, 16)
        for (int64_t k = 0; k < count; k++) {
            const int64_t at = 3 * (first + k);
            wall_samples samples;
            status[first + k] = (uint8_t)wall_samples_find(s, lumen->point_mm + at, outward + at, NULL, &samples);
            if (status[first + k] != WALL_SAMPLES_OK)
                continue;
            wall_stress_weights(&samples, s->lattice->spacing_mm, &chunk[k]);
            if (is_porous(s->lattice, &samples))
                chunk[k].frame.lift_m = NAN;
        }
        for (int64_t k = 0; rc == OK && k < count; k++) {
            index[first + k] = -1;
            if (status[first + k] != WALL_SAMPLES_OK)
                continue;
            rc = append_weights(w, &reserved, &chunk[k], n);
            index[first + k] = (int32_t)n++;
        }
    }
    free(chunk);
    return rc;
}

static void project_tangential(const double n[3], double t[3]) {
    vec_add(t, -vec_dot(t, n), n, t);
}

/* Completes the traction of a point to the wall shear stress (WALL_STRESS.md, eq. 4): adds lift_m times the body force,
 * applies the curvature matrix `turn`, and projects onto the plane perpendicular to n. */
static void finish_traction(const double force_pa_m[3], const double n[3], const double turn[9], double lift_m,
                            double traction_pa[3], double wss_pa[3]) {
    vec_add(traction_pa, lift_m, force_pa_m, traction_pa);
    project_tangential(n, traction_pa);
    for (int a = 0; a < 3; a++)
        wss_pa[a] = vec_dot(turn + 3 * a, traction_pa);
    project_tangential(n, wss_pa);
}

static void apply_point(const wall *w, const fields *f, int64_t k, double wss_pa[3], double *pressure_pa) {
    const double *n = w->normal + 3 * k;
    double sum[3] = {0}, pressure = 0;
    for (int64_t j = w->start[k]; j < w->start[k + 1]; j++) {
        const wall_weight *weight = &w->weight[j];
        const float *s = f->stress_pa + 6 * (int64_t)weight->cell, *slope = weight->slope;
        double b = (double)weight->stress, p = (double)f->pressure_pa[weight->cell];
        sum[0] += b * ((double)s[0] * n[0] + (double)s[3] * n[1] + (double)s[4] * n[2]) + (double)slope[0] * p;
        sum[1] += b * ((double)s[3] * n[0] + (double)s[1] * n[1] + (double)s[5] * n[2]) + (double)slope[1] * p;
        sum[2] += b * ((double)s[4] * n[0] + (double)s[5] * n[1] + (double)s[2] * n[2]) + (double)slope[2] * p;
        pressure += (double)weight->pressure * p;
    }
    finish_traction(w->force_pa_m, n, w->turn[k], w->lift_m[k], sum, wss_pa);
    *pressure_pa = pressure;
}

/* Computes the values without storing weights. wss_pa and pressure_pa [lumen->n_point] out: the first entries hold the
 * values of the points with status WALL_SAMPLES_OK, in the order of the points. */
static void find_values(const sampler *s, const surface *lumen, const double *outward, const fields *f, wall *w,
                        double *wss_pa, double *pressure_pa, uint8_t *status, int32_t *index) {
    int64_t n = 0;
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t k = 0; k < lumen->n_point; k++) {
        wall_samples samples;
        wall_value p;
        status[k] = (uint8_t)wall_samples_find(s, lumen->point_mm + 3 * k, outward + 3 * k, f->pressure_pa, &samples);
        if (status[k] != WALL_SAMPLES_OK)
            continue;
        wall_stress_value(&samples, s->lattice->spacing_mm, f, &p);
        if (is_porous(s->lattice, &samples))
            p.frame.lift_m = NAN;
        memcpy(w->normal + 3 * k, p.frame.normal, sizeof p.frame.normal);
        finish_traction(w->force_pa_m, p.frame.normal, p.frame.turn, p.frame.lift_m, p.traction_pa, wss_pa + 3 * k);
        pressure_pa[k] = p.pressure_pa;
    }
    for (int64_t k = 0; k < lumen->n_point; k++) {
        index[k] = status[k] == WALL_SAMPLES_OK ? (int32_t)n : -1;
        if (index[k] < 0)
            continue;
        memmove(w->normal + 3 * n, w->normal + 3 * k, 3 * sizeof *w->normal);
        memmove(wss_pa + 3 * n, wss_pa + 3 * k, 3 * sizeof *wss_pa);
        pressure_pa[n++] = pressure_pa[k];
    }
}

/* Copies the triangles whose three points have values to the wall, and sums the area of all other triangles. */
static int keep_triangles(const surface *lumen, bool turned, const uint8_t *status, const int32_t *index,
                          int64_t n_point, wall *w) {
    int64_t n = 0;
    int rc = OK;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1)
            TRY(surface_create(&w->shape, n_point, n));
        n = 0;
        for (int64_t t = 0; t < lumen->n_triangle; t++) {
            const int32_t *p = lumen->triangle + 3 * t;
            double normal[3];
            int kept = index[p[0]] >= 0 && index[p[1]] >= 0 && index[p[2]] >= 0;
            if (!kept && pass == 0) {
                double area = surface_triangle_mm2(lumen, t, normal);
                w->left_out_mm2 += area;
                if (status[p[0]] == WALL_SAMPLES_LOST || status[p[1]] == WALL_SAMPLES_LOST ||
                    status[p[2]] == WALL_SAMPLES_LOST)
                    w->lost_mm2 += area;
            }
            for (int k = 0; kept && pass == 1 && k < 3; k++)
                w->shape.triangle[3 * n + k] = index[p[turned ? 2 - k : k]];
            n += kept;
        }
    }
    for (int64_t k = 0; k < lumen->n_point; k++)
        if (index[k] >= 0)
            memcpy(w->shape.point_mm + 3 * (int64_t)index[k], lumen->point_mm + 3 * k, 3 * sizeof(double));
cleanup:
    return rc;
}

static int is_counted(const lattice *l, const double *strip_mm, const double p[3]) {
    for (int k = 0; k < l->n_opening; k++) {
        const lattice_opening *o = &l->opening[k];
        double d[3];
        vec_add(p, -1, o->centre_mm, d);
        double along = vec_dot(d, o->normal), reach = 1.5 * o->radius_mm + 2 * l->spacing_mm;
        if (along > -strip_mm[k] && vec_dot(d, d) - along * along < reach * reach &&
            along < strip_mm[k] + 2 * l->spacing_mm)
            return 0;
    }
    return 1;
}

static void share_area(wall *w) {
    for (int64_t t = 0; t < w->shape.n_triangle; t++) {
        double normal[3], area = surface_triangle_mm2(&w->shape, t, normal);
        for (int k = 0; k < 3; k++)
            w->area_mm2[w->shape.triangle[3 * t + k]] += area / 3;
    }
}

static int allocate_wall(wall *w, size_t n, bool weights) {
    w->normal = malloc((3 * n + 1) * sizeof *w->normal);
    w->area_mm2 = calloc(n + 1, sizeof *w->area_mm2);
    w->counted = calloc(n + 1, 1);
    bool good = w->normal && w->area_mm2 && w->counted;
    if (weights) {
        w->turn = malloc((n + 1) * sizeof *w->turn);
        w->lift_m = malloc((n + 1) * sizeof *w->lift_m);
        w->start = calloc(n + 1, sizeof *w->start);
        good = good && w->turn && w->lift_m && w->start;
    }
    return good ? OK : fail_memory("the wall", 130.0 * (double)n);
}

/* Create the wall: store the weights if f is NULL, else compute the values of f. */
static int create_wall(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm,
                       const fields *f, double *wss_pa, double *pressure_pa, wall *w) {
    int rc = OK;
    size_t n = (size_t)lumen->n_point;
    uint8_t *status = calloc(n + 1, 1);
    int32_t *index = calloc(n + 1, sizeof *index);
    double *outward = NULL;
    bool turned = false;
    memset(w, 0, sizeof *w);
    if (!status || !index)
        GIVE_UP(fail_memory("the wall", 5.0 * (double)n));
    TRY(allocate_wall(w, n, !f));
    if (force_pa_m)
        memcpy(w->force_pa_m, force_pa_m, sizeof w->force_pa_m);
    TRY(normals_outward(s, lumen, &outward, &turned));
    if (f)
        find_values(s, lumen, outward, f, w, wss_pa, pressure_pa, status, index);
    else
        TRY(find_weights(s, lumen, outward, w, status, index));
    int64_t n_point = 0;
    for (size_t k = 0; k < n; k++) {
        n_point += index[k] >= 0;
        if (status[k] == WALL_SAMPLES_LOST && strip_mm && !is_counted(s->lattice, strip_mm, lumen->point_mm + 3 * k))
            /* points next to an opening or on an extension are not reported as missing */
            status[k] = WALL_SAMPLES_AWAY;
    }
    TRY(keep_triangles(lumen, turned, status, index, n_point, w));
    if (w->shape.n_triangle == 0) {
        rc = fail(ERR_INPUT, "no triangle of the surface is at the wall of the lattice; check that surface and lattice "
                             "are from the same run of mesh");
        goto cleanup;
    }
    share_area(w);
    for (int64_t k = 0; k < n_point; k++)
        w->counted[k] = (uint8_t)(!strip_mm || is_counted(s->lattice, strip_mm, w->shape.point_mm + 3 * k));
    for (int64_t k = 0; k < n_point; k++)
        w->porous_mm2 += isnan(f ? wss_pa[3 * k] : w->lift_m[k]) ? w->area_mm2[k] : 0;
cleanup:
    free(status);
    free(index);
    free(outward);
    if (rc != OK)
        wall_free(w);
    return rc;
}

int wall_create(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm, wall *w) {
    return create_wall(s, lumen, force_pa_m, strip_mm, NULL, NULL, NULL, w);
}

int wall_create_for_field(const sampler *s, const surface *lumen, const double *force_pa_m, const double *strip_mm,
                          const fields *f, wall *w, double **wss_pa, double **pressure_pa) {
    const size_t n = (size_t)lumen->n_point + 1;
    *w = (wall){0};
    *wss_pa = malloc(3 * n * sizeof **wss_pa);
    *pressure_pa = malloc(n * sizeof **pressure_pa);
    return *wss_pa && *pressure_pa ? create_wall(s, lumen, force_pa_m, strip_mm, f, *wss_pa, *pressure_pa, w)
                                   : fail_memory("the values of the wall", 32.0 * (double)n);
}

void wall_free(wall *w) {
    surface_free(&w->shape);
    free(w->normal);
    free(w->area_mm2);
    free(w->counted);
    free(w->turn);
    free(w->lift_m);
    free(w->start);
    free(w->weight);
    memset(w, 0, sizeof *w);
}

void wall_apply(const wall *w, const fields *f, double *wss_pa, double *pressure_pa) {
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < w->shape.n_point; k++)
        apply_point(w, f, k, wss_pa + 3 * k, pressure_pa + k);
}

typedef struct {
    double value, area;
} weighted;

static int by_value(const void *a, const void *b) {
    double p = ((const weighted *)a)->value, q = ((const weighted *)b)->value;
    return (p > q) - (p < q);
}

static int measure_points(const wall *w, const double *value, const uint8_t *take, wall_statistics *out) {
    *out = (wall_statistics){.area_mm2 = 0, .mean = NAN, .p99 = NAN, .max = NAN, .max_mm = {NAN, NAN, NAN}};
    weighted *v = malloc(((size_t)w->shape.n_point + 1) * sizeof *v);
    size_t n = 0;
    double sum = 0, below = 0;
    if (!v)
        return fail_memory("the statistics of the wall", 16.0 * (double)w->shape.n_point);
    for (int64_t k = 0; k < w->shape.n_point; k++)
        if (take[k] && isfinite(value[k]) && w->area_mm2[k] > 0) {
            v[n++] = (weighted){value[k], w->area_mm2[k]};
            out->area_mm2 += w->area_mm2[k];
            sum += w->area_mm2[k] * value[k];
            if (!(value[k] <= out->max)) {
                out->max = value[k];
                memcpy(out->max_mm, w->shape.point_mm + 3 * k, sizeof out->max_mm);
            }
        }
    qsort(v, n, sizeof *v, by_value);
    if (n > 0)
        out->mean = sum / out->area_mm2;
    for (size_t k = 0; k < n && !isfinite(out->p99); k++) {
        below += v[k].area;
        if (below >= 0.99 * out->area_mm2)
            out->p99 = v[k].value;
    }
    free(v);
    return OK;
}

int wall_measure(const wall *w, const double *value, wall_statistics *out) {
    return measure_points(w, value, w->counted, out);
}

int wall_measure_ring(const wall *w, const double *value, const double centre_mm[3], const double normal[3],
                      double radius_mm, double half_mm, wall_statistics *out) {
    uint8_t *take = calloc((size_t)w->shape.n_point + 1, 1);
    if (!take)
        return fail_memory("the wall around a section", (double)w->shape.n_point);
    for (int64_t k = 0; k < w->shape.n_point; k++) {
        double d[3];
        vec_add(w->shape.point_mm + 3 * k, -1, centre_mm, d);
        take[k] = fabs(vec_dot(d, normal)) <= half_mm && vec_length(d) <= radius_mm;
    }
    int rc = measure_points(w, value, take, out);
    free(take);
    return rc;
}
