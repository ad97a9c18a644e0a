/* SPDX-License-Identifier: Apache-2.0 */
/* See bifurcation_place.h. */
#include "common/centerline/bifurcation_place.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/curve_fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chosen on random trees and phantoms, whose bifurcations are known. */
static const double AXIS_RADII = 3.5;     /* length of the own part that gives an axis, in its radii */
static const double SPHERE_WEIGHT = 0.05; /* weight of the sphere's centre; weight of a straight axis: 1. It decides
                                           * where the axes are nearly parallel */
static const double BEND_PART = 0.5;      /* standard deviation of a continued axis, as a fraction of its distance from
                                           * a straight continuation */
static const double BEND_NOISE = 0.06;    /* deviation from a straight continuation that noise causes, in radii of the
                                           * sphere */
static const double NOISE_RADII = 1.5;    /* distance of independent points of an axis, in radii: SMOOTH_RADII of
                                           * branch_trace.c */
static const double AXIS_SD = 0.2;        /* standard deviation of a continued axis that halves its weight, in radii of
                                           * the sphere */
static const double JOIN_RADII = 4;    /* a branch leads by a parabola to the bifurcation over at most this multiple of
                                           * the sphere's radius */
static const double SECTION_REACH = 6; /* length of the rays of a cross-section, in radii */
enum { AXIS_DEGREE = 2, ROUNDS = 3, POINTS_MIN = 5, AXES_MIN = 2 };

/* Number of the k-th point from the end `side`. */
static int point_number(const branch_trace *t, int side, int k) {
    return side == 0 ? k : t->n - 1 - k;
}

/* Number of points from the end `side` to the first own point; t->n without an own part. */
static int count_shared(const branch_trace *t, int side) {
    int k = 0;
    while (k < t->n && !t->point[point_number(t, side, k)].own)
        k++;
    return k;
}

/* The own part of a branch near one end, as a curve from this end inwards. */
typedef struct {
    int n;
    double (*at)[3], *s; /* [n] points; arc length from the first of them, mm; owned */
    double radius_mm;    /* of the vessel at the first point */
} axis_curve;

static void free_axes(int n, axis_curve *axis) {
    for (int k = 0; k < n; k++) {
        free(axis[k].at);
        free(axis[k].s);
    }
}

/* Creates the curve of the own part near end `side`. out->n is 0 if this part has too few points for a direction. */
static int create_axis(const branch_trace *t, int side, axis_curve *out) {
    const int first = count_shared(t, side);
    *out = (axis_curve){0};
    if (t->n - first < POINTS_MIN)
        return OK;
    const trace_point *start = &t->point[point_number(t, side, first)];
    out->radius_mm = start->radius_mm;
    out->at = malloc((size_t)(t->n - first) * sizeof *out->at);
    out->s = malloc((size_t)(t->n - first) * sizeof *out->s);
    if (out->at == NULL || out->s == NULL)
        return fail_memory("a bifurcation", (t->n - first) * 4.0 * sizeof(double));
    for (int k = first; k < t->n; k++) {
        const trace_point *p = &t->point[point_number(t, side, k)];
        const double s = fabs(p->s_mm - start->s_mm);
        if (!p->own || (s > AXIS_RADII * start->radius_mm && out->n >= POINTS_MIN))
            break;
        memcpy(out->at[out->n], p->at, sizeof *out->at);
        out->s[out->n++] = s;
    }
    if (out->n < POINTS_MIN)
        out->n = 0;
    return OK;
}

/* An axis at the bifurcation. */
typedef struct {
    double at[3], d[3]; /* a point and the direction (unit) */
    double bend_mm;     /* distance between `at` and the point of a straight continuation */
    double variance;    /* of `at` across the axis, if each point of the own part has a variance of 1 */
} axis_end;

/* Variance of a straight line at the distance `beyond` before its points, which are spread evenly over `length`
 * (linear regression): (1 + 12 (beyond / length + 1/2)^2) / number of independent points. Points within the smoothing
 * length are not independent. */
static double continued_variance(const axis_curve *axis, double beyond) {
    const double length = axis->s[axis->n - 1], middle = beyond / length + 0.5;
    return (1 + 12 * middle * middle) / (1 + length / (NOISE_RADII * axis->radius_mm));
}

/* Continues an axis by the distance between its start and `to`: along a parabola, or straight if the parabola deviates
 * from the straight line by less than the noise. */
static bool continue_axis(const axis_curve *axis, double ball_mm, const double to[3], axis_end *out) {
    curve_point curve, line;
    if (axis->n == 0)
        return false;
    const double beyond = vec_distance(axis->at[0], to), width = 1.01 * (beyond + axis->s[axis->n - 1]);
    const double(*at)[3] = (const double(*)[3])axis->at;
    if (!curve_fit_at(axis->n, axis->s, at, -beyond, width, AXIS_DEGREE, &curve) ||
        !curve_fit_at(axis->n, axis->s, at, -beyond, width, 1, &line))
        return false;
    const double bend = vec_distance(curve.at, line.at), noise = BEND_NOISE * ball_mm;
    const double part = bend * bend / (bend * bend + noise * noise);
    for (int a = 0; a < 3; a++) {
        out->at[a] = (1 - part) * line.at[a] + part * curve.at[a];
        out->d[a] = (1 - part) * line.d1[a] + part * curve.d1[a];
    }
    out->bend_mm = part * bend;
    out->variance = continued_variance(axis, beyond);
    return vec_normalize(out->d);
}

/* m += weight (1 - d d^T), as xx yy zz xy xz yz. */
static void add_across(double weight, const double d[3], double m[6]) {
    for (int k = 0; k < 6; k++) {
        const int a = k < 3 ? k : k < 5 ? 0 : 1, b = k < 3 ? k : k == 3 ? 1 : 2;
        m[k] += weight * ((a == b) - d[a] * d[b]);
    }
}

/* m^-1 x, with the eigenvalues and eigenvectors of the symmetric m. */
static void solve_eigen(const double value[3], const double (*v)[3], const double x[3], double out[3]) {
    double sum[3] = {0};
    for (int e = 0; e < 3; e++)
        vec_add(sum, vec_dot(x, v[e]) / value[e], v[e], sum);
    memcpy(out, sum, sizeof sum);
}

/* cov = m^-1 s m^-1 */
static void propagate(const double value[3], const double (*v)[3], const double s[6], double cov[6]) {
    const double full[3][3] = {{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}};
    double half[3][3], turned[3][3], out[3][3];
    for (int a = 0; a < 3; a++)
        solve_eigen(value, v, full[a], half[a]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            turned[a][b] = half[b][a];
    for (int a = 0; a < 3; a++)
        solve_eigen(value, v, turned[a], out[a]);
    memcpy(cov, (const double[6]){out[0][0], out[1][1], out[2][2], out[0][1], out[0][2], out[1][2]}, 6 * sizeof *cov);
}

/* One step of the least squares, with the axes continued to place->at. next: the place nearest to these axes. Sets the
 * covariances of place. Returns the number of axes. */
static int solve_step(int n, const axis_curve *axis, double ball_mm, const double centre[3], bifurcation_place *place,
                      double next[3]) {
    double m[6] = {SPHERE_WEIGHT, SPHERE_WEIGHT, SPHERE_WEIGHT, 0, 0, 0}, unit[6] = {0}, bend[6] = {0};
    double right[3] = {0}, value[3], v[3][3];
    int found = 0;
    for (int k = 0; k < n; k++) {
        axis_end end;
        double p[3];
        if (!continue_axis(&axis[k], ball_mm, place->at, &end))
            continue;
        found++;
        const double sd = BEND_PART * end.bend_mm, part = sd / (AXIS_SD * ball_mm), weight = 1 / (1 + part * part);
        add_across(weight, end.d, m);
        add_across(weight * weight * end.variance, end.d, unit);
        add_across(weight * weight * sd * sd, end.d, bend);
        vec_add(end.at, -1, centre, p);
        vec_add(right, weight, p, right);
        vec_add(right, -weight * vec_dot(p, end.d), end.d, right);
    }
    vec_eigen(m, value, v);
    solve_eigen(value, (const double(*)[3])v, right, next);
    vec_add(centre, 1, next, next);
    propagate(value, (const double(*)[3])v, unit, place->cov_axes);
    propagate(value, (const double(*)[3])v, bend, place->cov_bend_mm2);
    return found;
}

int bifurcation_place_find(const bifurcation_branches *b, double ball_mm, const double centre[3],
                           bifurcation_place *place) {
    axis_curve axis[BIFURCATION_BRANCHES] = {{0}};
    int rc = OK;
    *place = (bifurcation_place){.at = {centre[0], centre[1], centre[2]}};
    for (int k = 0; k < b->n; k++)
        TRY(create_axis(b->trace[k], b->side[k], &axis[k]));
    for (int round = 0; round < ROUNDS; round++) {
        double next[3], move[3];
        if (solve_step(b->n, axis, ball_mm, centre, place, next) < AXES_MIN) {
            for (int k = 0; k < 6; k++)
                place->cov_axes[k] = place->cov_bend_mm2[k] = NAN;
            break;
        }
        vec_add(next, -1, centre, move);
        vec_add(centre, fmin(1, ball_mm / fmax(vec_length(move), 1e-9)), move, place->at);
    }
cleanup:
    free_axes(b->n, axis);
    return rc;
}

/* A parabola from a point of a branch (part 0) in the direction of the branch to the bifurcation (part 1). */
typedef struct {
    double start[3], slope[3], bend[3]; /* start + part slope + part^2 bend */
} parabola;

static parabola parabola_to(const trace_point *from, int side, const double to[3]) {
    parabola p;
    const double length = (side == 0 ? -1 : 1) * vec_distance(from->at, to);
    for (int a = 0; a < 3; a++) {
        p.start[a] = from->at[a];
        p.slope[a] = length * from->tangent[a];
        p.bend[a] = to[a] - from->at[a] - p.slope[a];
    }
    return p;
}

static void parabola_at(const parabola *p, double part, double at[3]) {
    vec_add(p->start, part, p->slope, at);
    vec_add(at, part * part, p->bend, at);
}

static bool parabola_inside(const volume *phi, const parabola *p, int n) {
    for (int k = 0; k <= n; k++) {
        double at[3];
        parabola_at(p, (double)k / n, at);
        if (wall_rays_phi(phi, at) >= 0)
            return false;
    }
    return true;
}

/* Measures a point outside the own part. */
static void measure_point(const volume *phi, trace_point *p) {
    p->radius_mm = fmin(wall_rays_tube_radius(phi, p->tangent, p->at), wall_rays_ball(phi, p->at));
    wall_rays_section(phi, p->tangent, p->at, SECTION_REACH * fmax(p->radius_mm, phi->spacing_mm[0]), &p->section);
}

/* Replaces the points before the own part by a parabola. Where it would be long or would leave the lumen, and for a
 * branch without an own part, the points move along with the bifurcation, less with the distance from it, unless they
 * would leave the lumen. */
static void join_branch(const volume *phi, branch_trace *t, int side, double ball_mm, const double at[3]) {
    const int shared = count_shared(t, side), last = shared < t->n ? shared : t->n - 1;
    const trace_point *inner = &t->point[point_number(t, side, last)], *end = &t->point[point_number(t, side, 0)];
    const double from = end->s_mm, way = fmax(fabs(inner->s_mm - from), 1e-9);
    const parabola curve = parabola_to(inner, side, at);
    double move[3];
    vec_add(at, -1, end->at, move);
    const bool replaced = shared < t->n && way <= JOIN_RADII * ball_mm && parabola_inside(phi, &curve, 2 * last + 1);
    for (int k = 0; k < last; k++) {
        trace_point *p = &t->point[point_number(t, side, k)];
        const double part = 1 - (double)k / last;
        if (replaced) {
            parabola_at(&curve, part, p->at);
            vec_add(curve.slope, 2 * part, curve.bend, p->tangent);
            vec_add((const double[3]){0, 0, 0}, side == 0 ? -1 : 1, p->tangent, p->tangent);
            if (!vec_normalize(p->tangent))
                p->tangent[2] = 1;
        } else {
            double moved[3];
            vec_add(p->at, 1 - fabs(p->s_mm - from) / way, move, moved);
            if (k == 0 || wall_rays_phi(phi, moved) < 0)
                memcpy(p->at, moved, sizeof moved);
        }
        measure_point(phi, p);
    }
    branch_trace_set_abscissas(t);
}

void bifurcation_place_join(const volume *phi, const bifurcation_branches *b, double ball_mm, const double at[3]) {
    for (int k = 0; k < b->n; k++)
        join_branch(phi, b->trace[k], b->side[k], ball_mm, at);
}
