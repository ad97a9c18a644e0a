/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces whose triangles do not join: open ends, rings, copies, corners that lie a little apart. */
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/temp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void open_tube_is_filled(void **state) {
    (void)state;
    enum { N = 24 };
    surface s;
    int n_filled = 0;
    assert_int_equal(surface_create(&s, 2 * N, 2 * N), OK);
    for (int i = 0; i < N; i++)
        for (int end = 0; end < 2; end++) {
            double *p = s.point_mm + 3 * (2 * i + end);
            p[0] = 3 * cos(2 * M_PI * i / N);
            p[1] = 3 * sin(2 * M_PI * i / N);
            p[2] = 10 * end;
        }
    for (int i = 0; i < N; i++) {
        const int32_t a = 2 * i, b = 2 * ((i + 1) % N);
        memcpy(s.triangle + 6 * i, (const int32_t[6]){a, b, b + 1, a, b + 1, a + 1}, 6 * sizeof(int32_t));
    }
    assert_int_equal(surface_open_edges(&s), 2 * N);
    assert_int_equal(surface_fill_holes(&s, false, &n_filled), OK);
    assert_int_equal(n_filled, 2);
    assert_int_equal(surface_open_edges(&s), 0);
    assert_float_equal(surface_volume_mm3(&s), 10 * N * 0.5 * 9 * sin(2 * M_PI / N), 1e-9);
    assert_int_equal(surface_fill_holes(&s, false, &n_filled), OK);
    assert_int_equal(n_filled, 0);
    surface_free(&s);
}

/* Two tubes, one in the other, open at both ends: the ends are rings, which are refused. */
static void open_ring_is_refused(void **state) {
    (void)state;
    enum { N = 24 };
    surface s;
    int n_filled = 0;
    assert_int_equal(surface_create(&s, 4 * N, 4 * N), OK);
    for (int i = 0; i < 4 * N; i++) { /* ends and tubes by turns */
        const double radius = i / 2 % 2 ? 1 : 3;
        s.point_mm[3 * i] = radius * cos(2 * M_PI * (i / 4) / N);
        s.point_mm[3 * i + 1] = radius * sin(2 * M_PI * (i / 4) / N) + (radius < 3 ? 0.5 : 0);
        s.point_mm[3 * i + 2] = 10 * (i % 2);
    }
    for (int i = 0; i < N; i++)
        for (int tube = 0; tube < 2; tube++) {
            const int32_t a = 4 * i + 2 * tube, b = 4 * ((i + 1) % N) + 2 * tube;
            const int32_t corner[6] = {a, b, b + 1, a, b + 1, a + 1}, inner[6] = {b, a, b + 1, b + 1, a, a + 1};
            memcpy(s.triangle + 12 * i + 6 * tube, tube ? inner : corner, sizeof corner);
        }
    assert_int_equal(surface_fill_holes(&s, false, &n_filled), ERR_INPUT);
    assert_non_null(strstr(status_message(), "is a ring between two walls"));
    status_clear();
    assert_int_equal(surface_fill_holes(&s, true, &n_filled), OK); /* what lies between the tubes, all the same */
    assert_int_equal(n_filled, 4);
    assert_float_equal(surface_volume_mm3(&s), 10 * N * 0.5 * (9 - 1) * sin(2 * M_PI / N), 1e-9);
    surface_free(&s);
}

/* Half of a ball's triangles a second time, the other way round: copies, as its sides show. A wall across it, both ways
 * round, is a wall. */
static void turned_copies_are_dropped(void **state) {
    (void)state;
    enum { N = 24 };
    for (int wall = 0; wall < 2; wall++) {
        surface s, back;
        assert_int_equal(surface_create(&s, N + 2, 3 * N + (wall ? N : 0)), OK);
        for (int i = 0; i < N + 2; i++) {
            s.point_mm[3 * i] = i < N ? 3 * cos(2 * M_PI * i / N) : 0;
            s.point_mm[3 * i + 1] = i < N ? 3 * sin(2 * M_PI * i / N) : 0;
            s.point_mm[3 * i + 2] = i < N ? 0 : i == N ? 4 : -4;
        }
        s.n_triangle = 0;
        for (int32_t i = 0; i < N; i++) {
            const int32_t next = (i + 1) % N;
            const int32_t top[3] = {i, next, N}, bottom[3] = {next, i, N + 1}, turned[3] = {next, i, N};
            memcpy(s.triangle + 3 * s.n_triangle++, top, sizeof top);
            memcpy(s.triangle + 3 * s.n_triangle++, bottom, sizeof bottom);
            if (!wall && i < N / 2)
                memcpy(s.triangle + 3 * s.n_triangle++, turned, sizeof turned);
        }
        for (int32_t i = 1; wall && i + 1 < N; i++) {
            const int32_t front[3] = {0, i, i + 1}, rear[3] = {0, i + 1, i};
            memcpy(s.triangle + 3 * s.n_triangle++, front, sizeof front);
            memcpy(s.triangle + 3 * s.n_triangle++, rear, sizeof rear);
        }
        assert_int_equal(surface_write(temp_path("copies.stl"), &s, 0, NULL), OK);
        assert_int_equal(surface_read(temp_path("copies.stl"), 1, 0, &back), OK);
        assert_int_equal(back.n_triangle, 2 * N + (wall ? 2 * (N - 2) : 0));
        assert_float_equal(fabs(surface_volume_mm3(&back)), N * 0.5 * 9 * sin(2 * M_PI / N) * 8 / 3, 1e-3);
        surface_free(&s);
        surface_free(&back);
    }
}

/* A closed tube whose seam was computed at 0 and at 2 pi: in floats these are not quite the same points. apart: so far
 * off is each corner of each triangle. */
static void tube_of_triangles(double apart) {
    enum { N = 96 };
    unsigned seed = 1;
    surface s;
    FILE *f = fopen(temp_path("seam.stl"), "w");
    assert_non_null(f);
    assert_true(fprintf(f, "solid SPACE=LPS\n") > 0);
    for (int i = 0; i < N; i++) {
        const double a = 2 * M_PI * i / N, b = 2 * M_PI * (i + 1) / N;
        const double p[6][3] = {{4 * cos(a), 4 * sin(a), 0},
                                {4 * cos(b), 4 * sin(b), 0},
                                {4 * cos(b), 4 * sin(b), 30},
                                {4 * cos(a), 4 * sin(a), 30},
                                {0, 0, 0},
                                {0, 0, 30}};
        static const int corner[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 1, 0}, {5, 3, 2}};
        for (int t = 0; t < 4; t++) {
            assert_true(fprintf(f, "facet normal 0 0 0\nouter loop\n") > 0);
            for (int k = 0; k < 3; k++) {
                const double *v = p[corner[t][k]];
                double off[3];
                for (int a3 = 0; a3 < 3; a3++) {
                    seed = seed * 1664525U + 1013904223U;
                    off[a3] = apart * (seed / 2147483648.0 - 1);
                }
                assert_true(fprintf(f, "vertex %.9g %.9g %.9g\n", v[0] + 100 + off[0], v[1] + off[1], v[2] + off[2]) >
                            0);
            }
            assert_true(fprintf(f, "endloop\nendfacet\n") > 0);
        }
    }
    assert_true(fprintf(f, "endsolid\n") > 0);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(surface_read(temp_path("seam.stl"), 1, 0, &s), OK);
    assert_int_equal(surface_open_edges(&s), 0);
    assert_int_equal(s.n_point, 2 * N + 2);
    assert_float_equal(surface_volume_mm3(&s), 30 * N * 0.5 * 16 * sin(2 * M_PI / N), 1e-3 + 300 * apart);
    surface_free(&s);
}

static void a_seam_off_by_rounding_is_closed(void **state) {
    (void)state;
    static const double apart[] = {0, 1e-5, 1e-4, 1e-3};
    for (int k = 0; k < 4; k++)
        tube_of_triangles(apart[k]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(open_tube_is_filled), cmocka_unit_test(open_ring_is_refused),
                                       cmocka_unit_test(turned_copies_are_dropped),
                                       cmocka_unit_test(a_seam_off_by_rounding_is_closed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
