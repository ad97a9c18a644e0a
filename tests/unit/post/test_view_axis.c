/* SPDX-License-Identifier: Apache-2.0 */
/* The view shows the branches of a vessel apart, from the front where they are apart there. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/picture/view_axis.h"
#include <string.h>

/* Bounds of the wall from 0 to size. */
static surface wall_of(double corner[6], const double size[3]) {
    memset(corner, 0, 6 * sizeof *corner);
    memcpy(corner + 3, size, 3 * sizeof *corner);
    return (surface){.n_point = 2, .point_mm = corner};
}

static void bifurcation_is_visible(void **state) {
    (void)state;
    double corner[6];
    const surface s = wall_of(corner, (double[3]){30, 30, 60});
    lattice_opening o[4] = {{.role = LATTICE_INLET, .centre_mm = {0, 0, 0}},
                            {.role = LATTICE_OUTLET, .centre_mm = {2, -12, 50}},
                            {.role = LATTICE_OUTLET, .centre_mm = {-2, 12, 50}}};
    lattice l = {.n_opening = 3, .opening = o};
    assert_int_equal(view_axis_choose(&s, &l), 0); /* 4 mm apart from the front, 24 mm from the side */
    o[1].centre_mm[0] = 12;
    o[2].centre_mm[0] = -12;
    assert_int_equal(view_axis_choose(&s, &l), 1);
    o[3] = (lattice_opening){.role = LATTICE_MOVING_WALL, .centre_mm = {12, -12, 50}}; /* does not count */
    l.n_opening = 4;
    assert_int_equal(view_axis_choose(&s, &l), 1);
}

/* With two openings the area decides. */
static void wide_side_is_visible(void **state) {
    (void)state;
    double corner[6];
    lattice_opening o[2] = {{.role = LATTICE_INLET}, {.role = LATTICE_OUTLET}};
    const lattice l = {.n_opening = 2, .opening = o};
    surface s = wall_of(corner, (double[3]){10, 40, 60});
    assert_int_equal(view_axis_choose(&s, &l), 0);
    s = wall_of(corner, (double[3]){40, 40, 60});
    assert_int_equal(view_axis_choose(&s, &l), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bifurcation_is_visible),
                                       cmocka_unit_test(wide_side_is_visible)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
