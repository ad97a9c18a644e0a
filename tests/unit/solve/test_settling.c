/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run still takes, from changes whose end is known. */
#include "solve/statistics/settling.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { N = 2000 };

/* change = exp(-k / tau), with an oscillation of a factor e^swing on it */
static void fill(float *log_change, double tau, double swing) {
    for (int k = 0; k < N; k++)
        log_change[k] = (float)(-k / tau + swing * sin(k / 5.0));
}

static void test_exponential(void **state) {
    (void)state;
    float c[N];
    const double tolerance = 1e-6, tau = 40, end = -tau * log(tolerance); /* 553 */
    fill(c, tau, 0);
    for (long n = SETTLING_LEAST; n < 500; n += 7)
        assert_true(fabs(settling_monitors(n, c, tolerance) - (end - (double)(n - 1))) < 0.01 * end);
    assert_true(isnan(settling_monitors(SETTLING_LEAST - 1, c, tolerance)));
    assert_true(settling_monitors(600, c, tolerance) == 0);
    fill(c, tau, 0.5);
    for (long n = 200; n < 500; n += 7) /* the estimate is what the bar shows: a tenth of the whole is enough */
        assert_true(fabs(settling_monitors(n, c, tolerance) - (end - (double)(n - 1))) < 0.1 * end);
}

static void test_plateau(void **state) {
    (void)state;
    float c[N];
    for (int k = 0; k < N; k++)
        c[k] = k < 100 ? (float)(-k / 20.0) : -5 + 0.001F * (float)k;
    assert_true(isinf(settling_monitors(N, c, 1e-6)));
    /* it says what the averages will take, not a minute for ever */
    assert_true(settling_left_s(2, INFINITY, 5, 1) == 4);
    assert_true(settling_left_s(6, INFINITY, 5, 1) == 1);
    assert_true(settling_left_s(2, 3, 5, 1) == 3);
    assert_true(isnan(settling_left_s(2, NAN, 5, 1)));
}

/* A flow that creeps to rest is waited for; one that shakes is averaged after its passages. */
static void test_due(void **state) {
    (void)state;
    assert_true(settling_due_s(6, 1.5, 0.1) == 12);
    assert_true(settling_due_s(6, 1.5, 0.45) == 3);
    assert_true(fabs(settling_due_s(6, 1.5, sqrt(0.1 * 0.3)) - 6) < 1e-12);
    assert_true(settling_due_s(6, 4, 0.45) == 4);
    assert_true(settling_due_s(1, 4, 0.1) == 4);
    assert_true(settling_due_s(6, 1.5, NAN) == 12);
}

static void test_average(void **state) {
    (void)state;
    assert_true(settling_average_left_s(2, 0.02, 0.01, 1) == 6); /* four times as long in all */
    assert_true(settling_average_left_s(2, 0.2, 0.01, 1) == 18); /* 20 passages at the most */
    assert_true(settling_average_left_s(0.25, NAN, 0.01, 1) == 0.75);
    assert_true(isnan(settling_average_left_s(2, INFINITY, 0.01, 1))); /* not 100 %, nothing left */
    assert_true(settling_average_left_s(3, 0.005, 0.01, 1) == 0);
}

static void test_cycles(void **state) {
    (void)state;
    assert_int_equal(settling_cycles(0, NAN, NAN, 0.01, 3), 3);
    assert_int_equal(settling_cycles(2, 0.005, NAN, 0.01, 3), 3);
    assert_int_equal(settling_cycles(3, 0.08, 0.16, 0.01, 3), 7); /* 0.04, 0.02, 0.01, and the stored one */
    assert_int_equal(settling_cycles(3, 0.2, 0.2, 0.01, 3), 9);
    assert_int_equal(settling_cycles(2, 0.2, NAN, 0.01, 3), 3); /* nothing is known yet: not made up */
}

/* Of changes 0.8^k the rest is a geometric series; changes that do not fall are no way. */
static void test_cycles_left(void **state) {
    (void)state;
    double rest = 0;
    for (int k = 6; k < 200; k++)
        rest += pow(0.8, k);
    assert_true(fabs(settling_cycles_left(pow(0.8, 5), pow(0.8, 4), 0.1) - rest) < 1e-12);
    assert_true(fabs(settling_cycles_left(pow(0.8, 5), NAN, 0.8) - rest) < 1e-12);
    assert_true(settling_cycles_left(0.007, 0.0069, 0.5) == 0.007);
    assert_true(isnan(settling_cycles_left(NAN, NAN, 0.5)));
    /* 0.9^k / 1 of the first change: at 1 % nine times that is left */
    assert_true(settling_cycles(5, 0.01, 0.01 / 0.9, 0.01, 30) == 30);
    assert_true(settling_cycles(29, 0.01, 0.01 / 0.9, 0.01, 30) == 29 + 21 + 1);
    assert_true(settling_cycles(29, 0.007, 0.007, 0.01, 10) == 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exponential), cmocka_unit_test(test_plateau),
                                       cmocka_unit_test(test_due),         cmocka_unit_test(test_average),
                                       cmocka_unit_test(test_cycles_left), cmocka_unit_test(test_cycles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
