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

/* True if the line through triangle t along its normal passes two walls, of which the triangle belongs to one. Four
 * successive crossings lie there, and the walls are thin against the space between them. */
static bool passes_two_walls(const surface *s, int64_t t, const double way[3]) {
    double at[CROSSINGS] = {0}, middle[3];
    int n = 1;
    for (int a = 0; a < 3; a++) /* off the centroid, so that the line meets no edge of a regular grid */
        middle[a] = 0.31 * corner_of(s, t, 0)[a] + 0.37 * corner_of(s, t, 1)[a] + 0.32 * corner_of(s, t, 2)[a];
    for (int64_t other = 0; other < s->n_triangle && n < CROSSINGS; other++) {
        double uv[2];
        int sign;
        const double x = other == t ? NAN : surface_line_meets(s, other, middle, way, uv, &sign);
        if (isfinite(x) && uv[0] >= 0 && uv[1] >= 0 && uv[0] + uv[1] <= 1)
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
        const double area = surface_triangle_mm2(s, t, way);
        if (!vec_normalize(way))
            continue;
        all += area;
        hollow += passes_two_walls(s, t, way) ? area : 0;
    }
    return all > 0 && hollow >= HOLLOW_SHARE * all;
}
