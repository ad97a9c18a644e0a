/* SPDX-License-Identifier: Apache-2.0 */
/* See view_axis.h. */
#include "post/picture/view_axis.h"
#include <math.h>

/* Another axis is chosen only if its view is better than the view from the front by this factor. */
static const double clearly_better = 1.6;

/* Smallest distance between two openings projected along the axis, mm; NaN with fewer than three openings. */
static double separation_mm(const lattice *l, int axis) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double least = INFINITY;
    int n = 0;
    for (int k = 0; k < l->n_opening; k++) {
        const double *p = l->opening[k].centre_mm;
        if (l->opening[k].role == LATTICE_MOVING_WALL)
            continue;
        n++;
        for (int i = 0; i < k; i++) {
            const double *q = l->opening[i].centre_mm;
            if (l->opening[i].role != LATTICE_MOVING_WALL)
                least = fmin(least, hypot(p[b] - q[b], p[c] - q[c]));
        }
    }
    return n > 2 ? least : NAN;
}

static double area_mm2(const surface *s, int axis) {
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double low[3], high[3];
    surface_bounds(s, low, high);
    return (high[b] - low[b]) * (high[c] - low[c]);
}

int view_axis_choose(const surface *s, const lattice *l) {
    double shown[3];
    int axis = 1;
    for (int a = 0; a < 3; a++) {
        const double apart = separation_mm(l, a);
        shown[a] = isfinite(apart) ? apart : area_mm2(s, a);
    }
    for (int a = 0; a < 3; a++)
        if (a != 1 && shown[a] > clearly_better * shown[axis])
            axis = a;
    return axis;
}
