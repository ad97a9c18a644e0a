/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration of `pipeline validate` against NumPy (median, mean, std) and SciPy 1.10 (binom.ppf for the ranks of the
 * interval, pearsonr), for the values below. */
#include "common/base/status.h"
#include "pipeline/study/calibration.h"
#include "tests/unit/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { N = 14 };
static const double computed[N] = {4.1, 7.9, 12.5, 16.0, 9.3, 21.7, 5.5, 14.2, 11.0, 18.1, 10.0, 6.6, 13.3, 8.4};
static const double measured[N] = {6, 9.5, 17, 21, 11.5, 29, 6, 17, 16.5, 24.5, 12, 8, 19, 10.1};
static const double liver[N] = {3.6, 7.0, 11.9, 14.8, 8.1, 20.2, 4.9, 13.0, 10.1, 16.9, 9.2, 5.7, 12.0, 7.7};
static const double half[N] = {2, 2, 3, NAN, 2, 4, 1, 2.5, 2, 3, 1, 1, 2, 2};
static const double half_measured[N] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1.5, 0, 0};

static void test_against_scipy(void **state) {
    (void)state;
    calibration c;
    assert_int_equal(calibration_of(N, computed, liver, half, measured, half_measured, &c), OK);
    assert_true(c.n_fit == 7 && c.n_test == 7);
    assert_near(c.factor, 1.378151260504, 1e-11);
    assert_near(c.low, 1.102040816327, 1e-11);
    assert_near(c.high, 1.544554455446, 1e-11);
    assert_near(c.before.bias, -3.742857142857, 1e-11);
    assert_near(c.before.limit_low, -8.572829258537, 1e-11);
    assert_near(c.before.limit_high, 1.087114972823, 1e-11);
    assert_near(c.before.correlation, 0.997005998682, 1e-11);
    assert_near(c.after.bias, 0.865186074430, 1e-11);
    assert_near(c.after.limit_low, -0.484123700026, 1e-11);
    assert_near(c.after.limit_high, 2.214495848886, 1e-11);
    assert_near(c.after.correlation, 0.997098729854, 1e-11);
    assert_true(c.n_interval == 6 && c.covered_before == 3 && c.covered_after == 6);
}

/* Fitted halves of 6 patients (even: mean of two middle ratios) and of 20 and 50 (ranks 6 and 18 of binom.ppf). */
static void test_interval_of_the_median(void **state) {
    (void)state;
    calibration c;
    double one[100], rank[100], none[100], exact[100] = {0};
    assert_int_equal(calibration_of(12, computed, liver, half, measured, half_measured, &c), OK);
    assert_near(c.factor, 1.324878099388, 1e-11);
    assert_near(c.low, 1.102040816327, 1e-11);
    assert_near(c.high, 1.544554455446, 1e-11);
    for (int k = 0; k < 100; k++) {
        one[k] = 1;
        rank[k] = 50 - k / 2; /* ratios n_fit.., in falling order */
        none[k] = NAN;
    }
    assert_int_equal(calibration_of(100, one, one, none, rank, exact, &c), OK);
    assert_true(c.factor == 25.5 && c.low == 18 && c.high == 33 && c.n_interval == 0);
    assert_int_equal(calibration_of(40, one, one, none, rank + 60, exact, &c), OK);
    assert_true(c.factor == 10.5 && c.low == 6 && c.high == 15);
}

/* Values that one factor explains: the tested half agrees exactly, and one wrong catheter value does not change it. */
static void test_exact_factor(void **state) {
    (void)state;
    calibration c;
    double exact[N];
    for (int k = 0; k < N; k++)
        exact[k] = computed[k] - liver[k] + 1.7 * liver[k];
    exact[4] = 90;
    assert_int_equal(calibration_of(N, computed, liver, half, exact, half_measured, &c), OK);
    assert_near(c.factor, 1.7, 1e-12);
    assert_near(c.after.rmse, 0, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_scipy),
                                       cmocka_unit_test(test_interval_of_the_median),
                                       cmocka_unit_test(test_exact_factor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
