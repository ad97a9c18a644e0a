/* SPDX-License-Identifier: Apache-2.0 */
/* The developed profile of a cross-section: circle, ellipse and channel against the exact solutions, order 2. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/section/developed_profile.h"
#include "mesh/lumen/shape_field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* Largest error over points of the section, against 2 (1 - x^2/a^2 - y^2/b^2). */
static double error_of(const shape_field *f, double a, double b, double spacing) {
    voxelize_input in = {.distance = shape_field_distance, .data = f, .spacing_mm = spacing};
    const double low[3] = {-8, -8, -1}, high[3] = {8, 8, 1};
    const mesh_opening o = {"x", 0, {0.5, 0.3, 0.2}, {0, 0, 1}, NAN};
    section s;
    profile p;
    double worst = 0;
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(section_create(&s, &in, &o), OK);
    assert_int_equal(profile_create(&p, &s, &in), OK);
    for (int i = -41; i <= 41; i++)
        for (int j = -43; j <= 43; j++) {
            const double x = a * i / 41, y = b * j / 43;
            const double exact = fmax(0, 2 * (1 - x * x / (a * a) - y * y / (b * b)));
            const double found = profile_value(&p, &in, (const double[3]){x + f->shape.a[0], y + f->shape.a[1], 0.2});
            worst = fmax(worst, fabs(found - exact));
        }
    assert_true(profile_value(&p, &in, (const double[3]){7.9, 7.9, 0}) == 0);
    for (int k = 0; k < 40; k++) { /* past the wall it goes on, with the other sign */
        const double x = a * cos(k), y = b * sin(k), out = 0.4 * fmin(spacing, 0.2) / hypot(x / (a * a), y / (b * b));
        const double p1[3] = {f->shape.a[0] + x * (1 + out / (a * a)), f->shape.a[1] + y * (1 + out / (b * b)), 0.2};
        const double p2[3] = {f->shape.a[0] + x * (1 - out / (a * a)), f->shape.a[1] + y * (1 - out / (b * b)), 0.2};
        const double inside = profile_value(&p, &in, p2);
        assert_true(inside > 0);
        assert_true(profile_from(&p, &in, p1, p1) == 0);
        assert_float_equal(profile_from(&p, &in, p2, p1), -inside, 0.1 * inside);
    }
    profile_free(&p);
    section_free(&s);
    return worst;
}

static void circle_and_ellipse(void **state) {
    (void)state;
    const shape_field circle = {
        .shape = {.kind = SHAPE_CYLINDER, .a = {0.11, 0.07, 0}, .b = {0.11, 0.07, 1}, .radius = {3}}};
    const shape_field ellipse = {.shape = {.kind = SHAPE_ELLIPSE, .a = {0.11, 0.07, 0}, .radius = {6, 3}}};
    /* the step is a 48th of the extent at most: spacing only matters below 2 x that */
    const double c1 = error_of(&circle, 3, 3, 1), c2 = error_of(&circle, 3, 3, 0.0625);
    const double e1 = error_of(&ellipse, 6, 3, 1), e2 = error_of(&ellipse, 6, 3, 0.125);
    printf("largest error of the profile: circle %.2e, %.2e   ellipse %.2e, %.2e\n", c1, c2, e1, e2);
    assert_true(c1 < 2e-3 && e1 < 4e-3);
    assert_true(c2 < c1 / 2.9 && e2 < e1 / 2.9); /* step ratio 2: order above 1.5 at every point */
}

/* Between two plates with a periodic third direction: 1.5 (1 - y^2). */
static void channel_with_periodic_sides(void **state) {
    (void)state;
    const shape_field f = {
        .shape = {.kind = SHAPE_CHANNEL, .b = {0, 2, 0}}, .periodic = {false, false, true}, .period_mm = {0, 0, 1}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.125, .periodic = {false, false, true}};
    const double low[3] = {-4, -3, -0.5}, high[3] = {4, 3, 0.5};
    const mesh_opening o = {"x", 0, {1, 0, 0}, {1, 0, 0}, NAN};
    section s;
    profile p;
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(section_create(&s, &in, &o), OK);
    assert_float_equal(s.area_mm2, 4, 2e-3);
    assert_float_equal(s.perimeter_mm, 2, 0.02);
    assert_int_equal(profile_create(&p, &s, &in), OK);
    for (int i = 0; i < 108; i++)
        for (int j = -4; j <= 4; j++) {
            const double y = -1.99 + 0.0371 * i;
            assert_float_equal(profile_value(&p, &in, (const double[3]){1, y, 0.125 * j}), 1.5 * (1 - y * y / 4), 3e-3);
        }
    profile_free(&p);
    section_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(circle_and_ellipse),
                                       cmocka_unit_test(channel_with_periodic_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
