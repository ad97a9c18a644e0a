/* See wall_point.h. */
#include "post/wall_point.h"
#include "post/fit.h"
#include "post/vec.h"
#include <stdlib.h>
#include <string.h>

static const double AT_WALL = 0.8;    /* cells: a point further than this from the lattice's wall is not at it */
static const double STILL_NEAR = 0.6; /* a sample y from the wall is used while the wall is at least 0.6 y away */

static void gradient_of_distance(const sampler *s, const sampler_stencil *st, double gradient[3]) {
    memset(gradient, 0, 3 * sizeof *gradient);
    for (int k = 0; k < st->n; k++)
        vec_add(gradient, (double)s->lattice->distance_mm[st->cell[k]], st->gradient[k], gradient);
}

/* Wall point nearest to the surface's point, and the normal there. */
static enum wall_point_status locate(const sampler *s, const double point_mm[3], const double outward[3],
                                     double at_mm[3], double inward[3]) {
    sampler_stencil st;
    double anchor[3], gradient[3], h = s->lattice->spacing_mm;
    vec_add(point_mm, -h, outward, anchor);
    if (!sampler_find(s, SAMPLER_DISTANCE, point_mm, anchor, &st))
        return WALL_POINT_AWAY;
    double d = sampler_apply(&st, s->lattice->distance_mm, 1, 0);
    gradient_of_distance(s, &st, gradient);
    if (!(fabs(d) < AT_WALL * h))
        return WALL_POINT_AWAY;
    double length = vec_length(gradient);
    if (vec_dot(gradient, outward) < 0.3 * length)
        return WALL_POINT_AWAY; /* the surface crosses the lumen here: a cap */
    if (length < 0.5 || length > 1.5) {
        memcpy(gradient, outward, sizeof gradient);
        length = 1;
    }
    for (int a = 0; a < 3; a++)
        inward[a] = -gradient[a] / length;
    vec_add(point_mm, d, inward, at_mm);
    return WALL_POINT_OK;
}

void wall_point_line(enum wall_method method, int n, double velocity[WALL_SAMPLES], double traction[WALL_SAMPLES]) {
    double row[2 * WALL_SAMPLES][FIT_MAX_UNKNOWN] = {{0}}, weight[2 * WALL_SAMPLES] = {0}, value[2 * WALL_SAMPLES];
    int both = method == WALL_FROM_BOTH, rows = both ? 2 * n : n;
    int unknowns = both ? (n > 1 ? 4 : 2) : (n > 1 ? 2 : 1); /* a1 (c) a2 a3 of u = a1 y + a2 y^2 + a3 y^3 */
    for (int k = 0; k < n; k++) {
        double y = k + 1;
        double derivative[FIT_MAX_UNKNOWN] = {1, y, 3 * y * y}, of_u[FIT_MAX_UNKNOWN] = {y, 0, y * y * y, y * y};
        memcpy(row[k], derivative, sizeof row[k]);
        weight[k] = 1;
        if (both) {
            memcpy(row[n + k], of_u, sizeof of_u);
            weight[n + k] = 1 / (y * y);
        }
        if (both && n == 1) { /* too few for c: u = a1 y + a2 y^2 */
            row[0][1] = 2 * y;
            row[1][1] = y * y;
        }
    }
    memset(value, 0, sizeof value);
    fit_first_unknown(unknowns, rows, row, weight, value);
    for (int k = 0; k < WALL_SAMPLES; k++) {
        traction[k] = k < n ? value[k] : 0;
        velocity[k] = both && k < n ? value[n + k] : 0;
    }
}

static void append(wall_point *p, const sampler_stencil *st, double velocity, double stress, double pressure) {
    for (int k = 0; k < st->n && p->n < WALL_POINT_MAX; k++) {
        wall_weight *w = &p->weight[p->n++];
        w->cell = st->cell[k];
        w->velocity = (float)(velocity * st->weight[k]);
        w->stress = (float)(stress * st->weight[k]);
        w->pressure = (float)(pressure * st->weight[k]);
    }
}

static int by_cell(const void *a, const void *b) {
    int32_t p = ((const wall_weight *)a)->cell, q = ((const wall_weight *)b)->cell;
    return (p > q) - (p < q);
}

static void merge(wall_point *p) {
    int n = 0;
    qsort(p->weight, (size_t)p->n, sizeof *p->weight, by_cell);
    for (int k = 0; k < p->n; k++) {
        if (n == 0 || p->weight[n - 1].cell != p->weight[k].cell) {
            p->weight[n++] = p->weight[k];
            continue;
        }
        p->weight[n - 1].velocity += p->weight[k].velocity;
        p->weight[n - 1].stress += p->weight[k].stress;
        p->weight[n - 1].pressure += p->weight[k].pressure;
    }
    p->n = n;
}

/* how many of the samples lie between this wall and the middle of the vessel */
static int usable_samples(const sampler *s, const double at_mm[3], const double inward[3]) {
    double h = s->lattice->spacing_mm;
    for (int k = 0; k < WALL_SAMPLES; k++) {
        double p[3], y = h * (k + 1);
        sampler_stencil st;
        vec_add(at_mm, y, inward, p);
        if (!sampler_find(s, SAMPLER_DISTANCE, p, NULL, &st) ||
            !(sampler_apply(&st, s->lattice->distance_mm, 1, 0) < -STILL_NEAR * y))
            return k;
    }
    return WALL_SAMPLES;
}

/* WALL_FROM_STRESS where too few cells are near for a quadratic fit of the velocity (the rim of an opening) */
static enum wall_method possible_method(const sampler *s, enum wall_method method, int n, const double at_mm[3],
                                        const double inward[3], sampler_stencil velocity[WALL_SAMPLES]) {
    for (int k = 0; k < n && method == WALL_FROM_BOTH; k++) {
        double p[3];
        vec_add(at_mm, s->lattice->spacing_mm * (k + 1), inward, p);
        if (!sampler_find(s, SAMPLER_NO_SLIP, p, NULL, &velocity[k]) || velocity[k].terms < FIT_QUADRATIC)
            method = WALL_FROM_STRESS;
    }
    return method;
}

enum wall_point_status wall_point_find(const sampler *s, const double point_mm[3], const double outward[3],
                                       double viscosity_pa_s, enum wall_method method, wall_point *out) {
    double at[3], p[3], u[WALL_SAMPLES], t[WALL_SAMPLES], h = s->lattice->spacing_mm;
    sampler_stencil st, velocity[WALL_SAMPLES];
    out->n = 0;
    enum wall_point_status status = locate(s, point_mm, outward, at, out->normal);
    if (status != WALL_POINT_OK)
        return status;
    int n = usable_samples(s, at, out->normal);
    method = possible_method(s, method, n, at, out->normal, velocity);
    wall_point_line(method, n, u, t);
    for (int k = 0; k < n; k++) {
        vec_add(at, h * (k + 1), out->normal, p);
        if (!sampler_find(s, SAMPLER_FLOW, p, NULL, &st))
            return WALL_POINT_LOST;
        append(out, &st, 0, t[k], 0);
        if (method == WALL_FROM_BOTH)
            append(out, &velocity[k], u[k] * viscosity_pa_s / (h * 1e-3), 0, 0);
    }
    vec_add(at, h, out->normal, p);
    if (n == 0 || !sampler_find(s, SAMPLER_FLOW, at, p, &st))
        return WALL_POINT_LOST;
    append(out, &st, 0, 0, 1);
    merge(out);
    return WALL_POINT_OK;
}
