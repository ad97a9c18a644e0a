/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/boundary/pulse_section.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "solve/core/domain_openings.h"
#include "solve/ranks/ranks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_RADIUS = 60, FIT = 9 }; /* FIT: sums of the fit of a node */
/* LEAST_SPREAD: smallest variance of the places of cells in a fit, in any direction, in units of its reach squared */
static const double SHORTEST_ARM = 0.01, TOLERANCE = 1e-9, LEAST_SPREAD = 0.004;

/* Position of a cell, projected along the vessel, in mm from the centre. */
static void cell_place(const lattice *l, const pulse_section *s, int64_t cell, double place[2]) {
    double from[3];
    lattice_centre_mm(l, cell, from);
    vec_add(from, -1, s->centre_mm, from);
    for (int a = 0; a < 2; a++)
        place[a] = vec_dot(from, s->axis[a]);
}

/* First link of the next cell of this rank with a link through opening k, from link `from` on; l->n_link: none. */
static int64_t next_cell(const lattice *l, const uint8_t *mark, int k, int64_t from, int32_t last) {
    while (from < l->n_link &&
           (l->link_opening[from] != k + 1 || l->link_cell[from] == last || (mark && mark[l->link_cell[from]] != 1)))
        from++;
    return from;
}

/* Sets the grid: four nodes per cell, but no more than STEPS_PER_RADIUS in the extent of the opening. */
static int choose_grid(const lattice *l, const uint8_t *mark, int k, pulse_section *s) {
    double extent = 0, place[2];
    int32_t last = -1;
    for (int64_t n = 0; (n = next_cell(l, mark, k, n, last)) < l->n_link;) {
        last = l->link_cell[n];
        cell_place(l, s, last, place);
        extent = fmax(extent, fmax(fabs(place[0]), fabs(place[1])));
    }
    const int rc = ranks_largest(&extent);
    s->step_mm = fmax(0.25 * l->spacing_mm, extent / STEPS_PER_RADIUS);
    s->n = 2 * (int)ceil((extent + 2 * l->spacing_mm) / s->step_mm) + 1;
    return rc;
}

/* Adds a cell to the fits of the nodes around it: sums of w (1, x, y, xx, xy, yy, d, xd, yd), with x and y from the
 * node, in units of `reach`, and the wall distance d in steps. */
static void add_cell(const pulse_section *s, const double place[2], double distance, double reach, exact_sum *fit) {
    const int middle = s->n / 2, width = (int)ceil(reach);
    const double at[2] = {place[0] / s->step_mm + middle, place[1] / s->step_mm + middle};
    for (int j = (int)at[1] - width; j <= (int)at[1] + width + 1; j++)
        for (int i = (int)at[0] - width; i <= (int)at[0] + width + 1; i++) {
            const double x = (at[0] - i) / reach, y = (at[1] - j) / reach, near = 1 - x * x - y * y;
            if (near <= 0 || i < 0 || j < 0 || i >= s->n || j >= s->n)
                continue;
            const double w = near * near * near * near,
                         value[FIT] = {1, x, y, x * x, x * y, y * y, distance, x * distance, y * distance};
            for (int m = 0; m < FIT; m++)
                exact_sum_add(&fit[FIT * (j * s->n + i) + m], w * value[m]);
        }
}

/* Wall distance at a node: value of the plane that fits the cells around the node. Far behind the wall, where these
 * cells do not determine a plane, the distance to them is added instead. INFINITY: there are none. */
static double fitted_distance(const exact_sum *fit, double reach) {
    double m[FIT];
    for (int a = 0; a < FIT; a++)
        m[a] = exact_sum_value(&fit[a]);
    if (!(m[0] > 1e-6))
        return INFINITY;
    const double x = m[1] / m[0], y = m[2] / m[0], d = m[6] / m[0];
    const double xx = m[3] / m[0] - x * x, yy = m[5] / m[0] - y * y, xy = m[4] / m[0] - x * y;
    if (0.5 * (xx + yy) - hypot(0.5 * (xx - yy), xy) < LEAST_SPREAD)
        return d + reach * hypot(x, y);
    const double xd = m[7] / m[0] - x * d, yd = m[8] / m[0] - y * d, det = xx * yy - xy * xy;
    return d - x * (xd * yy - yd * xy) / det - y * (yd * xx - xd * xy) / det;
}

/* Sets distance [n][n]: the wall distance at the nodes in steps, negative in the fluid. */
static int fit_distance(const lattice *l, const uint8_t *mark, int k, const pulse_section *s, double *distance) {
    const int nodes = s->n * s->n;
    const double reach = 1.5 * (1 + 1.5 * l->spacing_mm / s->step_mm); /* two rows of cells from a node in the wall */
    exact_sum *fit = calloc((size_t)nodes * FIT, sizeof *fit);
    double place[2];
    int32_t last = -1;
    if (!fit)
        return fail_memory("the cross-section of an opening", (double)nodes * FIT * sizeof *fit);
    for (int64_t n = 0; (n = next_cell(l, mark, k, n, last)) < l->n_link;) {
        last = l->link_cell[n];
        cell_place(l, s, last, place);
        add_cell(s, place, l->distance_mm[last] / s->step_mm, reach, fit);
    }
    const int rc = ranks_sums(fit, nodes * FIT);
    for (int at = 0; at < nodes; at++)
        distance[at] = fitted_distance(&fit[FIT * at], reach);
    free(fit);
    return rc;
}

/* Sets the equations of the inner nodes. */
static int make_equations(const double *distance, pulse_section *s) {
    const int step[4] = {1, -1, s->n, -s->n};
    int *number = malloc((size_t)(s->n * s->n) * sizeof *number);
    s->node = malloc((size_t)(s->n * s->n) * sizeof *s->node);
    s->beside = malloc((size_t)(s->n * s->n) * sizeof *s->beside);
    s->diagonal = malloc((size_t)(s->n * s->n) * sizeof *s->diagonal);
    if (!number || !s->node || !s->beside || !s->diagonal) {
        free(number);
        return fail_memory("the cross-section of an opening", 40.0 * s->n * s->n);
    }
    for (int at = 0; at < s->n * s->n; at++) {
        const int i = at % s->n, j = at / s->n;
        const bool inside = distance[at] < 0 && i > 0 && j > 0 && i + 1 < s->n && j + 1 < s->n;
        number[at] = inside ? s->n_inside : -1;
        if (inside)
            s->node[s->n_inside++] = at;
    }
    for (int m = 0; m < s->n_inside; m++) {
        const double here = distance[s->node[m]];
        s->diagonal[m] = 0;
        for (int side = 0; side < 4; side++) {
            const int to = s->node[m] + step[side];
            const double there = isfinite(distance[to]) ? distance[to] : 1;
            s->beside[m][side] = number[to];
            s->diagonal[m] += number[to] >= 0 ? 1 : 1 / fmax(here / (here - fmax(there, 0)), SHORTEST_ARM);
        }
    }
    free(number);
    return OK;
}

int pulse_section_create(const lattice *l, const uint8_t *mark, int k, pulse_section *s) {
    int rc;
    double *distance = NULL, axis[3][3];
    *s = (pulse_section){0};
    vec_axes(domain_openings_along(&l->opening[k]), axis);
    memcpy(s->axis, axis, sizeof s->axis);
    memcpy(s->centre_mm, l->opening[k].centre_mm, sizeof s->centre_mm);
    TRY(choose_grid(l, mark, k, s));
    distance = malloc((size_t)(s->n * s->n) * sizeof *distance);
    if (!distance)
        GIVE_UP(fail_memory("the cross-section of an opening", 8.0 * s->n * s->n));
    TRY(fit_distance(l, mark, k, s, distance));
    TRY(make_equations(distance, s));
cleanup:
    free(distance);
    if (rc != OK)
        pulse_section_free(s);
    return rc;
}

void pulse_section_free(pulse_section *s) {
    free(s->node);
    free(s->beside);
    free(s->diagonal);
    memset(s, 0, sizeof *s);
}

/* Applies the Helmholtz operator of pulse_section.h: q = (i shift - step^2 lap) p. */
static void apply_operator(const pulse_section *s, double shift, const double complex *p, double complex *q) {
    for (int m = 0; m < s->n_inside; m++) {
        double complex sum = s->diagonal[m] * p[m] + I * (shift * p[m]);
        for (int side = 0; side < 4; side++)
            sum -= s->beside[m][side] >= 0 ? p[s->beside[m][side]] : 0;
        q[m] = sum;
    }
}

static double complex product(int n, const double complex *a, const double complex *b) {
    double complex sum = 0;
    for (int m = 0; m < n; m++)
        sum += a[m] * b[m];
    return sum;
}

/* Conjugate gradients, preconditioned by the diagonal. r, z, p, q [n_inside]: work arrays. */
static int solve_equations(const pulse_section *s, double shift, double complex *u, double complex *r,
                           double complex *z, double complex *p, double complex *q) {
    const int n = s->n_inside;
    double complex before = 0;
    for (int m = 0; m < n; m++) {
        u[m] = p[m] = 0;
        r[m] = 1;
    }
    for (int turn = 0; turn < 40 * s->n + 100; turn++) {
        double square = 0;
        for (int m = 0; m < n; m++)
            z[m] = r[m] / (s->diagonal[m] + I * shift);
        const double complex now = product(n, r, z), keep = turn ? now / before : 0;
        for (int m = 0; m < n; m++)
            p[m] = z[m] + keep * p[m];
        apply_operator(s, shift, p, q);
        const double complex step = now / product(n, p, q);
        for (int m = 0; m < n; m++) {
            u[m] += step * p[m];
            r[m] -= step * q[m];
            square += creal(r[m]) * creal(r[m]) + cimag(r[m]) * cimag(r[m]);
        }
        before = now;
        if (square <= TOLERANCE * TOLERANCE * n)
            return OK;
    }
    return fail(ERR_NUMERIC, "the pulsatile velocity profile of an opening did not converge; check point and normal of "
                             "every opening, or set its profile to plug");
}

int pulse_section_solve(const pulse_section *s, double shift, double complex *u) {
    const size_t n = (size_t)s->n_inside + 1;
    double complex *work = malloc(4 * n * sizeof *work);
    if (!work)
        return fail_memory("the pulsatile velocity profile of an opening", 64.0 * (double)n);
    const int rc = solve_equations(s, shift, u, work, work + n, work + 2 * n, work + 3 * n);
    free(work);
    return rc;
}
