/* SPDX-License-Identifier: Apache-2.0 */
/* The interval of a difference of two records with the same uncertain inputs. */
#include "pipeline/study/results_row.h"
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/unit/near.h"

static row_number number_of(const char *interval, double scale) {
    row_number number = {.value = 1};
    cJSON *json = cJSON_Parse(interval);
    assert_non_null(json);
    assert_int_equal(results_row_take_interval(json, scale, &number), OK);
    cJSON_Delete(json);
    return number;
}

static void check_paired(const char *before, const char *after, double expected) {
    row_number a = number_of(before, 1), b = number_of(after, 1);
    const double half = results_row_paired_half(&a, &b);
    if (isnan(expected))
        assert_true(isnan(half));
    else
        assert_near(half, expected, 1e-12);
    free(a.input);
    free(b.input);
}

/* A gradient of 8 and of 5 mmHg: wall and inflow change both in one direction, so their intervals nearly cancel. */
static void shared_inputs_cancel(void **state) {
    (void)state;
    static const char before[] = "{\"lattice\": 0.3, \"image\": 2, \"inputs\": 1, \"known\": 2.3,"
                                 " \"by_input\": {\"wall\": -2, \"flow PV\": 0.8, \"liver\": 0.6}}",
                      after[] = "{\"lattice\": 0.4, \"image\": 1.4, \"inputs\": 1, \"known\": 1.8,"
                                " \"by_input\": {\"liver\": 0.6, \"wall\": -1.4, \"flow PV\": -0.8}}";
    check_paired(before, after, sqrt(0.25 + 0.6 * 0.6 + 1.6 * 1.6)); /* opposite changes add */
    row_number scaled = number_of(before, 100);
    assert_near(scaled.half, 230, 1e-9);
    assert_near(scaled.lattice, 30, 1e-9);
    assert_int_equal(scaled.n_input, 3);
    assert_string_equal(scaled.input[1].name, "flow PV");
    assert_near(scaled.input[1].change, 80, 1e-9);
    free(scaled.input);
}

static void other_inputs_are_independent(void **state) {
    (void)state;
    static const char before[] = "{\"lattice\": 0.3, \"by_input\": {\"wall\": -2, \"flow PV\": 0.8}}";
    check_paired(before, "{\"lattice\": 0.3, \"by_input\": {\"wall\": -2, \"pressure PV\": 0.8}}", NAN);
    check_paired(before, "{\"lattice\": 0.3, \"by_input\": {\"wall\": -2}}", NAN);
    check_paired(before, "{\"lattice\": 0.3, \"by_input\": {\"wall\": null, \"flow PV\": 0.8}}", NAN);
    check_paired(before, "{\"lattice\": null, \"by_input\": {\"wall\": -2, \"flow PV\": 0.8}}", NAN);
    check_paired(before, "{\"lattice\": 0.3, \"known\": 1}", NAN);
    check_paired(before, "{\"lattice\": 0.3, \"inputs\": null, \"by_input\": {\"wall\": -2, \"flow PV\": 0.8}}", NAN);
    check_paired(before, "{\"lattice\": 0.3, \"blood_model\": 1, \"by_input\": {\"wall\": -2, \"flow PV\": 0.8}}", NAN);
    check_paired("{\"lattice\": 0.3}", "{\"lattice\": 0.3}", NAN);
    check_paired("null", "null", NAN);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_inputs_cancel),
                                       cmocka_unit_test(other_inputs_are_independent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
