/* SPDX-License-Identifier: Apache-2.0 */
/* What is smoothed near a wall alone is bit by bit what is smoothed everywhere. */
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/near_tiles.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const int dims[3] = {75, 41, 30}; /* no whole number of tiles along any axis */
static const double middle[2][3] = {{9, 8, 5}, {60, 30, 24}}, radius = 4, reach = 3;

/* Two balls, far apart: most tiles are far from both. */
static void draw(volume *level, volume *image) {
    const double spacing[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    assert_int_equal(volume_create(level, dims, spacing, origin, NULL), OK);
    assert_int_equal(volume_create_like(image, level), OK);
    uint32_t random = 1;
    for (size_t i = 0; i < volume_size(level); i++) {
        const double at[3] = {(double)(i % 75), (double)(i / 75 % 41), (double)(i / 75 / 41)};
        double least = INFINITY;
        for (int b = 0; b < 2; b++)
            least = fmin(least, sqrt(pow(at[0] - middle[b][0], 2) + pow(at[1] - middle[b][1], 2) +
                                     pow(at[2] - middle[b][2], 2)) -
                                    radius);
        level->value[i] = (float)least;
        random = random * 1664525 + 1013904223;
        image->value[i] = (float)(random >> 8) / (float)(1 << 24);
    }
}

static bool is_on(const near_tiles *t, int i, int j, int k) {
    return t->on[((size_t)(k / NEAR_Z) * (size_t)t->tiles[1] + (size_t)(j / NEAR_Y)) * (size_t)t->tiles[0] +
                 (size_t)(i / NEAR_X)];
}

static void tiles_hold_all_that_is_near(void **state) {
    (void)state;
    volume level, image;
    near_tiles t;
    draw(&level, &image);
    for (int margin = 0; margin < 12; margin += 5) {
        assert_int_equal(near_tiles_find(&level, reach, margin, &t), OK);
        size_t on = 0, all = 0;
        for (int k = 0; k < dims[2]; k++)
            for (int j = 0; j < dims[1]; j++)
                for (int i = 0; i < dims[0]; i++) {
                    const int at[3] = {i, j, k};
                    const bool near = fabsf(level.value[volume_index(&level, i, j, k)]) < reach;
                    for (int a = 0; near && a < 3; a++)
                        for (int s = -margin; s <= margin; s += margin > 0 ? margin : 1) {
                            int to[3] = {at[0], at[1], at[2]};
                            to[a] += s;
                            if (to[a] >= 0 && to[a] < dims[a])
                                assert_true(is_on(&t, to[0], to[1], to[2]));
                        }
                    on += is_on(&t, i, j, k);
                    all++;
                }
        print_message("margin %d: %.0f %% of the cells\n", margin, 100.0 * (double)on / (double)all);
        assert_true(on < all || margin == 10);
        near_tiles_free(&t);
    }
    volume_free(&level);
    volume_free(&image);
}

static void smooths_as_the_whole(void **state) {
    (void)state;
    static const double sigma[4][3] = {{1, 1, 1}, {0.3, 2, 3}, {0.01, 1.5, 0}, {2.5, 0.02, 1}};
    volume level, image;
    near_tiles t;
    draw(&level, &image);
    assert_int_equal(near_tiles_find(&level, reach, 0, &t), OK);
    for (int s = 0; s < 4; s++) {
        volume whole, part, place;
        assert_int_equal(volume_copy(&whole, &image), OK);
        assert_int_equal(volume_copy(&place, &image), OK);
        assert_int_equal(volume_create_like(&part, &image), OK);
        assert_int_equal(grid_smooth(&whole, sigma[s]), OK);
        assert_int_equal(near_tiles_smooth(&image, sigma[s], &t, &part), OK);
        assert_int_equal(near_tiles_smooth(&place, sigma[s], &t, &place), OK);
        for (int k = 0; k < dims[2]; k++)
            for (int j = 0; j < dims[1]; j++)
                for (int i = 0; i < dims[0]; i++) {
                    const size_t at = volume_index(&image, i, j, k);
                    if (!is_on(&t, i, j, k))
                        continue;
                    assert_memory_equal(&part.value[at], &whole.value[at], sizeof(float));
                    assert_memory_equal(&place.value[at], &whole.value[at], sizeof(float));
                }
        volume_free(&whole);
        volume_free(&part);
        volume_free(&place);
    }
    near_tiles_free(&t);
    volume_free(&level);
    volume_free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tiles_hold_all_that_is_near),
                                       cmocka_unit_test(smooths_as_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
