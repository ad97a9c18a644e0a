/* SPDX-License-Identifier: Apache-2.0 */
/* Distance between separate vessels of a surface. */
#include "common/base/status.h"
#include "segment/import/vessel_gap.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { CORNERS = 8, FACES = 12 };

/* Writes a cube, normals outwards. Corner k: bit 0 is x, bit 1 y, bit 2 z. */
static void add_cube(const double low[3], double edge_mm, int32_t first, double *point_mm, int32_t *triangle) {
    static const int32_t face[FACES][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    for (int k = 0; k < CORNERS; k++)
        for (int a = 0; a < 3; a++)
            point_mm[3 * (first + k) + a] = low[a] + edge_mm * (k >> a & 1);
    for (int t = 0; t < FACES; t++)
        for (int k = 0; k < 3; k++)
            triangle[3 * t + k] = first + face[t][k];
}

/* A cube of 2 mm hovers 0.1 mm above the middle of a face of a cube of 4 mm: only the corners of the small cube are
 * near triangles of the other one. Either cube may be the first of the list. */
static void the_order_of_the_vessels_does_not_matter(void **state) {
    (void)state;
    static const double large[3] = {0, 0, 0}, small[3] = {1, 1, 4.1};
    for (int small_first = 0; small_first < 2; small_first++) {
        double point_mm[3 * 2 * CORNERS];
        int32_t triangle[3 * 2 * FACES];
        add_cube(small_first ? small : large, small_first ? 2 : 4, 0, point_mm, triangle);
        add_cube(small_first ? large : small, small_first ? 4 : 2, CORNERS, point_mm, triangle + 3 * FACES);
        const surface wall = {
            .n_point = 2 * CORNERS, .point_mm = point_mm, .n_triangle = 2 * FACES, .triangle = triangle};
        vessel_gap found;
        assert_int_equal(vessel_gap_find(&wall, 0.5, &found), OK);
        assert_float_equal(found.mm, 0.1, 1e-9);
        assert_int_equal(vessel_gap_find(&wall, 0.05, &found), OK);
        assert_true(found.mm > 0.05);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_order_of_the_vessels_does_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
