/* SPDX-License-Identifier: Apache-2.0 */
/* The wall between the openings: area and volume of a tube, watertight when capped, other branches not cut. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/wall/wall_surface.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void make(voxelize_input *in, const double low[3], const double high[3], lattice *l, wall_surface *w) {
    assert_int_equal(voxelize_box(in, low, high), OK);
    assert_int_equal(voxelize(in, l, NULL), OK);
    assert_int_equal(wall_surface_create(w, in, l), OK);
}

static void oblique_tube(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .b = {0.48, 0.6, 0.64}, .radius = {3}}};
    mesh_opening o[2] = {{"a", LATTICE_INLET, {-2.88, -3.6, -3.84}, {-0.48, -0.6, -0.64}, NAN},
                         {"b", LATTICE_OUTLET, {2.88, 3.6, 3.84}, {0.48, 0.6, 0.64}, NAN}};
    voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.3, .n_opening = 2, .opening = o};
    lattice l;
    wall_surface w;
    make(&in, (const double[3]){-9, -9, -9}, (const double[3]){9, 9, 9}, &l, &w);
    assert_int_equal(w.n_cap, 2);
    assert_int_equal(w.open_edges, 0);
    assert_float_equal(surface_area_mm2(&w.wall), 2 * M_PI * 3 * 12, 0.005 * 2 * M_PI * 3 * 12);
    assert_float_equal(w.volume_mm3, M_PI * 9 * 12, 0.005 * M_PI * 9 * 12);
    for (int64_t i = 0; i < w.wall.n_point; i++) {
        const double *p = w.wall.point_mm + 3 * i, height = 0.48 * p[0] + 0.6 * p[1] + 0.64 * p[2];
        assert_float_equal(shape_field_distance(&f, p), 0, (fabs(height) > 5.99 ? 0.05 : 0.001) * 0.3);
    }
    wall_surface_free(&w);
    lattice_free(&l);
}

static void side_branch_through_the_planes_stays(void **state) {
    (void)state;
    const shape_segment segment[3] = {
        {{0, 0, -20}, {0, 0, 20}, 3, 3}, {{0, 0, 0}, {8, 0, 0}, 2, 2}, {{8, 0, -7.5}, {8, 0, 7.5}, 2, 2}};
    const shape_field f = {.shape = {.kind = SHAPE_TREE, .n_segment = 3, .segment = segment}};
    const mesh_opening o[2] = {{"in", LATTICE_INLET, {0, 0, -6}, {0, 0, -1}, NAN},
                               {"out", LATTICE_OUTLET, {0, 0, 6.1}, {0, 0, 1}, NAN}};
    voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.4, .n_opening = 2, .opening = o};
    lattice l;
    voxelize_report report;
    wall_surface w;
    make(&in, (const double[3]){-5, -5, -16}, (const double[3]){12, 5, 16}, &l, &w);
    lattice_free(&l);
    assert_int_equal(voxelize(&in, &l, &report), OK);
    double low[3], high[3];
    surface_bounds(&w.wall, low, high);
    assert_int_equal(w.n_cap, 2);
    assert_int_equal(w.open_edges, 0);
    assert_float_equal(low[2], -9.5, 0.02);
    assert_float_equal(high[2], 9.5, 0.02);
    assert_float_equal(w.volume_mm3 / report.fluid_volume_mm3, 1, 0.01);
    wall_surface_free(&w);
    lattice_free(&l);
}

static void periodic_faces_and_walls_of_the_box(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {2}}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.25, .periodic = {false, false, true}};
    const double low[3] = {-3, -3, 0}, high[3] = {3, 3, 5};
    lattice l;
    wall_surface w;
    make(&in, low, high, &l, &w);
    assert_int_equal(w.n_cap, 2);
    assert_float_equal(surface_area_mm2(&w.wall), 2 * M_PI * 2 * 5, 0.1);
    wall_surface_free(&w);
    lattice_free(&l);
    in.periodic[2] = false; /* closed by the faces of the box */
    make(&in, low, high, &l, &w);
    assert_int_equal(w.n_cap, 0);
    assert_int_equal(w.open_edges, 0);
    assert_float_equal(w.volume_mm3, M_PI * 4 * 5, 0.01 * M_PI * 4 * 5);
    wall_surface_free(&w);
    lattice_free(&l);
    const mesh_opening o[2] = {{"in", LATTICE_INLET, {0, 0, 0}, {0, 0, -1}, NAN},
                               {"out", LATTICE_OUTLET, {0, 0, 5}, {0, 0, 1}, NAN}};
    in.n_opening = 2;
    in.opening = o; /* on the faces */
    make(&in, low, high, &l, &w);
    assert_int_equal(w.n_cap, 2);
    assert_int_equal(w.open_edges, 0);
    assert_float_equal(surface_area_mm2(&w.wall), 2 * M_PI * 2 * 5, 0.2);
    assert_float_equal(w.volume_mm3, M_PI * 4 * 5, 0.005 * M_PI * 4 * 5);
    wall_surface_free(&w);
    lattice_free(&l);
}

/* The wall of an obstacle encloses no fluid. */
static void obstacle_has_no_volume_within(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_SPHERE_OBSTACLE, .radius = {2}}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.4, .periodic = {true, true, true}};
    lattice l;
    wall_surface w;
    make(&in, (const double[3]){-4, -4, -4}, (const double[3]){4, 4, 4}, &l, &w);
    assert_float_equal(surface_area_mm2(&w.wall), 4 * M_PI * 4, 1);
    assert_true(isnan(w.volume_mm3));
    wall_surface_free(&w);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblique_tube), cmocka_unit_test(side_branch_through_the_planes_stays),
        cmocka_unit_test(periodic_faces_and_walls_of_the_box), cmocka_unit_test(obstacle_has_no_volume_within)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
