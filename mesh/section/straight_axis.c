/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/section/straight_axis.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/section/cross_section.h"
#include <math.h>
#include <string.h>

/* distance from the opening to the first cross-section, and between two cross-sections, in radii */
static const double first = 0.25, step = 0.25;
static const double reach = 2.5; /* half-width of the grid that samples a cross-section, in radii */
/* a branch is assumed where the ratio of the areas of two cross-sections exceeds this */
static const double most_change = 1.6;
/* largest distance of the centerline from its chord for a straight vessel, in radii */
static const double most_bend = 0.05;
enum { MOST = 13, LEAST = 8, NODES = 24 /* number of nodes from the centre to the rim of the grid */, ROUNDS = 3 };

/* Measure cross-sections perpendicular to the axis. `at`: their positions along the axis (mm); centre: their centroids;
 * *n: their number. */
static int measure_sections(const voxelize_input *in, const double middle[3], double radius, const double axis[3],
                            section *s, double at[MOST], double centre[MOST][3], int *n) {
    double area = 0;
    for (*n = 0; *n < MOST; (*n)++) {
        double p[3];
        bool open;
        at[*n] = (first + step * *n) * radius;
        vec_add(middle, at[*n], axis, p);
        if (!(in->distance(in->data, p) < 0))
            return OK;
        const int rc = section_measure_at(s, in, p, axis, reach * radius, reach * radius / NODES, &open);
        if (rc != OK)
            return rc;
        area = *n == 0 ? s->area_mm2 : area;
        if (open || !(s->area_mm2 < most_change * area && s->area_mm2 > area / most_change))
            return OK;
        memcpy(centre[*n], s->centre_mm, sizeof centre[*n]);
    }
    return OK;
}

/* Least squares over n evenly spaced positions x: slope of y, and sagitta of the fitted parabola. */
static void fit_line(int n, const double *x, const double y[MOST][3], double slope[3], double *sagitta) {
    double mean = 0, square = 0, quadratic = 0, bend[3] = {0};
    for (int k = 0; k < n; k++)
        mean += x[k] / n;
    for (int k = 0; k < n; k++)
        square += (x[k] - mean) * (x[k] - mean) / n;
    memset(slope, 0, 3 * sizeof *slope);
    for (int k = 0; k < n; k++) {
        const double d = x[k] - mean, q = d * d - square; /* for evenly spaced x, q is orthogonal to the constant 1
                                                           * and to d, so that the fits are independent */
        quadratic += q * q;
        for (int a = 0; a < 3; a++) {
            slope[a] += d * y[k][a] / (n * square);
            bend[a] += q * y[k][a];
        }
    }
    const double half = 0.5 * (x[n - 1] - x[0]);
    *sagitta = sqrt(vec_dot(bend, bend)) / quadratic * half * half;
}

int straight_follow(const voxelize_input *in, const double middle_mm[3], double radius_mm, double axis[3],
                    bool *found) {
    double n[3] = {axis[0], axis[1], axis[2]}, sagitta = INFINITY;
    section s = {0};
    int rc = OK;
    *found = false;
    for (int round = 0; round < ROUNDS; round++) {
        double at[MOST], centre[MOST][3], slope[3], length;
        int count;
        TRY(measure_sections(in, middle_mm, radius_mm, n, &s, at, centre, &count));
        if (count < LEAST)
            goto cleanup;
        fit_line(count, at, (const double(*)[3])centre, slope, &sagitta);
        if (!((length = sqrt(vec_dot(slope, slope))) > 0))
            goto cleanup;
        for (int a = 0; a < 3; a++)
            n[a] = slope[a] / length;
    }
    *found = sagitta < most_bend * radius_mm && vec_dot(n, axis) > 0.5;
    if (*found)
        memcpy(axis, n, sizeof n);
cleanup:
    section_free(&s);
    return rc;
}
