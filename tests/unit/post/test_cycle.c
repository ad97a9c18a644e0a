/* SPDX-License-Identifier: Apache-2.0 */
/* TAWSS, OSI and RRT of stresses whose values are known: steady, pure oscillation, a mean with an oscillation. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/wall/cycle.h"
#include <math.h>

enum { INSTANTS = 400 };

static void steady_has_no_oscillation(void **state) {
    double tau[3] = {3, 0, -4}, mean[3], tawss, osi, rrt;
    cycle c;
    assert_int_equal(cycle_create(&c, 1), OK);
    for (int k = 0; k < 7; k++)
        cycle_add(&c, 1.0 / 7, tau);
    cycle_finish(&c, mean, &tawss, &osi, &rrt);
    assert_true(fabs(tawss - 5) < 1e-12 && fabs(osi) < 1e-12 && fabs(rrt - 0.2) < 1e-12);
    assert_true(fabs(mean[2] + 4) < 1e-12);
    cycle_free(&c);
    (void)state;
}

/* tau = A cos t: TAWSS = 2 A / pi, OSI = 1/2, RRT has no bound */
static void pure_oscillation_is_one_half(void **state) {
    double mean[3], tawss, osi, rrt;
    cycle c;
    assert_int_equal(cycle_create(&c, 1), OK);
    for (int k = 0; k < INSTANTS; k++) {
        double a = cos(2 * M_PI * k / INSTANTS), tau[3] = {0.6 * a, 0.8 * a, 0};
        cycle_add(&c, 1.0 / INSTANTS, tau);
    }
    cycle_finish(&c, mean, &tawss, &osi, &rrt);
    assert_true(fabs(tawss - 2 / M_PI) < 1e-4);
    assert_true(fabs(osi - 0.5) < 1e-12);
    assert_true(isnan(rrt));
    cycle_free(&c);
    (void)state;
}

/* tau = m + cos t with 0 < m < 1: TAWSS = (2 / pi)(sqrt(1 - m^2) + m asin m), OSI = (1 - m / TAWSS) / 2 */
static void mean_with_oscillation(void **state) {
    double m = 0.4, mean[3], tawss, osi, rrt;
    double exact = 2 / M_PI * (sqrt(1 - m * m) + m * asin(m));
    cycle c;
    assert_int_equal(cycle_create(&c, 1), OK);
    for (int k = 0; k < INSTANTS; k++) {
        double tau[3] = {0, m + cos(2 * M_PI * k / INSTANTS), 0};
        cycle_add(&c, 1.0 / INSTANTS, tau);
    }
    cycle_finish(&c, mean, &tawss, &osi, &rrt);
    assert_true(fabs(tawss / exact - 1) < 1e-4);
    assert_true(fabs(osi - 0.5 * (1 - m / exact)) < 1e-4);
    assert_true(fabs(rrt - 1 / m) < 1e-9);
    assert_true(fabs(rrt - 1 / ((1 - 2 * osi) * tawss)) < 1e-9); /* the definition */
    cycle_free(&c);
    (void)state;
}

static void no_stress_has_no_index(void **state) {
    double tau[3] = {0, 0, 0}, mean[3], tawss, osi, rrt;
    cycle c;
    assert_int_equal(cycle_create(&c, 1), OK);
    cycle_add(&c, 1, tau);
    cycle_finish(&c, mean, &tawss, &osi, &rrt);
    assert_true(tawss == 0 && isnan(osi) && isnan(rrt));
    cycle_free(&c);
    (void)state;
}

static void weights_follow_the_times(void **state) {
    double even[4] = {0.1, 0.35, 0.6, 0.85}, uneven[3] = {0, 0.1, 0.5}, w[4];
    cycle_weights(4, even, 1.0, w);
    for (int k = 0; k < 4; k++)
        assert_true(fabs(w[k] - 0.25) < 1e-12);
    cycle_weights(3, uneven, 1.0, w);
    assert_true(fabs(w[0] - 0.3) < 1e-12 && fabs(w[1] - 0.25) < 1e-12 && fabs(w[2] - 0.45) < 1e-12);
    cycle_weights(3, uneven, NAN, w); /* period not known */
    assert_true(fabs(w[0] - 1.0 / 3) < 1e-12);
    cycle_weights(3, uneven, 0.4, w); /* more than one period */
    assert_true(fabs(w[2] - 1.0 / 3) < 1e-12);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_has_no_oscillation), cmocka_unit_test(pure_oscillation_is_one_half),
        cmocka_unit_test(mean_with_oscillation),     cmocka_unit_test(no_stress_has_no_index),
        cmocka_unit_test(weights_follow_the_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
