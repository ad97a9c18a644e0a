/* SPDX-License-Identifier: Apache-2.0 */
/* CSV files line by line. */
#include "common/base/csv.h"
#include "common/base/status.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_rows(void **state) {
    (void)state;
    csv c;
    double value;
    assert_int_equal(csv_open(&c, temp_text("a.csv", "\xef\xbb\xbf# key: v\n\na,\"b,c\",\r\n1.5,,x"), 1000), OK);
    assert_true(csv_next(&c));
    assert_int_equal(c.n, 0);
    assert_string_equal(c.field[0], "key: v");
    assert_true(csv_next(&c));
    assert_int_equal(c.line, 3);
    assert_int_equal(c.n, 3);
    assert_string_equal(c.field[0], "a");
    assert_string_equal(c.field[1], "b,c");
    assert_string_equal(c.field[2], "");
    assert_true(csv_next(&c));
    assert_int_equal(csv_number(&c, 0, &value), OK);
    assert_true(value == 1.5);
    assert_int_equal(csv_number(&c, 1, &value), OK);
    assert_true(isnan(value));
    assert_int_equal(csv_number(&c, 2, &value), ERR_INPUT);
    assert_non_null(strstr(status_message(), "a.csv:4: 'x' is not a number"));
    status_clear();
    assert_false(csv_next(&c));
    csv_close(&c);
}

/* Blanks round fields, a comment that is indented, a last line without an end; numbers. */
static void test_numbers(void **state) {
    (void)state;
    csv c;
    double value = 0;
    assert_int_equal(csv_open(&c, temp_text("n.csv", " # note\n 1e-3 ,\tnan, \"x y\" ,0x10,1e999, ,0;5\n2"), 1000), OK);
    assert_true(csv_next(&c) && c.n == 0);
    assert_true(csv_next(&c) && c.n == 7 && c.whole);
    assert_int_equal(csv_finite(&c, 0, &value), OK);
    assert_true(value == 1e-3);
    assert_int_equal(csv_number(&c, 1, &value), OK);
    assert_true(isnan(value));
    assert_string_equal(c.field[2], "x y");
    for (int k = 1; k < 7; k++)
        assert_int_equal(csv_finite(&c, k, &value), ERR_INPUT);
    assert_int_equal(csv_number(&c, 3, &value), ERR_INPUT);
    assert_int_equal(csv_number(&c, 4, &value), ERR_INPUT);
    assert_true(csv_next(&c) && c.n == 1 && !c.whole);
    status_clear();
    csv_close(&c);
    assert_int_equal(csv_open(&c, temp_write("z.csv", "a\0b", 3), 1000), ERR_INPUT);
    assert_non_null(strstr(status_message(), "this is not a text file"));
    status_clear();
    csv_close(&c);
}

static void test_limits(void **state) {
    (void)state;
    csv c;
    char text[200];
    memset(text, ',', sizeof text);
    assert_int_equal(csv_open(&c, temp_write("b.csv", text, sizeof text), 1000), OK);
    assert_true(csv_next(&c));
    assert_int_equal(c.n, 201);
    csv_close(&c);
    assert_int_equal(csv_open(&c, temp_path("b.csv"), 100), ERR_INPUT);
    status_clear();
    csv_close(&c);
    assert_int_equal(csv_open(&c, temp_text("c.csv", ""), 100), OK);
    assert_false(csv_next(&c));
    csv_close(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
