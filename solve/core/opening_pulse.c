/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/core/opening_pulse.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void opening_pulse_coordinates(const opening_pulse *p, const double lps_mm[3], double *i, double *j) {
    double from[3];
    vec_add(lps_mm, -1, p->centre_mm, from);
    *i = vec_dot(from, p->axis[0]) / p->step_mm + p->n / 2;
    *j = vec_dot(from, p->axis[1]) / p->step_mm + p->n / 2;
}

static double between_nodes(const double *value, int n, int column, int row, double right, double up) {
    const double *at = value + (size_t)row * (size_t)n + column;
    return (1 - up) * ((1 - right) * at[0] + right * at[1]) + up * ((1 - right) * at[n] + right * at[n + 1]);
}

void opening_pulse_at(const opening_pulse *p, int profile, const double lps_mm[3], double *ratio, double *curvature) {
    const size_t first = (size_t)profile * (size_t)p->n * (size_t)p->n;
    double i, j;
    opening_pulse_coordinates(p, lps_mm, &i, &j);
    i = fmin(fmax(i, 0), p->n - 1.001);
    j = fmin(fmax(j, 0), p->n - 1.001);
    *ratio = between_nodes(p->ratio + first, p->n, (int)i, (int)j, i - floor(i), j - floor(j));
    *curvature = between_nodes(p->curvature + first, p->n, (int)i, (int)j, i - floor(i), j - floor(j));
}

void opening_pulse_free(opening_pulse *p) {
    free(p->ratio);
    free(p->curvature);
    memset(p, 0, sizeof *p);
}
