/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/wall/half_height_edge.h"
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/half_height.h"
#include "segment/voxel/near_tiles.h"
#include "segment/wall/wall_constants.h"
#include <math.h>
#include <string.h>

/* Set d to the outward unit normal of the level set. Returns false where the level has no gradient. */
static bool outward_direction(const volume *v, int i, int j, int k, double d[3]) {
    const int at[3] = {i, j, k};
    double norm = 0;
    for (int a = 0; a < 3; a++) {
        int up[3] = {i, j, k}, down[3] = {i, j, k};
        up[a] += at[a] + 1 < v->dims[a], down[a] -= at[a] > 0;
        d[a] = (double)v->value[volume_index(v, up[0], up[1], up[2])] -
               (double)v->value[volume_index(v, down[0], down[1], down[2])];
        norm += d[a] * d[a];
    }
    for (int a = 0; a < 3; a++)
        d[a] /= sqrt(norm);
    return norm > 1e-12;
}

/* New level of a voxel: the old level minus the shift of the wall that half_height() finds along d, times *trust, the
 * weight of the wall. */
static double half_height_level(const volume *image, const double at[3], const double d[3], double inside,
                                double outside, const double variance[3], double old, double *trust) {
    double f[HALF_HEIGHT_SAMPLES], across = SAMPLING_VARIANCE, part;
    for (int a = 0; a < 3; a++)
        across += d[a] * d[a] * variance[a];
    for (int n = 0; n < HALF_HEIGHT_SAMPLES; n++) {
        const double t = HALF_HEIGHT_STEP * (n - HALF_HEIGHT_SIDE) - old;
        f[n] = grid_sample_linear(image, (const double[3]){at[0] + t * d[0], at[1] + t * d[1], at[2] + t * d[2]});
    }
    const double x = half_height(f, inside, outside, sqrt(across), &part);
    *trust = isnan(x) ? 0 : half_height_trust(part);
    return isnan(x) ? old : old - *trust * x;
}

/* Replace seen by its local mean where mask is 1; set 1 elsewhere. */
static int average_visibility(const near_tiles *near, volume *seen, volume *mask) {
    const double sigma[3] = {SEEN_SIGMA, SEEN_SIGMA, SEEN_SIGMA};
    volume one = {0};
    int rc = OK;
    TRY(volume_create_like(&one, mask));
    TRY(near_tiles_smooth(mask, sigma, near, &one));
    TRY(near_tiles_smooth(seen, sigma, near, seen));
    const size_t n = volume_size(seen);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        seen->value[i] = mask->value[i] > 0 ? seen->value[i] / one.value[i] : 1;
cleanup:
    volume_free(&one);
    return rc;
}

int half_height_edge_move(const volume *image, double inside, double outside, const double variance[3], volume *level,
                          volume *seen) {
    volume old = {0}, mask = {0};
    near_tiles near = {.on = NULL};
    int rc = OK;
    TRY(near_tiles_find(level, nextafter(EDGE_BAND, INFINITY), 0, &near));
    TRY(volume_copy(&old, level));
    TRY(volume_create_like(&mask, level));
    TRY(volume_create_like(seen, level));
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const size_t here = volume_index(level, i, j, k);
                double d[3], trust;
                if (fabs((double)old.value[here]) > EDGE_BAND || !outward_direction(&old, i, j, k, d))
                    continue;
                level->value[here] = (float)half_height_level(image, (const double[3]){i, j, k}, d, inside, outside,
                                                              variance, (double)old.value[here], &trust);
                seen->value[here] = (float)trust;
                mask.value[here] = 1;
            }
    TRY(average_visibility(&near, seen, &mask));
cleanup:
    near_tiles_free(&near);
    volume_free(&old);
    volume_free(&mask);
    return rc;
}
