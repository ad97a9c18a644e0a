/* SPDX-License-Identifier: Apache-2.0 */
/* Distances in a mask, in few and many lines, with and without each axis, against every pair of voxels. */
#include "common/base/status.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Of voxel `from` to the nearest that is not as it is, within the axes. */
static double nearest(const volume *mask, const int from[3], const bool axes[3]) {
    const bool in = mask->value[volume_index(mask, from[0], from[1], from[2])] > 0.5F;
    double least = INFINITY;
    for (int k = 0; k < mask->dims[2]; k++)
        for (int j = 0; j < mask->dims[1]; j++)
            for (int i = 0; i < mask->dims[0]; i++) {
                const int to[3] = {i, j, k};
                double sum = 0;
                for (int a = 0; a < 3; a++) {
                    const double d = mask->spacing_mm[a] * (to[a] - from[a]);
                    sum += axes[a] || to[a] == from[a] ? d * d : INFINITY;
                }
                if ((mask->value[volume_index(mask, i, j, k)] > 0.5F) != in)
                    least = fmin(least, sum);
            }
    return sqrt(least);
}

static void check(const volume *mask, const bool axes[3], double limit_mm) {
    double half = INFINITY;
    volume d = {0};
    assert_int_equal(mask_distance(mask, axes, limit_mm, &d), OK);
    for (int a = 0; a < 3; a++)
        half = axes[a] ? fmin(half, mask->spacing_mm[a] / 2) : half;
    for (int k = 0; k < d.dims[2]; k++)
        for (int j = 0; j < d.dims[1]; j++)
            for (int i = 0; i < d.dims[0]; i++) {
                const size_t at = volume_index(&d, i, j, k);
                const double exact = fmin(limit_mm, nearest(mask, (const int[3]){i, j, k}, axes) - half);
                assert_true(fabs((double)d.value[at] - (mask->value[at] > 0.5F ? -exact : exact)) < 1e-5 * limit_mm);
            }
    volume_free(&d);
}

static void every_pair(void **state) {
    (void)state;
    static const int dims[3][3] = {{19, 7, 5}, {3, 21, 4}, {1, 6, 18}};
    static const double spacing[3] = {0.7, 0.9, 2.5}, origin[3] = {0, 0, 0};
    uint32_t random = 1;
    for (int t = 0; t < 36; t++) {
        volume mask = {0};
        const bool axes[3] = {t % 4 != 1, t % 4 != 2, t % 4 != 3};
        assert_int_equal(volume_create(&mask, dims[t % 3], spacing, origin, NULL), OK);
        for (size_t i = 0; i < volume_size(&mask); i++) {
            random = random * 1664525U + 1013904223U;
            const uint32_t part = random >> 24; /* few inside, half, few outside */
            mask.value[i] = part < (t < 12 ? 4U : t < 24 ? 128U : 250U) ? 1 : 0;
        }
        check(&mask, axes, t % 2 ? 3.1 : 100);
        volume_free(&mask);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
