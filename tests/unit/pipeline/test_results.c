/* Tables and criteria of an item, and values set in its case files. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/trial/results.h"
#include "pipeline/trial/trial.h"
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
    assert_non_null(strstr(md, "- order: 2 (at least 1.8): met\n"));
    assert_non_null(strstr(md, "**missed**\n\nA paragraph.\n")); /* which is no part of the list */
    assert_non_null(strstr(md, "| - | - |\n"));
    assert_string_equal(csv, "cells,error (%)\n16,0.50\n32,0.12\n-,-\n\"8, 9\",,1\n");
    assert_non_null(strstr(md, "| 8, 9 |  | 1 |\n"));
    free(md);
    free(csv);
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

static trial trial_of(const char *text) {
    trial t = {.folder = "here", .text = strdup(text)};
    return t;
}

static void test_set_replaces_one_value(void **state) {
    (void)state;
    trial t = trial_of("# spacing: no\nmesh: {spacing: 1 mm, box: {low: [0, 1], high: [2, 3]}}  # c\nmode: a   # b\n");
    trial_set(&t, "spacing", "%g mm", 0.25);
    trial_set(&t, "low", "[-1, -2]");
    trial_set(&t, "mode", "pulsatile");
    assert_int_equal(t.error, OK);
    assert_string_equal(
        t.text,
        "# spacing: no\nmesh: {spacing: 0.25 mm, box: {low: [-1, -2], high: [2, 3]}}  # c\nmode: pulsatile   # b\n");
    trial_free(&t);
}

static void test_add_a_line(void **state) {
    (void)state;
    trial t = trial_of("mode: a\n");
    trial_add(&t, "post: {instants: [%g s]}\n", 0.5);
    assert_int_equal(t.error, OK);
    assert_string_equal(t.text, "mode: a\npost: {instants: [0.5 s]}\n");
    trial_free(&t);
}

static void test_set_of_one_opening(void **state) {
    (void)state;
    trial t = trial_of("openings:\n  - {name: IN, point: [0, 1, 2]}\n  - {name: INNER, point: [3, 4, 5]}\n");
    trial_set(&t, "INNER.point", "[6, 7, %d]", 8);
    assert_int_equal(t.error, OK);
    assert_string_equal(t.text, "openings:\n  - {name: IN, point: [0, 1, 2]}\n  - {name: INNER, point: [6, 7, 8]}\n");
    trial_set(&t, "OUT.point", "[0, 0, 0]");
    assert_int_equal(t.error, ERR_INTERNAL);
    trial_free(&t);
    t = trial_of("shape: {from: 1, to: 2}\nreadouts: [{from: A, to: B}]\n");
    trial_set(&t, "shape.to", "3");
    assert_string_equal(t.text, "shape: {from: 1, to: 3}\nreadouts: [{from: A, to: B}]\n");
    trial_free(&t);
}

static void test_set_refuses_what_is_not_there_once(void **state) {
    (void)state;
    trial t = trial_of("wall: a\nnormal: b\nnormal: c\n");
    trial_set(&t, "all", "x");
    assert_int_equal(t.error, ERR_INTERNAL);
    t.error = OK;
    trial_set(&t, "normal", "x");
    assert_int_equal(t.error, ERR_INTERNAL);
    trial_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_and_criteria),     cmocka_unit_test(test_unwritable_folder_is_an_error),
        cmocka_unit_test(test_set_replaces_one_value), cmocka_unit_test(test_add_a_line),
        cmocka_unit_test(test_set_of_one_opening),     cmocka_unit_test(test_set_refuses_what_is_not_there_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
