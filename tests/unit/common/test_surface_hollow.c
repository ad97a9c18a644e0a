/* SPDX-License-Identifier: Apache-2.0 */
/* Hollow walls, and vessels that a line crosses more than twice. */
#include "common/surface_vtk/surface_hollow.h"
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/base/vec.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { ALONG = 120, ROUND = 24, WALLS = 4 };

/* Axis of a vessel at s (0 to 1) and its direction. */
typedef void (*axis)(double s, double at[3], double way[3]);

static void straight(double s, double at[3], double way[3]) {
    memcpy(at, (const double[3]){0, 0, 60 * s}, 3 * sizeof *at);
    memcpy(way, (const double[3]){0, 0, 1}, 3 * sizeof *way);
}

static void bend(double s, double at[3], double way[3]) {
    const double a = M_PI * s;
    memcpy(at, (const double[3]){12 * cos(a), 12 * sin(a), 0}, 3 * sizeof *at);
    memcpy(way, (const double[3]){-sin(a), cos(a), 0}, 3 * sizeof *way);
}

static void coil(double s, double at[3], double way[3]) {
    const double a = 8 * M_PI * s;
    memcpy(at, (const double[3]){9 * cos(a), 9 * sin(a), 36 * s}, 3 * sizeof *at);
    memcpy(way, (const double[3]){-9 * sin(a), 9 * cos(a), 36 / (8 * M_PI)}, 3 * sizeof *way);
    vec_normalize(way);
}

/* Adds an open wall with a constant radius; shift_mm: moved along x. */
static void add_wall(surface *s, axis path, double radius_mm, double shift_mm) {
    const int32_t first = (int32_t)s->n_point;
    for (int k = 0; k <= ALONG; k++) {
        double at[3], frame[3][3];
        path((double)k / ALONG, at, frame[2]);
        vec_axes(frame[2], frame);
        for (int i = 0; i < ROUND; i++)
            for (int a = 0; a < 3; a++)
                s->point_mm[3 * (s->n_point + i) + a] =
                    at[a] + (a == 0 ? shift_mm : 0) +
                    radius_mm * (cos(2 * M_PI * i / ROUND) * frame[0][a] + sin(2 * M_PI * i / ROUND) * frame[1][a]);
        s->n_point += ROUND;
    }
    for (int k = 0; k < ALONG * ROUND; k++) {
        const int32_t a = first + k, b = first + k / ROUND * ROUND + (k + 1) % ROUND;
        const int32_t corner[6] = {a, b, b + ROUND, a, b + ROUND, a + ROUND};
        memcpy(s->triangle + 3 * s->n_triangle, corner, sizeof corner);
        s->n_triangle += 2;
    }
}

static bool is_hollow(axis path, int n, const double *radius_mm, const double *shift_mm, double unit) {
    surface s = {0};
    assert_int_equal(surface_create(&s, (int64_t)WALLS * (ALONG + 1) * ROUND, 2L * WALLS * ALONG * ROUND), OK);
    s.n_point = s.n_triangle = 0;
    for (int k = 0; k < n; k++)
        add_wall(&s, path, radius_mm[k], shift_mm[k]);
    for (int64_t i = 0; i < 3 * s.n_point; i++)
        s.point_mm[i] *= unit;
    const bool found = surface_is_hollow(&s);
    surface_free(&s);
    return found;
}

static void test_hollow(void **state) {
    (void)state;
    const double radius_mm[] = {4, 3, 2.5, 3.5}, same[WALLS] = {0}, apart[WALLS] = {0, 10, 20, 30};
    const axis path[] = {straight, bend, coil};
    for (int k = 0; k < 3; k++)
        for (int unit = -3; unit <= 3; unit += 3) {
            assert_false(is_hollow(path[k], 1, radius_mm, same, pow(10, unit)));
            assert_true(is_hollow(path[k], 2, radius_mm, same, pow(10, unit)));
        }
    assert_false(is_hollow(straight, 2, radius_mm, apart, 1)); /* two vessels side by side */
    assert_false(is_hollow(straight, 4, radius_mm, apart, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hollow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
