/* SPDX-License-Identifier: Apache-2.0 */
/* Sobol indices of functions with known indices. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "pipeline/reproduce_cohorts/sobol.h"

/* Ishigami and Homma 1990 with a = 7, b = 0.1, each angle between -pi and pi. */
static double ishigami(const void *data, const double *place) {
    (void)data;
    const double x = M_PI * (2 * place[0] - 1), y = M_PI * (2 * place[1] - 1), z = M_PI * (2 * place[2] - 1);
    return sin(x) + 7 * sin(y) * sin(y) + 0.1 * z * z * z * z * sin(x);
}

/* Variance: a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2. */
static void indices_of_ishigami(void **state) {
    (void)state;
    static const double first[] = {0.3139, 0.4424, 0, 0}, total[] = {0.5576, 0.4424, 0.2437, 0};
    sobol_indices s;
    assert_int_equal(sobol_estimate(4, 40000, 1, ishigami, NULL, &s), OK);
    assert_true(fabs(s.mean - 3.5) < 0.05);
    assert_true(fabs(s.variance / 13.8446 - 1) < 0.02);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(s.first[k] - first[k]) < 0.02);
        assert_true(fabs(s.total[k] - total[k]) < 0.02);
    }
    assert_true(s.total[3] == 0); /* the function does not depend on the last parameter */
}

static double weighted(const void *data, const double *place) {
    const double *weight = data;
    return weight[0] * place[0] + weight[1] * place[1];
}

/* A sum has no interactions: the indices are the squares of the weights. */
static void indices_of_sum(void **state) {
    (void)state;
    const double weight[] = {3, 1};
    sobol_indices s, again;
    assert_int_equal(sobol_estimate(2, 20000, 2, weighted, weight, &s), OK);
    assert_true(fabs(s.first[0] - 0.9) < 0.02 && fabs(s.total[0] - 0.9) < 0.02);
    assert_true(fabs(s.first[1] - 0.1) < 0.02 && fabs(s.total[1] - 0.1) < 0.02);
    assert_int_equal(sobol_estimate(2, 20000, 2, weighted, weight, &again), OK);
    assert_true(s.first[0] == again.first[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(indices_of_ishigami), cmocka_unit_test(indices_of_sum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
