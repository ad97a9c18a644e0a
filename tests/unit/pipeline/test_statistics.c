/* SPDX-License-Identifier: Apache-2.0 */
/* Mean, standard deviation, Student's t against its tables, and the pairs of two groups. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include "pipeline/study/statistics.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void test_sample(void **state) {
    const statistics_sample s = statistics_of(4, (const double[]){1, NAN, 2, 6}),
                            one = statistics_of(2, (const double[]){NAN, 3}), none = statistics_of(0, NULL);
    (void)state;
    assert_true(s.n == 3 && fabs(s.mean - 3) < 1e-15 && fabs(s.deviation - sqrt(7)) < 1e-12);
    assert_true(one.n == 1 && one.mean == 3 && isnan(one.deviation));
    assert_true(none.n == 0 && isnan(none.mean));
}

/* Percentiles of the tables: two-sided 5 % and 1 %. */
static void test_student(void **state) {
    static const struct {
        int freedom;
        double five, one;
    } table[] = {{1, 12.7062, 63.6567}, {2, 4.30265, 9.92484},  {3, 3.18245, 5.84091},  {4, 2.77645, 4.60409},
                 {9, 2.26216, 3.24984}, {30, 2.04227, 2.75000}, {101, 1.98373, 2.62539}};
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        assert_true(fabs(statistics_student_p(table[k].five, table[k].freedom) - 0.05) < 1e-5);
        assert_true(fabs(statistics_student_p(-table[k].one, table[k].freedom) - 0.01) < 1e-5);
    }
    assert_true(statistics_student_p(0, 5) == 1 && statistics_student_p(1e9, 5) < 1e-12);
}

/* Differences of a prescribed flow are rounding, and no test is made of them. */
static void test_difference(void **state) {
    (void)state;
    assert_true(statistics_difference(10, 10 + 3e-6) == 0 && statistics_difference(-10, -10 - 3e-6) == 0);
    assert_true(fabs(statistics_difference(10, 10.1) - 0.1) < 1e-12 && statistics_difference(0, 1e-9) == 1e-9);
    assert_true(isnan(statistics_difference(NAN, 1)) && isnan(statistics_difference(1, NAN)));
}

static void refuse(int n, const char *const *dir, const char *groups, const char *words) {
    int group[4], partner[4];
    assert_int_equal(statistics_pair(n, dir, groups, group, partner), ERR_USAGE);
    assert_non_null(strstr(status_message(), words));
    status_clear();
}

static void test_pairs(void **state) {
    const char *const dir[] = {"s/before/p1", "s/after/p2/", "s/after/p1", "s/before/p3"};
    int group[4], partner[4];
    (void)state;
    assert_int_equal(statistics_pair(4, dir, "before,after", group, partner), OK);
    assert_true(group[0] == 0 && group[1] == 1 && group[2] == 1 && group[3] == 0);
    assert_true(partner[0] == 2 && partner[2] == 0 && partner[1] == -1 && partner[3] == -1);
    refuse(4, dir, "before", "give two words");
    refuse(4, dir, "before,", "give two words");
    refuse(4, dir, "a,b,c", "give two words");
    refuse(4, dir, "pre,post", "neither of the words");
    refuse(4, dir, "after,p", "contains both of the words");
    refuse(2, dir, "before,after", "has a partner");
    refuse(2, (const char *const[]){"before/a", "before/a/"}, "before,after", "same patient in the same group");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sample), cmocka_unit_test(test_student),
                                       cmocka_unit_test(test_difference), cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
