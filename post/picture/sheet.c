/* SPDX-License-Identifier: Apache-2.0 */
#include "post/picture/sheet.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

static double weight_of(const sampler *s, int64_t c) {
    double d = s->active[c] ? (double)s->lattice->distance_mm[c] : 0;
    return d * d * d * d;
}

/* Computes the origin of the frame, a weighted mean of the cells, and the principal axes of the cells, longest first,
 * right-handed. Returns the largest standard deviation, mm. */
static double principal_axes(const sampler *s, cut_frame *f) {
    const lattice *l = s->lattice;
    double sum = 0, mean[3] = {0}, m[6] = {0}, value[3], v[3][3];
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], w = weight_of(s, c);
        lattice_centre_mm(l, c, p);
        vec_add(mean, w, p, mean);
        sum += w;
    }
    if (!(sum > 0))
        return 0;
    for (int a = 0; a < 3; a++)
        f->centre_mm[a] = mean[a] / sum;
    for (int64_t c = 0; c < l->n_cell; c++) {
        static const int ij[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        double p[3], w = weight_of(s, c) / sum;
        lattice_centre_mm(l, c, p);
        vec_add(p, -1, f->centre_mm, p);
        for (int k = 0; k < 6; k++)
            m[k] += w * p[ij[k][0]] * p[ij[k][1]];
    }
    vec_eigen(m, value, v);
    memcpy(f->axis[0], v[2], sizeof v[2]);
    memcpy(f->axis[2], v[0], sizeof v[0]);
    vec_cross(f->axis[2], f->axis[0], f->axis[1]);
    return sqrt(value[2]);
}

/* Position of a cell in the frame: x, y in the plane, z above it, mm. */
static void position_in_frame(const lattice *l, const cut_frame *f, int64_t c, double at[3]) {
    double p[3];
    lattice_centre_mm(l, c, p);
    vec_add(p, -1, f->centre_mm, p);
    for (int a = 0; a < 3; a++)
        at[a] = vec_dot(p, f->axis[a]);
}

/* Sets up the grid of heights, which covers the lumen and a margin. Returns the largest wall distance, cells. */
static double make_grid(const sampler *s, cut_frame *f) {
    const lattice *l = s->lattice;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, widest = 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        double at[3];
        position_in_frame(l, f, c, at);
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], at[a]);
            high[a] = fmax(high[a], at[a]);
        }
        widest = fmax(widest, s->active[c] ? -(double)l->distance_mm[c] : 0);
    }
    f->step_mm = l->spacing_mm;
    for (int a = 0; a < 2; a++) {
        f->low_mm[a] = low[a] - 2 * f->step_mm;
        f->n[a] = (int)((high[a] - low[a]) / f->step_mm) + 5;
    }
    return widest / f->step_mm;
}

/* Smooths a line by three passes of a box sum, which approximates a Gaussian. The sums are not divided by the width of
 * the box, because sheet_fit needs only ratios. line: n values of a row or column, `stride` apart. half: half-width of
 * the box. copy: work space. */
static void smooth_line(double *line, double *copy, int n, int64_t stride, int half) {
    for (int pass = 0; pass < 3; pass++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            copy[k] = line[k * stride];
        for (int k = 0; k < half && k < n; k++)
            sum += copy[k];
        for (int k = 0; k < n; k++) {
            sum += k + half < n ? copy[k + half] : 0;
            sum -= k - half - 1 >= 0 ? copy[k - half - 1] : 0;
            line[k * stride] = sum;
        }
    }
}

static void smooth_grid(double *array, const int n[2], int half, double *copy) {
    for (int j = 0; j < n[1]; j++)
        smooth_line(array + (int64_t)j * n[0], copy, n[0], 1, half);
    for (int i = 0; i < n[0]; i++)
        smooth_line(array + i, copy, n[1], n[0], half);
}

int sheet_fit(const sampler *s, cut_frame *f) {
    const lattice *l = s->lattice;
    double *weight = NULL, *height = NULL, *copy = NULL, largest = 0;
    int rc = OK;
    memset(f, 0, sizeof *f);
    if (!(principal_axes(s, f) > 0))
        return fail(ERR_NUMERIC,
                    "no picture of a cut: every cell of the lumen touches the wall; use a smaller mesh.spacing");
    int half = (int)fmax(1, 0.4 * make_grid(s, f));
    size_t n = (size_t)f->n[0] * (size_t)f->n[1];
    weight = calloc(n, sizeof *weight);
    height = calloc(n, sizeof *height);
    copy = calloc((size_t)f->n[0] + (size_t)f->n[1], sizeof *copy);
    f->height_mm = malloc(n * sizeof *f->height_mm);
    if (!weight || !height || !copy || !f->height_mm) {
        rc = fail_memory("the cut", 20.0 * (double)n);
        goto cleanup;
    }
    for (int64_t c = 0; c < l->n_cell; c++) {
        double at[3], w = weight_of(s, c);
        position_in_frame(l, f, c, at);
        size_t k = (size_t)((at[1] - f->low_mm[1]) / f->step_mm + 0.5) * (size_t)f->n[0] +
                   (size_t)((at[0] - f->low_mm[0]) / f->step_mm + 0.5);
        weight[k] += w;
        height[k] += w * at[2];
    }
    smooth_grid(weight, f->n, half, copy);
    smooth_grid(height, f->n, half, copy);
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, weight[k]);
    for (size_t k = 0; k < n; k++) /* far from any vessel the height of the sheet is 0 */
        f->height_mm[k] = weight[k] > 1e-12 * largest ? (float)(height[k] / weight[k]) : 0;
cleanup:
    free(weight);
    free(height);
    free(copy);
    if (rc != OK)
        cut_frame_free(f);
    return rc;
}

void sheet_speed(const sampler *s, const fields *f, const surface *cut, double *speed_cm_s, double *velocity_cm_s) {
#pragma omp parallel for schedule(dynamic, 256)
    for (int64_t k = 0; k < cut->n_point; k++) {
        sampler_stencil st;
        int found = sampler_find_value(s, SAMPLER_NO_SLIP, cut->point_mm + 3 * k, NULL, &st);
        for (int a = 0; a < 3; a++)
            velocity_cm_s[3 * k + a] = found ? 100 * sampler_apply(&st, f->velocity_m_s, 3, a) : NAN;
        speed_cm_s[k] = vec_length(velocity_cm_s + 3 * k);
    }
}

int sheet_pick(const surface *cut, int most, int32_t *index) {
    double area = surface_area_mm2(cut), apart = sqrt(area / (most > 0 ? 0.6 * most : 1));
    int n = 0;
    for (int64_t k = 0; k < cut->n_point && n < most; k++) {
        int near = 0;
        for (int j = 0; j < n && !near; j++)
            near = vec_distance(cut->point_mm + 3 * k, cut->point_mm + 3 * (int64_t)index[j]) < apart;
        if (!near)
            index[n++] = (int32_t)k;
    }
    return n;
}
