/* SPDX-License-Identifier: Apache-2.0 */
/* The direction of a vessel: tubes, bends and tapers, from points in the middle and near the wall. */
#include "common/base/status.h"
#include "mesh/section/vessel_axis.h"
#include "mesh/lumen/shape_field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static double angle_deg(const shape *s, const double point[3], const double truth[3]) {
    const shape_field f = {.shape = *s};
    const voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.5};
    double axis[3], cosine = 0, length = 0;
    bool found;
    assert_int_equal(vessel_axis_find(&in, point, axis, &found), OK);
    assert_true(found);
    for (int a = 0; a < 3; a++) {
        cosine += axis[a] * truth[a];
        length += truth[a] * truth[a];
    }
    return acos(fmin(1, fabs(cosine) / sqrt(length))) * 180 / M_PI;
}

static void tube_at_any_angle(void **state) {
    (void)state;
    double worst = 0;
    for (int k = 0; k < 12; k++) {
        const double axis[3] = {sin(k) * 0.7, cos(2.2 * k), sin(1.7 * k + 0.4)};
        const shape s = {.kind = SHAPE_CYLINDER, .b = {axis[0], axis[1], axis[2]}, .radius = {2.5}};
        const double side[3] = {-axis[1], axis[0], 0}, length = hypot(axis[0], axis[1]);
        for (int step = 0; step < 3; step++) {
            const double off = 1.15 * step;
            worst =
                fmax(worst, angle_deg(&s, (const double[3]){off * side[0] / length, off * side[1] / length, 0}, axis));
        }
    }
    printf("direction of a tube: at most %.3f degrees off\n", worst);
    assert_true(worst < 0.5);
}

static void taper_ellipse_and_bend(void **state) {
    (void)state;
    const shape_segment cone = {{0, 0, -20}, {0, 0, 20}, 5, 2};
    const shape taper = {.kind = SHAPE_TREE, .n_segment = 1, .segment = &cone};
    assert_true(angle_deg(&taper, (const double[3]){1, -0.7, 3}, (const double[3]){0, 0, 1}) < 1);
    const shape flat = {.kind = SHAPE_ELLIPSE, .radius = {4, 1.8}};
    assert_true(angle_deg(&flat, (const double[3]){0.4, 0.3, 0}, (const double[3]){0, 0, 1}) < 1);
    const shape bend = {.kind = SHAPE_TORUS, .b = {0, 0, 1}, .radius = {3, 12}};
    assert_true(angle_deg(&bend, (const double[3]){12, 0, 0.3}, (const double[3]){0, 1, 0}) < 2);
}

/* Near a side branch the trunk's direction still comes out to a few degrees. */
static void beside_a_branch(void **state) {
    (void)state;
    const shape_segment two[2] = {{{0, 0, -20}, {0, 0, 20}, 4, 4}, {{0, 0, 0}, {14, 0, 3}, 2.5, 2.5}};
    const shape s = {.kind = SHAPE_TREE, .n_segment = 2, .segment = two};
    assert_true(angle_deg(&s, (const double[3]){0, 0, -6}, (const double[3]){0, 0, 1}) < 3);
    assert_true(angle_deg(&s, (const double[3]){9.5, 0, 2}, (const double[3]){14, 0, 3}) < 3);
}

static void a_ball_has_no_direction_but_answers(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CHANNEL, .b = {0, 0, 2}}};
    const voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.5};
    double axis[3];
    bool found;
    assert_int_equal(vessel_axis_find(&in, (const double[3]){0, 0, 0.1}, axis, &found), OK);
    assert_false(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tube_at_any_angle), cmocka_unit_test(taper_ellipse_and_bend),
                                       cmocka_unit_test(beside_a_branch),
                                       cmocka_unit_test(a_ball_has_no_direction_but_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
