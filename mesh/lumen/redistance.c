/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/redistance.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/lumen/spline.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Godunov's upwind slope: the larger one-sided difference towards the wall on each axis. It is 1 for a true distance,
 * also on ridges. */
static double upwind_slope(const volume *v, int i, int j, int k) {
    const double here = v->value[volume_index(v, i, j, k)], sign = here < 0 ? -1 : 1;
    double square = 0;
    for (int a = 0; a < 3; a++) {
        double most = 0;
        for (int side = -1; side <= 1; side += 2) {
            int to[3] = {i, j, k};
            to[a] += side;
            if (to[a] < 0 || to[a] >= v->dims[a])
                continue;
            const double fall = sign * (here - v->value[volume_index(v, to[0], to[1], to[2])]);
            most = fmax(most, fall);
        }
        square += most * most / (v->spacing_mm[a] * v->spacing_mm[a]);
    }
    return sqrt(square);
}

double redistance_quality(const volume *phi_mm) {
    const double widest = volume_thickest_mm(phi_mm);
    size_t good = 0, all = 0;
#pragma omp parallel for schedule(static) reduction(+ : good, all)
    for (int k = 0; k < phi_mm->dims[2]; k++)
        for (int j = 0; j < phi_mm->dims[1]; j++)
            for (int i = 0; i < phi_mm->dims[0]; i++) {
                const double here = phi_mm->value[volume_index(phi_mm, i, j, k)];
                if (here > 2 * widest)
                    continue;
                const double slope = upwind_slope(phi_mm, i, j, k);
                all++;
                good += slope > 0.85 && slope < 1.15;
            }
    return all > 0 ? (double)good / (double)all : 0;
}

/* Finds the point of the zero level nearest to x by Newton's method, starting at p. Returns false if it does not
 * converge within `reach_mm` of x. */
static bool nearest_by_newton(const spline *s, const double x[3], double reach_mm, double p[3]) {
    const double small = 1e-4 * volume_thinnest_mm(&s->grid);
    for (int step = 0; step < 30; step++) {
        double g[3], away[3], moved = 0, distance = 0;
        const double value = spline_value(s, p, g), square = vec_dot(g, g);
        if (!(square > 1e-12))
            return false;
        for (int a = 0; a < 3; a++)
            away[a] = x[a] - p[a];
        const double along = vec_dot(away, g) / square;
        for (int a = 0; a < 3; a++) {
            const double shift = -value / square * g[a] + 0.7 * (away[a] - along * g[a]);
            p[a] += shift;
            moved += shift * shift;
            distance += (x[a] - p[a]) * (x[a] - p[a]);
        }
        if (distance > reach_mm * reach_mm)
            return false;
        if (moved < small * small)
            return true;
    }
    return false;
}

/* Point where the segment from x to y (values of opposite sign) crosses the zero level. */
static void find_zero_crossing(const spline *s, const double x[3], const double y[3], double at_x, double at_y,
                               double p[3]) {
    double low = 0, high = 1;
    for (int step = 0; step < 40; step++) {
        const double t = step == 0 ? at_x / (at_x - at_y) : 0.5 * (low + high);
        for (int a = 0; a < 3; a++)
            p[a] = x[a] + t * (y[a] - x[a]);
        const double value = spline_value(s, p, NULL);
        if ((value < 0) == (at_x < 0))
            low = t;
        else
            high = t;
    }
}

typedef struct {
    volume *phi;
    const spline *s;
    float (*nearest)[3]; /* [voxel] LPS, nearest wall point; NaN: unset */
    float *square;       /* squared distance to the nearest wall point */
} sweep_state;

static double square_distance(const sweep_state *w, int i, int j, int k, const float p[3]) {
    double x[3], sum = 0;
    volume_to_lps(w->phi, (const double[3]){i, j, k}, x);
    for (int a = 0; a < 3; a++)
        sum += (x[a] - p[a]) * (x[a] - p[a]);
    return sum;
}

static void offer_wall_point(sweep_state *w, int i, int j, int k, const double p[3]) {
    const size_t at = volume_index(w->phi, i, j, k);
    const float q[3] = {(float)p[0], (float)p[1], (float)p[2]};
    const double square = square_distance(w, i, j, k, q);
    if (square < w->square[at]) {
        w->square[at] = (float)square;
        memcpy(w->nearest[at], q, sizeof q);
    }
}

/* Find the nearest wall point of a voxel that has a neighbour (of 6) on the other side of the wall. */
static void start_voxel(sweep_state *w, int i, int j, int k) {
    const volume *v = w->phi;
    const double reach = 1.75 * volume_thickest_mm(v);
    const double here = v->value[volume_index(v, i, j, k)];
    double x[3], y[3], p[3];
    bool beside = false;
    volume_to_lps(v, (const double[3]){i, j, k}, x);
    for (int side = 0; side < 6; side++) {
        int to[3] = {i, j, k};
        to[side / 2] += side & 1 ? 1 : -1;
        if (to[side / 2] < 0 || to[side / 2] >= v->dims[side / 2])
            continue;
        const double there = v->value[volume_index(v, to[0], to[1], to[2])];
        if ((there < 0) == (here < 0))
            continue;
        beside = true;
        volume_to_lps(v, (const double[3]){to[0], to[1], to[2]}, y);
        find_zero_crossing(w->s, x, y, here, there, p);
        offer_wall_point(w, i, j, k, p);
    }
    memcpy(p, x, sizeof p);
    if (beside && nearest_by_newton(w->s, x, reach, p))
        offer_wall_point(w, i, j, k, p);
}

/* Moves a wall point, copied from a neighbour voxel, to the wall point nearest to this voxel. */
static void refine_voxel(sweep_state *w, int i, int j, int k) {
    const size_t at = volume_index(w->phi, i, j, k);
    double x[3], p[3];
    volume_to_lps(w->phi, (const double[3]){i, j, k}, x);
    for (int a = 0; a < 3; a++)
        p[a] = w->nearest[at][a];
    if (nearest_by_newton(w->s, x, 1.0001 * sqrt(w->square[at]), p))
        offer_wall_point(w, i, j, k, p);
}

static void refine_all(sweep_state *w) {
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < w->phi->dims[2]; k++)
        for (int j = 0; j < w->phi->dims[1]; j++)
            for (int i = 0; i < w->phi->dims[0]; i++)
                refine_voxel(w, i, j, k);
}

static int sweep_create(sweep_state *w, volume *phi, const spline *s) {
    const size_t n = volume_size(phi);
    *w = (sweep_state){phi, s, malloc(n * sizeof *w->nearest), malloc(n * sizeof *w->square)};
    if (!w->nearest || !w->square)
        return fail_memory("the distance to the wall", 16.0 * (double)n);
    for (size_t i = 0; i < n; i++)
        w->square[i] = INFINITY;
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++)
                start_voxel(w, i, j, k);
    for (size_t i = 0; i < n; i++)
        if (isfinite(w->square[i]))
            return OK;
    return fail(
        ERR_INPUT,
        "the level set has no wall (zero level): every voxel is inside the vessel, or none is; check the segmentation");
}

/* Visit all voxels, starting at one of the eight corners of the volume, and copy the wall points of the neighbours
 * visited before where they are nearer. */
static void sweep_from(sweep_state *w, int corner) {
    const int *n = w->phi->dims;
    const int step[3] = {corner & 1 ? -1 : 1, corner & 2 ? -1 : 1, corner & 4 ? -1 : 1};
    for (int c = 0; c < n[2]; c++)
        for (int b = 0; b < n[1]; b++)
            for (int a = 0; a < n[0]; a++) {
                const int at[3] = {step[0] > 0 ? a : n[0] - 1 - a, step[1] > 0 ? b : n[1] - 1 - b,
                                   step[2] > 0 ? c : n[2] - 1 - c};
                const size_t here = volume_index(w->phi, at[0], at[1], at[2]);
                for (int axis = 0; axis < 3; axis++) {
                    int from[3] = {at[0], at[1], at[2]};
                    from[axis] -= step[axis];
                    if (from[axis] < 0 || from[axis] >= n[axis])
                        continue;
                    const size_t there = volume_index(w->phi, from[0], from[1], from[2]);
                    if (!isfinite(w->square[there]))
                        continue;
                    const double square = square_distance(w, at[0], at[1], at[2], w->nearest[there]);
                    if (square < w->square[here]) {
                        w->square[here] = (float)square;
                        memcpy(w->nearest[here], w->nearest[there], sizeof *w->nearest);
                    }
                }
            }
}

int redistance_compute(volume *phi) {
    int rc;
    spline s = {0};
    sweep_state w = {0};
    TRY(spline_create(&s, phi));
    TRY(sweep_create(&w, phi, &s));
    for (int pass = 0; pass < 2; pass++) {
        for (int corner = 0; corner < 8; corner++)
            sweep_from(&w, corner);
        refine_all(&w);
    }
    for (size_t i = 0; i < volume_size(phi); i++)
        phi->value[i] = (phi->value[i] < 0 ? -1 : 1) * sqrtf(w.square[i]);
cleanup:
    spline_free(&s);
    free(w.nearest);
    free(w.square);
    return rc;
}
