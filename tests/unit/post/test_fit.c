/* Weights of least-squares polynomials: what they must reproduce, and when they must refuse. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/sample/fit.h"
#include <math.h>
#include <stdlib.h>

static double random_unit(void) {
    return 2.0 * rand() / (double)RAND_MAX - 1;
}

static void quadratics_are_reproduced(void **state) {
    double p[40][3], weight[40], value[40], gradient[40][3], hessian[40][6], f0 = 0, g0[3] = {0}, h0[6] = {0};
    for (int j = 0; j < 40; j++) {
        for (int a = 0; a < 3; a++)
            p[j][a] = 2 * random_unit();
        weight[j] = 0.1 + fabs(random_unit());
    }
    assert_int_equal(fit_weights(FIT_QUADRATIC, 40, p, weight, value, gradient, hessian), 1);
    for (int j = 0; j < 40; j++) {
        double x = p[j][0], y = p[j][1], z = p[j][2];
        double f = 3 + x - 2 * y + 0.5 * z + x * x - 3 * y * y + x * z + 7 * y * z - 0.2 * x * y;
        f0 += value[j] * f;
        for (int a = 0; a < 3; a++)
            g0[a] += gradient[j][a] * f;
        for (int a = 0; a < 6; a++)
            h0[a] += hessian[j][a] * f;
    }
    assert_true(fabs(f0 - 3) < 1e-10);
    assert_true(fabs(g0[0] - 1) < 1e-10 && fabs(g0[1] + 2) < 1e-10 && fabs(g0[2] - 0.5) < 1e-10);
    static const double exact[6] = {2, -6, 0, -0.2, 1, 7};
    for (int a = 0; a < 6; a++)
        assert_true(fabs(h0[a] - exact[a]) < 1e-9);
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
    assert_int_equal(fit_weights(FIT_LINEAR, 12, line, weight, value, NULL, NULL), 0);
    assert_int_equal(fit_weights(FIT_QUADRATIC, 9, line, weight, value, NULL, NULL), 0);
    assert_int_equal(fit_weights(FIT_LINEAR, 12, far, weight, value, NULL, NULL), 0);
    assert_int_equal(fit_weights(FIT_CONSTANT, 12, far, weight, value, NULL, NULL), 1);
    assert_int_equal(fit_weights(FIT_CONSTANT, 0, far, weight, value, NULL, NULL), 0);
    (void)state;
}

static void equations_are_solved(void **state) {
    double m[FIT_MAX_UNKNOWN][FIT_MAX_UNKNOWN] = {{0}}, right[FIT_MAX_UNKNOWN] = {0}, x[FIT_MAX_UNKNOWN];
    for (int k = 0; k < 6; k++) { /* a line through 7 - 3 t */
        double b[FIT_MAX_UNKNOWN] = {1, k}, value = 7 - 3 * k;
        fit_add(2, b, 1 + k, m);
        right[0] += (1 + k) * value;
        right[1] += (1 + k) * k * value;
    }
    assert_int_equal(fit_solve(2, m, right, x), 1);
    assert_true(fabs(x[0] - 7) < 1e-12 && fabs(x[1] + 3) < 1e-12);
    double singular[FIT_MAX_UNKNOWN][FIT_MAX_UNKNOWN] = {{1, 0}, {2, 4}};
    assert_int_equal(fit_solve(2, singular, right, x), 0);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratics_are_reproduced),
        cmocka_unit_test(what_is_not_determined_is_refused),
        cmocka_unit_test(equations_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
