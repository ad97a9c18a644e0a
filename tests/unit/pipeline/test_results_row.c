/* SPDX-License-Identifier: Apache-2.0 */
/* The interval of a difference of two records with the same uncertain inputs. */
#include "pipeline/study/results_row.h"
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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

static row_number plain(double value, double half, double lattice_error) {
    return (row_number){.value = value, .half = half, .lattice_error = lattice_error};
}

static void check_shown(row_number a, row_number b, row_number difference, const char *const expected[3]) {
    char text[3][ROW_SHOWN];
    results_row_show_difference(&a, &b, &difference, text);
    for (int k = 0; k < 3; k++)
        assert_string_equal(text[k], expected[k]);
}

/* The difference shown is the difference of the values shown, also with intervals of unlike size. */
static void shown_differences_agree(void **state) {
    (void)state;
    char text[3][ROW_SHOWN];
    check_shown(plain(31.4, 5, NAN), plain(13.6, 4, NAN), plain(-17.8, 6.4, NAN),
                (const char *const[]){"31.4 +- 5.0", "13.6 +- 4.0", "-17.8 +- 6.4"});
    check_shown(plain(31.2, 5, NAN), plain(13.9, 4, NAN), plain(-17.3, 6.4, NAN),
                (const char *const[]){"31 +- 5", "14 +- 4", "-17 +- 7"});
    check_shown(plain(31.42, 5, NAN), plain(13.61, 4, NAN), plain(-17.81, 0.35, NAN),
                (const char *const[]){"31.4 +- 5.0", "13.6 +- 4.0", "-17.8 +- 0.4"});
    check_shown(plain(0.8333, NAN, 1e-9), plain(1.3333, NAN, 1e-9), plain(0.5, NAN, 1e-9),
                (const char *const[]){"0.833", "1.333", "0.500"});
    check_shown(plain(5, NAN, NAN), plain(5, NAN, NAN), plain(0, NAN, NAN),
                (const char *const[]){"5.00", "5.00", "0.00"});
    check_shown(plain(NAN, NAN, NAN), plain(5, NAN, NAN), plain(NAN, NAN, NAN),
                (const char *const[]){"-", "5.00", "-"});
    /* one decimal place would hide a value */
    check_shown(plain(1000, 50, NAN), plain(0.001, 0.0001, NAN), plain(-999.999, 50, NAN),
                (const char *const[]){"1000 +- 50", "0.00100 +- 0.00010", "-1000 +- 50"});
    check_shown(plain(100000, 0.15, NAN), plain(100000.4, 0.15, NAN), plain(0.4, 0.14, NAN),
                (const char *const[]){"100000.00 +- 0.15", "100000.40 +- 0.15", "0.40 +- 0.14"});
    check_shown(plain(1e-40, NAN, NAN), plain(3e-40, NAN, NAN), plain(2e-40, NAN, NAN),
                (const char *const[]){"1.00e-40", "3.00e-40", "2.00e-40"});
    check_shown(plain(1e-40, 1e-41, NAN), plain(3e-40, 1e-41, NAN), plain(2e-40, 1.4e-41, NAN),
                (const char *const[]){"1.00e-40 +- 1.0e-41", "3.00e-40 +- 1.0e-41", "2.00e-40 +- 1.4e-41"});
    check_shown(plain(5, INFINITY, NAN), plain(6, 0.1, NAN), plain(1, INFINITY, NAN),
                (const char *const[]){"5.00", "6.00 +- 0.10", "1.00"});
    /* at most six digits without an interval */
    check_shown(plain(5.3266454, NAN, NAN), plain(5.3432827, NAN, NAN), plain(0.0166373, NAN, NAN),
                (const char *const[]){"5.32665", "5.34328", "0.01663"});
    /* each number has the digits of the report, or those of the difference */
    check_shown(plain(66.04, NAN, 0.3), plain(70.3, NAN, 20), plain(4.26, NAN, 4.26),
                (const char *const[]){"66.0", "70", "4"});
    check_shown(plain(26.1, NAN, 3.9), plain(59.6, NAN, 43), plain(33.5, NAN, 33.5),
                (const char *const[]){"26", "60", "30"});
    check_shown(plain(19.23, 15.4, NAN), plain(1.2, NAN, 0.8), plain(-18.03, NAN, 15.4),
                (const char *const[]){"19 +- 16", "1.2", "-18"});
    unsigned seed = 1;
    for (int k = 0; k < 20000; k++) {
        double part[6];
        for (int i = 0; i < 6; i++) {
            seed = seed * 1103515245u + 12345u;
            part[i] = (seed >> 8 & 65535) / 65536.0;
        }
        const double size = pow(10, 6 * part[0] - 2), from = size * (part[1] - 0.3), to = size * (part[2] - 0.3);
        const double wide = size * pow(10, -3 * part[3]), paired = wide * pow(10, -2 * part[4]);
        const bool interval = part[5] < 0.7;
        const row_number a = plain(from, interval ? wide : NAN, interval ? NAN : wide),
                         b = plain(to, interval ? 0.7 * wide : NAN, a.lattice_error),
                         difference = plain(to - from, interval ? paired : NAN, a.lattice_error);
        results_row_show_difference(&a, &b, &difference, text);
        assert_near(atof(text[2]), atof(text[1]) - atof(text[0]), 1e-9 * size);
        assert_true((strstr(text[2], "+-") != NULL) == interval);
        assert_true(!interval || fabs(atof(text[2]) - (to - from)) < 0.5 * paired);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_inputs_cancel),
                                       cmocka_unit_test(other_inputs_are_independent),
                                       cmocka_unit_test(shown_differences_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
