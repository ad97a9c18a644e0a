/* SPDX-License-Identifier: Apache-2.0 */
/* Where the edge is set on a cylinder that the scanner has blurred more along one axis than across (thick slices). */
#include "segment/wall/gradient_edge.h"
#include "tests/unit/segment/cylinder.h"

static const cylinder drawn = {.length = 12, .width = 40, .radius = 7.3, .middle = {19.4, 19.7}, .vessel = 100};

/* The zero of the level set along a row of cells upwards from the middle, as a distance from it. */
static double wall_along(const volume *level, int axis) {
    const double *m = drawn.middle, x = drawn.length / 2.0;
    for (int n = 2; n < 16; n++) {
        double at[2][3] = {{x, m[0], m[1]}, {x, m[0], m[1]}}, f[2];
        for (int e = 0; e < 2; e++) {
            at[e][axis] += n + e;
            f[e] = volume_sample(level, at[e]);
        }
        if (f[0] < 0 && f[1] >= 0)
            return n + f[0] / (f[0] - f[1]);
    }
    return NAN;
}

static void settles_on_the_wall(void **state) {
    (void)state;
    static const double blur[3][3] = {{0.7, 0.7, 0.7}, {0.7, 0.7, 2.2}, {0.7, 2.2, 0.7}}, derive[2] = {1, 1};
    for (int b = 0; b < 3; b++) {
        volume image, level;
        double variance[3];
        cylinder_draw(&drawn, 0, blur[b], 0.4, &image, &level);
        for (int a = 0; a < 3; a++)
            variance[a] = blur[b][a] * blur[b][a] + 1.0 / 12;
        assert_int_equal(gradient_edge_move(&image, derive, variance, 10, 2, &level), OK);
        const double y = wall_along(&level, 1) - drawn.radius, z = wall_along(&level, 2) - drawn.radius;
        print_message("blur %.1f, %.1f cells: the wall is %+.3f, %+.3f cells off\n", blur[b][1], blur[b][2], y, z);
        assert_true(fabs(y) < 0.05 && fabs(z) < 0.05);
        volume_free(&image);
        volume_free(&level);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles_on_the_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
