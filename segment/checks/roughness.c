/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/roughness.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/checks/checks_constants.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double square; /* sum of the squared differences of neighbouring voxels */
    int n;
} differences;

typedef struct {
    differences all;
    float sum[3]; /* sum of differences along each axis */
    int n[3];
} block;

typedef struct {
    const volume *image, *phi;
    double depth_mm;
    int blocks[3];
    block *in;
} study;

static bool is_deep(const study *s, int i, int j, int k, double p[3]) {
    volume_to_lps(s->image, (const double[3]){i, j, k}, p);
    return volume_contains(s->phi, p) && volume_sample(s->phi, p) < -s->depth_mm;
}

static block *block_of(const study *s, int i, int j, int k) {
    return &s->in[((size_t)(k / BLOCK) * (size_t)s->blocks[1] + (size_t)(j / BLOCK)) * (size_t)s->blocks[0] +
                  (size_t)(i / BLOCK)];
}

static bool is_near(const double p[3], int n, const double (*seed)[3], double reach_mm) {
    for (int k = 0; k < n; k++)
        if (vec_distance(p, seed[k]) < reach_mm)
            return true;
    return false;
}

/* Range of the image voxels inside the box of phi. */
static void find_box(const study *s, int low[3], int high[3]) {
    for (int a = 0; a < 3; a++)
        low[a] = s->image->dims[a], high[a] = 0;
    for (int corner = 0; corner < 8; corner++) {
        double p[3], index[3];
        for (int a = 0; a < 3; a++)
            index[a] = corner >> a & 1 ? s->phi->dims[a] : -1;
        volume_to_lps(s->phi, index, p);
        volume_to_index(s->image, p, index);
        for (int a = 0; a < 3; a++) {
            low[a] = (int)fmin(low[a], fmax(0, floor(index[a])));
            high[a] = (int)fmax(high[a], fmin(s->image->dims[a] - 1, ceil(index[a])));
        }
    }
}

/* Adds the differences of neighbouring deep voxels to their blocks. Differences near the seeds are also added to
 * *blood. */
static void collect_differences(const study *s, int n, const double (*seed)[3], double reach_mm, differences *blood) {
    int low[3], high[3];
    find_box(s, low, high);
    for (int k = low[2]; k < high[2]; k++)
        for (int j = low[1]; j < high[1]; j++)
            for (int i = low[0]; i < high[0]; i++) {
                double p[3], q[3];
                if (!is_deep(s, i, j, k, p))
                    continue;
                const double here = (double)s->image->value[volume_index(s->image, i, j, k)];
                block *b = block_of(s, i, j, k);
                for (int a = 0; a < 3; a++) {
                    const int to[3] = {i + (a == 0), j + (a == 1), k + (a == 2)};
                    if (!is_deep(s, to[0], to[1], to[2], q))
                        continue;
                    const double d = (double)s->image->value[volume_index(s->image, to[0], to[1], to[2])] - here;
                    b->all.square += d * d, b->all.n++;
                    b->sum[a] += (float)d, b->n[a]++;
                    if (is_near(p, n, seed, reach_mm))
                        blood->square += d * d, blood->n++;
                }
            }
}

/* Mean square difference between neighbours, without the contribution of a constant slope along each axis. A blurred
 * wall adds such a slope. */
static double mean_square_difference(const block *b) {
    double square = b->all.square;
    for (int a = 0; a < 3; a++)
        square -= b->n[a] > 0 ? (double)b->sum[a] * (double)b->sum[a] / b->n[a] : 0;
    return square / b->all.n;
}

/* Centre of block (i, j, k), LPS. */
static void middle_of(const study *s, const int at[3], double p[3]) {
    double index[3];
    for (int a = 0; a < 3; a++)
        index[a] = fmin(at[a] * BLOCK + 0.5 * (BLOCK - 1), s->image->dims[a] - 1);
    volume_to_lps(s->image, index, p);
}

/* Sets out->part, the fraction of the lumen in rough blocks, and out->place_mm, the rough block nearest to the centroid
 * of all rough blocks. */
static void evaluate_blocks(const study *s, double limit, roughness *out) {
    double all = 0, found = 0, sum[3] = {0}, nearest = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        int at[3];
        for (at[2] = 0; at[2] < s->blocks[2]; at[2]++)
            for (at[1] = 0; at[1] < s->blocks[1]; at[1]++)
                for (at[0] = 0; at[0] < s->blocks[0]; at[0]++) {
                    const block *b = block_of(s, at[0] * BLOCK, at[1] * BLOCK, at[2] * BLOCK);
                    double p[3];
                    all += pass == 0 ? b->all.n : 0;
                    if (b->all.n < MIN_DIFFERENCES || !(mean_square_difference(b) > limit))
                        continue;
                    middle_of(s, at, p);
                    if (pass == 0) {
                        found += b->all.n;
                        vec_add(sum, b->all.n, p, sum);
                    } else if (vec_distance(p, sum) < nearest) {
                        nearest = vec_distance(p, sum);
                        memcpy(out->place_mm, p, sizeof p);
                    }
                }
        for (int a = 0; a < 3 && pass == 0 && found > 0; a++)
            sum[a] /= found;
    }
    out->part = all > 0 ? found / all : 0;
}

int roughness_find(const volume *image, const volume *phi, int n, const double (*seed)[3], double reach_mm,
                   double least, roughness *out) {
    study s = {.image = image, .phi = phi, .depth_mm = INSIDE_VOXELS * volume_thickest_mm(image)};
    differences blood = {0};
    size_t size = 1;
    *out = (roughness){.place_mm = {NAN, NAN, NAN}};
    for (int a = 0; a < 3; a++) {
        s.blocks[a] = (image->dims[a] + BLOCK - 1) / BLOCK;
        size *= (size_t)s.blocks[a];
    }
    s.in = calloc(size, sizeof *s.in);
    if (s.in == NULL)
        return fail_memory("the roughness of the lumen", (double)size * sizeof *s.in);
    collect_differences(&s, n, seed, reach_mm, &blood);
    if (blood.n >= MIN_DIFFERENCES)
        evaluate_blocks(&s, fmax(ROUGHER * ROUGHER * blood.square / blood.n, least * least), out);
    free(s.in);
    return OK;
}
