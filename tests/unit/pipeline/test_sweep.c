/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a sweep: one unit for all, commas inside brackets and quotes, too many. */
#include "pipeline/study/sweep.h"
#include "pipeline/study/results_row.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static char value[SWEEP_VALUES][SWEEP_TEXT];

static void test_unit(void **state) {
    (void)state;
    assert_int_equal(sweep_split("3, 3.5 ,4 mPa s", value), 3);
    assert_string_equal(value[0], "3 mPa s");
    assert_string_equal(value[1], "3.5 mPa s");
    assert_string_equal(value[2], "4 mPa s");
    assert_int_equal(sweep_split("30 cP, 3 mPa s", value), 2);
    assert_string_equal(value[0], "30 cP");
    assert_int_equal(sweep_split("1e-4, 2e-4", value), 2);
    assert_string_equal(value[0], "1e-4");
    assert_int_equal(sweep_split("trt, bgk", value), 2);
    assert_string_equal(value[0], "trt");
}

static void test_brackets(void **state) {
    (void)state;
    assert_int_equal(sweep_split("[1, 2, 3], [4, 5, 6]", value), 2);
    assert_string_equal(value[0], "[1, 2, 3]");
    assert_string_equal(value[1], "[4, 5, 6]");
    assert_int_equal(sweep_split("{waveform: \"a,b.csv\"}, 'x, y'", value), 2);
    assert_string_equal(value[0], "{waveform: \"a,b.csv\"}");
}

static void test_refused(void **state) {
    (void)state;
    char many[200] = "1", longer[300];
    for (int k = 0; k < SWEEP_VALUES; k++)
        strcat(many, ",1");
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(sweep_split(many, value), -1);
    assert_int_equal(sweep_split(longer, value), -1);
    assert_int_equal(sweep_split("", value), -1);
    assert_int_equal(sweep_split("1,,2", value), -1);
}

static void assert_shown(int n, const double *number_of, const double *error, const char *const *text) {
    row_number number[3];
    const row_number *at[3];
    char shown[ROW_SHOWN];
    for (int k = 0; k < n; k++) {
        number[k] = (row_number){.value = number_of[k], .half = NAN, .lattice_error = error[k]};
        at[k] = &number[k];
    }
    for (int k = 0; k < n; k++)
        assert_string_equal(results_row_show(at[k], results_row_common_error(n, at), shown), text[k]);
}

/* Numbers of a column have the digits of the report, and more where rounding would make two neighbours equal. */
static void rounding_hides_no_difference(void **state) {
    assert_shown(3, (const double[]){25.2, 27.4, 29.9}, (const double[]){22, 19, 24},
                 (const char *const[]){"25", "27", "30"});
    assert_shown(2, (const double[]){9.9, 9.4}, (const double[]){2.2, 1.9}, (const char *const[]){"9.9", "9.4"});
    assert_shown(2, (const double[]){32, 28}, (const double[]){30, 30}, (const char *const[]){"32", "28"});
    assert_shown(2, (const double[]){32, 32}, (const double[]){30, 30}, (const char *const[]){"30", "30"});
    assert_shown(2, (const double[]){1.001, 1.004}, (const double[]){NAN, NAN},
                 (const char *const[]){"1.001", "1.004"});
    assert_shown(2, (const double[]){1.234, 3}, (const double[]){NAN, 1}, (const char *const[]){"1.23", "3.0"});
    assert_shown(2, (const double[]){66.04, 70.3}, (const double[]){0.3, 20}, (const char *const[]){"66.0", "70"});
    assert_shown(2, (const double[]){NAN, 3}, (const double[]){NAN, 1}, (const char *const[]){"-", "3.0"});
    /* a small error shows three digits; a fourth digit only tells neighbours apart */
    assert_shown(1, (const double[]){56.314}, (const double[]){0.1}, (const char *const[]){"56.3"});
    assert_shown(2, (const double[]){56.31, 56.34}, (const double[]){0.1, 0.1},
                 (const char *const[]){"56.31", "56.34"});
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit), cmocka_unit_test(test_brackets),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(rounding_hides_no_difference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
