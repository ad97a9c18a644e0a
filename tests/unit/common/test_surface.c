/* SPDX-License-Identifier: Apache-2.0 */
/* Area, volume, open edges and bounds against a cube, a sphere and a tetrahedron. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface/surface.h"
#include "common/surface/surface_contact.h"
#include "common/surface/surface_crossing.h"
#include "common/surface/surface_orient_pieces.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* 12 outward triangles of a box from `low` with the sides `side` */
static void make_cube(surface *s, const double low[3], const double side[3]) {
    static const int32_t triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                            {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    assert_int_equal(surface_create(s, 8, 12), OK);
    memcpy(s->triangle, triangle, sizeof triangle);
    for (int p = 0; p < 8; p++)
        for (int a = 0; a < 3; a++)
            s->point_mm[3 * p + a] = low[a] + (p >> a & 1 ? side[a] : 0);
}

/* The k-th cube of a surface that has room for it, inside out or not. */
static void put_cube(surface *all, int k, const double low[3], const double side[3], bool inside_out) {
    surface one;
    make_cube(&one, low, side);
    memcpy(all->point_mm + 24 * k, one.point_mm, 24 * sizeof *one.point_mm);
    for (int t = 0; t < 36; t++) {
        const int to = inside_out ? t - t % 3 + 2 - t % 3 : t; /* the corners from behind */
        all->triangle[36 * k + to] = one.triangle[t] + 8 * k;
    }
    surface_free(&one);
}

static void test_cube(void **state) {
    (void)state;
    const double low[3] = {1000, -2000, 500}, side[3] = {2, 3, 5};
    double min[3], max[3];
    surface s;
    make_cube(&s, low, side);
    assert_true(fabs(surface_area_mm2(&s) - 2 * (6 + 10 + 15)) < 1e-9);
    assert_true(fabs(surface_volume_mm3(&s) - 30) < 1e-9);
    assert_int_equal(surface_open_edges(&s), 0);
    surface_bounds(&s, min, max);
    for (int a = 0; a < 3; a++) {
        assert_true(min[a] == low[a]);
        assert_true(max[a] == low[a] + side[a]);
    }
    for (int t = 0; t < 12; t++) { /* inside out */
        int32_t kept = s.triangle[3 * t];
        s.triangle[3 * t] = s.triangle[3 * t + 1];
        s.triangle[3 * t + 1] = kept;
    }
    assert_true(fabs(surface_volume_mm3(&s) + 30) < 1e-9);
    s.n_triangle = 10; /* without its lid */
    assert_int_equal(surface_open_edges(&s), 4);
    s.n_triangle = 11;
    assert_int_equal(surface_open_edges(&s), 3);
    surface_free(&s);
    surface_free(&s);
}

/* A cube with another one inside and a third beside it, each either way round: outside, hole, outside. */
static void test_nested(void **state) {
    (void)state;
    const double low[3][3] = {{0, 0, 0}, {1, 1.5, 2}, {20, 0, 0}}, side[3][3] = {{10, 10, 10}, {2, 3, 4}, {1, 1, 1}};
    for (int ways = 0; ways < 8; ways++) {
        surface all;
        int turned;
        assert_int_equal(surface_create(&all, 24, 36), OK);
        for (int k = 0; k < 3; k++)
            put_cube(&all, k, low[k], side[k], ways >> k & 1);
        assert_int_equal(surface_orient_pieces(&all, &turned), OK);
        assert_true(fabs(surface_volume_mm3(&all) - (1000 - 24 + 1)) < 1e-9);
        assert_int_equal(turned, (ways & 1) + !(ways >> 1 & 1) + (ways >> 2 & 1));
        surface_free(&all);
    }
}

/* Two boxes that share a corner region: what lies in both is no hole. */
static void test_crossing(void **state) {
    (void)state;
    const double low[2][3] = {{0, 0, 0}, {9, 9, 9}}, side[2][3] = {{10, 10, 10}, {4, 5, 6}};
    surface_crossing found;
    surface all;
    int turned;
    assert_int_equal(surface_create(&all, 16, 24), OK);
    for (int k = 0; k < 2; k++)
        put_cube(&all, k, low[k], side[k], false);
    assert_int_equal(surface_orient_pieces(&all, &turned), OK);
    assert_int_equal(surface_crossing_find(&all, &found), OK);
    assert_true(found.n_pair > 0 && found.wrong_mm2 > 1);
    for (int a = 0; a < 3; a++)
        assert_true(found.place_mm[a] >= 0 && found.place_mm[a] <= low[1][a] + side[1][a]);
    surface_free(&all);
}

/* A closed tube of radius 1 along 20 (t^2 - 1, t^3 - t, lift t), t from -1.4 to 1.4: without lift it goes through
 * itself at a right angle. */
static void make_crossing_tube(surface *s, double lift) {
    enum { RINGS = 240, CORNERS = 40 };
    assert_int_equal(surface_create(s, RINGS * CORNERS + 2, 2 * RINGS * CORNERS), OK);
    double *p = s->point_mm;
    for (int i = 0; i < RINGS; i++) {
        const double t = -1.4 + 2.8 * i / (RINGS - 1), x = t * t - 1, slope = 3 * t * t - 1;
        const double axis[3] = {20 * x, 20 * t * x, 20 * lift * t}, length = hypot(2 * t, slope);
        for (int j = 0; j < CORNERS; j++, p += 3) {
            const double angle = 2 * M_PI * (j + 0.3) / CORNERS;
            p[0] = axis[0] - cos(angle) * slope / length;
            p[1] = axis[1] + cos(angle) * 2 * t / length;
            p[2] = axis[2] + sin(angle);
        }
        if (i == 0 || i == RINGS - 1)
            memcpy(s->point_mm + (size_t)3 * (RINGS * CORNERS + (i > 0)), axis, sizeof axis);
    }
    int32_t *t = s->triangle;
    for (int j = 0; j < CORNERS; j++) {
        const int next = (j + 1) % CORNERS, last = (RINGS - 1) * CORNERS;
        const int32_t ends[6] = {RINGS * CORNERS, next, j, RINGS * CORNERS + 1, last + j, last + next};
        memcpy(t, ends, sizeof ends);
        t += 6;
        for (int i = 0; i < RINGS - 1; i++, t += 6) {
            const int a = i * CORNERS + j, b = i * CORNERS + next;
            const int32_t quad[6] = {a, b, a + CORNERS, b, b + CORNERS, a + CORNERS};
            memcpy(t, quad, sizeof quad);
        }
    }
}

/* One piece that goes through itself: of two equal tubes at a right angle 16 r^2 of the wall lie in the other. */
static void test_crossing_itself(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        surface_crossing found;
        surface s;
        int turned;
        make_crossing_tube(&s, k * 0.2);
        assert_true(surface_volume_mm3(&s) > 0);
        assert_int_equal(surface_orient_pieces(&s, &turned), OK);
        assert_int_equal(turned, 0);
        assert_int_equal(surface_crossing_find(&s, &found), OK);
        assert_int_equal(found.n_pair > 0, k == 0);
        assert_true(k == 0 ? fabs(found.wrong_mm2 - 16) < 0.5 && vec_length(found.place_mm) < 2
                           : found.wrong_mm2 == 0 && isnan(found.place_mm[0]));
        surface_free(&s);
    }
}

/* A sphere of n bands and 2 n slices; the error of area and volume falls with n^-2. */
static void sphere_error(int n, double radius, double *area, double *volume) {
    surface s;
    int slices = 2 * n, points = (n - 1) * slices + 2;
    assert_int_equal(surface_create(&s, points, 2 * slices * (n - 1)), OK);
    double *p = s.point_mm;
    for (int i = 1; i < n; i++)
        for (int j = 0; j < slices; j++, p += 3) {
            double theta = M_PI * i / n, phi = 2 * M_PI * j / slices;
            p[0] = 3 + radius * sin(theta) * cos(phi);
            p[1] = -4 + radius * sin(theta) * sin(phi);
            p[2] = 5 + radius * cos(theta);
        }
    const double poles[6] = {3, -4, 5 + radius, 3, -4, 5 - radius};
    memcpy(p, poles, sizeof poles);
    int32_t *t = s.triangle;
    for (int j = 0; j < slices; j++) {
        int next = (j + 1) % slices, last = (n - 2) * slices;
        const int32_t caps[6] = {points - 2, j, next, points - 1, last + next, last + j};
        memcpy(t, caps, sizeof caps);
        t += 6;
        for (int i = 0; i < n - 2; i++, t += 6) {
            int a = i * slices + j, b = i * slices + next;
            const int32_t quad[6] = {a, a + slices, b, b, a + slices, b + slices};
            memcpy(t, quad, sizeof quad);
        }
    }
    assert_int_equal(surface_open_edges(&s), 0);
    *area = fabs(surface_area_mm2(&s) / (4 * M_PI * radius * radius) - 1);
    *volume = fabs(surface_volume_mm3(&s) / (4 * M_PI / 3 * radius * radius * radius) - 1);
    surface_free(&s);
}

static void test_sphere(void **state) {
    (void)state;
    double area[2], volume[2];
    sphere_error(20, 7.5, &area[0], &volume[0]);
    sphere_error(40, 7.5, &area[1], &volume[1]);
    assert_true(area[0] < 0.01 && volume[0] < 0.02);
    assert_true(fabs(log2(area[0] / area[1]) - 2) < 0.05);
    assert_true(fabs(log2(volume[0] / volume[1]) - 2) < 0.05);
}

static void test_limits(void **state) {
    (void)state;
    double low[3], high[3];
    surface s;
    assert_int_equal(surface_create(&s, 0, 0), OK);
    assert_true(surface_area_mm2(&s) == 0 && surface_volume_mm3(&s) == 0);
    assert_int_equal(surface_open_edges(&s), 0);
    surface_bounds(&s, low, high);
    assert_true(low[0] == INFINITY && high[2] == -INFINITY);
    surface_free(&s);
    status_clear();
    assert_int_equal(surface_create(&s, (int64_t)1 << 40, 1), ERR_INPUT);
    status_clear();
    assert_int_equal(surface_create(&s, -1, 1), ERR_INPUT);
    status_clear();
}

/* Two tetrahedra that share one vertex, in which each has three corners. */
static void test_shared_point(void **state) {
    (void)state;
    static const int32_t triangle[8][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3},
                                           {0, 5, 4}, {0, 4, 6}, {0, 6, 5}, {4, 5, 6}};
    surface s;
    surface_contact found;
    assert_int_equal(surface_create(&s, 7, 8), OK);
    memcpy(s.triangle, triangle, sizeof triangle);
    for (int a = 0; a < 3; a++) {
        s.point_mm[3 * (1 + a) + a] = 1;
        s.point_mm[3 * (4 + a) + a] = a == 0 ? -1 : 1;
    }
    assert_int_equal(surface_contact_find(&s, &found), OK);
    assert_int_equal(found.touching, 1);
    assert_true(fabs(found.small_mm3 - 1.0 / 6) < 1e-12 && found.touching_mm[0] == 0);
    surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cube),        cmocka_unit_test(test_nested),
                                       cmocka_unit_test(test_crossing),    cmocka_unit_test(test_crossing_itself),
                                       cmocka_unit_test(test_sphere),      cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_shared_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
