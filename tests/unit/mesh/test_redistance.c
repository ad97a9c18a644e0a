/* SPDX-License-Identifier: Apache-2.0 */
/* Redistancing: the wall stays, the values become the distance to it. */
#include "common/base/status.h"
#include "mesh/lumen/phi_field.h"
#include "mesh/lumen/redistance.h"
#include "tests/unit/fill.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static double torus(const double p[3]) {
    return hypot(hypot(p[0], p[1]) - 9, p[2]) - 3.2;
}

/* kind 0 the distance, 1 a steep one cut off at +-3, 2 one whose slope changes along the wall */
static double level(const void *kind, const double p[3]) {
    const double d = torus(p);
    switch (*(const int *)kind) {
    case 0:
        return d;
    case 1:
        return fmax(-3, fmin(3, 2 * d));
    default:
        return d * (1.5 + 0.8 * sin(0.3 * p[0])) + 0.05 * d * d;
    }
}

static void make(volume *v, int kind) {
    assert_int_equal(volume_create(v, (const int[3]){34, 34, 14}, (const double[3]){0.9, 0.9, 1.3},
                                   (const double[3]){-14.7, -14.6, -8.2}, NULL),
                     OK);
    fill_volume(v, level, &kind);
}

static void values_become_the_distance(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        volume v;
        make(&v, kind);
        const double before = redistance_quality(&v);
        assert_true(kind == 0 ? before > 0.9 : before < 0.6);
        assert_int_equal(redistance_compute(&v), OK);
        double worst_near = 0, worst = 0;
        for (int k = 0; k < v.dims[2]; k++)
            for (int j = 0; j < v.dims[1]; j++)
                for (int i = 0; i < v.dims[0]; i++) {
                    double p[3];
                    volume_to_lps(&v, (const double[3]){i, j, k}, p);
                    const double d = torus(p), error = fabs(v.value[volume_index(&v, i, j, k)] - d);
                    worst = fmax(worst, error);
                    worst_near = fabs(d) < 1 ? fmax(worst_near, error) : worst_near;
                }
        printf("redistanced level set %d: quality %.2f to %.2f, error %.3f mm near the wall, %.3f mm anywhere\n", kind,
               before, redistance_quality(&v), worst_near, worst);
        assert_true(redistance_quality(&v) > 0.9);
        assert_true(worst_near < 0.06 && worst < 0.15); /* voxels are 0.9 to 1.3 mm */
        volume_free(&v);
    }
}

static void field_is_asked_anywhere(void **state) {
    (void)state;
    volume v;
    phi_field f;
    make(&v, 2);
    assert_int_equal(phi_field_create(&f, &v), OK);
    assert_true(f.redistanced);
    for (int i = 0; i < 38; i++)
        for (int j = 0; j < 44; j++) {
            const double p[3] = {-13 + 0.7 * i, -13 + 0.6 * j, 0.8}, d = torus(p);
            if (fabs(d) < 1)
                assert_float_equal(phi_field_distance(&f, p), d, 0.06);
        }
    assert_true(phi_field_distance(&f, (const double[3]){200, 0, 0}) > 180);
    assert_true(f.low_mm[0] < -12.2 && f.low_mm[0] > -14.5 && f.high_mm[2] > 3.2 && f.high_mm[2] < 6);
    phi_field_free(&f);
    volume_free(&v);
}

/* A vessel that leaves the image ends at the outermost voxel centres. */
static void border_closes_the_vessel(void **state) {
    (void)state;
    volume v;
    phi_field f;
    assert_int_equal(
        volume_create(&v, (const int[3]){20, 20, 15}, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL),
        OK);
    for (int k = 0; k < 15; k++)
        for (int j = 0; j < 20; j++)
            for (int i = 0; i < 20; i++)
                v.value[volume_index(&v, i, j, k)] = (float)(hypot(i - 10, j - 10) - 4);
    assert_int_equal(phi_field_create(&f, &v), OK);
    assert_true(phi_field_distance(&f, (const double[3]){10, 10, 7}) < -3.5);
    assert_float_equal(phi_field_distance(&f, (const double[3]){10, 10, 0.3}), -0.3, 1e-5);
    assert_float_equal(phi_field_distance(&f, (const double[3]){10, 10, 15}), 1, 1e-5);
    assert_float_equal(phi_field_border(&f, (const double[3]){10, 10, 13}), -1, 1e-12);
    phi_field_free(&f);
    assert_null(v.value); /* let go */
    assert_int_equal(volume_create_like(&v, &v), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = 1;
    assert_int_equal(phi_field_create(&f, &v), ERR_INPUT);
    status_clear();
    v.value[7] = NAN;
    assert_int_equal(phi_field_create(&f, &v), ERR_INPUT);
    assert_non_null(strstr(status_message(), "7, 0, 0"));
    status_clear();
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = -1;
    assert_int_equal(redistance_compute(&v), ERR_INPUT);
    status_clear();
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_become_the_distance),
                                       cmocka_unit_test(field_is_asked_anywhere),
                                       cmocka_unit_test(border_closes_the_vessel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
