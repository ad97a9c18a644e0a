/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and criteria of a study, and values set in its case files. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/results.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *slurp(const char *name) {
    char *text = NULL;
    assert_int_equal(file_read(temp_path(name), 100000, &text, NULL), OK);
    return text;
}

static void test_table_and_criteria(void **state) {
    (void)state;
    results r;
    results_create(&r, temp_path(""), "item", "A title", "a book");
    results_table(&r, "errors", "cells|error (%)");
    results_row(&r, "%d|%.2f", 16, 0.5);
    results_row(&r, "%d|%.2f", 32, 0.125);
    results_row(&r, "%.2f|%.2f", NAN, -NAN);
    results_row(&r, "8, 9||1");
    results_at_least(&r, "order", 2.0, 1.8);
    results_at_most(&r, "error", 0.5, 0.3);
    results_at_most(&r, "not a number", 0.0 / 0.0, 0.3);
    results_text(&r, "A paragraph.");
    assert_int_equal(results_write(&r), OK);
    assert_int_equal(r.n_checked, 3);
    assert_int_equal(r.n_missed, 2); /* NaN is never met */
    assert_non_null(strstr(r.missed, "error is 0.5, at most 0.3"));
    char *md = slurp("item.md"), *csv = slurp("item-errors.csv");
    assert_non_null(strstr(md, "| cells | error (%) |\n|---|---|\n| 16 | 0.50 |\n"));
    assert_null(strstr(md, "order: 2"));
    const char *const end = "\n\nA paragraph.\n\n1 of 3 criteria met: [item-criteria.csv](item-criteria.csv)\n\n"
                            "- error: 0.5 (at most 0.3): **missed**\n";
    assert_non_null(strstr(md, end));
    assert_non_null(strstr(strstr(md, end), "\n- not a number: "));
    assert_non_null(strstr(md, "| - | - |\n"));
    assert_string_equal(csv, "cells,error (%)\n16,0.50\n32,0.12\n-,-\n\"8, 9\",,1\n");
    assert_non_null(strstr(md, "| 8, 9 |  | 1 |\n"));
    free(md);
    free(csv);
    results_free(&r);
}

/* A process that computes a case in parallel may add a row before the first table of its page. */
static void test_row_without_a_table(void **state) {
    (void)state;
    results r;
    results_create(&r, temp_path(""), "rows", "A title", "a book");
    results_row(&r, "%d|%.2f", 1, NAN);
    assert_int_equal(results_write(&r), OK);
    char *md = slurp("rows.md");
    assert_non_null(strstr(md, "| 1 | - |\n"));
    free(md);
    results_free(&r);
}

/* Lines have no more than 120 columns, and no line starts as a list. */
static void test_paragraph_is_wrapped(void **state) {
    (void)state;
    results r;
    char text[] = "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
                  "0123456789 123456789 - 7 end";
    results_create(&r, temp_path(""), "wrapped", "A title", "a book");
    results_text(&r, "%s", text);
    assert_int_equal(results_write(&r), OK);
    char *md = slurp("wrapped.md");
    assert_non_null(strstr(md, " 0123456789\n123456789 - 7 end\n"));
    free(md);
    results_free(&r);
}

static void test_unwritable_folder_is_an_error(void **state) {
    (void)state;
    results r;
    status_clear();
    results_create(&r, "/proc/none", "item", "t", "s");
    assert_int_equal(results_write(&r), ERR_OUTPUT);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_and_criteria), cmocka_unit_test(test_row_without_a_table),
        cmocka_unit_test(test_paragraph_is_wrapped), cmocka_unit_test(test_unwritable_folder_is_an_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
