/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/surface_hollow.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 97, CROSSINGS = 32 };
static const double HOLLOW_SHARE = 0.8; /* Smallest share of the area whose lines pass two walls */
static const double THIN = 0.6;         /* Largest thickness of a wall, as a fraction of the space inside it */

static const double *corner_of(const surface *s, int64_t t, int k) {
    return s->point_mm + 3 * (int64_t)s->triangle[3 * t + k];
}

/* Twice the area vector of a triangle. */
static void area_vector(const surface *s, int64_t t, double area[3]) {
    double u[3], v[3];
    vec_add(corner_of(s, t, 1), -1, corner_of(s, t, 0), u);
    vec_add(corner_of(s, t, 2), -1, corner_of(s, t, 0), v);
    vec_cross(u, v, area);
}

/* Position along the line from `from` in direction `way` at which it crosses triangle t; NaN: it does not (Moeller and
 * Trumbore 1997). */
static double find_crossing(const surface *s, int64_t t, const double from[3], const double way[3]) {
    double u[3], v[3], side[3], apart[3], turned[3];
    vec_add(corner_of(s, t, 1), -1, corner_of(s, t, 0), u);
    vec_add(corner_of(s, t, 2), -1, corner_of(s, t, 0), v);
    vec_cross(way, v, side);
    const double det = vec_dot(u, side);
    if (det == 0)
        return NAN;
    vec_add(from, -1, corner_of(s, t, 0), apart);
    vec_cross(apart, u, turned);
    const double a = vec_dot(apart, side) / det, b = vec_dot(way, turned) / det;
    return a >= 0 && b >= 0 && a + b <= 1 ? vec_dot(v, turned) / det : NAN;
}

/* True if the line through triangle t along its normal passes two walls, of which the triangle belongs to one. Four
 * successive crossings lie there, and the walls are thin against the space between them. */
static bool passes_two_walls(const surface *s, int64_t t, const double way[3]) {
    double at[CROSSINGS] = {0}, middle[3];
    int n = 1;
    for (int a = 0; a < 3; a++) /* off the centroid, so that the line meets no edge of a regular grid */
        middle[a] = 0.31 * corner_of(s, t, 0)[a] + 0.37 * corner_of(s, t, 1)[a] + 0.32 * corner_of(s, t, 2)[a];
    for (int64_t other = 0; other < s->n_triangle && n < CROSSINGS; other++) {
        const double x = other == t ? NAN : find_crossing(s, other, middle, way);
        if (isfinite(x))
            at[n++] = x;
    }
    qsort(at, (size_t)n, sizeof *at, order_double);
    for (int k = 0; k + 3 < n; k++) {
        const double limit = THIN * (at[k + 2] - at[k + 1]);
        if (at[k] <= 0 && at[k + 3] >= 0 && at[k + 1] - at[k] < limit && at[k + 3] - at[k + 2] < limit)
            return true;
    }
    return false;
}

bool surface_is_hollow(const surface *s) {
    const int64_t step = s->n_triangle / SAMPLES + 1;
    double all = 0, hollow = 0;
    for (int64_t t = 0; t < s->n_triangle; t += step) {
        double way[3];
        area_vector(s, t, way);
        const double area = vec_length(way);
        if (!vec_normalize(way))
            continue;
        all += area;
        hollow += passes_two_walls(s, t, way) ? area : 0;
    }
    return all > 0 && hollow >= HOLLOW_SHARE * all;
}
