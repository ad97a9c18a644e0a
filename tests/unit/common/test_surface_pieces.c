/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of several pieces, and triangles that a file holds twice. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/temp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* Corner k of a cube lies where its bits say; its triangles look outwards. */
static const int32_t cube_corner[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

/* A cube of which some, or all, triangles are there twice. */
static void copies_of_triangles_are_left_out(void **state) {
    (void)state;
    for (int copies = 3; copies <= 12; copies += 9) {
        surface s, back;
        assert_int_equal(surface_create(&s, 8, 12 + copies), OK);
        for (int k = 0; k < 24; k++)
            s.point_mm[k] = (k / 3) >> (k % 3) & 1 ? 5 : 0;
        memcpy(s.triangle, cube_corner, sizeof cube_corner);
        memcpy(s.triangle + 36, cube_corner, (size_t)copies * sizeof *cube_corner);
        assert_int_equal(surface_write(temp_path("copies.stl"), &s, 0, NULL), OK);
        assert_int_equal(surface_read(temp_path("copies.stl"), 1, 0, &back), OK);
        assert_int_equal(back.n_triangle, 12);
        assert_int_equal(surface_open_edges(&back), 0);
        assert_true(fabs(surface_volume_mm3(&back) - 125) < 1e-3);
        surface_free(&back);
        surface_free(&s);
    }
}

/* Cubes of 5 mm that share an edge or a corner, or have none in common: every triangle keeps the way it is wound, also
 * when one of them has to be turned. VTK alone would turn some of the second cube across the edge of four triangles.
 */
static void pieces_that_touch_keep_their_sides(void **state) {
    (void)state;
    static const double to[3][3] = {{5, 5, 0}, {5, 5, 5}, {6, 0, 0}};
    for (int place = 0; place < 3; place++)
        for (int wrong = 0; wrong < 2; wrong++) {
            surface s, back;
            assert_int_equal(surface_create(&s, 16, 24), OK);
            for (int k = 0; k < 48; k++)
                s.point_mm[k] = ((k / 3) >> (k % 3) & 1 ? 5 : 0) + (k < 24 ? 0 : to[place][k % 3]);
            for (int k = 0; k < 72; k++)
                s.triangle[k] = cube_corner[k / 3 % 12][k % 3] + (k < 36 ? 0 : 8);
            const int32_t first = s.triangle[15];
            s.triangle[15] = wrong ? s.triangle[16] : first;
            s.triangle[16] = wrong ? first : s.triangle[16];
            assert_int_equal(surface_write(temp_path("touch.stl"), &s, 0, NULL), OK);
            assert_int_equal(surface_read(temp_path("touch.stl"), 1, 0, &back), OK);
            assert_int_equal(back.n_triangle, 24);
            assert_float_equal(surface_volume_mm3(&back), 250, 1e-3);
            for (int64_t t = 0; t < back.n_triangle; t++) {
                double out = 0, normal[3];
                surface_triangle_mm2(&back, t, normal);
                for (int a = 0; a < 3; a++) {
                    double middle = 0, own = 2.5;
                    for (int k = 0; k < 3; k++)
                        middle += back.point_mm[3 * (int64_t)back.triangle[3 * t + k] + a] / 3;
                    own += t < 12 ? 0 : to[place][a];
                    out += normal[a] * (middle - own);
                }
                assert_true(out > 0);
            }
            surface_free(&back);
            surface_free(&s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_of_triangles_are_left_out),
                                       cmocka_unit_test(pieces_that_touch_keep_their_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
