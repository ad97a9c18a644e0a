/* SPDX-License-Identifier: Apache-2.0 */
/* Openings at the ends of vessels: in a bend, cut at an angle, beside a branch, tapering; wherever the point is given,
 * the plane lies across the vessel and its cross-section is whole. */
#include "common/base/status.h"
#include "mesh/openings/opening_plane.h"
#include "tests/unit/fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The vessel ends in the plane through `end`, `normal` pointing out of it. */
typedef struct {
    shape s;
    double end[3], normal[3], low[3], high[3], voxel;
} vessel;

static double distance_of(const void *data, const double p[3]) {
    const vessel *v = data;
    double beyond = 0;
    for (int a = 0; a < 3; a++)
        beyond += (p[a] - v->end[a]) * v->normal[a];
    return fmax(shape_distance_mm(&v->s, p), beyond);
}

static void make_lumen(const vessel *v, lumen *l) {
    volume phi;
    int dims[3];
    memset(l, 0, sizeof *l);
    for (int a = 0; a < 3; a++)
        dims[a] = (int)ceil((v->high[a] - v->low[a]) / v->voxel);
    assert_int_equal(volume_create(&phi, dims, (const double[3]){v->voxel, v->voxel, v->voxel}, v->low, NULL), OK);
    fill_volume(&phi, distance_of, v);
    assert_int_equal(phi_field_create(&l->phi, &phi), OK);
    l->voxel_mm = v->voxel;
    volume_free(&phi);
}

/* The opening at `point`: how many degrees its normal is off `axis` (a direction at the place where it ended), and its
 * area. */
static double degrees_off(const double n[3], const double axis[3]) {
    double cosine = 0, length = 0;
    for (int a = 0; a < 3; a++) {
        cosine += n[a] * axis[a];
        length += axis[a] * axis[a];
    }
    return acos(fmin(1, fabs(cosine) / sqrt(length))) * 180 / M_PI;
}

/* normal: the words of the case. */
static void place_across(const vessel *v, const double point[3], const char *normal, opening_plane *out) {
    lumen l;
    case_file c;
    char text[400];
    const int n = snprintf(text, sizeof text,
                           "space: LPS\nsegment: {method: surface, surface: {path: v.stl}}\nopenings:\n"
                           "  - {name: A, role: inlet, point: [%.9g, %.9g, %.9g], normal: %s, flow: 0.1 L/min}\n"
                           "  - {name: B, role: outlet, point: [0.1, 0.2, -5.3], pressure: 0 Pa}\n",
                           point[0], point[1], point[2], normal);
    assert_int_equal(case_read_text(text, (size_t)n, "case.yaml", 0, &c), OK);
    make_lumen(v, &l);
    if (opening_plane_place(&c, 0, NULL, &l, v->low, v->high, out) != OK)
        fail_msg("%s", status_message());
    lumen_free(&l);
    case_free(&c);
}

static void place_at(const vessel *v, const double point[3], opening_plane *out) {
    place_across(v, point, "auto", out);
}

/* A bend of radius 8, 2.5 mm wide half across, cut across at angle 0: its end looks along -y. */
static void end_in_a_bend(void **state) {
    (void)state;
    const vessel v = {.s = {.kind = SHAPE_TORUS, .b = {0, 0, 1}, .radius = {2.5, 8}},
                      .normal = {0, -1, 0},
                      .low = {-1, -2, -4},
                      .high = {12, 12, 4},
                      .voxel = 0.4};
    for (int k = 0; k < 6; k++) {
        const double angle = 0.08 * k, off = k % 2;
        opening_plane o;
        place_at(&v, (const double[3]){(8 + off) * cos(angle), (8 + off) * sin(angle), 0.2 * k}, &o);
        const double *p = o.plane.point_mm, area = o.area_mm2 / (M_PI * 2.5 * 2.5);
        const double angle_off = degrees_off(o.plane.normal, (const double[3]){-p[1], p[0], 0});
        printf("bend, %.1f mm from the end: %.1f degrees off, area %.3f, moved %.2f mm\n", 8 * angle, angle_off, area,
               o.moved_mm);
        assert_true(angle_off < 5);
        assert_float_equal(area, 1, 0.02);
    }
}

/* Bends of 8 to 40 radii: where the axis is no straight line, the line through it is not its direction at the end. */
static void end_in_a_slight_bend(void **state) {
    (void)state;
    for (int k = 0; k < 10; k++) {
        static const double bend[10] = {8, 14, 16, 18, 20, 22, 24, 26, 30, 40};
        const double r = 2.5 * bend[k];
        const vessel v = {.s = {.kind = SHAPE_TORUS, .b = {0, 0, 1}, .radius = {2.5, r}},
                          .normal = {0, -1, 0},
                          .low = {r - 9, -2, -4},
                          .high = {r + 4, 18, 4},
                          .voxel = 0.5};
        opening_plane o;
        place_at(&v, (const double[3]){r, 0.3, 0}, &o);
        const double *p = o.plane.point_mm, angle_off = degrees_off(o.plane.normal, (const double[3]){-p[1], p[0], 0});
        printf("bend of %g radii: %.1f degrees off, moved %.2f mm\n", bend[k], angle_off, o.moved_mm);
        assert_true(angle_off < 2);
    }
}

/* Straight, cut off by a plane that is 30 or 45 degrees oblique, its point in the middle of the face or inside. */
static void end_cut_at_an_angle(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        const double slant = (k % 2 ? 45 : 30) * M_PI / 180, inside = 1.5 * (k / 2);
        const vessel v = {.s = {.kind = SHAPE_CYLINDER, .b = {0.2, 0.1, 1}, .radius = {3}},
                          .normal = {sin(slant), 0, cos(slant)},
                          .low = {-8, -6, -20},
                          .high = {8, 6, 6},
                          .voxel = k < 4 ? 0.25 : 0.5};
        opening_plane o;
        place_at(&v, (const double[3]){-0.2 * inside, -0.1 * inside, -inside}, &o);
        const double area = o.area_mm2 / (9 * M_PI), angle_off = degrees_off(o.plane.normal, v.s.b);
        printf("cut at %.0f degrees, point %.1f mm inside: %.1f degrees off, area %.3f, moved %.2f mm\n",
               slant * 180 / M_PI, inside, angle_off, area, o.moved_mm);
        assert_true(angle_off < 3);
        assert_float_equal(area, 1, 0.02);
    }
}

/* A branch that ends half a radius behind the fork, a blend of 0.5 mm beside it: no cross-section straight across is
 * whole before the trunk, and the end itself is the plane. */
static void end_close_to_a_fork(void **state) {
    (void)state;
    const shape_segment three[3] = {
        {{0, 0, -20}, {0, 0, 0}, 2.5, 2.5}, {{0, 0, 0}, {7, 0, 9}, 1.9, 1.9}, {{0, 0, 0}, {-7, 0, 9}, 1.6, 1.6}};
    const double n[3] = {-7 / sqrt(130), 0, 9 / sqrt(130)};
    const vessel v = {.s = {.kind = SHAPE_TREE, .n_segment = 3, .segment = three},
                      .end = {-2.9, 0, 3.7},
                      .normal = {n[0], n[1], n[2]},
                      .low = {-6, -4, -8},
                      .high = {9, 4, 11},
                      .voxel = 0.125};
    opening_plane o;
    place_at(&v, (const double[3]){-2.4, 0, 3.1}, &o);
    const double area = o.area_mm2 / (1.6 * 1.6 * M_PI), angle_off = degrees_off(o.plane.normal, n);
    printf("close to a fork: %.1f degrees off, area %.3f, moved %.2f mm\n", angle_off, area, o.moved_mm);
    assert_true(angle_off < 3 && o.moved_mm < 1.6);
    assert_float_equal(area, 1, 0.05);
}

/* A trunk that ends close behind a branch; a vessel that gets wider inwards. */
static void end_beside_a_branch_and_of_a_taper(void **state) {
    (void)state;
    const shape_segment two[2] = {{{0, 0, -20}, {0, 0, 20}, 2.5, 2.5}, {{0, 0, 0}, {12, 0, 6}, 1.8, 1.8}};
    const shape_segment cone = {{0, 0, -20}, {0, 0, 20}, 6, 2};
    const vessel trunk = {.s = {.kind = SHAPE_TREE, .n_segment = 2, .segment = two},
                          .end = {0, 0, 9},
                          .normal = {0, 0, 1},
                          .low = {-4, -4, -12},
                          .high = {8, 4, 12},
                          .voxel = 0.25};
    const vessel taper = {.s = {.kind = SHAPE_TREE, .n_segment = 1, .segment = &cone},
                          .end = {0, 0, 9},
                          .normal = {0, 0, 1},
                          .low = {-7, -7, -12},
                          .high = {7, 7, 12},
                          .voxel = 0.3};
    for (int k = 0; k < 4; k++) {
        const double point[3] = {0.3, -0.4, 9 - 0.6 * k};
        opening_plane o;
        place_at(&trunk, point, &o);
        const double off_trunk = degrees_off(o.plane.normal, (const double[3]){0, 0, 1}), moved = o.moved_mm;
        assert_float_equal(o.area_mm2, 2.5 * 2.5 * M_PI, 0.5);
        place_at(&taper, point, &o);
        const double off_taper = degrees_off(o.plane.normal, (const double[3]){0, 0, 1});
        printf("%.1f mm from the end: %.1f degrees off beside a branch (moved %.2f mm), %.1f in a taper (%.2f mm)\n",
               0.6 * k, off_trunk, moved, off_taper, o.moved_mm);
        assert_true(off_trunk < 4 && off_taper < 4);
        assert_true(moved < 1 && o.moved_mm < 1);
    }
}

/* A plane that is given: the vessel's direction comes along where it is another one. */
static void plane_given_obliquely(void **state) {
    (void)state;
    const vessel v = {.s = {.kind = SHAPE_CYLINDER, .b = {0.2, 0.1, 1}, .radius = {3}},
                      .normal = {0, 0, 1},
                      .low = {-9, -8, -24},
                      .high = {9, 8, 6},
                      .voxel = 0.4};
    for (int k = 0; k < 4; k++) {
        static const double slant[4] = {5, 20, 45, 60}; /* in a plane through the axis */
        const double z = -8, c = cos(slant[k] * M_PI / 180), s = sin(slant[k] * M_PI / 180);
        const double axis[3] = {0.2, 0.1, 1}, side[3] = {1, 0, -0.2}, long_axis = sqrt(1.05), long_side = sqrt(1.04);
        char normal[100];
        opening_plane o;
        snprintf(normal, sizeof normal, "[%.6f, %.6f, %.6f]", c * axis[0] / long_axis + s * side[0] / long_side,
                 c * axis[1] / long_axis + s * side[1] / long_side, c * axis[2] / long_axis + s * side[2] / long_side);
        place_across(&v, (const double[3]){0.2 * z, 0.1 * z, z}, normal, &o);
        const double length = sqrt(o.plane.along[0] * o.plane.along[0] + o.plane.along[1] * o.plane.along[1] +
                                   o.plane.along[2] * o.plane.along[2]);
        printf("plane %.0f degrees off at %g mm: direction of length %.3f, %.1f degrees off, area %.3f\n", slant[k], z,
               length, degrees_off(o.plane.along, axis), o.area_mm2 / (9 * M_PI));
        if (slant[k] < 10)
            assert_true(length == 0);
        else
            assert_true(fabs(length - 1) < 1e-9 && degrees_off(o.plane.along, axis) < 3);
    }
}

/* A vein pressed flat: ten times as wide as the ball that fits into it. */
static void flat_vessel(void **state) {
    (void)state;
    const vessel v = {.s = {.kind = SHAPE_ELLIPSE, .radius = {6, 0.6}},
                      .normal = {0, 0, 1},
                      .low = {-8, -2, -20},
                      .high = {8, 2, 3},
                      .voxel = 0.15};
    opening_plane o;
    place_at(&v, (const double[3]){1, 0.1, -6}, &o);
    printf("flat: %.1f degrees off, area %.3f\n", degrees_off(o.plane.normal, (const double[3]){0, 0, 1}),
           o.area_mm2 / (3.6 * M_PI));
    assert_true(degrees_off(o.plane.normal, (const double[3]){0, 0, 1}) < 4);
    assert_float_equal(o.area_mm2 / (3.6 * M_PI), 1, 0.02);
}

/* At the end of a flat vessel the smallest cross-section lies across a corner: half of the one straight across. */
static void end_of_a_flat_vessel(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double wide = k % 2 ? 4 : 6, x = k < 3 ? 0 : 1, z = 0.5 * (k % 3);
        const vessel v = {.s = {.kind = SHAPE_ELLIPSE, .radius = {wide, 0.6}},
                          .normal = {0, 0, 1},
                          .low = {-8, -2, -20},
                          .high = {8, 2, 3},
                          .voxel = 0.15};
        opening_plane o;
        place_at(&v, (const double[3]){x, 0.1, -z}, &o);
        const double off = degrees_off(o.plane.normal, (const double[3]){0, 0, 1}), area = M_PI * 0.6 * wide;
        printf("end of a flat vessel: %.1f degrees off, area %.3f\n", off, o.area_mm2 / area);
        assert_true(off < 3);
        assert_float_equal(o.area_mm2 / area, 1, 0.03);
    }
}

/* Further inside the end is out of sight of the ball, and the smallest cross-section across its corner all the same. */
static void inside_a_flat_vessel(void **state) {
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double wide = k % 2 ? 4.2 : 6, part = 0.3 + 0.1 * (k / 2), x = wide * (k % 2 ? 0.4 : -0.4);
        const double slant = k == 5 ? 0.26 : 0; /* cut off at 15 degrees */
        const vessel v = {.s = {.kind = SHAPE_ELLIPSE, .radius = {wide, 0.6}},
                          .normal = {slant, 0, sqrt(1 - slant * slant)},
                          .low = {-8, -2, -20},
                          .high = {8, 2, 4},
                          .voxel = 0.15};
        opening_plane o;
        place_at(&v, (const double[3]){x, 0.1, -wide * part - slant * x}, &o);
        const double off = degrees_off(o.plane.normal, (const double[3]){0, 0, 1}), area = M_PI * 0.6 * wide;
        printf("%.1f half-widths inside a flat vessel: %.1f degrees off, area %.3f\n", part, off, o.area_mm2 / area);
        assert_true(off < 3);
        assert_float_equal(o.area_mm2 / area, 1, 0.03);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(end_in_a_bend),
                                       cmocka_unit_test(end_in_a_slight_bend),
                                       cmocka_unit_test(end_cut_at_an_angle),
                                       cmocka_unit_test(end_close_to_a_fork),
                                       cmocka_unit_test(end_beside_a_branch_and_of_a_taper),
                                       cmocka_unit_test(plane_given_obliquely),
                                       cmocka_unit_test(flat_vessel),
                                       cmocka_unit_test(end_of_a_flat_vessel),
                                       cmocka_unit_test(inside_a_flat_vessel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
