/* See wall_point.h. */
#include "post/wall/wall_point.h"
#include "post/sample/fit.h"
#include "common/base/vec.h"
#include <stdlib.h>
#include <string.h>

static const double AT_WALL = 0.8;    /* cells: a point further than this from the lattice's wall is not at it */
static const double STILL_NEAR = 0.6; /* a sample y from the wall is used while the wall is at least 0.6 y away */
static const double AT_EDGE = 0.35;   /* the same beside an edge, where the other wall is nearer */
static const double DEEP = 1.6, FURTHER = 4; /* cells: beside an edge, the depth so far in; else it is a narrow gap */
static const double SHARPEST = 0.5;          /* curvature, per cell: beyond it the cells do not show the wall's form */

typedef struct {
    double mm[3], inward[3];
    double curvature[6]; /* 1/mm, second derivatives of the distance; positive round the inside of a tube */
    double still_near;
} location;

static void sum_distance(const sampler *s, const sampler_stencil *st, double gradient[3], double hessian[6]) {
    memset(gradient, 0, 3 * sizeof *gradient);
    memset(hessian, 0, 6 * sizeof *hessian);
    for (int k = 0; k < st->n; k++) {
        double d = (double)s->lattice->distance_mm[st->cell[k]];
        vec_add(gradient, d, st->gradient[k], gradient);
        for (int a = 0; a < 6; a++)
            hessian[a] += d * st->hessian[k][a];
    }
}

/* Does the surface lie in the plane of an opening there, facing as it does? */
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

/* Where walls meet in an edge the distance has no gradient to go by: into the depth of the cells round the point. 0: it
 * is not deep there. */
static int into_depth(const sampler *s, const sampler_stencil *st, const double point_mm[3], const double outward[3],
                      double inward[3]) {
    double sum[3] = {0}, deep[3], h = s->lattice->spacing_mm;
    for (int k = 0; k < st->n; k++) {
        double to[3];
        lattice_centre_mm(s->lattice, st->cell[k], to);
        vec_add(to, -1, point_mm, to);
        vec_add(sum, fmax(0, -(double)s->lattice->distance_mm[st->cell[k]]), to, sum);
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

/* Point of the lattice's wall nearest to the surface's point, normal and curvature there. edge: beside an edge, the
 * surface's point and the way into the depth. WALL_POINT_LOST: only an edge can have such a distance. */
static enum wall_point_status locate(const sampler *s, const double point_mm[3], const double outward[3], int edge,
                                     location *at) {
    sampler_stencil st;
    double anchor[3], gradient[3], h = s->lattice->spacing_mm;
    vec_add(point_mm, -h, outward, anchor);
    if (!sampler_find(s, SAMPLER_DISTANCE, point_mm, anchor, &st))
        return WALL_POINT_AWAY;
    double d = sampler_apply(&st, s->lattice->distance_mm, 1, 0);
    sum_distance(s, &st, gradient, at->curvature);
    if (!(fabs(d) < AT_WALL * h))
        return WALL_POINT_AWAY;
    double length = vec_length(gradient);
    const int usable = length >= 0.5 && length <= 1.5;
    at->still_near = edge ? AT_EDGE : STILL_NEAR;
    if (edge) {
        memcpy(at->mm, point_mm, sizeof at->mm);
        return is_cap(s->lattice, point_mm, outward)               ? WALL_POINT_AWAY
               : into_depth(s, &st, point_mm, outward, at->inward) ? WALL_POINT_OK
                                                                   : WALL_POINT_LOST;
    }
    if (vec_dot(gradient, outward) < 0.3 * length) /* the surface crosses the lumen here: a cap */
        return usable ? WALL_POINT_AWAY : WALL_POINT_LOST;
    if (!usable) {
        memcpy(gradient, outward, sizeof gradient);
        length = 1;
    }
    for (int a = 0; a < 3; a++)
        at->inward[a] = -gradient[a] / length;
    vec_add(point_mm, d, at->inward, at->mm);
    return WALL_POINT_OK;
}

double wall_point_line(int n, int slope_known, double weight[WALL_SAMPLES]) {
    /* polynomials t0 + g y (+ c y^2 (+ d y^3)) through the values, and least-squares lines */
    static const double known[3][3] = {{1, 0, 0}, {4 / 3.0, -1 / 3.0, 0}, {18 / 11.0, -9 / 11.0, 2 / 11.0}};
    static const double line[3][3] = {{1, 0, 0}, {2, -1, 0}, {4 / 3.0, 1 / 3.0, -2 / 3.0}};
    double reach = 0;
    for (int k = 0; k < WALL_SAMPLES; k++) {
        weight[k] = slope_known ? known[n - 1][k] : line[n - 1][k];
        reach += (k + 1) * weight[k];
    }
    return slope_known ? reach : 0;
}

/* m := m^-1, 3 x 3 row major; 0 when it is near singular */
static int invert(double m[9]) {
    double c[9] = {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                   m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                   m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    double determinant = m[0] * c[0] + m[1] * c[3] + m[2] * c[6];
    if (!(fabs(determinant) > 0.05))
        return 0;
    for (int k = 0; k < 9; k++)
        m[k] = c[k] / determinant;
    return 1;
}

/* turn = (1 + reach (trace(H) + H))^-1: the part of the slope that comes from the curvature H and the traction itself.
 * 0 when the wall is too sharp for it. */
static int find_turn(const location *at, double spacing_mm, double reach, double turn[9]) {
    static const int index[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    double h[9], size = 0;
    for (int k = 0; k < 9; k++) {
        h[k] = at->curvature[index[k]] * spacing_mm;
        size += h[k] * h[k];
    }
    for (int k = 0; k < 9; k++)
        turn[k] = (k % 4 == 0) + reach * (h[k] + (k % 4 == 0 ? h[0] + h[4] + h[8] : 0));
    return sqrt(size) < SHARPEST && invert(turn);
}

static int by_cell(const void *a, const void *b) {
    int32_t p = ((const wall_weight *)a)->cell, q = ((const wall_weight *)b)->cell;
    return (p > q) - (p < q);
}

/* Both lists by ascending cell; what is new comes behind what is there: sums are those of the samples in turn. */
static void merge(wall_point *p, int n_more, const wall_weight *more) {
    wall_weight old[WALL_POINT_MAX];
    const int n_old = p->n;
    memcpy(old, p->weight, (size_t)n_old * sizeof *old);
    p->n = 0;
    for (int i = 0, j = 0; i < n_old || j < n_more;) {
        const wall_weight *w = j == n_more || (i < n_old && old[i].cell <= more[j].cell) ? &old[i++] : &more[j++];
        wall_weight *to = &p->weight[p->n];
        if (p->n == 0 || to[-1].cell != w->cell) {
            *to = *w;
            p->n++;
            continue;
        }
        to[-1].stress += w->stress;
        to[-1].pressure += w->pressure;
        for (int a = 0; a < 3; a++)
            to[-1].slope[a] += w->slope[a];
    }
}

static void append(wall_point *p, const sampler_stencil *st, double stress, double pressure, double slope) {
    wall_weight more[SAMPLER_MAX];
    bool ascending = true;
    for (int k = 0; k < st->n; k++) {
        more[k].cell = st->cell[k];
        more[k].stress = (float)(stress * st->weight[k]);
        more[k].pressure = (float)(pressure * st->weight[k]);
        for (int a = 0; a < 3; a++)
            more[k].slope[a] = slope != 0 ? (float)(slope * st->gradient[k][a]) : 0;
        ascending = ascending && (k == 0 || st->cell[k - 1] < st->cell[k]);
    }
    if (!ascending) /* where the box repeats */
        qsort(more, (size_t)st->n, sizeof *more, by_cell);
    merge(p, st->n, more);
}

/* distance to the wall from the cell round a point; the distance changes by 1 a length along the normal */
static double rough_distance_mm(const sampler *s, const double point_mm[3], const double inward[3]) {
    double centre[3];
    int64_t c = sampler_cell(s, point_mm);
    sampler_stencil st;
    if (c < 0) /* at the rim of an opening */
        return sampler_find_value(s, SAMPLER_DISTANCE, point_mm, NULL, &st)
                   ? sampler_apply(&st, s->lattice->distance_mm, 1, 0)
                   : 0;
    lattice_centre_mm(s->lattice, c, centre);
    vec_add(centre, -1, point_mm, centre);
    return (double)s->lattice->distance_mm[c] + vec_dot(centre, inward);
}

/* how many of the samples lie between this wall and the middle of the vessel, and their stencils */
static int find_samples(const sampler *s, const location *at, sampler_stencil sample[WALL_SAMPLES]) {
    double h = s->lattice->spacing_mm;
    for (int k = 0; k < WALL_SAMPLES; k++) {
        double p[3], y = h * (k + 1);
        vec_add(at->mm, y, at->inward, p);
        if (!(rough_distance_mm(s, p, at->inward) < -at->still_near * y) ||
            !sampler_find_value(s, SAMPLER_FLOW, p, NULL, &sample[k]))
            return k;
    }
    return WALL_SAMPLES;
}

/* The slope of the pressure along the wall, from the inside of the vessel: next to the wall the pressure of a coarse
 * lattice is rough. Its value there is the pressure of the wall where there are not two samples. 0: no slope. */
static int find_slope(const sampler *s, const location *at, int n, sampler_stencil *out) {
    static const double depth_cells[3] = {1.5, 0.75, 0};
    double p[3], anchor[3], h = s->lattice->spacing_mm;
    vec_add(at->mm, h * (n < 2 ? 1 : 2), at->inward, p);
    for (int k = 0; k < 3; k++)
        if (sampler_find_core(s, depth_cells[k], p, out))
            return 1;
    vec_add(at->mm, h, at->inward, anchor);
    sampler_find(s, SAMPLER_FLOW, at->mm, anchor, out);
    return 0;
}

/* The pressure of the wall: the line through those one and two cells from it, of second order. A third one would
 * multiply what is rough by 7 instead of 3. 0: there are not two that show how the pressure changes. */
static int find_pressure(int n, const sampler_stencil sample[WALL_SAMPLES], double weight[WALL_SAMPLES]) {
    memset(weight, 0, WALL_SAMPLES * sizeof *weight);
    if (n < 2 || sample[0].terms < FIT_LINEAR || sample[1].terms < FIT_LINEAR)
        return 0;
    wall_point_line(2, 0, weight);
    return 1;
}

enum wall_point_status wall_point_find(const sampler *s, const double point_mm[3], const double outward[3],
                                       wall_point *out) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double weight[WALL_SAMPLES], pressure[WALL_SAMPLES], h = s->lattice->spacing_mm;
    sampler_stencil slope, sample[WALL_SAMPLES];
    location at;
    int n = 0;
    out->n = 0;
    for (int edge = 0; edge < 2 && n == 0; edge++) {
        const enum wall_point_status status = locate(s, point_mm, outward, edge, &at);
        if (status == WALL_POINT_AWAY)
            return status;
        n = status == WALL_POINT_OK ? find_samples(s, &at, sample) : 0;
    }
    if (n == 0)
        return WALL_POINT_LOST;
    double reach = wall_point_line(n, find_slope(s, &at, n, &slope), weight);
    if (!find_turn(&at, h, reach, out->turn)) {
        reach = wall_point_line(n, 0, weight);
        memcpy(out->turn, identity, sizeof identity);
    }
    const int extrapolated = find_pressure(n, sample, pressure);
    for (int k = 0; k < n; k++)
        append(out, &sample[k], weight[k], pressure[k], 0);
    append(out, &slope, 0, extrapolated ? 0 : 1, -reach * h); /* mm times 1/mm: no unit */
    out->lift_m = reach * h * 1e-3;
    memcpy(out->normal, at.inward, sizeof out->normal);
    return WALL_POINT_OK;
}
