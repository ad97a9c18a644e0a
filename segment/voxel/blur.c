/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/blur.h"
#include "common/base/status.h"
#include "segment/voxel/near_tiles.h"
#include <math.h>
#include <string.h>

/* For the curvature. smooth_voxels: standard deviation of the Gaussian that smooths the level set. reach_voxels: before
 * the smoothing, the level set is limited to this distance. near_voxels: the curvature is computed up to this distance
 * from the wall. most_curved: its upper limit, 1/voxels. */
static const double smooth_voxels = 1.5, reach_voxels = 4, near_voxels = 3, most_curved = 0.6;

static double value_at(const volume *v, int i, int j, int k) {
    int x[3] = {i, j, k};
    for (int a = 0; a < 3; a++)
        x[a] = x[a] < 0 ? 0 : (x[a] >= v->dims[a] ? v->dims[a] - 1 : x[a]);
    return (double)v->value[volume_index(v, x[0], x[1], x[2])];
}

/* Curvature of the level surface with a weight per axis, per voxel: weighted sum of the second derivatives along the
 * surface, over |grad f|, by central differences. With weights 1 it is div(grad f / |grad f|). */
static double weighted_curvature(const volume *v, const double weight[3], int i, int j, int k) {
    const double c = 2 * value_at(v, i, j, k);
    const double g[3] = {(value_at(v, i + 1, j, k) - value_at(v, i - 1, j, k)) / 2,
                         (value_at(v, i, j + 1, k) - value_at(v, i, j - 1, k)) / 2,
                         (value_at(v, i, j, k + 1) - value_at(v, i, j, k - 1)) / 2};
    const double h[3] = {value_at(v, i + 1, j, k) + value_at(v, i - 1, j, k) - c,
                         value_at(v, i, j + 1, k) + value_at(v, i, j - 1, k) - c,
                         value_at(v, i, j, k + 1) + value_at(v, i, j, k - 1) - c};
    double xy = (value_at(v, i + 1, j + 1, k) + value_at(v, i - 1, j - 1, k) - value_at(v, i + 1, j - 1, k) -
                 value_at(v, i - 1, j + 1, k)) /
                4;
    double xz = (value_at(v, i + 1, j, k + 1) + value_at(v, i - 1, j, k - 1) - value_at(v, i + 1, j, k - 1) -
                 value_at(v, i - 1, j, k + 1)) /
                4;
    double yz = (value_at(v, i, j + 1, k + 1) + value_at(v, i, j - 1, k - 1) - value_at(v, i, j + 1, k - 1) -
                 value_at(v, i, j - 1, k + 1)) /
                4;
    double square = 0, all = 0, across = 0,
           along_gradient = 2 * (g[0] * g[1] * xy + g[0] * g[2] * xz + g[1] * g[2] * yz);
    for (int a = 0; a < 3; a++) {
        square += g[a] * g[a];
        all += weight[a] * h[a];
        across += weight[a] * g[a] * g[a];
        along_gradient += g[a] * g[a] * h[a];
    }
    if (square < 1e-4)
        return 0;
    const double most = most_curved * fmax(weight[0], fmax(weight[1], weight[2]));
    return fmax(-most, fmin(most, (all - across * along_gradient / (square * square)) / sqrt(square)));
}

static int create_curvature(const volume *level, const double weight[3], volume *out) {
    volume smooth = {0};
    near_tiles near = {.on = NULL};
    const double sigma[3] = {smooth_voxels, smooth_voxels, smooth_voxels};
    int rc = OK;
    TRY(near_tiles_find(level, near_voxels, 1, &near));
    TRY(volume_create_like(&smooth, level));
    TRY(volume_create_like(out, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        smooth.value[i] = fmaxf((float)-reach_voxels, fminf((float)reach_voxels, level->value[i]));
    TRY(near_tiles_smooth(&smooth, sigma, &near, &smooth));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                size_t here = volume_index(level, i, j, k);
                if (fabs((double)level->value[here]) < near_voxels)
                    out->value[here] = (float)weighted_curvature(&smooth, weight, i, j, k);
            }
cleanup:
    near_tiles_free(&near);
    volume_free(&smooth);
    return rc;
}

int blur_curvature(const volume *level, volume *out) {
    return create_curvature(level, (const double[3]){1, 1, 1}, out);
}

int blur_undo_shift(volume *level, const double variance[3]) {
    volume moved = {0};
    const size_t n = volume_size(level);
    int rc = create_curvature(level, variance, &moved);
#pragma omp parallel for schedule(static) if (rc == OK)
    for (size_t i = 0; i < (rc == OK ? n : 0); i++)
        level->value[i] -= 0.5F * moved.value[i];
    volume_free(&moved);
    return rc;
}
