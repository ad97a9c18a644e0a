/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of least cost on a small volume: exact sums, walls that none may enter, the way back. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/least_path.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { NX = 7, NY = 5, NZ = 4, SIZE = NX * NY * NZ };
static const double H = 0.5, COST = 2;

static volume uniform(void) {
    volume v = {0};
    assert_int_equal(volume_create(&v, (const int[3]){NX, NY, NZ}, (const double[3]){H, H, H},
                                   (const double[3]){0, 0, 0}, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}),
                     OK);
    for (int i = 0; i < SIZE; i++)
        v.value[i] = (float)COST;
    return v;
}

static void walk(least_path *p) {
    int32_t voxel;
    float last = 0;
    while (least_path_next(p, &voxel)) {
        assert_true(p->best[voxel] >= last);
        last = p->best[voxel];
        assert_int_equal(least_path_spread(p, voxel), OK);
    }
}

/* Through open space a path takes diagonals first: the sum is known for every voxel. */
static double open_sum(int dx, int dy, int dz) {
    int d[3] = {abs(dx), abs(dy), abs(dz)};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (d[k] < d[k + 1]) {
                const int t = d[k];
                d[k] = d[k + 1], d[k + 1] = t;
            }
    return H * COST * (d[2] * sqrt(3) + (d[1] - d[2]) * sqrt(2) + (d[0] - d[1]));
}

static void nearest_of_two_starts(void **state) {
    (void)state;
    volume v = uniform();
    least_path p;
    static const int start[2][3] = {{0, 1, 2}, {6, 4, 0}};
    assert_int_equal(least_path_create(&v, &p), OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(least_path_start(&p, (int32_t)volume_index(&v, start[k][0], start[k][1], start[k][2])), OK);
    walk(&p);
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                const int32_t at = (int32_t)volume_index(&v, x, y, z);
                double sum = INFINITY, mm = 0;
                for (int k = 0; k < 2; k++)
                    sum = fmin(sum, open_sum(x - start[k][0], y - start[k][1], z - start[k][2]));
                assert_float_equal(p.best[at], sum, 1e-5);
                for (int32_t w = at; w != LEAST_PATH_NONE; w = least_path_before(&p, w))
                    mm += least_path_before(&p, w) == LEAST_PATH_NONE ? 0 : least_path_step_mm(&p, w);
                assert_float_equal(mm * COST, sum, 1e-5);
            }
    double lps[3];
    least_path_place(&p, (int32_t)volume_index(&v, 3, 2, 1), lps);
    assert_float_equal(vec_distance(lps, (const double[3]){3 * H, 2 * H, H}), 0, 1e-12);
    least_path_free(&p);
    volume_free(&v);
}

/* A wall with one gap: every path to the other side goes through it; without it that side is not reached. */
static void a_wall(void **state) {
    (void)state;
    volume v = uniform();
    for (int gap = 0; gap < 2; gap++) {
        least_path p;
        const int32_t hole = (int32_t)volume_index(&v, 3, 4, 3), far = (int32_t)volume_index(&v, 6, 0, 0);
        bool through = false;
        assert_int_equal(least_path_create(&v, &p), OK);
        for (int z = 0; z < NZ; z++)
            for (int y = 0; y < NY; y++)
                if (!gap || volume_index(&v, 3, y, z) != (size_t)hole)
                    least_path_forbid(&p, (int32_t)volume_index(&v, 3, y, z));
        assert_int_equal(least_path_start(&p, (int32_t)volume_index(&v, 0, 0, 0)), OK);
        walk(&p);
        assert_int_equal(p.from[far] != LEAST_PATH_NONE, gap);
        for (int32_t w = far; gap && w != LEAST_PATH_NONE; w = least_path_before(&p, w))
            through |= w == hole;
        assert_int_equal(through, gap);
        if (gap)
            assert_float_equal(p.best[far], open_sum(3, 4, 3) * 2, 1e-5);
        least_path_free(&p);
    }
    volume_free(&v);
}

/* A dear voxel is gone round. */
static void around_what_is_dear(void **state) {
    (void)state;
    volume v = uniform();
    least_path p;
    for (int z = 0; z < NZ; z++)
        v.value[volume_index(&v, 1, 2, z)] = 100;
    assert_int_equal(least_path_create(&v, &p), OK);
    assert_int_equal(least_path_start(&p, (int32_t)volume_index(&v, 0, 2, 0)), OK);
    walk(&p);
    assert_float_equal(p.best[volume_index(&v, 2, 2, 0)], H * COST * 2 * sqrt(2), 1e-5);
    assert_float_equal(p.best[volume_index(&v, 1, 2, 0)], H * (100 + COST) / 2, 1e-4);
    least_path_free(&p);
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_of_two_starts), cmocka_unit_test(a_wall),
                                       cmocka_unit_test(around_what_is_dear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
