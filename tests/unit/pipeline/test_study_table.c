/* SPDX-License-Identifier: Apache-2.0 */
/* CSV files with columns by name and notes: what the papers' speeds are kept in. */
#include "common/base/status.h"
#include "pipeline/reproduce/study_table.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static int read_text(const char *text, study_table *t) {
    temp_write("a.csv", text, strlen(text));
    status_clear();
    return study_table_read(temp_root, "a.csv", t);
}

static void test_read(void **state) {
    static study_table t;
    (void)state;
    assert_int_equal(read_text("# A paper, table 1.\n# card: Fast 100, 900 GB/s\nbox,scheme,MLUPS\n8x8x8,dense,12.5\n"
                               "8x8x8,sparse,\n",
                               &t),
                     OK);
    assert_int_equal(t.n_row, 2);
    assert_string_equal(t.note[0], "A paper, table 1.");
    assert_string_equal(study_table_note(&t, "card"), "Fast 100, 900 GB/s");
    assert_string_equal(study_table_note(&t, "car"), "");
    assert_int_equal(study_table_find(&t, "8x8x8", "sparse"), 1);
    assert_int_equal(study_table_find(&t, "8x8x9", "sparse"), -1);
    assert_float_equal(study_table_number(&t, 0, "MLUPS"), 12.5, 0);
    assert_true(isnan(study_table_number(&t, 1, "MLUPS")) && isnan(study_table_number(&t, 0, "GB")));
    assert_true(isnan(study_table_number(&t, 0, "box")));
    study_table_free(&t);
}

static void test_lookup(void **state) {
    static study_table t;
    (void)state;
    assert_int_equal(read_text("name,value\nradius,2.5\nlength,long\n", &t), OK);
    assert_float_equal(study_table_lookup(&t, "name", "radius", "value"), 2.5, 0);
    assert_true(isnan(study_table_lookup(&t, "name", "length", "value")));
    assert_true(isnan(study_table_lookup(&t, "name", "width", "value")));
    study_table_free(&t);
}

static int read_numbers(const char *text, int n_column, study_table *t) {
    temp_write("a.csv", text, strlen(text));
    status_clear();
    return study_table_read_numbers(temp_root, "a.csv", n_column, t);
}

static void test_numbers(void **state) {
    static study_table t;
    static const char *const bad[] = {"",
                                      "a,b\n",
                                      "a,b\n1,2\n",
                                      "a,b\n1,2\n1\n",
                                      "a\n1\n2\n",
                                      "a,b\n1,2\n1,two\n",
                                      "a,b\n1,2\n1,inf\n",
                                      "a,b\n1,2\n1,-infinity\n",
                                      "a,b\n1,2\n1,nan\n",
                                      "a,b\n1,2\n1,0x10\n",
                                      "a,b\n1,2\n1,1e999\n"};
    (void)state;
    assert_int_equal(read_numbers("# source\na,b\n1,2.5\n# between\n-3e-2,\n", 2, &t), OK);
    assert_int_equal(t.n_column, 2);
    assert_int_equal(t.n_row, 2);
    assert_true(!t.text && !t.column[0] && !t.cell[0][0] && t.n_note == 0 && !t.note[0]); /* nothing is left to free */
    assert_true(t.value[0][0] == 1 && t.value[1][0] == 2.5 && t.value[0][1] == -3e-2 && isnan(t.value[1][1]));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(read_numbers(bad[k], 2, &t), ERR_INPUT);
    status_clear();
}

static void test_bandwidth(void **state) {
    (void)state;
    assert_float_equal(study_table_bandwidth("Fast 100, 900 GB/s"), 900, 0);
    assert_float_equal(study_table_bandwidth("4283.5 GB/s, measured"), 4283.5, 0);
    assert_true(isnan(study_table_bandwidth("a processor")) && isnan(study_table_bandwidth("many GB/s")));
}

static void test_refused(void **state) {
    static study_table t;
    (void)state;
    assert_int_equal(read_text("box,scheme\n8x8x8,dense,1\n", &t), ERR_INPUT);
    assert_non_null(strstr(status_message(), "a.csv:2"));
    assert_int_equal(read_text("box,scheme\n8x8x8\n", &t), ERR_INPUT);
    assert_int_equal(read_text("# nothing\nbox,scheme\n", &t), ERR_INPUT);
    assert_int_equal(read_text("", &t), ERR_INPUT);
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_lookup),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_bandwidth),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
