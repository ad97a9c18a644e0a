/* The values of a sweep: one unit for all, commas inside brackets and quotes, too many. */
#include "pipeline/study/sweep.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unit), cmocka_unit_test(test_brackets),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
