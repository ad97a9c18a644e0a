/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/along.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "post/flow/flow_section.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Number of grid squares per radius of a section. With 10 squares the area of a circle is 0.2 % too small. */
static const double SQUARES_PER_RADIUS = 10;
static const double LEAST_RADII = 0.5, LEAST_CELLS = 1.5; /* smallest distance between two planes: LEAST_RADII radii or
                                                           * LEAST_CELLS cells, whichever is larger; chosen */
/* Smallest fraction of the outline of a section that must have wall values, otherwise the section gets no wall shear
 * stress; chosen. */
static const double COVER_LEAST = 0.9;
static const double NEAR_CELLS = 1.5; /* largest distance between the outline of a section and a wall point that belongs
                                       * to it, in cells; chosen */

void along_free(along_values *a) {
    free(a->station);
    memset(a, 0, sizeof *a);
}

/* ------------------------------------------------------------------------------------------- wall round a section */

typedef struct {
    int n;
    double *at_mm;    /* [n][3] points of the outline, owned */
    double length_mm; /* length of the outline, mm */
    double reach_mm;  /* largest distance of the outline from the centre of the plane, mm */
} outline;

static int by_edge(const void *a, const void *b) {
    const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

/* Finds the outline of a patch of triangles: the edges that belong to one triangle only. */
static int outline_find(const surface *patch, const double centre_mm[3], outline *out) {
    const int64_t n = 3 * patch->n_triangle;
    int64_t *edge = malloc(((size_t)n + 1) * sizeof *edge);
    *out = (outline){.at_mm = malloc((3 * (size_t)n + 1) * sizeof *out->at_mm)};
    if (!edge || !out->at_mm) {
        free(edge);
        return fail_memory("the outline of a section", 32.0 * (double)n);
    }
    for (int64_t k = 0; k < n; k++) {
        const int64_t a = patch->triangle[k], b = patch->triangle[k % 3 == 2 ? k - 2 : k + 1];
        edge[k] = a < b ? a * patch->n_point + b : b * patch->n_point + a;
    }
    qsort(edge, (size_t)n, sizeof *edge, by_edge);
    for (int64_t k = 0; k < n; k++) {
        if ((k > 0 && edge[k] == edge[k - 1]) || (k + 1 < n && edge[k] == edge[k + 1]))
            continue;
        const double *a = patch->point_mm + 3 * (edge[k] / patch->n_point),
                     *b = patch->point_mm + 3 * (edge[k] % patch->n_point);
        memcpy(out->at_mm + 3 * out->n++, a, 3 * sizeof *a);
        out->length_mm += vec_distance(a, b);
        out->reach_mm = fmax(out->reach_mm, vec_distance(a, centre_mm));
    }
    free(edge);
    return OK;
}

static bool is_near(const outline *o, const double at_mm[3], double reach_mm) {
    for (int k = 0; k < o->n; k++)
        if (vec_distance(o->at_mm + 3 * k, at_mm) <= reach_mm)
            return true;
    return false;
}

/* Cuts a triangle of the wall by the plane of a station. end_mm, value: both ends of the cut and the wall shear stress
 * there, Pa. Returns false if the plane does not cut the triangle, or if a corner has no value. */
static bool cut_triangle(const wall *w, const double *wss_pa, const int32_t *corner, const along_station *t,
                         double end_mm[2][3], double value[2]) {
    double height[3];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        double d[3];
        vec_add(w->shape.point_mm + 3 * (int64_t)corner[k], -1, t->point_mm, d);
        height[k] = vec_dot(d, t->normal);
    }
    for (int k = 0; k < 3; k++) {
        const int m = (k + 1) % 3;
        if ((height[k] < 0) == (height[m] < 0))
            continue;
        const double part = height[k] / (height[k] - height[m]);
        for (int a = 0; a < 3; a++)
            end_mm[n][a] = (1 - part) * w->shape.point_mm[3 * (int64_t)corner[k] + a] +
                           part * w->shape.point_mm[3 * (int64_t)corner[m] + a];
        value[n++] = (1 - part) * wss_pa[corner[k]] + part * wss_pa[corner[m]];
    }
    return n == 2 && isfinite(value[0] + value[1]);
}

/* Sets the wall shear stress of a station: integrates it where the plane cuts the wall within NEAR_CELLS of the
 * outline. */
static void measure_wss(const wall *w, const double *wss_pa, const outline *o, double spacing_mm, along_station *t) {
    const double near_mm = NEAR_CELLS * spacing_mm, reach_mm = o->reach_mm + near_mm;
    double length_mm = 0, sum = 0, least = INFINITY, most = -INFINITY;
    for (int64_t k = 0; k < w->shape.n_triangle; k++) {
        const int32_t *corner = w->shape.triangle + 3 * k;
        double end_mm[2][3] = {{0}}, value[2] = {0}, middle_mm[3];
        if (!cut_triangle(w, wss_pa, corner, t, end_mm, value) || vec_distance(end_mm[0], t->point_mm) > reach_mm)
            continue;
        for (int a = 0; a < 3; a++)
            middle_mm[a] = (end_mm[0][a] + end_mm[1][a]) / 2;
        if (!is_near(o, middle_mm, near_mm))
            continue;
        const double part_mm = vec_distance(end_mm[0], end_mm[1]);
        length_mm += part_mm;
        sum += part_mm * (value[0] + value[1]) / 2;
        least = fmin(least, fmin(value[0], value[1]));
        most = fmax(most, fmax(value[0], value[1]));
    }
    t->wss_mean_pa = t->wss_min_pa = t->wss_max_pa = NAN;
    if (length_mm < COVER_LEAST * o->length_mm || !(length_mm > 0))
        return;
    t->wss_mean_pa = sum / length_mm;
    t->wss_min_pa = least;
    t->wss_max_pa = most;
}

/* ----------------------------------------------------------------------------------------------------- stations */

typedef struct {
    const sampler *s;
    const fields *f;
    const wall *w;
    const double *wss_pa;
    double density_kg_m3;
    const vessel_branches *b;
} job;

/* True if the centerline of another branch crosses the plane within the section. */
static bool meets_other_branch(const job *j, const along_station *t, const outline *o) {
    for (int k = 0; k < j->b->line.n_branch; k++) {
        const centerline_branch_line *b = &j->b->line.branch[k];
        for (int i = 0; i + 1 < b->n && k != t->branch; i++) {
            double d[3], e[3], at_mm[3];
            vec_add(b->point[i].at_mm, -1, t->point_mm, d);
            vec_add(b->point[i + 1].at_mm, -1, t->point_mm, e);
            const double low = vec_dot(d, t->normal), high = vec_dot(e, t->normal);
            if ((low < 0) == (high < 0))
                continue;
            for (int a = 0; a < 3; a++)
                at_mm[a] = d[a] + low / (low - high) * (e[a] - d[a]);
            if (vec_length(at_mm) <= o->reach_mm)
                return true;
        }
    }
    return false;
}

/* The velocity fit reaches this far, in cells (sampler.h). */
static const double FIT_CELLS = 3;

/* True if the velocity on a section is fitted to cells of a porous region. The fit needs a wall layer of several cells,
 * and the layer there is sqrt(K) thick. */
static bool is_porous(const sampler *s, const surface *patch, const double normal[3]) {
    for (int64_t k = 0; k < patch->n_point; k++)
        for (int step = -1; step <= 1; step++) {
            double at_mm[3];
            vec_add(patch->point_mm + 3 * k, step * FIT_CELLS * s->lattice->spacing_mm, normal, at_mm);
            if (sampler_is_porous(s, at_mm))
                return true;
        }
    return false;
}

/* Measures one plane. *kept is false if the section meets an opening or another branch, or has no lumen; the station is
 * then dropped. */
static int measure_station(const job *j, double radius_mm, along_station *t, bool *kept) {
    const double h = j->s->lattice->spacing_mm;
    flow_section c;
    surface patch = {0};
    outline o = {0};
    int rc = flow_section_measure_patch(j->s, j->f, t->point_mm, t->normal, h,
                                        fmax(radius_mm / SQUARES_PER_RADIUS, h / 2), &c, &patch);
    *kept = rc == OK && c.opening < 0 && isfinite(c.flow_ml_s);
    if (rc == ERR_INPUT) {
        status_clear();
        rc = OK;
    }
    if (!*kept)
        goto cleanup;
    TRY(outline_find(&patch, t->point_mm, &o));
    *kept = !meets_other_branch(j, t, &o);
    if (!*kept)
        goto cleanup;
    t->area_mm2 = c.area_mm2;
    t->diameter_mm = 2 * sqrt(c.area_mm2 / M_PI);
    t->flow_ml_s = c.flow_ml_s;
    t->mean_velocity_m_s = c.mean_velocity_m_s;
    t->pressure_pa = c.pressure_pa;
    t->total_pressure_pa = c.pressure_pa + j->density_kg_m3 * c.kinetic_m2_s2;
    measure_wss(j->w, j->wss_pa, &o, h, t);
    t->porous = is_porous(j->s, &patch, t->normal);
    if (t->porous)
        t->flow_ml_s = t->mean_velocity_m_s = t->total_pressure_pa = t->wss_mean_pa = t->wss_min_pa = t->wss_max_pa =
            NAN;
cleanup:
    free(o.at_mm);
    surface_free(&patch);
    return rc;
}

/* Mean radius, mm, of the own part of a branch (centerline_point.own). range_mm out: arc lengths at which the own part
 * begins and ends. Returns 0 if the branch has no own part. */
static double own_part(const centerline_branch_line *b, double range_mm[2]) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < b->n; i++) {
        const centerline_point *p = &b->point[i];
        if (!p->own || p->section.open)
            continue;
        if (n == 0)
            range_mm[0] = p->abscissa_mm;
        range_mm[1] = p->abscissa_mm;
        sum += sqrt(p->section.area_mm2 / M_PI);
        n++;
    }
    return n > 1 ? sum / n : 0;
}

static int measure_branch(const job *j, int branch, along_values *out) {
    double range_mm[2] = {0, 0};
    const double radius_mm = own_part(&j->b->line.branch[branch], range_mm), length_mm = range_mm[1] - range_mm[0],
                 step_mm = fmax(LEAST_RADII * radius_mm, LEAST_CELLS * j->s->lattice->spacing_mm);
    int n = radius_mm > 0 ? (int)(length_mm / step_mm) : 0, rc = OK;
    n = n < ALONG_STATIONS ? n : ALONG_STATIONS;
    for (int k = 0; k < n; k++) {
        along_station t = {.branch = branch, .arc_mm = range_mm[0] + (k + 0.5) / n * length_mm};
        bool kept = branches_place(j->b, branch, t.arc_mm, t.point_mm, t.normal);
        if (kept)
            TRY(measure_station(j, radius_mm, &t, &kept));
        if (kept)
            out->station[out->n++] = t;
    }
cleanup:
    return rc;
}

int along_measure(const sampler *s, const fields *f, const wall *w, const double *wss_pa, double density_kg_m3,
                  const vessel_branches *b, along_values *out) {
    const job j = {s, f, w, wss_pa, density_kg_m3, b};
    int rc = OK;
    *out = (along_values){.station = calloc((size_t)b->line.n_branch * ALONG_STATIONS + 1, sizeof *out->station)};
    if (out->station == NULL)
        return fail_memory("the values along the vessel", (double)b->line.n_branch * ALONG_STATIONS * 128);
    for (int k = 0; k < b->line.n_branch; k++)
        TRY(measure_branch(&j, k, out));
cleanup:
    if (rc != OK)
        along_free(out);
    return rc;
}
