/* See blur.h. */
#include "segment/blur.h"
#include "common/base/status.h"
#include "segment/grid.h"
#include <math.h>
#include <string.h>

static const double smooth_voxels = 1.5, reach_voxels = 4, near_voxels = 3, most_curved = 0.6;

static double at(const volume *v, int i, int j, int k) {
    int x[3] = {i, j, k};
    for (int a = 0; a < 3; a++)
        x[a] = x[a] < 0 ? 0 : (x[a] >= v->dims[a] ? v->dims[a] - 1 : x[a]);
    return (double)v->value[volume_index(v, x[0], x[1], x[2])];
}

/* div(grad f / |grad f|), central differences, per voxel. */
static double curvature(const volume *v, int i, int j, int k) {
    double c = 2 * at(v, i, j, k);
    double x = (at(v, i + 1, j, k) - at(v, i - 1, j, k)) / 2, xx = at(v, i + 1, j, k) + at(v, i - 1, j, k) - c;
    double y = (at(v, i, j + 1, k) - at(v, i, j - 1, k)) / 2, yy = at(v, i, j + 1, k) + at(v, i, j - 1, k) - c;
    double z = (at(v, i, j, k + 1) - at(v, i, j, k - 1)) / 2, zz = at(v, i, j, k + 1) + at(v, i, j, k - 1) - c;
    double xy = (at(v, i + 1, j + 1, k) + at(v, i - 1, j - 1, k) - at(v, i + 1, j - 1, k) - at(v, i - 1, j + 1, k)) / 4;
    double xz = (at(v, i + 1, j, k + 1) + at(v, i - 1, j, k - 1) - at(v, i + 1, j, k - 1) - at(v, i - 1, j, k + 1)) / 4;
    double yz = (at(v, i, j + 1, k + 1) + at(v, i, j - 1, k - 1) - at(v, i, j + 1, k - 1) - at(v, i, j - 1, k + 1)) / 4;
    double s = x * x + y * y + z * z;
    if (s < 1e-4)
        return 0;
    double up =
        xx * (y * y + z * z) + yy * (x * x + z * z) + zz * (x * x + y * y) - 2 * (x * y * xy + x * z * xz + y * z * yz);
    return fmax(-most_curved, fmin(most_curved, up / (s * sqrt(s))));
}

int blur_curvature(const volume *level, volume *out) {
    volume smooth = {0};
    const double sigma[3] = {smooth_voxels, smooth_voxels, smooth_voxels};
    int rc = OK;
    TRY(volume_create_like(&smooth, level));
    TRY(volume_create_like(out, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        smooth.value[i] = fmaxf((float)-reach_voxels, fminf((float)reach_voxels, level->value[i]));
    TRY(grid_smooth(&smooth, sigma));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                size_t here = volume_index(level, i, j, k);
                if (fabs((double)level->value[here]) < near_voxels)
                    out->value[here] = (float)curvature(&smooth, i, j, k);
            }
cleanup:
    volume_free(&smooth);
    return rc;
}

int blur_undo_shift(volume *level, double variance) {
    volume kappa = {0};
    const size_t n = volume_size(level);
    int rc = blur_curvature(level, &kappa);
#pragma omp parallel for schedule(static) if (rc == OK)
    for (size_t i = 0; i < (rc == OK ? n : 0); i++)
        level->value[i] -= (float)(0.5 * variance * (double)kappa.value[i]);
    volume_free(&kappa);
    return rc;
}
