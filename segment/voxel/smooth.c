/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/smooth.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int clamp_index(int x, int low, int high) {
    return x < low ? low : (x > high ? high : x);
}

int smooth_radius(double sigma) {
    return (int)ceil(4 * sigma);
}

float *smooth_weights(double sigma, int radius) {
    double sum = 0;
    float *weight = malloc((size_t)(radius + 1) * sizeof *weight);
    for (int k = 0; k <= radius; k++)
        sum += (k == 0 ? 1 : 2) * exp(-0.5 * k * k / (sigma * sigma));
    for (int k = 0; k <= radius && weight != NULL; k++)
        weight[k] = (float)(exp(-0.5 * k * k / (sigma * sigma)) / sum);
    return weight;
}

void smooth_lines(const float *from, float *to, size_t stride, int n, int first, int end, int count,
                  const float *weight, int radius, float *line) {
    for (int i = first - radius; i < end + radius; i++)
        memcpy(line + (size_t)(i - first + radius) * SMOOTH_BLOCK, from + (size_t)clamp_index(i, 0, n - 1) * stride,
               (size_t)count * sizeof *from);
    for (int i = first; i < end; i++) {
        float sum[SMOOTH_BLOCK];
        const float *middle = line + (size_t)(i - first + radius) * SMOOTH_BLOCK;
        for (int l = 0; l < count; l++)
            /* set by the copy above: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
            sum[l] = weight[0] * middle[l];
        for (int k = 1; k <= radius; k++) {
            const float *low = middle - (ptrdiff_t)k * SMOOTH_BLOCK, *high = middle + (ptrdiff_t)k * SMOOTH_BLOCK;
            const float w = weight[k];
            for (int l = 0; l < count; l++)
                sum[l] += w * (low[l] + high[l]);
        }
        memcpy(to + (size_t)i * stride, sum, (size_t)count * sizeof *sum);
    }
}

void smooth_row(const float *from, float *to, int n, int first, int end, const float *weight, int radius, float *line) {
    const int count = end - first;
    float *sum = line + count + 2 * radius, *middle = line + radius;
    for (int i = -radius; i < count + radius; i++)
        middle[i] = from[clamp_index(first + i, 0, n - 1)];
    for (int i = 0; i < count; i++)
        /* set by the copy above: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        sum[i] = weight[0] * middle[i];
    for (int k = 1; k <= radius; k++)
        for (int i = 0; i < count; i++)
            sum[i] += weight[k] * (middle[i - k] + middle[i + k]);
    memcpy(to + first, sum, (size_t)count * sizeof *sum);
}
