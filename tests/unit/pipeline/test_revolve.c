/* SPDX-License-Identifier: Apache-2.0 */
/* A tube round an axis as STL: volume and area of the solid it draws, turned and not; what it refuses. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce_exact/revolve.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double z[] = {-30, -20, -5, 0, 0, 25}, r[] = {6, 6, 2, 2, 5, 5};

typedef struct {
    double volume, area; /* the volume closed by discs at the ends */
    uint32_t triangles;
} solid;

/* Sum over the triangles of the volume towards the origin and of the area. */
static solid measure(const char *path) {
    char *file;
    size_t size;
    solid s = {0};
    assert_int_equal(file_read(path, 100000000, &file, &size), OK);
    assert_string_equal(file, "tube round an axis, mm"); /* other bytes repeat finished studies */
    memcpy(&s.triangles, file + 80, 4);
    assert_int_equal(size, 84 + 50 * (size_t)s.triangles);
    for (uint32_t k = 0; k < s.triangles; k++) {
        float c[3][3];
        memcpy(c, file + 84 + 50 * (size_t)k + 12, sizeof c);
        double a[3], b[3], n[3], square = 0;
        for (int i = 0; i < 3; i++) {
            a[i] = (double)c[1][i] - c[0][i];
            b[i] = (double)c[2][i] - c[0][i];
        }
        for (int i = 0; i < 3; i++) {
            n[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
            square += n[i] * n[i];
            s.volume += n[i] * c[0][i] / 6;
        }
        s.area += sqrt(square) / 2;
    }
    free(file);
    s.volume += M_PI * (36 * 30 + 25 * 25) / 3; /* the discs at z -30 and 25, a third of distance times area */
    return s;
}

static double cone_volume(double height, double a, double b) {
    return M_PI * height * (a * a + a * b + b * b) / 3;
}

static void the_solid_is_the_drawn_one(void **state) {
    (void)state;
    const double volume = cone_volume(10, 6, 6) + cone_volume(15, 6, 2) + cone_volume(5, 2, 2) + cone_volume(25, 5, 5);
    const double area = M_PI * (12 * 10 + 8 * hypot(15, 4) + 4 * 5 + (25 - 4) + 10 * 25);
    for (double turn = 0; turn < 60; turn += 25) {
        const revolve v = {6, z, r, turn, 192, 1};
        assert_int_equal(revolve_write(&v, temp_path("tube.stl")), OK);
        const solid s = measure(temp_path("tube.stl"));
        assert_true(fabs(s.volume / volume - 1) < 1e-5);
        assert_true(fabs(s.area / area - 1) < 1e-3);
        assert_int_equal(s.triangles, 2 * 192 * (10 + 16 + 5 + 3 + 25));
    }
}

/* Every corner lies on the wall round the turned axis. */
static void it_turns_round_its_axis(void **state) {
    (void)state;
    const double straight_z[] = {-4, 4}, straight_r[] = {3, 3}, turn = 25 * M_PI / 180;
    const revolve v = {2, straight_z, straight_r, 25, 64, 2};
    char *file;
    uint32_t n;
    assert_int_equal(revolve_write(&v, temp_path("pipe.stl")), OK);
    assert_int_equal(file_read(temp_path("pipe.stl"), 1000000, &file, NULL), OK);
    memcpy(&n, file + 80, 4);
    for (uint32_t k = 0; k < 3 * n; k++) {
        float c[3];
        memcpy(c, file + 84 + 50 * (size_t)(k / 3) + 12 + 12 * (size_t)(k % 3), sizeof c);
        const double along = c[0] * sin(turn) + c[2] * cos(turn), across = c[0] * cos(turn) - c[2] * sin(turn);
        assert_true(fabs(along) < 4.0001);
        assert_true(fabs(hypot(across, (double)c[1]) - 3) < 0.01);
    }
    free(file);
}

static void wrong_tubes_are_refused(void **state) {
    (void)state;
    const double back[] = {0, -1}, flat[] = {3, 0};
    const revolve wrong[] = {
        {1, z, r, 0, 64, 1}, {6, z, r, 0, 4, 1}, {6, z, r, 0, 64, 0}, {2, back, r, 0, 64, 1}, {2, z, flat, 0, 64, 1}};
    for (int k = 0; k < 5; k++) {
        assert_int_equal(revolve_write(&wrong[k], temp_path("wrong.stl")), ERR_USAGE);
        assert_false(file_exists(temp_path("wrong.stl")));
        status_clear();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solid_is_the_drawn_one),
        cmocka_unit_test(it_turns_round_its_axis),
        cmocka_unit_test(wrong_tubes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
