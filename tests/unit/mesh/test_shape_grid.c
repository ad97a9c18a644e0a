/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of parts gives the same distance as the whole shape, everywhere. */
#include "common/base/status.h"
#include "mesh/lumen/shape_grid.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static double noise(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216;
}

static void same_as_the_whole_shape(void **state) {
    (void)state;
    enum { SEGMENTS = 60 };
    unsigned seed = 7;
    shape_segment segment[SEGMENTS];
    double before[3] = {50, 50, 50};
    for (int k = 0; k < SEGMENTS; k++) {
        segment[k].radius_a = 1 + 3 * noise(&seed);
        segment[k].radius_b = 1 + 3 * noise(&seed);
        for (int a = 0; a < 3; a++) {
            segment[k].a[a] = before[a];
            segment[k].b[a] = fmin(100, fmax(0, before[a] + 30 * (noise(&seed) - 0.5)));
            before[a] = segment[k].b[a];
        }
    }
    const shape_ellipsoid ellipsoid[2] = {{{30, 40, 50}, {20, 10, 8}}, {{80, 20, 30}, {5, 9, 4}}};
    const shape s = {
        .kind = SHAPE_CHAMBER, .n_segment = SEGMENTS, .segment = segment, .n_ellipsoid = 2, .ellipsoid = ellipsoid};
    shape_grid g;
    assert_int_equal(shape_grid_create(&g, &s, (const double[3]){0, 0, 0}, (const double[3]){100, 100, 100}), OK);
    assert_non_null(g.first);
    for (int k = 0; k < 20000; k++) {
        const double p[3] = {120 * noise(&seed) - 10, 120 * noise(&seed) - 10, 120 * noise(&seed) - 10};
        assert_float_equal(shape_grid_distance(&g, &s, p), shape_distance_mm(&s, p), 1e-12);
    }
    shape_grid_free(&g);
    const shape pipe = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {2}};
    assert_int_equal(shape_grid_create(&g, &pipe, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}), OK);
    assert_float_equal(shape_grid_distance(&g, &pipe, (const double[3]){5, 0, 0}), 3, 1e-12);
    shape_grid_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_the_whole_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
