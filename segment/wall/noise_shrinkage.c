/* SPDX-License-Identifier: Apache-2.0 */
/* Number, sum and sum of squares of the deviations at the wall are stored in blocks as wide as half a window, and
 * smoothed over the blocks by a Gaussian as wide as a window. */
#include "segment/wall/noise_shrinkage.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/wall/wall_constants.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT, SUM, SQUARES, KINDS };

static int make_blocks(const volume *level, double window, volume block[KINDS]) {
    int dims[3], rc = OK;
    double spacing[3];
    for (int a = 0; a < 3; a++) {
        spacing[a] = 0.5 * window * level->spacing_mm[a];
        dims[a] = (int)ceil(level->dims[a] / (0.5 * window)) + 1;
    }
    for (int n = 0; n < KINDS; n++)
        TRY(volume_create(&block[n], dims, spacing, level->origin_mm, level->direction));
cleanup:
    return rc;
}

static void add_deviations(const volume *level, const volume *tube, double window, float far, volume block[KINDS]) {
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const size_t at = volume_index(level, i, j, k);
                const float d = level->value[at] - tube->value[at];
                if (fabsf(level->value[at]) > WALL_VOXELS || fabsf(tube->value[at]) > far)
                    continue;
                const size_t to = volume_index(&block[0], (int)lround(2 * i / window), (int)lround(2 * j / window),
                                               (int)lround(2 * k / window));
                block[COUNT].value[to] += 1;
                block[SUM].value[to] += d;
                block[SQUARES].value[to] += d * d;
            }
}

/* Mean and variance of the deviation in the window around a voxel. Returns false if no wall is nearby. */
static bool window_statistics(const volume block[KINDS], const double at[3], double *mean, double *variance) {
    const double count = grid_sample_linear(&block[COUNT], at);
    if (count < 1e-3)
        return false;
    *mean = grid_sample_linear(&block[SUM], at) / count;
    *variance = fmax(0, grid_sample_linear(&block[SQUARES], at) / count - *mean * *mean);
    return true;
}

/* Upper quartile of the variance over the blocks with enough wall. */
static int noise_variance(const volume block[KINDS], double *usual) {
    const size_t n = volume_size(&block[COUNT]);
    double *x = malloc((n + 1) * sizeof *x);
    size_t used = 0;
    float most = 0;
    if (x == NULL)
        return fail_memory("the wall", (double)n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, block[COUNT].value[i]);
    for (size_t i = 0; i < n; i++) {
        const double count = (double)block[COUNT].value[i];
        if (count < WALL_PART * (double)most)
            continue;
        const double mean = (double)block[SUM].value[i] / count;
        x[used++] = fmax(0, (double)block[SQUARES].value[i] / count - mean * mean);
    }
    qsort(x, used, sizeof *x, order_double);
    *usual = used > 0 ? x[(size_t)(USUAL_QUANTILE * (double)used)] : 0;
    free(x);
    return OK;
}

int noise_shrinkage_to_tube(const volume *tube, const volume *seen, double window, double resolution,
                            const noise_shares *shares, volume *level) {
    volume block[KINDS];
    double usual = 0;
    const float far = SHRUNK_WIDTHS * (float)resolution, near_by = FULLY_WIDTHS * (float)resolution;
    int rc = OK;
    memset(block, 0, sizeof block);
    if (shares->fluctuation_weight <= 0)
        return OK;
    TRY(make_blocks(level, window, block));
    add_deviations(level, tube, window, far, block);
    for (int n = 0; n < KINDS; n++)
        TRY(grid_smooth(&block[n], (const double[3]){2, 2, 2}));
    TRY(noise_variance(block, &usual));
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const size_t at = volume_index(level, i, j, k);
                float *l = &level->value[at];
                const float t = tube->value[at];
                double mean, variance;
                if (fabsf(*l) > far || fabsf(t) > far ||
                    !window_statistics(block, (const double[3]){2 * i / window, 2 * j / window, 2 * k / window}, &mean,
                                       &variance))
                    continue;
                const float away = fmaxf(fabsf(*l), fabsf(t));
                const double near = fmin(1, (double)((far - away) / (far - near_by)));
                const double least = seen != NULL ? shares->hidden_weight * (1 - (double)seen->value[at]) : 0;
                const double rough =
                    fmax(least, shares->fluctuation_weight * (variance > usual ? usual / variance : 1));
                *l -= (float)(near * (fmax(least, shares->mean_weight) * mean + rough * ((double)(*l - t) - mean)));
            }
cleanup:
    for (int n = 0; n < KINDS; n++)
        volume_free(&block[n]);
    return rc;
}
