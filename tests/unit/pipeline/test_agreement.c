/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of `pipeline validate` against SciPy 1.10 (pearsonr, mannwhitneyu, binomtest) and NumPy (mean squares of
 * the analysis of variance), for the values below. */
#include "pipeline/study/agreement.h"
#include "tests/unit/near.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { N = 12 };
static const double computed[N] = {4.1, 7.9, 12.5, 16.0, 9.3, 21.7, 5.5, 14.2, 11.0, 18.1, 10.0, 6.6};
static const double measured[N] = {5.0, 6.5, 14.0, 15.0, 11.5, 19.0, 4.0, 17.0, 9.5, 20.5, 10.0, 8.0};
static const double half[N] = {2, 2, 2, 2, 2, 2, 1, 2.5, 2, 2, 1, 1};

static void test_against_scipy(void **state) {
    (void)state;
    const agreement a = agreement_of(N, computed, measured);
    assert_near(a.correlation, 0.941752584634, 1e-11);
    assert_near(a.correlation_low, 0.800499715370, 1e-11);
    assert_near(a.correlation_high, 0.983888634098, 1e-11);
    assert_near(a.bias, -0.258333333333, 1e-11);
    assert_near(a.deviation, 1.844134846841, 1e-11);
    assert_near(a.limit_low, -3.872771215777, 1e-11);
    assert_near(a.limit_high, 3.356104549110, 1e-11);
    assert_near(a.rmse, 1.784423342894, 1e-11);
    assert_near(a.icc, 0.944961901133, 1e-11);
}

static void test_auc(void **state) {
    (void)state;
    static const double threshold[] = {10, 12, 16}, area[] = {0.942857142857, 1, 0.962962962963};
    static const int cases[] = {7, 5, 3};
    int positive;
    for (int k = 0; k < 3; k++) {
        assert_near(agreement_auc(N, computed, measured, threshold[k], &positive), area[k], 1e-11);
        assert_int_equal(positive, cases[k]);
    }
    static const double equal[4] = {3, 3, 3, 3}, both[4] = {1, 2, 20, 30};
    assert_near(agreement_auc(4, equal, both, 10, &positive), 0.5, 0);
    assert_true(isnan(agreement_auc(4, equal, both, 100, &positive)) && positive == 0);
}

static void test_covered(void **state) {
    (void)state;
    double low, high, exact[N];
    assert_int_equal(agreement_covered(N, computed, half, measured, NULL), 6);
    agreement_proportion(6, N, &low, &high);
    assert_near(low, 0.253781597634, 1e-11);
    assert_near(high, 0.746218402366, 1e-11);
    for (int k = 0; k < N; k++)
        exact[k] = 2;
    assert_true(agreement_covered(N, computed, half, measured, exact) > 6);
}

static void test_undefined(void **state) {
    (void)state;
    static const double one[3] = {5, 5, 5}, other[3] = {1, 2, 3}, tenth[4] = {0.1, 0.1, 0.1, 0.1};
    assert_true(isnan(agreement_of(4, tenth, computed).correlation));
    const agreement a = agreement_of(3, one, other);
    assert_true(isnan(a.correlation) && isnan(a.correlation_low) && isfinite(a.icc));
    assert_near(a.bias, 3, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_scipy), cmocka_unit_test(test_auc),
                                       cmocka_unit_test(test_covered), cmocka_unit_test(test_undefined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
