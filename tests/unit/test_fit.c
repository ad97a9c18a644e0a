/* Weights of least-squares polynomials: what they must reproduce, and when they must refuse. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/fit.h"
#include <math.h>
#include <stdlib.h>

static double random_unit(void) {
    return 2.0 * rand() / (double)RAND_MAX - 1;
}

static void quadratics_are_reproduced(void **state) {
    double p[40][3], weight[40], value[40], gradient[40][3], f0 = 0, g0[3] = {0};
    for (int j = 0; j < 40; j++) {
        for (int a = 0; a < 3; a++)
            p[j][a] = 2 * random_unit();
        weight[j] = 0.1 + fabs(random_unit());
    }
    assert_int_equal(fit_weights(FIT_QUADRATIC, 40, p, weight, value, gradient), 1);
    for (int j = 0; j < 40; j++) {
        double x = p[j][0], y = p[j][1], z = p[j][2];
        double f = 3 + x - 2 * y + 0.5 * z + x * x - 3 * y * y + x * z + 7 * y * z - 0.2 * x * y;
        f0 += value[j] * f;
        for (int a = 0; a < 3; a++)
            g0[a] += gradient[j][a] * f;
    }
    assert_true(fabs(f0 - 3) < 1e-10);
    assert_true(fabs(g0[0] - 1) < 1e-10 && fabs(g0[1] + 2) < 1e-10 && fabs(g0[2] - 0.5) < 1e-10);
    (void)state;
}

static void what_is_not_determined_is_refused(void **state) {
    double line[12][3], far[12][3], weight[12], value[12];
    for (int j = 0; j < 12; j++) {
        weight[j] = 1;
        line[j][0] = j - 6;
        line[j][1] = line[j][2] = 0;
        for (int a = 0; a < 3; a++)
            far[j][a] = random_unit() + 20; /* all on one side, far away: an extrapolation */
    }
    assert_int_equal(fit_weights(FIT_LINEAR, 12, line, weight, value, NULL), 0);
    assert_int_equal(fit_weights(FIT_QUADRATIC, 9, line, weight, value, NULL), 0);
    assert_int_equal(fit_weights(FIT_LINEAR, 12, far, weight, value, NULL), 0);
    assert_int_equal(fit_weights(FIT_CONSTANT, 12, far, weight, value, NULL), 1);
    assert_int_equal(fit_weights(FIT_CONSTANT, 0, far, weight, value, NULL), 0);
    (void)state;
}

static void first_unknown_of_a_line(void **state) {
    double row[4][FIT_MAX_UNKNOWN] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}}, weight[4] = {1, 2, 1, 0.5}, value[4], sum = 0;
    assert_int_equal(fit_first_unknown(2, 4, row, weight, value), 1);
    for (int k = 0; k < 4; k++)
        sum += value[k] * (7 - 3 * (k + 1));
    assert_true(fabs(sum - 7) < 1e-12);
    assert_int_equal(fit_first_unknown(2, 1, row, weight, value), 0);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratics_are_reproduced),
        cmocka_unit_test(what_is_not_determined_is_refused),
        cmocka_unit_test(first_unknown_of_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
