/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.shape in case.yaml: every kind, and how it comes from the space of the case into LPS memory. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static case_file c;

static void read_case(const char *text) {
    status_clear();
    if (case_read_text(text, strlen(text), "patients/p1/case.yaml", 0, &c) != OK)
        fail_msg("%s", status_message());
}

static void read_shape(const char *space, const char *block) {
    char text[2000];
    snprintf(text, sizeof text,
             "space: %s\nmesh: {spacing: 1 mm, shape: %s, box: {low: [-9, -8, -7], high: [1, 2, 3]}, periodic: [z]}\n"
             "solve: {force: {vector: [1, 2, 3], unit: m/s2}}\n",
             space, block);
    read_case(text);
    assert_true(c.mesh.has_shape && c.mesh.periodic[2] && !c.mesh.periodic[0] && c.segment.method == -1);
}

static void assert_point(const double p[3], double x, double y, double z) {
    assert_near(p[0], x, 1e-12);
    assert_near(p[1], y, 1e-12);
    assert_near(p[2], z, 1e-12);
}

static void test_shapes(void **state) {
    (void)state;
    const shape *s = &c.mesh.shape;
    read_shape("LPS", "{type: cylinder, from: [1, 2, 3], to: [4, 5, 6], radius: 0.5 cm}");
    assert_true(s->kind == SHAPE_CYLINDER && s->radius[0] == 5);
    assert_point(s->a, 1, 2, 3);
    assert_point(s->b, 4, 5, 6);
    assert_point(c.mesh.box_low_mm, -9, -8, -7);
    case_free(&c);
    read_shape("LPS", "{type: channel, point: [1, 2, 3], wall: [1, 2, 6]}");
    assert_int_equal(s->kind, SHAPE_CHANNEL);
    case_free(&c);
    read_shape("LPS", "{type: sphere_obstacle, centre: [1, 2, 3], radius: 2 mm}");
    assert_int_equal(s->kind, SHAPE_SPHERE_OBSTACLE);
    case_free(&c);
    read_shape("LPS", "{type: torus, centre: [1, 2, 3], axis: [0, 0, 5], radius: 2 mm, bend: 10 mm}");
    assert_true(s->kind == SHAPE_TORUS && s->radius[0] == 2 && s->radius[1] == 10);
    assert_point(s->b, 1, 2, 4);
    case_free(&c);
    read_shape("LPS", "{type: ellipse, centre: [1, 2, 3], half_axes: [4 mm, 3 mm]}");
    assert_true(s->kind == SHAPE_ELLIPSE && s->radius[0] == 4 && s->radius[1] == 3);
    case_free(&c);
    read_shape("LPS", "{type: stenosis, from: [0, 0, 0], to: [0, 0, 9], radius: 4 mm, throat: 2 mm, length: 5 mm}");
    assert_true(s->kind == SHAPE_STENOSIS && s->radius[1] == 2 && s->length[0] == 5);
    case_free(&c);
    read_shape("LPS", "{type: tree, segments: [{from: [0, 0, 0], to: [0, 0, 9], radius_from: 4 mm, radius_to: 3 mm}]}");
    assert_true(s->kind == SHAPE_TREE && s->n_segment == 1 && s->segment[0].radius_b == 3);
    case_free(&c);
}

/* In RAS, the default, everything turns round z by half a circle on its way into LPS memory. */
static void test_shapes_ras(void **state) {
    (void)state;
    const shape *s = &c.mesh.shape;
    read_shape("RAS", "{type: box, low: [-5, -4, -3], high: [1, 2, 3]}");
    assert_int_equal(s->kind, SHAPE_BOX);
    assert_point(s->a, -1, -2, -3);
    assert_point(s->b, 5, 4, 3);
    assert_point(c.mesh.box_low_mm, -1, -2, -7);
    assert_point(c.mesh.box_high_mm, 9, 8, 3);
    assert_point(c.solve.force_m_s2, -1, -2, 3);
    case_free(&c);
    read_shape("RAS",
               "{type: chamber, segments: [{from: [1, 2, 3], to: [4, 5, 6], radius_from: 4 mm, radius_to: 3 mm}], "
               "ellipsoids: [{centre: [7, 8, 9], half_axes: [1 mm, 2 mm, 3 mm]}]}");
    assert_true(s->kind == SHAPE_CHAMBER && s->n_ellipsoid == 1);
    assert_point(s->segment[0].b, -4, -5, 6);
    assert_point(s->ellipsoid[0].centre, -7, -8, 9);
    assert_point(s->ellipsoid[0].half, 1, 2, 3);
    case_free(&c);
    read_case(
        "mesh: {spacing: 1 mm, shape: {type: box, low: [0, 0, 0], high: [9, 9, 9]}, box: {low: [-1, -1, -1], high: "
        "[10, 10, 10]}}\n"
        "openings:\n- {name: lid, role: moving_wall, point: [5, 5, 9], normal: [0, 0, 1], velocity: {vector: [1, 2, "
        "0], "
        "unit: cm/s}}\n");
    assert_true(c.opening[0].condition == CONDITION_VECTOR && c.opening[0].role == ROLE_MOVING_WALL);
    assert_point(c.opening[0].vector_m_s, -0.01, -0.02, 0);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes), cmocka_unit_test(test_shapes_ras)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
