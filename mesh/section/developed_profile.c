/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/developed_profile.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/section/wall_crossing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Equation for the velocity w of one node: diagonal * w = 1 + sum weight[side] * w[side] over its four neighbours.
 * Weight 0: the neighbour is a wall or beyond a periodic face. */
typedef struct {
    int node;
    int neighbour[4];
    double weight[4], inverse_diagonal;
} equation;

static const int side_i[4] = {1, -1, 0, 0}, side_j[4] = {0, 0, 1, -1};

/* Distance from node (i, j) to the neighbouring node `to` or to the wall before it, in grid steps. */
static double arm_length(const section *s, const voxelize_input *in, int i, int j, int side, int to) {
    if (s->node[to] == SECTION_INSIDE || s->face[to])
        return 1;
    double a[3], b[3];
    section_position(s, i, j, a);
    section_position(s, i + side_i[side], j + side_j[side], b);
    return fmax(1e-6, wall_crossing(in, a, b, in->distance(in->data, a), in->distance(in->data, b)));
}

static equation make_equation(const section *s, const voxelize_input *in, int i, int j) {
    equation e = {.node = j * s->n + i};
    double arm[4], diagonal = 0;
    for (int side = 0; side < 4; side++) {
        e.neighbour[side] = e.node + side_j[side] * s->n + side_i[side];
        arm[side] = s->step_mm * arm_length(s, in, i, j, side, e.neighbour[side]);
    }
    for (int side = 0; side < 4; side++) {
        const int to = e.neighbour[side];
        const double weight = 2 / ((arm[side & 2] + arm[(side & 2) + 1]) * arm[side]);
        if (s->face[to])
            continue;
        diagonal += weight;
        e.weight[side] = s->node[to] == SECTION_INSIDE ? weight : 0;
    }
    e.inverse_diagonal = diagonal > 0 ? 1 / diagonal : 0;
    return e;
}

static int make_equations(const section *s, const voxelize_input *in, equation **out, int *n) {
    *n = 0;
    for (int at = 0; at < s->n * s->n; at++)
        *n += s->node[at] == SECTION_INSIDE;
    *out = malloc((size_t)(*n + 1) * sizeof **out);
    if (!*out)
        return fail_memory("the velocity profile of an opening", (double)*n * sizeof **out);
    int k = 0;
    for (int j = 1; j + 1 < s->n; j++)
        for (int i = 1; i + 1 < s->n; i++)
            if (s->node[j * s->n + i] == SECTION_INSIDE)
                (*out)[k++] = make_equation(s, in, i, j);
    *n = k;
    return OK;
}

/* Solve the equations by successive over-relaxation with the optimal factor for a square of the same area. */
static int relax_equations(const equation *e, int n, double *w) {
    const double across = fmax(3, sqrt((double)n)), factor = 2 / (1 + sin(M_PI / across));
    for (int sweep = 0; sweep < 100000; sweep++) {
        double most = 0, change = 0;
        for (int k = 0; k < n; k++) {
            double sum = 1;
            for (int side = 0; side < 4; side++)
                sum += e[k].weight[side] * w[e[k].neighbour[side]];
            const double step = factor * (sum * e[k].inverse_diagonal - w[e[k].node]);
            const double value = w[e[k].node] + step;
            w[e[k].node] = value;
            change = fabs(step) > change ? fabs(step) : change;
            most = fabs(value) > most ? fabs(value) : most;
        }
        if (change <= 1e-11 * most)
            return OK;
    }
    return fail(ERR_NUMERIC, "the velocity profile over the cross-section of an opening did not converge; check point "
                             "and normal of every opening");
}

/* True if a wall bounds the section. If all its sides are periodic or open, no friction shapes the profile. */
static int has_wall(const equation *e, int n) {
    for (int k = 0; k < n; k++)
        if ((e[k].weight[0] + e[k].weight[1] + e[k].weight[2] + e[k].weight[3]) * e[k].inverse_diagonal < 1 - 1e-9)
            return 1;
    return 0;
}

/* Continue the profile beyond periodic faces: straight across a face, then around the corner of two faces. */
static void extend_over_faces(const section *s, const voxelize_input *in, double *w) {
    for (int pass = 0; pass < 2; pass++)
        for (int j = 1; j + 1 < s->n; j++)
            for (int i = 1; i + 1 < s->n; i++) {
                const int at = j * s->n + i;
                double p[3];
                if (!s->face[at])
                    continue;
                section_position(s, i, j, p);
                const bool fluid = in->distance(in->data, p) < 0;
                for (int side = 0; side < 4 && fluid && !(w[at] > 0); side++) {
                    const int from = at + side_j[side] * s->n + side_i[side];
                    w[at] = pass == 1 || s->node[from] == SECTION_INSIDE ? w[from] : 0;
                }
            }
}

int profile_create(profile *p, const section *s, const voxelize_input *in) {
    int rc, n = 0;
    equation *equations = NULL;
    p->section = s;
    p->value = calloc((size_t)s->n * (size_t)s->n, sizeof *p->value);
    if (!p->value)
        return fail_memory("the velocity profile of an opening", 8.0 * s->n * s->n);
    TRY(make_equations(s, in, &equations, &n));
    if (has_wall(equations, n))
        TRY(relax_equations(equations, n, p->value));
    else
        for (int k = 0; k < n; k++)
            p->value[equations[k].node] = 1;
    extend_over_faces(s, in, p->value);
    const double mean = section_integral(s, p->value) / s->area_mm2;
    for (int at = 0; at < s->n * s->n; at++)
        p->value[at] /= mean;
cleanup:
    free(equations);
    if (rc != OK)
        profile_free(p);
    return rc;
}

void profile_free(profile *p) {
    free(p->value);
    p->value = NULL;
}

/* Value of the profile between the wall and the inner nodes. The ratio of value to wall distance is smooth there, so
 * the ratio is interpolated. */
static double rim_value(const profile *p, const voxelize_input *in, double i, double j) {
    const section *s = p->section;
    double at_point[3], at_node[3], ratio = 0, weights = 0;
    section_position(s, i, j, at_point);
    const double d = in->distance(in->data, at_point);
    if (!(d < 0))
        return 0;
    for (int k = 0; k < 4; k++) {
        const int ci = (int)i + (k & 1), cj = (int)j + (k >> 1);
        const double weight = (1 - fabs(i - ci)) * (1 - fabs(j - cj));
        if (!(p->value[cj * s->n + ci] > 0))
            continue;
        section_position(s, ci, cj, at_node);
        ratio += weight * p->value[cj * s->n + ci] / fmax(-in->distance(in->data, at_node), 1e-9 * s->step_mm);
        weights += weight;
    }
    return weights > 1e-9 ? -d * ratio / weights : 0;
}

double profile_value(const profile *p, const voxelize_input *in, const double lps_mm[3]) {
    const section *s = p->section;
    double i, j, sum = 0;
    section_coordinates(s, lps_mm, &i, &j);
    if (!(i >= 0 && j >= 0 && i < s->n - 1 && j < s->n - 1))
        return 0;
    for (int k = 0; k < 4; k++) {
        const int ci = (int)i + (k & 1), cj = (int)j + (k >> 1);
        if (!(p->value[cj * s->n + ci] > 0))
            return rim_value(p, in, i, j);
        sum += (1 - fabs(i - ci)) * (1 - fabs(j - cj)) * p->value[cj * s->n + ci];
    }
    return sum;
}

/* Mirror image at the wall of a point at distance d behind it, along the gradient of the distance within the plane. */
static void mirror_at_wall(const section *s, const voxelize_input *in, const double lps_mm[3], double d,
                           double image[3]) {
    const double step = 0.05 * s->step_mm;
    double slope[2], square = 0;
    for (int k = 0; k < 2; k++) {
        const double *axis = k ? s->v : s->u;
        double low[3], high[3];
        vec_add(lps_mm, -step, axis, low);
        vec_add(lps_mm, step, axis, high);
        slope[k] = (in->distance(in->data, high) - in->distance(in->data, low)) / (2 * step);
        square += slope[k] * slope[k];
    }
    for (int k = 0; k < 3; k++)
        image[k] = lps_mm[k] - 2 * d * (slope[0] * s->u[k] + slope[1] * s->v[k]) / fmax(square, 0.25);
}

double profile_from(const profile *p, const voxelize_input *in, const double from[3], const double lps_mm[3]) {
    const section *s = p->section;
    double at[3], image[3], i, j;
    section_coordinates(s, lps_mm, &i, &j);
    section_position(s, i, j, at);
    const double d = in->distance(in->data, at);
    if (!(d > 0 && d < in->spacing_mm && profile_value(p, in, from) > 0))
        return profile_value(p, in, lps_mm);
    mirror_at_wall(s, in, at, d, image);
    return fmax(LATTICE_PROFILE_MIN, -profile_value(p, in, image));
}
