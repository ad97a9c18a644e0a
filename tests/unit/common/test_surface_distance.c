/* SPDX-License-Identifier: Apache-2.0 */
/* surface_distance against exact distances of a cube, sharp edges and corners included, and against every triangle. */
#include "common/base/status.h"
#include "common/surface/surface_distance.h"
#include "tests/unit/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A cube of side 2 n cells round 0, each side cut into n x n squares of two triangles, points shared. */
static int32_t point_at(surface *s, const double p[3]) {
    for (int64_t k = 0; k < s->n_point; k++)
        // the same numbers, made the same way: NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-flp37-c)
        if (memcmp(s->point_mm + 3 * k, p, 3 * sizeof *p) == 0)
            return (int32_t)k;
    memcpy(s->point_mm + 3 * s->n_point, p, 3 * sizeof *p);
    return (int32_t)s->n_point++;
}

static void make_cube(surface *s, int n) {
    assert_int_equal(surface_create(s, 6 * (n + 1) * (n + 1), 12 * n * n), OK);
    s->n_point = s->n_triangle = 0;
    for (int side = 0; side < 6; side++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int32_t corner[4];
                for (int k = 0; k < 4; k++) {
                    double p[3];
                    p[side / 2] = side & 1 ? 1 : -1;
                    p[(side / 2 + 1) % 3] = -1 + 2.0 * (i + (k == 1 || k == 2)) / n;
                    p[(side / 2 + 2) % 3] = -1 + 2.0 * (j + (k >= 2)) / n;
                    corner[k] = point_at(s, p);
                }
                const int out[2][2] = {{1, 2}, {2, 3}}, in[2][2] = {{2, 1}, {3, 2}};
                for (int t = 0; t < 2; t++) {
                    int32_t *c = s->triangle + 3 * s->n_triangle++;
                    c[0] = corner[0];
                    c[1] = corner[side & 1 ? out[t][0] : in[t][0]];
                    c[2] = corner[side & 1 ? out[t][1] : in[t][1]];
                }
            }
}

static double cube_distance(const double p[3]) {
    double outside = 0, inside = -INFINITY;
    for (int a = 0; a < 3; a++) {
        const double d = fabs(p[a]) - 1;
        outside += d > 0 ? d * d : 0;
        inside = fmax(inside, d);
    }
    return inside > 0 ? sqrt(outside) : inside;
}

static double random_in(unsigned *seed, double low, double high) {
    *seed = *seed * 1664525U + 1013904223U;
    return low + (high - low) * (*seed >> 8) / 16777216.0;
}

static void cube_is_exact(void **state) {
    (void)state;
    for (int n = 1; n <= 5; n += 4) {
        surface s;
        surface_distance *d;
        unsigned seed = 7;
        make_cube(&s, n);
        assert_true(surface_open_edges(&s) == 0);
        assert_near(surface_volume_mm3(&s), 8, 1e-12);
        assert_int_equal(surface_distance_create(&d, &s, 0.2), OK);
        for (int k = 0; k < 20000; k++) {
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = random_in(&seed, -3, 3);
            assert_near(surface_distance_mm(d, p), cube_distance(p), 1e-12);
            for (int m = 0; m < 5; m++) { /* close by, from memory */
                double q[3];
                for (int a = 0; a < 3; a++)
                    q[a] = p[a] + random_in(&seed, -0.15, 0.15);
                assert_near(surface_distance_mm(d, q), cube_distance(q), 1e-12);
            }
        }
        /* beyond a corner and an edge, where the nearest triangles alone do not tell the side */
        const double corner[3] = {1.2, 1.1, 1.3}, edge[3] = {1.2, 1.1, 0.3};
        assert_true(surface_distance_mm(d, corner) > 0 && surface_distance_mm(d, edge) > 0);
        surface_distance_set_near(d, 1e-9);
        assert_near(surface_distance_mm(d, corner), cube_distance(corner), 1e-12);
        surface_distance_free(d);
        surface_free(&s);
    }
}

/* Cubes of points at the wall, at edges and corners, some of them with points on the wall itself: as one by one. */
/* Away from the nearest point, whether it is on a face, an edge or a corner; on the surface the normal. */
static void slope_points_away(void **state) {
    (void)state;
    surface s;
    surface_distance *d;
    const double place[4][3] = {{1.5, 0.2, 0.1}, {1.3, 1.4, 0.2}, {1.2, -1.2, 1.1}, {0.1, 0.9, -0.2}};
    make_cube(&s, 5);
    assert_int_equal(surface_distance_create(&d, &s, 0.2), OK);
    for (int k = 0; k < 4; k++) {
        double gradient[3], foot[3];
        const double distance = surface_distance_gradient_mm(d, place[k], gradient);
        assert_near(distance, cube_distance(place[k]), 1e-12);
        for (int a = 0; a < 3; a++)
            foot[a] = place[k][a] - distance * gradient[a];
        assert_near(cube_distance(foot), 0, 1e-12);
        assert_near(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2], 1, 1e-12);
        const double on = surface_distance_gradient_mm(d, (const double[3]){0.23, -1, 0.31}, gradient);
        assert_true(fabs(on) < 1e-12 && gradient[1] < -1 + 1e-12);
    }
    surface_distance_free(d);
    surface_free(&s);
}

static void points_are_counted(void **state) {
    (void)state;
    for (int n = 1; n <= 9; n += 4) {
        surface s;
        surface_distance *d;
        unsigned seed = 3;
        int between = 0;
        make_cube(&s, n);
        assert_int_equal(surface_distance_create(&d, &s, 0.2), OK);
        for (int k = 0; k < 600; k++) {
            const double width = k % 3 == 0 ? 0.25 : random_in(&seed, 0.05, 0.6);
            double middle[3];
            int outside = 0;
            for (int a = 0; a < 3; a++)
                middle[a] = k % 3 == 0 ? 1 + 0.015625 * (int)random_in(&seed, -9, 9) : random_in(&seed, 0.5, 1.2);
            for (int i = 0; i < 512; i++) {
                double p[3];
                for (int a = 0; a < 3; a++)
                    p[a] = middle[a] + width * ((i >> 3 * a & 7) - 3.5) / 8;
                outside += surface_distance_mm(d, p) >= 0;
            }
            assert_int_equal(surface_distance_count_outside(d, middle, width, 8, surface_distance_mm(d, middle)),
                             outside);
            between += outside > 0 && outside < 512;
        }
        assert_true(between > 200);
        surface_distance_free(d);
        surface_free(&s);
    }
}

static void two_surfaces_do_not_mix(void **state) {
    (void)state;
    surface s[2];
    surface_distance *d[2];
    for (int k = 0; k < 2; k++) {
        make_cube(&s[k], 2);
        for (int64_t i = 0; i < 3 * s[k].n_point; i++)
            s[k].point_mm[i] *= 1 + k;
        assert_int_equal(surface_distance_create(&d[k], &s[k], 0.5), OK);
    }
    const double p[3] = {0.9, 0.1, 0};
    for (int k = 0; k < 4; k++)
        assert_near(surface_distance_mm(d[k % 2], p), (k % 2 ? -1.1 : -0.1), 1e-12);
    for (int k = 0; k < 2; k++) {
        surface_distance_free(d[k]);
        surface_free(&s[k]);
    }
    surface_distance_free(NULL);
}

static void nothing_is_refused(void **state) {
    (void)state;
    surface s;
    surface_distance *d;
    assert_int_equal(surface_create(&s, 3, 1), OK);
    s.triangle[1] = 1;
    s.triangle[2] = 2;
    assert_int_equal(surface_distance_create(&d, &s, 1), ERR_INPUT);
    assert_null(d);
    status_clear();
    surface_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cube_is_exact), cmocka_unit_test(slope_points_away),
                                       cmocka_unit_test(points_are_counted), cmocka_unit_test(two_surfaces_do_not_mix),
                                       cmocka_unit_test(nothing_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
