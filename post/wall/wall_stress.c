/* SPDX-License-Identifier: Apache-2.0 */
#include "post/wall/wall_stress.h"
#include "common/base/vec.h"
#include "post/sample/fit.h"
#include <stdlib.h>
#include <string.h>

/* largest curvature per cell for which the cells resolve the form of the wall */
static const double SHARPEST = 0.5;

double wall_stress_line(int n, int slope_known, double weight[WALL_SAMPLES]) {
    /* `known`: polynomials t0 + g y (+ c y^2 (+ d y^3)) through 1, 2 or 3 values. line: least-squares lines.
     * WALL_STRESS.md, eq. 3 */
    static const double known[3][3] = {{1, 0, 0}, {4 / 3.0, -1 / 3.0, 0}, {18 / 11.0, -9 / 11.0, 2 / 11.0}};
    static const double line[3][3] = {{1, 0, 0}, {2, -1, 0}, {4 / 3.0, 1 / 3.0, -2 / 3.0}};
    double reach = 0;
    for (int k = 0; k < WALL_SAMPLES; k++) {
        weight[k] = slope_known ? known[n - 1][k] : line[n - 1][k];
        reach += (k + 1) * weight[k];
    }
    return slope_known ? reach : 0;
}

/* Invert m in place, 3 x 3 row major; 0: nearly singular. */
static int invert_matrix(double m[9]) {
    double c[9] = {m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                   m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                   m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    double determinant = m[0] * c[0] + m[1] * c[3] + m[2] * c[6];
    if (!(fabs(determinant) > 0.05))
        return 0;
    for (int k = 0; k < 9; k++)
        m[k] = c[k] / determinant;
    return 1;
}

/* Compute turn = (1 + reach (trace(H) + H))^-1, eq. 4. Returns 0 if the wall is too sharp. */
static int find_turn(const wall_samples *at, double spacing_mm, double reach, double turn[9]) {
    static const int index[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    double h[9], size = 0;
    for (int k = 0; k < 9; k++) {
        h[k] = at->curvature[index[k]] * spacing_mm;
        size += h[k] * h[k];
    }
    for (int k = 0; k < 9; k++)
        turn[k] = (k % 4 == 0) + reach * (h[k] + (k % 4 == 0 ? h[0] + h[4] + h[8] : 0));
    return sqrt(size) < SHARPEST && invert_matrix(turn);
}

static int by_cell(const void *a, const void *b) {
    int32_t p = ((const wall_weight *)a)->cell, q = ((const wall_weight *)b)->cell;
    return (p > q) - (p < q);
}

/* Merges two lists that are sorted by cell. For equal cells the new entry comes second, so that sums follow the order
 * of the samples. */
static void merge_weights(wall_weights *p, int n_more, const wall_weight *more) {
    wall_weight old[(WALL_SAMPLES + 2) * SAMPLER_MAX];
    const int n_old = p->n;
    memcpy(old, p->weight, (size_t)n_old * sizeof *old);
    p->n = 0;
    for (int i = 0, j = 0; i < n_old || j < n_more;) {
        const wall_weight *w = j >= n_more || (i < n_old && old[i].cell <= more[j].cell) ? &old[i++] : &more[j++];
        wall_weight *to = &p->weight[p->n];
        if (p->n == 0 || to[-1].cell != w->cell) {
            *to = *w;
            p->n++;
            continue;
        }
        to[-1].stress += w->stress;
        to[-1].pressure += w->pressure;
        for (int a = 0; a < 3; a++)
            to[-1].slope[a] += w->slope[a];
    }
}

static void append_stencil(wall_weights *p, const sampler_stencil *st, double stress, double pressure, double slope) {
    wall_weight more[SAMPLER_MAX];
    bool ascending = true;
    for (int k = 0; k < st->n; k++) {
        more[k].cell = st->cell[k];
        more[k].stress = (float)(stress * st->weight[k]);
        more[k].pressure = (float)(pressure * st->weight[k]);
        for (int a = 0; a < 3; a++)
            more[k].slope[a] = slope != 0 ? (float)(slope * st->gradient[k][a]) : 0;
        ascending = ascending && (k == 0 || st->cell[k - 1] < st->cell[k]);
    }
    if (!ascending) /* at a periodic face the row of cells wraps around, so that the list is not ascending */
        qsort(more, (size_t)st->n, sizeof *more, by_cell);
    merge_weights(p, st->n, more);
}

/* Sets the weights of the wall pressure: the straight line through the samples at one and two cells, second-order. A
 * third sample would amplify the roughness of the pressure 7 times instead of 3 times. Returns 0 unless both samples
 * have a linear fit or better. */
static int find_pressure(int n, const sampler_stencil sample[WALL_SAMPLES], double weight[WALL_SAMPLES]) {
    memset(weight, 0, WALL_SAMPLES * sizeof *weight);
    if (n < 2 || sample[0].terms < FIT_LINEAR || sample[1].terms < FIT_LINEAR)
        return 0;
    wall_stress_line(2, 0, weight);
    return 1;
}

/* Weights that combine the samples of a point. */
typedef struct {
    /* weight: weight of each sample in the traction; pressure: weight of each sample in the wall pressure */
    double weight[WALL_SAMPLES], pressure[WALL_SAMPLES];
    double reach_mm; /* traction = sum of weight * sample - reach_mm * pressure gradient */
    /* 1: the wall pressure is extrapolated from the samples; 0: the fit inside the vessel gives it */
    int extrapolated;
} sample_combination;

static sample_combination combine_samples(const wall_samples *p, double spacing_mm, wall_frame *frame) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    sample_combination j;
    double reach = wall_stress_line(p->n, p->slope_known, j.weight);
    if (!find_turn(p, spacing_mm, reach, frame->turn)) {
        reach = wall_stress_line(p->n, 0, j.weight);
        memcpy(frame->turn, identity, sizeof identity);
    }
    j.extrapolated = find_pressure(p->n, p->sample, j.pressure);
    j.reach_mm = reach * spacing_mm;
    frame->lift_m = j.reach_mm * 1e-3;
    memcpy(frame->normal, p->inward, sizeof frame->normal);
    return j;
}

void wall_stress_weights(const wall_samples *p, double spacing_mm, wall_weights *out) {
    const sample_combination j = combine_samples(p, spacing_mm, &out->frame);
    out->n = 0;
    for (int k = 0; k < p->n; k++)
        append_stencil(out, &p->sample[k], j.weight[k], j.pressure[k], 0);
    append_stencil(out, &p->slope, 0, j.extrapolated ? 0 : 1, -j.reach_mm); /* mm times 1/mm has no dimension */
}

/* Compute stress [6] and pressure at a sample. */
static void apply_sample(const sampler_stencil *st, const fields *f, double stress_pa[6], double *pressure_pa) {
    memset(stress_pa, 0, 6 * sizeof *stress_pa);
    *pressure_pa = 0;
    for (int j = 0; j < st->n; j++) {
        const float *s = f->stress_pa + 6 * (int64_t)st->cell[j];
        const double w = st->weight[j];
        for (int a = 0; a < 6; a++)
            stress_pa[a] += w * (double)s[a];
        *pressure_pa += w * (double)f->pressure_pa[st->cell[j]];
    }
}

void wall_stress_value(const wall_samples *p, double spacing_mm, const fields *f, wall_value *out) {
    const sample_combination j = combine_samples(p, spacing_mm, &out->frame);
    const double *n = out->frame.normal;
    double *t = out->traction_pa;
    out->pressure_pa = j.extrapolated ? 0 : p->slope_of.value;
    for (int a = 0; a < 3; a++)
        t[a] = -j.reach_mm * p->slope_of.gradient[a];
    for (int k = 0; k < p->n; k++) {
        double e[6], pressure;
        apply_sample(&p->sample[k], f, e, &pressure);
        t[0] += j.weight[k] * (e[0] * n[0] + e[3] * n[1] + e[4] * n[2]);
        t[1] += j.weight[k] * (e[3] * n[0] + e[1] * n[1] + e[5] * n[2]);
        t[2] += j.weight[k] * (e[4] * n[0] + e[5] * n[1] + e[2] * n[2]);
        out->pressure_pa += j.pressure[k] * pressure;
    }
}
