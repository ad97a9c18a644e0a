/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/grid.h"
#include "common/base/status.h"
#include "segment/voxel/smooth.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int clamp_index(int x, int low, int high) {
    return x < low ? low : (x > high ? high : x);
}

int grid_crop(const volume *v, const grid_box *box, float beyond, volume *out) {
    int dims[3];
    double origin[3], index[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = box->high[a] - box->low[a] + 1;
        index[a] = box->low[a];
    }
    volume_to_lps(v, index, origin);
    int rc = volume_create(out, dims, v->spacing_mm, origin, v->direction);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < (rc == OK ? dims[2] : 0); k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const int at[3] = {i + box->low[0], j + box->low[1], k + box->low[2]};
                int near[3];
                for (int a = 0; a < 3; a++)
                    near[a] = clamp_index(at[a], 0, v->dims[a] - 1);
                bool in = at[0] == near[0] && at[1] == near[1] && at[2] == near[2];
                out->value[volume_index(out, i, j, k)] =
                    in || isnan(beyond) ? v->value[volume_index(v, near[0], near[1], near[2])] : beyond;
            }
    return rc;
}

void grid_box_grow(grid_box *box, const int n[3], const volume *within) {
    for (int a = 0; a < 3; a++) {
        box->low[a] -= n[a];
        box->high[a] += n[a];
        if (within != NULL) {
            box->low[a] = clamp_index(box->low[a], 0, within->dims[a] - 1);
            box->high[a] = clamp_index(box->high[a], 0, within->dims[a] - 1);
        }
    }
}

void grid_box_overlap(const volume *v, const volume *of, grid_box *box) {
    for (int corner = 0; corner < 8; corner++) {
        double at[3], lps[3];
        for (int a = 0; a < 3; a++)
            at[a] = corner >> a & 1 ? of->dims[a] - 0.5 : -0.5;
        volume_to_lps(of, at, lps);
        volume_to_index(v, lps, at);
        for (int a = 0; a < 3; a++) { /* clamp before the conversion to int, because the images may be far apart */
            const int low = (int)fmax(0, fmin(v->dims[a], floor(at[a])));
            const int high = (int)fmax(-1, fmin(v->dims[a] - 1, ceil(at[a])));
            box->low[a] = corner == 0 || low < box->low[a] ? low : box->low[a];
            box->high[a] = corner == 0 || high > box->high[a] ? high : box->high[a];
        }
    }
}

void grid_count_parts(const volume *v, double spacing_mm, int parts[3]) {
    for (int a = 0; a < 3; a++)
        parts[a] = (int)fmax(1, floor(v->spacing_mm[a] / spacing_mm + 0.5));
}

/* Catmull-Rom weights of four points at position x between points 1 and 2 (0 <= x < 1). */
static void cubic_weights(double x, double w[4]) {
    w[0] = ((-0.5 * x + 1) * x - 0.5) * x;
    w[1] = (1.5 * x - 2.5) * x * x + 1;
    w[2] = ((-1.5 * x + 2) * x + 0.5) * x;
    w[3] = (0.5 * x - 0.5) * x * x;
}

/* The four values that give part i of a divided axis of n voxels, and their weights. */
typedef struct {
    double weight[4];
    size_t at[4];
} cubic_point;

static cubic_point find_cubic_point(int i, int parts, int n) {
    const double x = (i + 0.5) / parts - 0.5;
    const int base = (int)floor(x);
    cubic_point p;
    cubic_weights(x - base, p.weight);
    for (int k = 0; k < 4; k++)
        p.at[k] = (size_t)clamp_index(base - 1 + k, 0, n - 1);
    return p;
}

static size_t stride_of(const volume *v, int axis) {
    return axis == 0 ? 1 : (axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1]);
}

/* Geometry of `v` with each voxel divided into `parts` along one axis. */
static int create_refined(const volume *v, int axis, int parts, volume *out) {
    int dims[3];
    double spacing[3], origin[3], index[3] = {0, 0, 0};
    memcpy(dims, v->dims, sizeof dims);
    memcpy(spacing, v->spacing_mm, sizeof spacing);
    if ((double)dims[axis] * parts > 100000)
        return fail(ERR_RESOURCE, "the image would need %.0f voxels along one axis, the limit is 100000; crop it",
                    (double)dims[axis] * parts);
    dims[axis] *= parts;
    spacing[axis] /= parts;
    index[axis] = -0.5 + 0.5 / parts;
    volume_to_lps(v, index, origin);
    return volume_create(out, dims, spacing, origin, v->direction);
}

static int refine_axis(const volume *v, int axis, int parts, bool cubic, volume *out) {
    int rc = create_refined(v, axis, parts, out);
    if (rc != OK)
        return rc;
    const size_t stride = stride_of(v, axis), outer = volume_size(v) / (size_t)v->dims[axis] / stride;
    const int n = v->dims[axis], wide = out->dims[axis];
    cubic_point *point = malloc((size_t)wide * sizeof *point);
    if (point == NULL) {
        volume_free(out);
        return fail_memory("a refined grid", wide * (double)sizeof *point);
    }
    for (int i = 0; i < wide; i++)
        point[i] = find_cubic_point(i, parts, n);
#pragma omp parallel for schedule(static) collapse(2)
    for (size_t block = 0; block < outer; block++)
        for (int i = 0; i < wide; i++) {
            const float *from = v->value + block * stride * (size_t)n;
            float *to = out->value + (block * (size_t)wide + (size_t)i) * stride;
            const double *w = point[i].weight;
            const float *p[4];
            if (!cubic || parts == 1) {
                memcpy(to, from + (size_t)(i / parts) * stride, stride * sizeof *to);
                continue;
            }
            for (int k = 0; k < 4; k++)
                p[k] = from + point[i].at[k] * stride;
            for (size_t l = 0; l < stride; l++)
                to[l] = (float)(w[0] * (double)p[0][l] + w[1] * (double)p[1][l] + w[2] * (double)p[2][l] +
                                w[3] * (double)p[3][l]);
        }
    free(point);
    return OK;
}

int grid_refine(const volume *v, const int parts[3], bool cubic, volume *out) {
    int rc = OK;
    volume a = {0}, b = {0};
    TRY(refine_axis(v, 2, parts[2], cubic, &a));
    TRY(refine_axis(&a, 1, parts[1], cubic, &b));
    volume_free(&a);
    TRY(refine_axis(&b, 0, parts[0], cubic, out));
cleanup:
    volume_free(&a);
    volume_free(&b);
    if (rc != OK)
        volume_free(out);
    return rc;
}

static int smooth_axis(volume *v, int axis, double sigma) {
    const int radius = smooth_radius(sigma), n = v->dims[axis];
    const size_t stride = stride_of(v, axis), lines = volume_size(v) / (size_t)n;
    const size_t blocks = axis == 0 ? lines : (stride + SMOOTH_BLOCK - 1) / SMOOTH_BLOCK * (lines / stride);
    const size_t room = (size_t)(n + 2 * radius) * (axis == 0 ? 2 : SMOOTH_BLOCK);
    int rc = OK;
    float *weight = smooth_weights(sigma, radius);
    if (weight == NULL)
        return fail_memory("smoothing", radius * (double)sizeof *weight);
#pragma omp parallel
    {
        float *line = malloc(room * sizeof *line);
        if (line == NULL) {
#pragma omp critical
            rc = fail_memory("smoothing", (double)room * sizeof *line);
        }
#pragma omp for schedule(static)
        for (size_t b = 0; b < blocks; b++) {
            const size_t per = (stride + SMOOTH_BLOCK - 1) / SMOOTH_BLOCK, first = b % per * SMOOTH_BLOCK;
            float *p = v->value + (axis == 0 ? b * (size_t)n : b / per * stride * (size_t)n + first);
            if (line != NULL && axis == 0)
                smooth_row(p, p, n, 0, n, weight, radius, line);
            else if (line != NULL)
                smooth_lines(p, p, stride, n, 0, n,
                             (int)(stride - first < SMOOTH_BLOCK ? stride - first : SMOOTH_BLOCK), weight, radius,
                             line);
        }
        free(line);
    }
    free(weight);
    return rc;
}

int grid_smooth(volume *v, const double sigma_voxels[3]) {
    int rc = OK;
    for (int a = 0; a < 3 && rc == OK; a++)
        if (sigma_voxels[a] > 0.05 && v->dims[a] > 1)
            rc = smooth_axis(v, a, sigma_voxels[a]);
    return rc;
}

int grid_resample_cubes(const volume *v, double h, volume *out) {
    int dims[3], rc = OK;
    double origin[3], first[3];
    volume smooth = {0};
    for (int a = 0; a < 3; a++) {
        const double wide = v->dims[a] * v->spacing_mm[a];
        dims[a] = (int)fmax(3, ceil(wide / h));
        first[a] = (0.5 * (wide - (dims[a] - 1) * h)) / v->spacing_mm[a] - 0.5;
    }
    volume_to_lps(v, first, origin);
    TRY(volume_create(out, dims, (const double[3]){h, h, h}, origin, v->direction));
    TRY(volume_copy(&smooth, v));
    TRY(grid_smooth(&smooth, (const double[3]){0.4 * h / v->spacing_mm[0], 0.4 * h / v->spacing_mm[1],
                                               0.4 * h / v->spacing_mm[2]}));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3];
                volume_to_lps(out, (const double[3]){i, j, k}, p);
                out->value[volume_index(out, i, j, k)] = (float)volume_sample(&smooth, p);
            }
cleanup:
    volume_free(&smooth);
    return rc;
}

double grid_sample_linear(const volume *v, const double index[3]) {
    size_t corner = 0, step_to[3];
    double part[3], sum = 0;
    const size_t stride[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    for (int a = 0; a < 3; a++) {
        const double x = fmin(v->dims[a] - 1, fmax(0, index[a]));
        const int low = (int)fmin(x, v->dims[a] > 1 ? v->dims[a] - 2 : 0);
        part[a] = x - low;
        corner += (size_t)low * stride[a];
        step_to[a] = v->dims[a] > 1 ? stride[a] : 0;
    }
    for (int n = 0; n < 8; n++) {
        const size_t i = corner + (n & 1 ? step_to[0] : 0) + (n & 2 ? step_to[1] : 0) + (n & 4 ? step_to[2] : 0);
        sum += (n & 1 ? part[0] : 1 - part[0]) * (n & 2 ? part[1] : 1 - part[1]) * (n & 4 ? part[2] : 1 - part[2]) *
               (double)v->value[i];
    }
    return sum;
}
