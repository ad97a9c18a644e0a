/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean". */
#include "common/cli/spelling.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void test_distance(void **state) {
    (void)state;
    assert_int_equal(spelling_distance("", ""), 0);
    assert_int_equal(spelling_distance("", "abc"), 3);
    assert_int_equal(spelling_distance("abc", ""), 3);
    assert_int_equal(spelling_distance("kitten", "sitting"), 3);
    assert_int_equal(spelling_distance("sitting", "kitten"), 3);
    assert_int_equal(spelling_distance("flwo", "flow"), 1); /* a swap */
    assert_int_equal(spelling_distance("RAS", "ras"), 0);
    assert_int_equal(spelling_distance("ca", "abc"), 3); /* optimal string alignment */
    char a[300], b[300];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[299] = b[299] = '\0';
    assert_int_equal(spelling_distance(a, b), 63); /* only the first letters count */
}

static void test_word(void **state) {
    (void)state;
    const char *const key[] = {"density", "viscosity", "flow", "point"};
    assert_string_equal(spelling_nearest_word("densty", key, 4), "density");
    assert_string_equal(spelling_nearest_word("VISCOSITY", key, 4), "viscosity");
    assert_string_equal(spelling_nearest_word("visc", key, 4), "viscosity"); /* a beginning */
    assert_string_equal(spelling_nearest_word("flwo", key, 4), "flow");
    assert_null(spelling_nearest_word("tolerance", key, 4));
    assert_null(spelling_nearest_word("x", key, 4));
    assert_null(spelling_nearest_word("", key, 4));
    assert_null(spelling_nearest_word("flow", key, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_distance), cmocka_unit_test(test_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
