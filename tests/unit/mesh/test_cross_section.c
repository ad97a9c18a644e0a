/* SPDX-License-Identifier: Apache-2.0 */
/* Cross-sections: area, perimeter and centre against exact ones; other branches in the plane are left alone. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/section/cross_section.h"
#include "mesh/lumen/shape_field.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static voxelize_input input_of(const shape_field *f, double spacing) {
    voxelize_input in = {.distance = shape_field_distance, .data = f, .spacing_mm = spacing};
    const double low[3] = {-30, -30, -30}, high[3] = {30, 30, 30};
    assert_int_equal(voxelize_box(&in, low, high), OK);
    return in;
}

static void tilted_cylinder_is_an_ellipse(void **state) {
    (void)state;
    /* axis (1, 0, 2)/sqrt 5, plane z = 3: half axes R and R sqrt(5)/2 */
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {1.3, 0.2, 2}, .radius = {4}}};
    const mesh_opening o = {"x", 0, {1, -1, 3}, {0, 0, 2}, NAN};
    const double area = M_PI * 4 * 4 * sqrt(5) / 2;
    double error[2];
    for (int k = 0; k < 2; k++) {
        const voxelize_input in = input_of(&f, k ? 0.25 : 0.5);
        section s;
        assert_int_equal(section_create(&s, &in, &o), OK);
        error[k] = fabs(s.area_mm2 / area - 1);
        assert_true(error[k] < 1e-3);
        assert_float_equal(s.centre_mm[0], 0.3 + 1.5, 2e-3);
        assert_float_equal(s.centre_mm[1], 0.2, 2e-3);
        assert_float_equal(s.centre_mm[2], 3, 1e-9);
        const double a = 4, b = 2 * sqrt(5), h = pow((a - b) / (a + b), 2);
        assert_float_equal(s.perimeter_mm, M_PI * (a + b) * (1 + 3 * h / (10 + sqrt(4 - 3 * h))), 0.02);
        section_free(&s);
    }
}

static void only_the_piece_round_the_point_is_cut(void **state) {
    (void)state;
    const shape_segment two[2] = {{{-4, 0, -9}, {-4, 0, 9}, 3, 3}, {{4, 0, -9}, {4, 0, 9}, 2, 2}};
    const shape_field f = {.shape = {.kind = SHAPE_TREE, .n_segment = 2, .segment = two}};
    const mesh_opening o = {"left", 0, {-4.5, 0.5, 0}, {0, 0, 1}, NAN};
    const voxelize_input in = input_of(&f, 0.5);
    section s;
    double q;
    assert_int_equal(section_create(&s, &in, &o), OK);
    assert_float_equal(s.area_mm2, 9 * M_PI, 0.02);
    assert_true(section_cuts(&s, 0.5, (const double[3]){-4, 2, -0.2}, (const double[3]){-4, 2, 0.3}, &q));
    assert_float_equal(q, 0.4, 1e-9);
    assert_true(section_cuts(&s, 0.5, (const double[3]){-4, 3.4, -0.5}, (const double[3]){-4, 3.4, 0}, &q));
    assert_float_equal(q, 1, 1e-9);
    assert_false(section_cuts(&s, 0.5, (const double[3]){-4, 2, 0}, (const double[3]){-4, 2, 0.5}, &q));
    assert_false(section_cuts(&s, 0.5, (const double[3]){-4, 2, 0.3}, (const double[3]){-4, 2, -0.2}, &q));
    assert_false(section_cuts(&s, 0.5, (const double[3]){2.2, 0, -0.2}, (const double[3]){2.2, 0, 0.3}, &q));
    section_free(&s);
}

static void refused(const shape_field *f, const mesh_opening *o, const char *words) {
    const voxelize_input in = input_of(f, 0.5);
    section s;
    assert_int_equal(section_create(&s, &in, o), ERR_INPUT);
    assert_non_null(strstr(status_message(), o->name));
    assert_non_null(strstr(status_message(), words));
    status_clear();
}

static void bad_openings_are_named(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {4}}};
    refused(&f, &(mesh_opening){"outside", 0, {6, 0, 0}, {0, 0, 1}, NAN}, "2.00 mm");
    refused(&f, &(mesh_opening){"wide", 0, {0, 0, 0}, {0, 0, 1}, 3}, "radius");
    refused(&f, &(mesh_opening){"along", 0, {0, 0, 0}, {1, 0, 0.01}, NAN}, "border");
    refused(&f, &(mesh_opening){"nowhere", 0, {0, 0, 0}, {0, 0, 0}, NAN}, "normal");
}

static void plane_on_a_wall_is_seen_from_inside(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_BOX, .a = {-5, -3, -5}, .b = {5, 3, 5}}};
    const mesh_opening o = {"lid", LATTICE_MOVING_WALL, {0, 0, 5}, {0, 0, 1}, NAN};
    const voxelize_input in = input_of(&f, 0.5);
    section s;
    assert_int_equal(section_create(&s, &in, &o), OK);
    assert_float_equal(s.area_mm2, 60, 0.05);
    assert_float_equal(s.perimeter_mm, 32, 0.2);
    assert_float_equal(s.centre_mm[2], 5, 1e-12);
    section_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tilted_cylinder_is_an_ellipse), cmocka_unit_test(only_the_piece_round_the_point_is_cut),
        cmocka_unit_test(bad_openings_are_named), cmocka_unit_test(plane_on_a_wall_is_seen_from_inside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
