/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/flow_section.h"
#include "post/sample/cut.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

enum { VALUES = 4 }; /* number of values at a point: three components of velocity (m/s) and the pressure (Pa) */

static void sample_point(const sampler *s, const fields *f, const double p[3], double value[VALUES]) {
    sampler_stencil st;
    for (int k = 0; k < VALUES; k++)
        value[k] = NAN;
    if (sampler_find_value(s, SAMPLER_NO_SLIP, p, NULL, &st))
        for (int a = 0; a < 3; a++)
            value[a] = sampler_apply(&st, f->velocity_m_s, 3, a);
    if (sampler_find_value(s, SAMPLER_FLOW, p, NULL, &st))
        value[3] = sampler_apply(&st, f->pressure_pa, 1, 0);
}

static void centroid_of(const surface *c, int64_t t, double centroid_mm[3]) {
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += c->point_mm[3 * (int64_t)c->triangle[3 * t + k] + a];
        centroid_mm[a] = sum / 3;
    }
}

/* Sums over the patch: area, and position, velocity and pressure times area. */
typedef struct {
    double area_mm2, position[3], velocity[3], pressure, pressure_area;
    /* highest: highest speed at a point; `back`: integral of max(0, -u.n), the flow opposite to the normal; energy:
     * integral of |u|^2 / 2 u.n */
    double highest, back, energy;
} sums;

static double energy_at(const double u[3], const double normal[3]) {
    return vec_dot(u, u) / 2 * vec_dot(u, normal);
}

/* Mean of |u|^2 / 2 u.n over triangle t; 0 if the velocity is unknown at a corner or at the centroid. */
static double energy_flux(const surface *c, int64_t t, const double *at_point, const double *value,
                          const double normal[3]) {
    double corners = 0;
    for (int j = 0; j < 3; j++)
        corners += energy_at(at_point + VALUES * (int64_t)c->triangle[3 * t + j], normal) / 3;
    const double mean = 0.75 * energy_at(value, normal) + 0.25 * corners;
    return isfinite(mean) ? mean : 0;
}

/* Adds a triangle to the sums. at_point [n_point][VALUES]: values at all points of the patch; value [VALUES]: values at
 * the centroid of the triangle. */
static void add_triangle(const surface *c, int64_t t, const double *at_point, const double *value,
                         const double normal[3], sums *out) {
    double centroid[3], velocity[3] = {0}, own_normal[3];
    double area = surface_triangle_mm2(c, t, own_normal);
    if (!(area > 0))
        return;
    centroid_of(c, t, centroid);
    for (int k = 0; k < VALUES; k++) {
        double corners = 0;
        for (int j = 0; j < 3; j++)
            corners += at_point[VALUES * (int64_t)c->triangle[3 * t + j] + k] / 3;
        double mean = isfinite(corners) ? (isfinite(value[k]) ? 0.75 * value[k] + 0.25 * corners : corners) : value[k];
        if (!isfinite(mean))
            continue;
        if (k < 3)
            velocity[k] = mean;
        else {
            out->pressure += area * mean;
            out->pressure_area += area;
        }
    }
    vec_add(out->velocity, area, velocity, out->velocity);
    out->back += area * fmax(0, -vec_dot(velocity, normal));
    out->energy += area * energy_flux(c, t, at_point, value, normal);
    out->highest = fmax(out->highest, vec_length(value));
    out->area_mm2 += area;
    vec_add(out->position, area, centroid, out->position);
}

static int integrate_patch(const sampler *s, const fields *f, const surface *c, const double normal[3], sums *out) {
    const int64_t n = c->n_point + c->n_triangle; /* samples at all points, then at the centroids of the triangles */
    double *value = malloc(((size_t)n + 1) * VALUES * sizeof *value);
    memset(out, 0, sizeof *out);
    if (!value)
        return fail_memory("a section", 32.0 * (double)n);
#pragma omp parallel for schedule(dynamic, 64)
    for (int64_t k = 0; k < n; k++) {
        double middle[3];
        if (k >= c->n_point)
            centroid_of(c, k - c->n_point, middle);
        sample_point(s, f, k < c->n_point ? c->point_mm + 3 * k : middle, value + VALUES * k);
    }
    for (int64_t t = 0; t < c->n_triangle; t++)
        add_triangle(c, t, value, value + VALUES * (c->n_point + t), normal, out);
    for (int64_t k = 0; k < c->n_point; k++)
        out->highest = fmax(out->highest, vec_length(value + VALUES * k));
    free(value);
    return OK;
}

static int fail_no_lumen(const double point_mm[3], double reach_mm) {
    return fail(ERR_INPUT,
                "the plane of the section has no lumen within %.3g mm of the point (%.2f, %.2f, %.2f) mm LPS; move the "
                "point into the vessel",
                reach_mm, point_mm[0], point_mm[1], point_mm[2]);
}

/* Mark all values of *out as not measured. */
static void clear_section(const double point_mm[3], flow_section *out) {
    for (int a = 0; a < 3; a++)
        out->normal[a] = out->centroid_mm[a] = out->flow_vector_ml_s[a] = NAN;
    memcpy(out->point_mm, point_mm, sizeof out->point_mm);
    out->area_mm2 = out->flow_ml_s = out->mean_velocity_m_s = out->pressure_pa = NAN;
    out->velocity_max_m_s = out->backflow_ml_s = out->kinetic_m2_s2 = NAN;
    out->opening = -1;
}

/* Largest fraction of the flow that may run against the main direction, chosen. Above this fraction the kinetic energy
 * per mass is not computed, because the net flow in its denominator is too small. */
static const double AGAINST_MOST = 0.25;

int flow_section_measure_patch(const sampler *s, const fields *f, const double point_mm[3], const double normal[3],
                               double reach_mm, double step_mm, flow_section *out, surface *patch) {
    cut_frame frame;
    sums sum;
    int rc;
    memset(patch, 0, sizeof *patch);
    clear_section(point_mm, out);
    memcpy(out->normal, normal, sizeof out->normal);
    cut_frame_plane(point_mm, normal, &frame);
    TRY(cut_make(s, &frame, step_mm, true, reach_mm, patch, &out->opening));
    TRY(integrate_patch(s, f, patch, normal, &sum));
    if (!(sum.area_mm2 > 0)) {
        rc = fail_no_lumen(point_mm, reach_mm);
        goto cleanup;
    }
    out->area_mm2 = sum.area_mm2;
    for (int a = 0; a < 3; a++) {
        out->centroid_mm[a] = sum.position[a] / sum.area_mm2;
        out->flow_vector_ml_s[a] = sum.velocity[a]; /* mm2 times m/s is mL/s */
    }
    out->flow_ml_s = vec_dot(out->flow_vector_ml_s, normal);
    out->mean_velocity_m_s = out->flow_ml_s / sum.area_mm2;
    out->velocity_max_m_s = sum.highest;
    out->backflow_ml_s = sum.back;
    out->pressure_pa = sum.pressure_area > 0 ? sum.pressure / sum.pressure_area : NAN;
    const double forward = out->flow_ml_s + sum.back, against = fmin(forward, sum.back);
    if (against < AGAINST_MOST * (forward + sum.back))
        out->kinetic_m2_s2 = sum.energy / out->flow_ml_s;
cleanup:
    return rc;
}

int flow_section_measure(const sampler *s, const fields *f, const double point_mm[3], const double normal[3],
                         double reach_mm, flow_section *out) {
    surface patch;
    const int rc =
        flow_section_measure_patch(s, f, point_mm, normal, reach_mm, s->lattice->spacing_mm / 2, out, &patch);
    surface_free(&patch);
    return rc;
}

static int64_t nearest_active(const sampler *s, const double point_mm[3]) {
    int64_t best = -1;
    double best_mm = INFINITY;
    for (int64_t c = 0; c < s->lattice->n_cell; c++) {
        double p[3];
        if (!s->active[c])
            continue;
        lattice_centre_mm(s->lattice, c, p);
        double d = vec_distance(p, point_mm);
        if (d < best_mm) {
            best_mm = d;
            best = c;
        }
    }
    return best;
}

int flow_section_vessel_axis(const sampler *s, const double point_mm[3], double axis[3]) {
    const lattice *l = s->lattice;
    double sum[6] = {0}, value[3], v[3][3], nearest_mm = INFINITY;
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3];
        lattice_centre_mm(l, c, p);
        if (s->active[c] && vec_distance(p, point_mm) < l->spacing_mm)
            nearest_mm = fmin(nearest_mm, vec_distance(p, point_mm) - (double)l->distance_mm[c]);
    }
    double reach_mm = 1.5 * (isfinite(nearest_mm) ? nearest_mm : 2 * l->spacing_mm) + l->spacing_mm;
    int n = 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], g[3];
        lattice_centre_mm(l, c, p);
        if (fabs((double)l->distance_mm[c]) > l->spacing_mm || vec_distance(p, point_mm) > reach_mm ||
            !isfinite(sampler_distance_mm(s, p, g)) || !vec_normalize(g))
            continue;
        static const int ij[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int k = 0; k < 6; k++)
            sum[k] += g[ij[k][0]] * g[ij[k][1]];
        n++;
    }
    if (n < 6)
        return 0;
    vec_eigen(sum, value, v);
    memcpy(axis, v[0], sizeof v[0]);
    return 1;
}

/* Ratio of mean velocity to mean speed, over the cells within one vessel radius of cell `middle`: 0 (no common
 * direction) to 1. direction out: unit vector of the mean velocity. */
static double flow_direction(const sampler *s, const fields *f, int64_t middle, double direction[3]) {
    const lattice *l = s->lattice;
    double centre[3], sum[3] = {0}, speed = 0, reach_mm = fmax(-(double)l->distance_mm[middle], 1.5 * l->spacing_mm);
    lattice_centre_mm(l, middle, centre);
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3];
        lattice_centre_mm(l, c, p);
        if (!s->active[c] || vec_distance(p, centre) > reach_mm)
            continue;
        double u[3] = {(double)f->velocity_m_s[3 * c], (double)f->velocity_m_s[3 * c + 1],
                       (double)f->velocity_m_s[3 * c + 2]};
        vec_add(sum, 1, u, sum);
        speed += vec_length(u);
    }
    memcpy(direction, sum, sizeof sum);
    return vec_normalize(direction) && speed > 0 ? vec_length(sum) / speed : 0;
}

int flow_section_measure_auto(const sampler *s, const fields *f, const double point_mm[3], double reach_mm,
                              flow_section *out) {
    double normal[3], middle_mm[3];
    int rc = OK;
    int64_t middle = nearest_active(s, point_mm);
    clear_section(point_mm, out);
    lattice_centre_mm(s->lattice, middle, middle_mm);
    if (vec_distance(middle_mm, point_mm) > reach_mm + s->lattice->spacing_mm)
        return fail_no_lumen(point_mm, reach_mm);
    bool clear = flow_direction(s, f, middle, normal) > 0.7;
    if (!clear && !flow_section_vessel_axis(s, middle_mm, normal)) {
        normal[0] = normal[1] = 0;
        normal[2] = 1;
    }
    for (int iteration = 0; iteration < 4; iteration++) {
        TRY(flow_section_measure(s, f, point_mm, normal, reach_mm + s->lattice->spacing_mm, out));
        double next[3] = {out->flow_vector_ml_s[0], out->flow_vector_ml_s[1], out->flow_vector_ml_s[2]};
        if (!clear || !vec_normalize(next) || vec_dot(next, normal) > 1 - 1e-5)
            break;
        memcpy(normal, next, sizeof normal);
    }
    if (out->flow_ml_s < 0) {
        for (int a = 0; a < 3; a++)
            normal[a] = -normal[a];
        TRY(flow_section_measure(s, f, point_mm, normal, reach_mm + s->lattice->spacing_mm, out));
    }
cleanup:
    return rc;
}
