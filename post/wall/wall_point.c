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
static int into_depth(const sampler *s, const double point_mm[3], const double anchor_mm[3], const double outward[3],
                      double inward[3]) {
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

/* Point of the lattice's wall nearest to the surface's point, normal and curvature there. edge: beside an edge, the
 * surface's point and the way into the depth. WALL_POINT_LOST: only an edge can have such a distance. */
static enum wall_point_status locate(const sampler *s, const double point_mm[3], const double outward[3], int edge,
                                     location *at) {
    sampler_form d;
    double anchor[3], h = s->lattice->spacing_mm;
    vec_add(point_mm, -h, outward, anchor);
    if (!sampler_find_form(s, SAMPLER_DISTANCE, point_mm, anchor, s->lattice->distance_mm, &d))
        return WALL_POINT_AWAY;
    memcpy(at->curvature, d.hessian, sizeof at->curvature);
    if (!(fabs(d.value) < AT_WALL * h))
        return WALL_POINT_AWAY;
    double length = vec_length(d.gradient);
    const int usable = length >= 0.5 && length <= 1.5;
    at->still_near = edge ? AT_EDGE : STILL_NEAR;
    if (edge) {
        memcpy(at->mm, point_mm, sizeof at->mm);
        return is_cap(s->lattice, point_mm, outward)                  ? WALL_POINT_AWAY
               : into_depth(s, point_mm, anchor, outward, at->inward) ? WALL_POINT_OK
                                                                      : WALL_POINT_LOST;
    }
    if (vec_dot(d.gradient, outward) < 0.3 * length) /* the surface crosses the lumen here: a cap */
        return usable ? WALL_POINT_AWAY : WALL_POINT_LOST;
    if (!usable) {
        memcpy(d.gradient, outward, sizeof d.gradient);
        length = 1;
    }
    for (int a = 0; a < 3; a++)
        at->inward[a] = -d.gradient[a] / length;
    vec_add(point_mm, d.value, at->inward, at->mm);
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
        const wall_weight *w = j >= n_more || (i < n_old && old[i].cell <= more[j].cell) ? &old[i++] : &more[j++];
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

/* Where the slope of the pressure along the wall is found: inside the vessel, since next to the wall the pressure of a
 * coarse lattice is rough, as far away from the wall as there are cells. Its value there is the pressure of the wall
 * where there are not two samples; `anchor_mm`: of the fit at the wall itself, where there is no slope. */
static const double DEPTH_CELLS[3] = {1.5, 0.75, 0};
static void place_slope(const location *at, double spacing_mm, int n, double point_mm[3], double anchor_mm[3]) {
    vec_add(at->mm, spacing_mm * (n < 2 ? 1 : 2), at->inward, point_mm);
    vec_add(at->mm, spacing_mm, at->inward, anchor_mm);
}

static int find_slope(const sampler *s, const location *at, int n, sampler_stencil *out) {
    double p[3], anchor[3];
    place_slope(at, s->lattice->spacing_mm, n, p, anchor);
    for (int k = 0; k < 3; k++)
        if (sampler_find_core(s, DEPTH_CELLS[k], p, out))
            return 1;
    sampler_find(s, SAMPLER_FLOW, at->mm, anchor, out);
    return 0;
}

static int form_slope(const sampler *s, const float *pressure_pa, const location *at, int n, sampler_form *out) {
    double p[3], anchor[3];
    place_slope(at, s->lattice->spacing_mm, n, p, anchor);
    *out = (sampler_form){0};
    for (int k = 0; k < 3; k++)
        if (sampler_core_form(s, DEPTH_CELLS[k], p, pressure_pa, out))
            return 1;
    sampler_find_form(s, SAMPLER_FLOW, at->mm, anchor, pressure_pa, out);
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

/* What a point is formed from. */
typedef struct {
    location at;
    int n; /* samples */
    sampler_stencil sample[WALL_SAMPLES];
    double weight[WALL_SAMPLES], pressure[WALL_SAMPLES]; /* of each sample in the traction and in the pressure */
    double reach_mm;                                     /* the traction has minus this times the slope */
    int extrapolated;                                    /* 0: the pressure is that of the fit for the slope */
} parts;

static enum wall_point_status find_parts(const sampler *s, const double point_mm[3], const double outward[3],
                                         parts *p) {
    p->n = 0;
    for (int edge = 0; edge < 2 && p->n == 0; edge++) {
        const enum wall_point_status status = locate(s, point_mm, outward, edge, &p->at);
        if (status == WALL_POINT_AWAY)
            return status;
        p->n = status == WALL_POINT_OK ? find_samples(s, &p->at, p->sample) : 0;
    }
    return p->n == 0 ? WALL_POINT_LOST : WALL_POINT_OK;
}

static void join(double spacing_mm, int slope_known, parts *p, wall_frame *frame) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double reach = wall_point_line(p->n, slope_known, p->weight);
    if (!find_turn(&p->at, spacing_mm, reach, frame->turn)) {
        reach = wall_point_line(p->n, 0, p->weight);
        memcpy(frame->turn, identity, sizeof identity);
    }
    p->extrapolated = find_pressure(p->n, p->sample, p->pressure);
    p->reach_mm = reach * spacing_mm;
    frame->lift_m = p->reach_mm * 1e-3;
    memcpy(frame->normal, p->at.inward, sizeof frame->normal);
}

enum wall_point_status wall_point_find(const sampler *s, const double point_mm[3], const double outward[3],
                                       wall_point *out) {
    parts p;
    sampler_stencil slope;
    const enum wall_point_status status = find_parts(s, point_mm, outward, &p);
    out->n = 0;
    if (status != WALL_POINT_OK)
        return status;
    join(s->lattice->spacing_mm, find_slope(s, &p.at, p.n, &slope), &p, &out->frame);
    for (int k = 0; k < p.n; k++)
        append(out, &p.sample[k], p.weight[k], p.pressure[k], 0);
    append(out, &slope, 0, p.extrapolated ? 0 : 1, -p.reach_mm); /* mm times 1/mm: no unit */
    return WALL_POINT_OK;
}

/* stress [6] and pressure at a sample */
static void apply_sample(const sampler_stencil *st, const fields *f, double stress_pa[6], double *pressure_pa) {
    memset(stress_pa, 0, 6 * sizeof *stress_pa);
    *pressure_pa = 0;
    for (int j = 0; j < st->n; j++) {
        const float *s = f->stress_pa + 6 * (int64_t)st->cell[j];
        const double w = st->weight[j];
        for (int a = 0; a < 6; a++)
            stress_pa[a] += w * (double)s[a];
        *pressure_pa += w * (double)f->pressure_pa[st->cell[j]];
    }
}

enum wall_point_status wall_point_value(const sampler *s, const fields *f, const double point_mm[3],
                                        const double outward[3], wall_value *out) {
    parts p;
    sampler_form slope;
    const enum wall_point_status status = find_parts(s, point_mm, outward, &p);
    if (status != WALL_POINT_OK)
        return status;
    join(s->lattice->spacing_mm, form_slope(s, f->pressure_pa, &p.at, p.n, &slope), &p, &out->frame);
    const double *n = out->frame.normal;
    double *t = out->traction_pa;
    out->pressure_pa = p.extrapolated ? 0 : slope.value;
    for (int a = 0; a < 3; a++)
        t[a] = -p.reach_mm * slope.gradient[a];
    for (int k = 0; k < p.n; k++) {
        double e[6], pressure;
        apply_sample(&p.sample[k], f, e, &pressure);
        t[0] += p.weight[k] * (e[0] * n[0] + e[3] * n[1] + e[4] * n[2]);
        t[1] += p.weight[k] * (e[3] * n[0] + e[1] * n[1] + e[5] * n[2]);
        t[2] += p.weight[k] * (e[4] * n[0] + e[5] * n[1] + e[2] * n[2]);
        out->pressure_pa += p.pressure[k] * pressure;
    }
    return WALL_POINT_OK;
}
