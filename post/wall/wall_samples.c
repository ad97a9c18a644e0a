/* SPDX-License-Identifier: Apache-2.0 */
#include "post/wall/wall_samples.h"
#include "common/base/vec.h"
#include <string.h>

static const double AT_WALL = 0.8; /* largest distance between a point and the wall of the lattice, in cells, at which
                                    * the point counts as on the wall */
/* A sample is used if its distance to the nearest wall exceeds this fraction of its distance to the wall point that it
 * is for */
static const double STILL_NEAR = 0.6;
static const double AT_EDGE = 0.35; /* replaces STILL_NEAR for a point next to an edge, where another wall is
                                     * nearer */
/* DEEP: largest wall distance, in cells, that counts as a narrow gap. An edge is in a narrow gap if the wall distance
 * FURTHER cells away from the edge does not exceed DEEP. */
static const double DEEP = 1.6, FURTHER = 4;

/* True if the surface at the point lies in the plane of an opening, with a similar normal. */
static int is_cap(const lattice *l, const double point_mm[3], const double outward[3]) {
    for (int k = 0; k < l->n_opening; k++) {
        const lattice_opening *o = &l->opening[k];
        double d[3];
        vec_add(point_mm, -1, o->centre_mm, d);
        const double along = vec_dot(d, o->normal), reach = 1.5 * o->radius_mm + 2 * l->spacing_mm;
        if (o->role != LATTICE_MOVING_WALL && fabs(along) < l->spacing_mm && fabs(vec_dot(outward, o->normal)) > 0.5 &&
            vec_dot(d, d) - along * along < reach * reach)
            return 1;
    }
    return 0;
}

/* At an edge, where walls meet, the wall distance has no usable gradient. Finds the direction in which the wall
 * distance of the surrounding cells grows. Returns 0 if the wall distance stays small in this direction. */
static int find_depth_direction(const sampler *s, const double point_mm[3], const double anchor_mm[3],
                                const double outward[3], double inward[3]) {
    sampler_stencil st;
    double sum[3] = {0}, deep[3], h = s->lattice->spacing_mm;
    sampler_find_value(s, SAMPLER_DISTANCE, point_mm, anchor_mm, &st);
    for (int k = 0; k < st.n; k++) {
        double to[3];
        lattice_centre_mm(s->lattice, st.cell[k], to);
        vec_add(to, -1, point_mm, to);
        vec_add(sum, fmax(0, -(double)s->lattice->distance_mm[st.cell[k]]), to, sum);
    }
    const double length = vec_length(sum);
    if (!(-vec_dot(sum, outward) > 0.1 * length))
        return 0;
    for (int a = 0; a < 3; a++)
        inward[a] = sum[a] / length;
    vec_add(point_mm, FURTHER * h, inward, deep);
    const int64_t c = sampler_cell(s, deep);
    return c >= 0 && (double)s->lattice->distance_mm[c] < -DEEP * h;
}

/* Finds the nearest point on the wall of the lattice, with normal and curvature. edge true: point_mm is next to an
 * edge; it is then the result, and the normal is the direction towards the interior. Returns WALL_SAMPLES_LOST if the
 * distance field fits no smooth wall there. */
static enum wall_samples_status locate_wall_point(const sampler *s, const double point_mm[3], const double outward[3],
                                                  int edge, wall_samples *at) {
    sampler_form d;
    double anchor[3], h = s->lattice->spacing_mm;
    vec_add(point_mm, -h, outward, anchor);
    if (!sampler_find_form(s, SAMPLER_DISTANCE, point_mm, anchor, s->lattice->distance_mm, &d))
        return WALL_SAMPLES_AWAY;
    memcpy(at->curvature, d.hessian, sizeof at->curvature);
    if (!(fabs(d.value) < AT_WALL * h))
        return WALL_SAMPLES_AWAY;
    double length = vec_length(d.gradient);
    const int usable = length >= 0.5 && length <= 1.5;
    if (edge) {
        memcpy(at->mm, point_mm, sizeof at->mm);
        return is_cap(s->lattice, point_mm, outward)                            ? WALL_SAMPLES_AWAY
               : find_depth_direction(s, point_mm, anchor, outward, at->inward) ? WALL_SAMPLES_OK
                                                                                : WALL_SAMPLES_LOST;
    }
    if (vec_dot(d.gradient, outward) < 0.3 * length) /* the surface crosses the lumen here, so it is a cap */
        return usable ? WALL_SAMPLES_AWAY : WALL_SAMPLES_LOST;
    if (!usable) {
        memcpy(d.gradient, outward, sizeof d.gradient);
        length = 1;
    }
    for (int a = 0; a < 3; a++)
        at->inward[a] = -d.gradient[a] / length;
    vec_add(point_mm, d.value, at->inward, at->mm);
    return WALL_SAMPLES_OK;
}

/* Estimated signed distance of a point from the wall, negative in the fluid: distance of its cell's centre minus the
 * component, along the inward normal, of the vector from this centre to the point. */
static double rough_distance_mm(const sampler *s, const double point_mm[3], const double inward[3]) {
    double centre[3];
    int64_t c = sampler_cell(s, point_mm);
    sampler_stencil st;
    if (c < 0) /* no cell contains the point, which is at the rim of an opening */
        return sampler_find_value(s, SAMPLER_DISTANCE, point_mm, NULL, &st)
                   ? sampler_apply(&st, s->lattice->distance_mm, 1, 0)
                   : 0;
    lattice_centre_mm(s->lattice, c, centre);
    vec_add(centre, -1, point_mm, centre);
    return (double)s->lattice->distance_mm[c] + vec_dot(centre, inward);
}

/* Finds the stencils of the samples between this wall and the middle of the vessel. Returns the number of samples. */
static int find_samples(const sampler *s, double still_near, wall_samples *at) {
    double h = s->lattice->spacing_mm;
    for (int k = 0; k < WALL_SAMPLES; k++) {
        double p[3], y = h * (k + 1);
        vec_add(at->mm, y, at->inward, p);
        if (!(rough_distance_mm(s, p, at->inward) < -still_near * y) ||
            !sampler_find_value(s, SAMPLER_FLOW, p, NULL, &at->sample[k]))
            return k;
    }
    return WALL_SAMPLES;
}

/* Smallest wall distance, in cells, of the cells in the fit of the pressure gradient: the pressure of a coarse lattice
 * is rough next to the wall. find_slope uses the first value for which enough cells remain. */
static const double DEPTH_CELLS[3] = {1.5, 0.75, 0};

/* point_mm: point of the fit of the pressure gradient, two cells below the wall; with fewer than two samples one cell,
 * because the fit then also gives the wall pressure. anchor_mm: one cell below the wall; selects the piece of lumen if
 * the fit must be at the wall itself. */
static void place_slope(const wall_samples *at, double spacing_mm, double point_mm[3], double anchor_mm[3]) {
    vec_add(at->mm, spacing_mm * (at->n < 2 ? 1 : 2), at->inward, point_mm);
    vec_add(at->mm, spacing_mm, at->inward, anchor_mm);
}

static bool find_slope(const sampler *s, const float *pressure_pa, wall_samples *at) {
    double p[3], anchor[3];
    place_slope(at, s->lattice->spacing_mm, p, anchor);
    at->slope_of = (sampler_form){0};
    for (int k = 0; k < 3; k++)
        if (pressure_pa ? sampler_core_form(s, DEPTH_CELLS[k], p, pressure_pa, &at->slope_of)
                        : sampler_find_core(s, DEPTH_CELLS[k], p, &at->slope))
            return true;
    if (pressure_pa)
        sampler_find_form(s, SAMPLER_FLOW, at->mm, anchor, pressure_pa, &at->slope_of);
    else
        sampler_find(s, SAMPLER_FLOW, at->mm, anchor, &at->slope);
    return false;
}

enum wall_samples_status wall_samples_find(const sampler *s, const double point_mm[3], const double outward[3],
                                           const float *pressure_pa, wall_samples *out) {
    out->n = 0;
    for (int edge = 0; edge < 2 && out->n == 0; edge++) {
        const enum wall_samples_status status = locate_wall_point(s, point_mm, outward, edge, out);
        if (status == WALL_SAMPLES_AWAY)
            return status;
        out->n = status == WALL_SAMPLES_OK ? find_samples(s, edge ? AT_EDGE : STILL_NEAR, out) : 0;
    }
    if (out->n == 0)
        return WALL_SAMPLES_LOST;
    out->slope_known = find_slope(s, pressure_pa, out);
    return WALL_SAMPLES_OK;
}
