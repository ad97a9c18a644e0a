/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/seeds/seed_centre.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHORDS = 120, SAMPLES = 120, FEWEST = CHORDS / 5, ROUNDS = 8, ITERATIONS = 4, WALL = 3, BESIDE = 7 };
static const double step_voxels = 0.5;   /* Distance between two samples, in widths of the thinnest voxel */
static const double beside_voxels = 0.5; /* Half of the distance between a sample and the six points with which it is
                                          * averaged, in steps between samples */
/* short_part: quantile of the lengths of the chords; only chords up to `longest` times this quantile are used */
static const double short_part = 0.2, longest = 1.5;
/* Quantile of the half chords that is taken as the radius, because most chords cross the vessel at an angle */
static const double radius_part = 0.25;
static const double width = 0.6; /* Width of Tukey's biweight, in radii */
/* Weight of the old position in the fit, needed in directions without chords (along the vessel) */
static const double hold = 0.05;
/* most_step: upper limit of the distance that the seed moves in one round. small_step: the search ends after a smaller
 * move. Both in radii of the vessel. */
static const double most_step = 0.6, small_step = 0.03;
/* A seed is moved if its distance from the centre is between these limits, in radii */
static const double near_wall = 0.5, beyond_wall = 1.1;
/* The centre is refused if the vessel's radius there exceeds this multiple of the radius at the seed: a neighbour then
 * opens into the vessel */
static const double wider = 1.6;
/* behind: largest distance from the seed to the wall behind it, in radii; cone: cosine of the half angle of the cone of
 * rays towards this wall */
static const double behind = 0.62, cone = 0.85;

typedef struct {
    /* half_mm: half length of the chord; off_mm: distance of its middle from the point, along `direction` */
    double direction[3], half_mm, off_mm;
} chord;

typedef struct {
    const volume *image;
    double sign, middle; /* middle: mean of the intensities inside and outside the vessel; a point is outside the vessel
                          * where sign * (intensity - middle) < 0 */
    double h;            /* distance between two samples, mm */
} view;

/* Difference between the intensity and v->middle, the threshold between vessel and tissue; positive in the vessel. Mean
 * over the point and its six neighbours. NAN outside the image. */
static double height_above_middle(const view *v, const double p[3]) {
    double sum = 0;
    if (!volume_contains(v->image, p))
        return NAN;
    for (int n = 0; n < BESIDE; n++) {
        double q[3] = {p[0], p[1], p[2]};
        if (n > 0)
            q[(n - 1) / 2] += (n % 2 ? 1 : -1) * 2 * beside_voxels * v->h;
        sum += volume_sample(v->image, q);
    }
    return v->sign * (sum / BESIDE - v->middle);
}

/* Distance from `from` to the wall in the direction turn * d; NAN: no wall within the samples. */
static double wall_along(const view *v, const double from[3], const double d[3], double turn) {
    double before = 0, first = 0, first_before = 0;
    int run = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double p[3];
        vec_add(from, turn * s * v->h, d, p);
        const double f = height_above_middle(v, p);
        if (isnan(f))
            return NAN;
        run = f < 0 ? run + 1 : 0;
        if (run == 1)
            first = f, first_before = before;
        if (run == WALL) {
            const int at = s - WALL + 1;
            return at == 0 ? 0 : v->h * (at - first / fmin(first - first_before, -1e-9));
        }
        before = f;
    }
    return NAN;
}

static double find_quantile(double *x, int n, double q) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[(int)(q * (n - 1))];
}

/* Find the short chords through a point, and the vessel's radius. Returns the number of chords, 0: too few. */
static int find_chords(const view *v, const double at[3], chord out[CHORDS], double *radius) {
    double half[CHORDS];
    int n = 0, few = 0;
    for (int k = 0; k < CHORDS; k++) {
        chord c;
        vec_half_sphere(k, CHORDS, c.direction);
        const double up = wall_along(v, at, c.direction, 1), down = wall_along(v, at, c.direction, -1);
        if (isnan(up) || isnan(down) || up + down <= 0)
            continue;
        c.half_mm = half[n] = 0.5 * (up + down);
        c.off_mm = 0.5 * (up - down);
        out[n++] = c;
    }
    if (n < FEWEST)
        return 0;
    *radius = find_quantile(half, n, radius_part);
    const double most = longest * find_quantile(half, n, short_part);
    for (int k = 0; k < n; k++)
        if (out[k].half_mm <= most)
            out[few++] = out[k];
    return few;
}

/* Solve m x = b by Cramer's rule; m is symmetric and positive definite. */
static void solve_3x3(const double m[3][3], const double b[3], double x[3]) {
    double c[3][3], det = 0;
    for (int i = 0; i < 3; i++)
        vec_cross(m[(i + 1) % 3], m[(i + 2) % 3], c[i]);
    det = vec_dot(m[0], c[0]);
    for (int a = 0; a < 3; a++)
        x[a] = (b[0] * c[0][a] + b[1] * c[1][a] + b[2] * c[2][a]) / det;
}

/* Set `move` to the vector from the point to the least-squares intersection of the bisecting planes of the chords. */
static void intersect_bisectors(int n, const chord *c, double radius, double move[3]) {
    memset(move, 0, 3 * sizeof *move);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        double m[3][3] = {{0}}, b[3] = {0}, total = 0;
        for (int k = 0; k < n; k++) {
            const double *d = c[k].direction, off = (c[k].off_mm - vec_dot(d, move)) / (width * radius);
            const double w = iteration == 0 ? 1 : fabs(off) < 1 ? (1 - off * off) * (1 - off * off) : 0;
            total += w;
            for (int i = 0; i < 3; i++) {
                b[i] += w * c[k].off_mm * d[i];
                for (int j = 0; j < 3; j++)
                    m[i][j] += w * d[i] * d[j];
            }
        }
        if (total <= 0)
            return;
        for (int i = 0; i < 3; i++)
            m[i][i] += hold * total;
        solve_3x3(m, b, move);
    }
}

/* True if the line from a to b stays inside the vessel. Points within 2 h of `a` are accepted, because a seed may
 * itself be at the wall. */
static bool is_line_inside(const view *v, const double a[3], const double b[3]) {
    const double way = vec_distance(a, b);
    const int n = (int)ceil(way / v->h);
    for (int k = 1; k <= n; k++) {
        double p[3];
        for (int i = 0; i < 3; i++)
            p[i] = a[i] + (b[i] - a[i]) * k / n;
        if (!(height_above_middle(v, p) > 0) && k * way / n > 2 * v->h)
            return false;
    }
    return true;
}

/* Distance from the seed to the wall on the side away from the centre: median over a cone; INFINITY: mostly no wall. */
static double wall_behind(const view *v, const double seed[3], const double middle[3]) {
    double away[3], way[2 * CHORDS];
    int n = 0;
    vec_add(seed, -1, middle, away);
    vec_normalize(away);
    for (int k = 0; k < CHORDS; k++) {
        double d[3];
        vec_half_sphere(k, CHORDS, d);
        const double along = vec_dot(d, away);
        if (fabs(along) < cone)
            continue;
        const double wall = wall_along(v, seed, d, along > 0 ? 1 : -1);
        way[n++] = isnan(wall) ? INFINITY : wall;
    }
    return n > 0 ? find_quantile(way, n, 0.5) : INFINITY;
}

bool seed_centre_find(const volume *image, double inside, double outside, const double seed[3], double middle[3],
                      double *radius_mm) {
    const view v = {image, inside > outside ? 1 : -1, 0.5 * (inside + outside),
                    step_voxels * volume_thinnest_mm(image)};
    double at[3] = {seed[0], seed[1], seed[2]}, radius = 0, length = INFINITY, first = 0;
    chord c[CHORDS];
    memcpy(middle, seed, 3 * sizeof *middle);
    for (int round = 0; round < ROUNDS && length > small_step * radius; round++) {
        double move[3];
        const int n = find_chords(&v, at, c, &radius);
        if (n == 0)
            return false;
        first = round == 0 ? radius : first;
        intersect_bisectors(n, c, radius, move);
        length = vec_length(move);
        const double part = length > most_step * radius ? most_step * radius / length : 1;
        vec_add(at, part, move, at);
    }
    *radius_mm = radius;
    const double way = vec_distance(at, seed);
    if (way < near_wall * radius || way > beyond_wall * radius || radius > wider * first ||
        wall_behind(&v, seed, at) > behind * radius || !is_line_inside(&v, seed, at))
        return false;
    memcpy(middle, at, 3 * sizeof *middle);
    return true;
}
