/* SPDX-License-Identifier: Apache-2.0 */
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

enum { SAMPLES = 42 }; /* not a multiple of what is taken at a time */

static double sum_of(const fit_samples *p, const double *weight, const double *f) {
    double sum = 0;
    for (int j = 0; j < p->n; j++)
        sum += weight[j] * f[j];
    return sum;
}

static void quadratics_are_reproduced(void **state) {
    static const double exact[FIT_QUADRATIC] = {3, 1, -2, 0.5, 2, -6, 0, -0.2, 1, 7};
    fit_samples p = {.n = SAMPLES};
    double f[SAMPLES], weight[FIT_MAX], polynomial[FIT_QUADRATIC];
    fit at;
    for (int j = 0; j < SAMPLES; j++) {
        const double x = p.x[j] = 2 * random_unit(), y = p.y[j] = 2 * random_unit(), z = p.z[j] = 2 * random_unit();
        p.weight[j] = 0.1 + fabs(random_unit());
        f[j] = 3 + x - 2 * y + 0.5 * z + x * x - 3 * y * y + x * z + 7 * y * z - 0.2 * x * y;
    }
    assert_int_equal(fit_make(FIT_QUADRATIC, &p, &at, weight), 1);
    assert_true(fabs(sum_of(&p, weight, f) - exact[0]) < 1e-10);
    fit_polynomial(&at, &p, f, polynomial);
    for (int k = 0; k < FIT_QUADRATIC; k++) {
        fit_weights(&at, &p, k, weight);
        assert_true(fabs(sum_of(&p, weight, f) - exact[k]) < 1e-9);
        assert_true(fabs(polynomial[k] - exact[k]) < 1e-9);
    }
    (void)state;
}

static void lines_are_reproduced(void **state) {
    fit_samples p = {.n = 9};
    double f[9], weight[FIT_MAX], polynomial[FIT_QUADRATIC];
    fit at;
    for (int j = 0; j < 9; j++) {
        p.x[j] = random_unit(), p.y[j] = random_unit(), p.z[j] = random_unit();
        p.weight[j] = 1 + j;
        f[j] = 7 - 3 * p.x[j] + p.z[j];
    }
    assert_int_equal(fit_make(FIT_LINEAR, &p, &at, weight), 1);
    fit_polynomial(&at, &p, f, polynomial);
    assert_true(fabs(polynomial[0] - 7) < 1e-12 && fabs(polynomial[1] + 3) < 1e-12 && fabs(polynomial[3] - 1) < 1e-12);
    for (int k = FIT_LINEAR; k < FIT_QUADRATIC; k++) {
        fit_weights(&at, &p, k, weight);
        assert_true(polynomial[k] == 0 && sum_of(&p, weight, f) == 0);
    }
    (void)state;
}

static void what_is_not_determined_is_refused(void **state) {
    fit_samples line = {.n = 12}, far = {.n = 12};
    double value[FIT_MAX];
    fit at;
    for (int j = 0; j < 12; j++) {
        line.weight[j] = far.weight[j] = 1;
        line.x[j] = j - 6;
        far.x[j] = random_unit() + 20; /* all on one side, far away: an extrapolation */
        far.y[j] = random_unit() + 20;
        far.z[j] = random_unit() + 20;
    }
    assert_int_equal(fit_make(FIT_LINEAR, &line, &at, value), 0);
    assert_int_equal(fit_make(FIT_LINEAR, &far, &at, value), 0);
    assert_int_equal(fit_make(FIT_CONSTANT, &far, &at, value), 1);
    line.n = 9;
    assert_int_equal(fit_make(FIT_QUADRATIC, &line, &at, value), 0);
    far.n = 0;
    assert_int_equal(fit_make(FIT_CONSTANT, &far, &at, value), 0);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratics_are_reproduced),
        cmocka_unit_test(lines_are_reproduced),
        cmocka_unit_test(what_is_not_determined_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
