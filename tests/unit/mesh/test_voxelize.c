/* SPDX-License-Identifier: Apache-2.0 */
/* voxelize against exact volumes and distances, and the promises of lattice.h. */
#include "common/base/status.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/cells/voxelize.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A ball filled with fluid. */
static double ball_distance(const void *data, const double p[3]) {
    const double radius = *(const double *)data;
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - radius;
}

/* The lattice of what lies in the box. */
static void make(voxelize_input *in, const double low[3], const double high[3], lattice *l, voxelize_report *report) {
    assert_int_equal(voxelize_box(in, low, high), OK);
    assert_int_equal(voxelize(in, l, report), OK);
    assert_int_equal(lattice_check(l), OK);
}

static void ball_volume(void **state) {
    (void)state;
    const double radius = 5, exact = 4 * M_PI * 125 / 3;
    double error[2];
    for (int k = 0; k < 2; k++) {
        voxelize_input in = {.distance = ball_distance, .data = &radius, .spacing_mm = k ? 0.25 : 1};
        const double low[3] = {-6.3, -6.1, -6.2}, high[3] = {6.3, 6.1, 6.2};
        lattice l;
        voxelize_report report;
        make(&in, low, high, &l, &report);
        assert_int_equal(report.n_component, 1);
        assert_int_equal(report.n_border, 0);
        error[k] = fabs(report.fluid_volume_mm3 / exact - 1);
        lattice_free(&l);
    }
    printf("volume of a ball, 10 and 40 cells across: error %.1e, %.1e\n", error[0], error[1]);
    assert_true(error[0] < 2e-3 && error[1] < 1e-4);
}

/* Every wall link of a lattice ends on the wall. */
static void check_wall_links(const lattice *l, double (*distance)(const void *, const double[3]), const void *data,
                             double tolerance) {
    for (int64_t i = 0; i < l->n_link; i++) {
        double p[3];
        if (l->link_opening[i] != 0)
            continue;
        lattice_centre_mm(l, l->link_cell[i], p);
        for (int a = 0; a < 3; a++)
            p[a] += l->link_q[i] * l->spacing_mm * lattice_e[l->link_dir[i]][a];
        assert_float_equal(distance(data, p), 0, tolerance);
    }
}

static void pipe_at_an_angle_is_periodic(void **state) {
    (void)state;
    /* direction (1, 0, 2): leaves a box of 20 x 12 x 40 by x and by z and closes on itself */
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .a = {0.2, 0.1, 0}, .b = {20.2, 0.1, 40}, .radius = {4.1}},
                           .periodic = {true, false, true},
                           .period_mm = {20, 12, 40}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.5, .periodic = {true, false, true}};
    const double low[3] = {-10, -6, -20}, high[3] = {10, 6, 20};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_int_equal(report.n_component, 1);
    assert_int_equal(report.n_border, 0);
    const double exact = M_PI * 4.1 * 4.1 * sqrt(20 * 20 + 40 * 40);
    assert_float_equal(report.fluid_volume_mm3 / exact, 1, 1e-3);
    check_wall_links(&l, shape_field_distance, &f, 1e-4 * 0.5);
    lattice_free(&l);
}

static void channel_has_exact_cuts(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CHANNEL, .a = {0, 0.13, 0}, .b = {0, 2.13, 0}},
                           .periodic = {true, false, true},
                           .period_mm = {4, 6, 4}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.5, .periodic = {true, false, true}};
    const double low[3] = {-2, -3, -2}, high[3] = {2, 3, 2};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_int_equal(l.n_link, 2 * 5 * 8 * 8); /* five directions out of every cell beside a plate */
    for (int64_t i = 0; i < l.n_link; i++) {
        double p[3];
        lattice_centre_mm(&l, l.link_cell[i], p);
        const double away = lattice_e[l.link_dir[i]][1] > 0 ? 2.13 - p[1] : p[1] + 1.87;
        assert_float_equal(l.link_q[i], away / 0.5, 1e-5);
    }
    /* subcell centres 0.03125 + 0.0625 k: fluid from -1.87 to 2.13 is 64 of them a column */
    assert_float_equal(report.fluid_volume_mm3, 16 * 64 * 0.0625, 1e-9);
    lattice_free(&l);
}

static int64_t links_of(const lattice *l, int opening) {
    int64_t n = 0;
    for (int64_t i = 0; i < l->n_link; i++)
        n += l->link_opening[i] == opening;
    return n;
}

/* Opening k, the end of the pipe of radius 3: its geometry, its links in the plane, its profiles. */
static void check_opening(const lattice *l, int k) {
    const lattice_opening *o = &l->opening[k];
    double plug = 0, developed = 0, parabolic = 0;
    assert_int_equal(links_of(l, k + 1), o->n_link);
    assert_float_equal(o->area_mm2, 9 * M_PI, 0.02);
    assert_float_equal(o->radius_mm, 3, 0.002);
    assert_float_equal(o->perimeter_mm, 6 * M_PI, 0.02);
    assert_float_equal(o->centre_mm[0], 0, 2e-3);
    assert_float_equal(o->normal[2], k ? 1 : -1, 1e-12);
    for (int64_t i = 0, n = 0; i < l->n_link; i++) {
        if (l->link_opening[i] != k + 1)
            continue;
        double p[3], r2 = 0;
        lattice_centre_mm(l, l->link_cell[i], p);
        const double from2 = p[0] * p[0] + p[1] * p[1];
        for (int a = 0; a < 3; a++)
            p[a] += l->link_q[i] * 0.4 * lattice_e[l->link_dir[i]][a];
        assert_float_equal(p[2], k ? 6.1 : -6, 1e-6);
        for (int a = 0; a < 2; a++) /* profiles are taken half-way, where the rule of an opening stands */
            r2 += pow(p[a] + (0.5 - l->link_q[i]) * 0.4 * lattice_e[l->link_dir[i]][a], 2);
        if (lattice_e[l->link_dir[i]][0] == 0 && lattice_e[l->link_dir[i]][1] == 0) { /* one link a column */
            plug += r2 < 9;
            developed += o->profile_developed[n];
            parabolic += o->profile_parabolic[n];
        }
        if (from2 < 9) /* behind the wall the mirror image, which bends the other way */
            assert_float_equal(o->profile_developed[n], 2 - 2 * r2 / 9,
                               r2 < 9 ? 5e-3 : 5e-3 + 4 * pow(sqrt(r2) / 3 - 1, 2));
        assert_float_equal(o->profile_parabolic[n], fmax(0, 2 - 2 * r2 / 9), 5e-3);
        n++;
    }
    assert_float_equal(plug * 0.16, 9 * M_PI, 0.05 * 9 * M_PI);
    assert_float_equal(developed * 0.16, 9 * M_PI, 0.02 * 9 * M_PI);
    assert_float_equal(parabolic * 0.16, 9 * M_PI, 0.02 * 9 * M_PI);
}

/* A straight pipe with an inlet and an outlet, and a second vessel that runs through both planes. */
static void openings_cut_one_branch_only(void **state) {
    (void)state;
    const shape_segment segment[3] = {
        {{0, 0, -20}, {0, 0, 20}, 3, 3}, {{0, 0, 0}, {8, 0, 0}, 2, 2}, {{8, 0, -7.5}, {8, 0, 7.5}, 2, 2}};
    const shape_field f = {.shape = {.kind = SHAPE_TREE, .n_segment = 3, .segment = segment}};
    const mesh_opening opening[2] = {{"in", LATTICE_INLET, {0.4, 0.3, -6}, {0, 0, -1}, NAN},
                                     {"out", LATTICE_OUTLET, {0, 0, 6.1}, {0, 0, 1}, NAN}};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.4, .n_opening = 2, .opening = opening};
    const double low[3] = {-5, -5, -16}, high[3] = {12, 5, 16};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_int_equal(report.n_component, 3);
    assert_true(report.n_dropped == report.n_beyond && report.n_beyond > 1000);
    assert_int_equal(report.n_border, 0);
    check_wall_links(&l, shape_field_distance, &f, 1e-4 * 0.4);
    double z_low = 0, z_high = 0, x_high = 0, side_low = 0, side_high = 0;
    for (int64_t i = 0; i < l.n_cell; i++) {
        double p[3];
        lattice_centre_mm(&l, i, p);
        if (p[0] < 5) {
            z_low = fmin(z_low, p[2]);
            z_high = fmax(z_high, p[2]);
        } else {
            side_low = fmin(side_low, p[2]);
            side_high = fmax(side_high, p[2]);
        }
        x_high = fmax(x_high, p[0]);
    }
    assert_true(z_low > -6 && z_low < -5.6 && z_high < 6.1 && z_high > 5.7);
    assert_true(side_low < -9 && side_high > 9 && x_high > 9.5); /* the side branch is whole */
    for (int k = 0; k < 2; k++)
        check_opening(&l, k);
    lattice_free(&l);
}

/* An oblique pipe, planes along its axis: volume between the planes, links on both sides in every cell's reach. */
static void oblique_pipe_between_two_planes(void **state) {
    (void)state;
    const double axis[3] = {0.48, 0.6, 0.64};
    shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .b = {0.48, 0.6, 0.64}, .radius = {3}}};
    mesh_opening opening[2] = {{"a", LATTICE_INLET, {0}, {0}, NAN}, {"b", LATTICE_OUTLET, {0}, {0}, NAN}};
    for (int a = 0; a < 3; a++) {
        opening[0].point_mm[a] = -7 * axis[a];
        opening[1].point_mm[a] = 7 * axis[a];
        opening[0].normal[a] = -axis[a];
        opening[1].normal[a] = axis[a];
    }
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.3, .n_opening = 2, .opening = opening};
    const double low[3] = {-9, -9, -9}, high[3] = {9, 9, 9};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_float_equal(report.fluid_volume_mm3, 14 * 9 * M_PI, 0.001 * 14 * 9 * M_PI);
    assert_int_equal(report.n_border, 0);
    for (int64_t i = 0; i < l.n_cell; i++) {
        double p[3], height = 0;
        lattice_centre_mm(&l, i, p);
        for (int a = 0; a < 3; a++)
            height += p[a] * axis[a];
        assert_true(fabs(height) < 7);
    }
    assert_true(llabs((long long)(links_of(&l, 1) - links_of(&l, 2))) < links_of(&l, 1) / 50);
    lattice_free(&l);
}

static void cavity_with_a_lid(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_BOX, .b = {1, 1, 1}}};
    const mesh_opening lid = {"lid", LATTICE_MOVING_WALL, {0.5, 0.5, 1}, {0, 0, 1}, NAN};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = 0.1, .n_opening = 1, .opening = &lid};
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_int_equal(l.n_cell, 1000);
    assert_float_equal(report.fluid_volume_mm3, 1, 1e-12);
    assert_int_equal(links_of(&l, 1), 100 + 4 * 90); /* every step upwards, but not those to where it meets a wall */
    for (int64_t i = 0; i < l.n_link; i++)
        assert_float_equal(l.link_q[i], 0.5, 1e-5);
    for (int64_t i = 0; i < l.opening[0].n_link; i++)
        assert_true(l.opening[0].profile_developed[i] == 1);
    lattice_free(&l);
}

static void box_faces_are_walls(void **state) {
    (void)state;
    const shape_field f = {.shape = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {2}}};
    voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.5};
    const double low[3] = {-3, -3, 0}, high[3] = {3, 3, 5};
    lattice l;
    voxelize_report report;
    make(&in, low, high, &l, &report);
    assert_true(report.n_border > 0 && report.border_mm[2] == 0.25);
    lattice_free(&l);
}

static void expect_refused(voxelize_input *in, const char *words) {
    lattice l;
    const double low[3] = {-6, -6, -16}, high[3] = {14, 6, 16};
    assert_int_equal(voxelize_box(in, low, high), OK);
    assert_int_equal(voxelize(in, &l, NULL), ERR_INPUT);
    if (!strstr(status_message(), words))
        fail_msg("%s", status_message());
    assert_null(l.cell);
    status_clear();
}

/* The same lattice whichever way the normals were given, when they may be turned. */
static void normals_are_turned_out(void **state) {
    (void)state;
    const shape_segment segment[2] = {{{0, 0, -12}, {0, 0, 12}, 3, 3}, {{0, 0, 0}, {12, 0, 0}, 2, 2}};
    const shape_field f = {.shape = {.kind = SHAPE_TREE, .n_segment = 2, .segment = segment}};
    mesh_opening o[3] = {{"a", LATTICE_INLET, {0, 0, -6}, {0, 0, -1}, NAN},
                         {"b", LATTICE_OUTLET, {0, 0, 6.25}, {0, 0, 1}, NAN},
                         {"c", LATTICE_OUTLET, {7, 0, 0}, {1, 0, 0}, NAN}};
    voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.5, .n_opening = 3, .opening = o};
    const double low[3] = {-6, -6, -16}, high[3] = {16, 6, 16};
    lattice l[2];
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, &l[0], NULL), OK);
    o[0].normal[2] = 1;
    o[1].normal[2] = -1;
    in.turn_openings = true;
    assert_int_equal(voxelize(&in, &l[1], NULL), OK);
    assert_int_equal(lattice_check(&l[1]), OK);
    assert_int_equal(l[1].n_cell, l[0].n_cell);
    assert_int_equal(l[1].n_link, l[0].n_link);
    assert_memory_equal(l[1].link_opening, l[0].link_opening, (size_t)l[0].n_link);
    assert_memory_equal(l[1].link_q, l[0].link_q, (size_t)l[0].n_link * sizeof(float));
    for (int k = 0; k < 3; k++)
        assert_float_equal(l[1].opening[k].normal[2], l[0].opening[k].normal[2], 1e-12);
    lattice_free(&l[0]);
    lattice_free(&l[1]);
}

static void box_is_trimmed_to_the_cells(void **state) {
    (void)state;
    const double radius = 3;
    voxelize_input in = {.distance = ball_distance, .data = &radius, .spacing_mm = 0.5};
    const double low[3] = {-9, -20, -5}, high[3] = {8, 4, 5};
    lattice l;
    double before[3], after[3];
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    lattice_centre_mm(&l, l.n_cell / 3, before);
    voxelize_trim(&in, &l, 2);
    lattice_centre_mm(&l, l.n_cell / 3, after);
    assert_int_equal(lattice_check(&l), OK);
    for (int a = 0; a < 3; a++) {
        assert_int_equal(l.dims[a], 12 + 4);
        assert_int_equal(in.dims[a], l.dims[a]);
        assert_float_equal(after[a], before[a], 1e-9);
    }
    lattice_free(&l);
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    const shape_segment segment[2] = {{{0, 0, -12}, {0, 0, 12}, 3, 3}, {{9, 0, -12}, {9, 0, 12}, 3, 3}};
    const shape_field f = {.shape = {.kind = SHAPE_TREE, .n_segment = 2, .segment = segment}};
    mesh_opening o[3] = {{"in", LATTICE_INLET, {0, 0, -6}, {0, 0, -1}, NAN},
                         {"far", LATTICE_OUTLET, {9, 0, 6}, {0, 0, 1}, NAN}};
    voxelize_input in = {.distance = shape_field_distance, .data = &f, .spacing_mm = 0.5, .n_opening = 2, .opening = o};
    expect_refused(&in, "not connected");
    o[1] = (mesh_opening){"twin", LATTICE_OUTLET, {0.4, 0, -6.2}, {0, 0, 1}, NAN};
    expect_refused(&in, "same cross-section");
    in.n_opening = 3; /* two outlets one behind the other */
    o[1] = (mesh_opening){"out", LATTICE_OUTLET, {0, 0, 6}, {0, 0, 1}, NAN};
    o[2] = (mesh_opening){"next", LATTICE_OUTLET, {0, 0, 4}, {0, 0, 1}, NAN};
    expect_refused(&in, "'out' is 2 mm beyond opening 'next', which already closes the vessel");
    for (int way = -1; way <= 1; way += 2) /* far apart, with normals that may point either way */
        for (int apart = 2; apart <= 5; apart += 3) {
            in.turn_openings = true;
            o[2] = (mesh_opening){"next", LATTICE_OUTLET, {0, 0, 6 - apart}, {0, 0, way}, NAN};
            expect_refused(&in, apart == 2 ? "'out' is 2 mm beyond opening 'next'" : "'out' is 5 mm beyond");
        }
    in.turn_openings = false;
    in.n_opening = 2;
    o[1] = (mesh_opening){"turned", LATTICE_OUTLET, {0, 0, 6}, {0, 0, -1}, NAN};
    expect_refused(&in, "normal");
    const double radius = -1;
    in = (voxelize_input){.distance = ball_distance, .data = &radius, .spacing_mm = 0.5};
    expect_refused(&in, "no cell");
    in.periodic[0] = true;
    in.spacing_mm = 0.3;
    assert_int_equal(voxelize_box(&in, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}), ERR_INPUT);
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ball_volume),
                                       cmocka_unit_test(pipe_at_an_angle_is_periodic),
                                       cmocka_unit_test(channel_has_exact_cuts),
                                       cmocka_unit_test(openings_cut_one_branch_only),
                                       cmocka_unit_test(oblique_pipe_between_two_planes),
                                       cmocka_unit_test(cavity_with_a_lid),
                                       cmocka_unit_test(box_faces_are_walls),
                                       cmocka_unit_test(normals_are_turned_out),
                                       cmocka_unit_test(box_is_trimmed_to_the_cells),
                                       cmocka_unit_test(what_cannot_work_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
