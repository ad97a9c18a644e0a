/* SPDX-License-Identifier: Apache-2.0 */
/* A long run is announced with a way to shorten it. */
#include "solve/setup/cost_estimate.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void tells_how_to_shorten(void **state) {
    (void)state;
    case_file c = {.space = SPACE_LPS, .mesh = {.spacing_mm = NAN, .cells_per_diameter = NAN}};
    const potential_flow_result unknown = {0}, reach = {.known = true,
                                                        .fastest = {.opening = -1,
                                                                    .place_mm = {1, 2, 3},
                                                                    .velocity_m_s = 0.81,
                                                                    .diameter_mm = 1.9}};
    char text[COST_SHORTEN];
    cost_estimate_shorten(&c, &reach, 500, text);
    assert_string_equal(text, "");
    cost_estimate_shorten(&c, &reach, NAN, text);
    assert_string_equal(text, "");
    cost_estimate_shorten(&c, &reach, 700, text);
    assert_non_null(strstr(text, "--fast"));
    c.mesh.fast = true;
    cost_estimate_shorten(&c, &reach, 700, text);
    assert_non_null(strstr(text, "0.81 m/s at LPS 1.0, 2.0, 3.0 mm, 1.9 mm wide"));
    assert_null(strstr(text, "--fast"));
    c.solve.mode = MODE_PULSATILE;
    cost_estimate_shorten(&c, &reach, 700, text);
    assert_non_null(strstr(text, "leave out --set solve.mode"));
    c.solve.mode = MODE_STEADY;
    cost_estimate_shorten(&c, &unknown, 700, text);
    assert_non_null(strstr(text, "openings closer together"));
    c.mesh.spacing_mm = 0.2; /* then no flow sets the spacing */
    cost_estimate_shorten(&c, &reach, 700, text);
    assert_non_null(strstr(text, "a larger mesh.spacing"));
    c.mesh.fast = false; /* --fast leaves the spacing of a shape */
    c.mesh.has_shape = true;
    cost_estimate_shorten(&c, &reach, 700, text);
    assert_null(strstr(text, "--fast"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_how_to_shorten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
