/* SPDX-License-Identifier: Apache-2.0 */
/* The image along the centerline: frames that do not twist, and a pipe at an angle drawn with its diameter. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/file.h"
#include "common/base/vec.h"
#include "common/draw/canvas.h"
#include "post/picture/straightened.h"
#include "tests/unit/post/post_lattice.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 200 };

/* On an arc in a plane the part of the frame across the plane stays; on a helix the frame stays orthonormal. */
static void frames_do_not_twist(void **state) {
    static double at_mm[POINTS][3], axis[POINTS][2][3];
    (void)state;
    for (int rise = 0; rise < 2; rise++) {
        for (int k = 0; k < POINTS; k++) {
            const double angle = 4.0 * k / POINTS;
            at_mm[k][0] = 20 * cos(angle);
            at_mm[k][1] = 20 * sin(angle);
            at_mm[k][2] = 15 * rise * angle;
        }
        straightened_frames(POINTS, (const double(*)[3])at_mm, axis);
        for (int k = 1; k + 1 < POINTS; k++) {
            double along[3];
            vec_add(at_mm[k + 1], -1, at_mm[k - 1], along);
            assert_true(vec_normalize(along));
            for (int i = 0; i < 2; i++) {
                assert_true(fabs(vec_length(axis[k][i]) - 1) < 1e-9);
                assert_true(fabs(vec_dot(axis[k][i], along)) < 1e-9);
                assert_true(rise || fabs(axis[k][i][2] - axis[0][i][2]) < 1e-6);
            }
            assert_true(fabs(vec_dot(axis[k][0], axis[k][1])) < 1e-9);
        }
    }
}

static const post_pipe PIPE = {.point_mm = {1, 2, 3},
                               .axis = {0.36, 0.48, 0.8},
                               .radius_mm = 4,
                               .length_mm = 40,
                               .mean_m_s = 0.1,
                               .viscosity_pa_s = 0.0035};

static void make_distance(volume *phi) {
    const int dims[3] = {50, 55, 70};
    const double spacing_mm[3] = {0.7, 0.7, 0.7}, origin_mm[3] = {-10, -9, -5};
    assert_int_equal(volume_create(phi, dims, spacing_mm, origin_mm, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double at_mm[3], d[3];
                volume_to_lps(phi, (const double[3]){i, j, k}, at_mm);
                vec_add(at_mm, -1, PIPE.point_mm, d);
                vec_add(d, -vec_dot(d, PIPE.axis), PIPE.axis, d);
                phi->value[volume_index(phi, i, j, k)] = (float)(vec_length(d) - PIPE.radius_mm);
            }
}

static bool is_contour(const canvas *c, int x, int y) {
    const unsigned char *p = c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x);
    return p[0] > p[2] + 100;
}

static void pipe_has_its_diameter(void **state) {
    lattice l;
    vessel_branches b;
    volume phi;
    picture_file file[STRAIGHTENED_MAX];
    canvas c;
    int n = 0;
    static const int path[2][2] = {{0, 1}, {1, 1}};
    (void)state;
    post_pipe_lattice(&PIPE, 14, &l);
    make_distance(&phi);
    assert_int_equal(branches_find(&l, NAN, &b), OK);
    assert_int_equal(straightened_draw(&phi, &phi, &l, &b, 2, path, temp_path("."), file, &n), OK);
    assert_int_equal(n, 1); /* no picture from an opening to itself */
    assert_non_null(strstr(file[0].caption, "from in to out"));
    assert_int_equal(canvas_read_png(&c, temp_path(file[0].file)), OK);
    /* both strips have two lines of contour, the diameter apart: 40 mm are as wide as the strip */
    int left = c.width, right = 0, line[8], lines = 0;
    for (int x = 0; x < c.width; x++)
        for (int y = 0; y < c.height; y++)
            if (is_contour(&c, x, y)) {
                left = x < left ? x : left;
                right = x > right ? x : right;
            }
    for (int y = 0; y < c.height; y++)
        if (is_contour(&c, (left + right) / 2, y) && lines < 8)
            line[lines++] = y;
    assert_int_equal(lines, 4);
    const double mm_per_pixel = PIPE.length_mm / (right - left);
    for (int k = 0; k < 4; k += 2) {
        const double width_mm = (line[k + 1] - line[k]) * mm_per_pixel;
        printf("diameter %.2f mm\n", width_mm);
        assert_true(fabs(width_mm - 2 * PIPE.radius_mm) < 0.03 * 2 * PIPE.radius_mm);
    }
    canvas_free(&c);
    volume_free(&phi);
    branches_free(&b);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_do_not_twist),
        cmocka_unit_test(pipe_has_its_diameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
