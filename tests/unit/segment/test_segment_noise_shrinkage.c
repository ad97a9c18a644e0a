/* SPDX-License-Identifier: Apache-2.0 */
/* A wall that noise moves is drawn to the tube, its width and its shape stay. */
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/wall/noise_shrinkage.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

enum { SIDE = 72 };
static const double radius = 12, window = 12;

static volume grid(void) {
    volume v = {0};
    assert_int_equal(
        volume_create(&v, (int[3]){SIDE, SIDE, SIDE}, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL),
        OK);
    return v;
}

/* Distance from an askew axis through the middle. */
static double from_axis(int i, int j, int k) {
    const double axis[3] = {0.36, 0.48, 0.8}, p[3] = {i - 35.6, j - 35.9, k - 36.1};
    const double along = axis[0] * p[0] + axis[1] * p[1] + axis[2] * p[2];
    return sqrt(fmax(0, p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - along * along));
}

/* Noise of that standard deviation, smooth over 2 voxels. */
static volume smooth_noise(double sigma) {
    volume v = grid();
    uint64_t state = 88172645463325252ULL;
    double square = 0;
    for (size_t i = 0; i < volume_size(&v); i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        v.value[i] = (float)((double)(state >> 33) / 2147483648.0 - 0.5);
    }
    assert_int_equal(grid_smooth(&v, (const double[3]){2, 2, 2}), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        square += (double)v.value[i] * (double)v.value[i] / (double)volume_size(&v);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] *= (float)(sigma / sqrt(square));
    return v;
}

/* Of a level set from `wall_mm` round the axis, near that wall and away from the grid's ends: mean and root mean square
 * departure. */
static void departure(const volume *level, double wall_mm, double *mean, double *rough) {
    double n = 0, sum = 0, square = 0;
    for (int k = 8; k < SIDE - 8; k++)
        for (int j = 8; j < SIDE - 8; j++)
            for (int i = 8; i < SIDE - 8; i++) {
                const double truth = from_axis(i, j, k) - wall_mm;
                if (fabs(truth) > 1)
                    continue;
                const double d = (double)level->value[volume_index(level, i, j, k)] - truth;
                n++, sum += d, square += d * d;
            }
    *mean = sum / n;
    *rough = sqrt(square / n - *mean * *mean);
}

/* The tube is 0.4 voxels too wide: that does not count. */
static void noise_goes_width_stays(void **state) {
    (void)state;
    const double sigma = 0.4;
    volume noise = smooth_noise(sigma), level = grid(), tube = grid();
    for (int said = 0; said < 2; said++) {
        double mean, rough;
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++) {
                    const size_t at = volume_index(&level, i, j, k);
                    level.value[at] = (float)(from_axis(i, j, k) - radius) + noise.value[at];
                    tube.value[at] = (float)(from_axis(i, j, k) - radius - 0.4);
                }
        assert_int_equal(noise_shrinkage_to_tube(&tube, NULL, window, 1, &(noise_shares){said ? 0.7 : 0, 0, 0}, &level),
                         OK);
        departure(&level, radius, &mean, &rough);
        assert_true(fabs(mean) < 0.05);
        assert_true(said ? rough < 0.45 * sigma : fabs(rough - sigma) < 0.1 * sigma);
    }
    volume_free(&noise);
    volume_free(&level);
    volume_free(&tube);
}

/* Four ridges, 2 voxels high, along a short piece of a wall that noise of 0.3 voxels moves: they are shape. */
static void shape_stays(void **state) {
    (void)state;
    volume level = grid(), tube = grid(), noise = smooth_noise(0.3);
    double before = 0, after = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; turn == 0 && k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                for (int i = 0; i < SIDE; i++) {
                    const size_t at = volume_index(&level, i, j, k);
                    const double ridge = abs(k - 36) < 5 ? 2 * cos(4 * atan2(j - 35.9, i - 35.6)) : 0;
                    tube.value[at] = (float)(from_axis(i, j, k) - radius);
                    level.value[at] = tube.value[at] + noise.value[at] + (float)ridge;
                }
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                const size_t at = volume_index(&level, i, j, 36);
                const double d = (double)level.value[at] - (double)tube.value[at];
                *(turn ? &after : &before) += fabs((double)tube.value[at]) < 1 ? d * d : 0;
            }
        if (turn == 0)
            assert_int_equal(noise_shrinkage_to_tube(&tube, NULL, 5, 1, &(noise_shares){0.7, 0, 0}, &level), OK);
    }
    assert_true(sqrt(after) > 0.8 * sqrt(before));
    volume_free(&noise);
    volume_free(&level);
    volume_free(&tube);
}

/* Half of the wall is not seen and strays by 3 voxels there: it becomes the tube's, the other half stays. */
static void unseen_is_the_tube(void **state) {
    (void)state;
    volume level = grid(), tube = grid(), seen = grid();
    double off[2] = {0}, n[2] = {0};
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                const size_t at = volume_index(&level, i, j, k);
                tube.value[at] = (float)(from_axis(i, j, k) - radius);
                seen.value[at] = i < SIDE / 2;
                level.value[at] = tube.value[at] - (i < SIDE / 2 ? 0.5F : 3);
            }
    assert_int_equal(noise_shrinkage_to_tube(&tube, &seen, 5, 3, &(noise_shares){0.01, 0.01, 1}, &level), OK);
    for (int k = 8; k < SIDE - 8; k++)
        for (int j = 8; j < SIDE - 8; j++)
            for (int i = 8; i < SIDE - 8; i++) {
                const size_t at = volume_index(&level, i, j, k);
                if (fabs((double)tube.value[at]) > 1 || abs(i - SIDE / 2) < 4)
                    continue;
                off[i < SIDE / 2] += (double)(level.value[at] - tube.value[at]);
                n[i < SIDE / 2]++;
            }
    print_message("not seen %+.3f, seen %+.3f voxels off the tube\n", off[0] / n[0], off[1] / n[1]);
    assert_true(fabs(off[0] / n[0]) < 0.15 && fabs(off[1] / n[1] + 0.5) < 0.1);
    volume_free(&level);
    volume_free(&tube);
    volume_free(&seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(noise_goes_width_stays), cmocka_unit_test(shape_stays),
                                       cmocka_unit_test(unseen_is_the_tube)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
