/* SPDX-License-Identifier: Apache-2.0 */
/* Index and LPS position of an image. */
#include "common/base/status.h"
#include "common/image/volume.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Rz(a) Ry(b) Rx(c), the third axis turned round when `mirrored`. */
static void oblique(double a, double b, double c, int mirrored, double d[9]) {
    const double m[9] = {cos(a) * cos(b),
                         cos(a) * sin(b) * sin(c) - sin(a) * cos(c),
                         cos(a) * sin(b) * cos(c) + sin(a) * sin(c),
                         sin(a) * cos(b),
                         sin(a) * sin(b) * sin(c) + cos(a) * cos(c),
                         sin(a) * sin(b) * cos(c) - cos(a) * sin(c),
                         -sin(b),
                         cos(b) * sin(c),
                         cos(b) * cos(c)};
    memcpy(d, m, sizeof m);
    for (int k = 2; mirrored && k < 9; k += 3)
        d[k] = -d[k];
}

static const int dims[3] = {7, 5, 4};
static const double spacing[3] = {0.8, 1.3, 7.7}, origin[3] = {-120.5, 33.25, 410};

static void test_round_trip(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double d[9], lps[3], back[3];
        volume v;
        oblique(0.3, -0.7, 1.1, mirrored, d);
        assert_int_equal(volume_create(&v, dims, spacing, origin, d), OK);
        assert_int_equal(volume_size(&v), 140);
        assert_int_equal(volume_index(&v, 6, 4, 3), 139);
        for (int k = 0; k < 50; k++) {
            const double index[3] = {6.3 * sin(k), 4.1 * cos(k), 0.37 * k - 5};
            volume_to_lps(&v, index, lps);
            volume_to_index(&v, lps, back);
            for (int a = 0; a < 3; a++)
                assert_true(fabs(back[a] - index[a]) < 1e-11);
        }
        /* one step along axis 2 is its column times its spacing */
        const double zero[3] = {0, 0, 0}, one[3] = {0, 0, 1};
        double p0[3], p1[3];
        volume_to_lps(&v, zero, p0);
        volume_to_lps(&v, one, p1);
        for (int a = 0; a < 3; a++) {
            assert_true(p0[a] == origin[a]);
            assert_true(fabs(p1[a] - p0[a] - 7.7 * d[3 * a + 2]) < 1e-12);
        }
        volume_free(&v);
        volume_free(&v);
    }
}

/* Headers hold float axes: they are made orthonormal, so that the transpose is the inverse. */
static void test_float_direction(void **state) {
    (void)state;
    double d[9];
    volume v;
    oblique(1.2, 0.4, -2.2, 0, d);
    for (int k = 0; k < 9; k++)
        d[k] = (float)d[k] * (1 + 2e-4 * (k % 3));
    assert_int_equal(volume_set_geometry(&v, dims, spacing, origin, d), OK);
    assert_null(v.value);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 3; k++)
                dot += v.direction[3 * k + i] * v.direction[3 * k + j];
            assert_true(fabs(dot - (i == j)) < 1e-14);
        }
}

/* Trilinear sampling is exact for a field that is linear in each coordinate. */
static void test_sample(void **state) {
    (void)state;
    double d[9], lps[3];
    volume v;
    oblique(0.3, -0.7, 1.1, 1, d);
    assert_int_equal(volume_create(&v, dims, spacing, origin, d), OK);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 7; i++)
                v.value[volume_index(&v, i, j, k)] = (float)(1 + 2 * i - 3 * j + 4 * k + i * j - 2 * i * j * k);
    for (int q = 0; q < 40; q++) {
        const double x[3] = {3 + 2.9 * sin(q), 2 + 1.9 * cos(2 * q), 1.5 + 1.4 * sin(3 * q)};
        volume_to_lps(&v, x, lps);
        double exact = 1 + 2 * x[0] - 3 * x[1] + 4 * x[2] + x[0] * x[1] - 2 * x[0] * x[1] * x[2];
        assert_true(fabs(volume_sample(&v, lps) - exact) < 1e-9);
    }
    const double far_index[3] = {-50, 100, 1}, corner_index[3] = {0, 4, 1}, edge[3] = {-0.49, 4.49, 3.49},
                 out[3] = {-0.51, 0, 0};
    double corner[3];
    volume_to_lps(&v, far_index, lps);
    volume_to_lps(&v, corner_index, corner);
    assert_true(fabs(volume_sample(&v, lps) - volume_sample(&v, corner)) < 1e-6); /* clamped */
    assert_false(volume_contains(&v, lps));
    volume_to_lps(&v, edge, lps);
    assert_true(volume_contains(&v, lps));
    volume_to_lps(&v, out, lps);
    assert_false(volume_contains(&v, lps));
    const double nan_point[3] = {NAN, 0, 0};
    assert_false(volume_contains(&v, nan_point));
    assert_true(isfinite(volume_sample(&v, nan_point))); /* no crash, no index out of range */
    volume like;
    assert_int_equal(volume_create_like(&like, &v), OK);
    assert_memory_equal(like.direction, v.direction, sizeof v.direction);
    assert_true(like.value[17] == 0);
    volume_free(&like);
    volume_free(&v);
}

static void refuse(const int n[3], const double h[3], const double o[3], const double *d, int code) {
    volume v;
    status_clear();
    assert_int_equal(volume_create(&v, n, h, o, d), code);
    assert_true(strlen(status_message()) > 20);
    assert_null(v.value);
    volume_free(&v);
    status_clear();
}

static void test_refused(void **state) {
    (void)state;
    const int empty[3] = {4, 0, 4}, huge[3] = {2000000000, 2000000000, 2000000000}, big[3] = {200000, 200000, 20000};
    const double zero[3] = {1, 0, 1}, negative[3] = {1, -1, 1}, nan_spacing[3] = {1, NAN, 1},
                 nan_origin[3] = {0, 0, INFINITY};
    const double sheared[9] = {1, 0.1, 0, 0, 1, 0, 0, 0, 1}, nothing[9] = {0},
                 nan_axis[9] = {NAN, 0, 0, 0, 1, 0, 0, 0, 1};
    refuse(empty, spacing, origin, NULL, ERR_INPUT);
    refuse(dims, zero, origin, NULL, ERR_INPUT);
    refuse(dims, negative, origin, NULL, ERR_INPUT);
    refuse(dims, nan_spacing, origin, NULL, ERR_INPUT);
    refuse(dims, spacing, nan_origin, NULL, ERR_INPUT);
    refuse(dims, spacing, origin, sheared, ERR_INPUT);
    refuse(dims, spacing, origin, nothing, ERR_INPUT);
    refuse(dims, spacing, origin, nan_axis, ERR_INPUT);
    refuse(huge, spacing, origin, NULL, ERR_RESOURCE);
    refuse(big, spacing, origin, NULL, ERR_RESOURCE);
}

static void test_copy(void **state) {
    (void)state;
    volume v, copy;
    assert_int_equal(volume_create(&v, (int[3]){5, 3, 4}, spacing, origin, NULL), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = (float)i;
    assert_int_equal(volume_copy(&copy, &v), OK);
    assert_true(copy.value != v.value);
    assert_memory_equal(copy.value, v.value, volume_size(&v) * sizeof *v.value);
    assert_memory_equal(copy.spacing_mm, v.spacing_mm, sizeof v.spacing_mm);
    assert_memory_equal(copy.origin_mm, v.origin_mm, sizeof v.origin_mm);
    volume_free(&v);
    volume_free(&copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_copy),
                                       cmocka_unit_test(test_float_direction), cmocka_unit_test(test_sample),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
