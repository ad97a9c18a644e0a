/* SPDX-License-Identifier: Apache-2.0 */
/* What is connected with a seed is the same whether all of the image is looked at or only the part that it needs. */
#include "common/base/status.h"
#include "segment/level_set/region_growing.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 260, WIDE = 90 };

/* A dark vessel that runs along x, turns and comes back, with noise. */
static volume draw(void) {
    volume v;
    uint64_t state = 7;
    const double spacing[3] = {1, 1, 1.5}, origin[3] = {-3, 5, 40};
    assert_int_equal(volume_create(&v, (int[3]){LONG, WIDE, WIDE}, spacing, origin, NULL), OK);
    for (int k = 0; k < WIDE; k++)
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < LONG; i++) {
                const double along = 20 + 25 * sin(i * 0.03), far = hypot(j - along - 20, k - 40);
                const double back = hypot(hypot(i - 230, j - 45), k - 40);
                const bool in = (i > 4 && i < 255 && far < 4) || (back > 18 && back < 22);
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                v.value[volume_index(&v, i, j, k)] =
                    (float)((in ? -100 : 0) + 20 * ((double)(state >> 33) / 2147483648.0 - 0.5));
            }
    return v;
}

/* As the whole image gives it: smoothed, then flooded. */
static void flood_whole(const volume *image, const int start[3], uint8_t *mask, int64_t *count) {
    volume v = {0};
    assert_int_equal(volume_copy(&v, image), OK);
    assert_int_equal(grid_smooth(&v, (const double[3]){0.7, 0.7, 0.7}), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = -v.value[i];
    assert_int_equal(region_grow(&v, 50, 1000, 1, (const int(*)[3])start, mask, count), OK);
    volume_free(&v);
}

static const seeds_statistics vessel = {.bright = true, .inside = 100, .outside = 0, .radius_mm = 4, .narrow_mm = 4};

static void needs_no_more(void **state) {
    (void)state;
    volume image = draw();
    const int at[2][3] = {{10, 47, 40}, {250, 64, 40}};
    uint8_t *mask = malloc(volume_size(&image));
    for (int end = 0; end < 2; end++) {
        grown_region r;
        int64_t count;
        flood_whole(&image, at[end], mask, &count);
        assert_true(count > 10000);
        assert_int_equal(region_growing_find(&image, -1, &vessel, 1, &at[end], false, 50, 1000, 1000000, 100, &r), OK);
        assert_int_equal(r.count, count);
        assert_memory_equal(r.mask, mask, volume_size(&image));
        region_growing_free(&r);
    }
    free(mask);
    volume_free(&image);
}

/* It stops once it has reached more than it may. */
static void stops(void **state) {
    (void)state;
    volume image = draw();
    const int at[1][3] = {{10, 47, 40}};
    grown_region r;
    assert_int_equal(region_growing_find(&image, -1, &vessel, 1, at, true, 50, 1000, 3000, 100, &r), OK);
    assert_true(r.stopped && r.count > 3000);
    region_growing_free(&r);
    volume_free(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(needs_no_more), cmocka_unit_test(stops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
