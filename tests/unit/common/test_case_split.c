/* SPDX-License-Identifier: Apache-2.0 */
/* The split of the inflow among outlets: shares, their uncertainty, and resistances from a mean pressure. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/base/units.h"
#include "common/case/case.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { OPENINGS = 4, IN = 0 };

static case_file c;

/* Lattice openings of an inlet and outlets of the radii 3, 2 and 1 mm. */
static lattice_opening opening[OPENINGS] = {
    {.name = "IN", .role = LATTICE_INLET, .area_mm2 = 16 * M_PI, .centre_mm = {0, 0, 0}},
    {.name = "A", .role = LATTICE_OUTLET, .area_mm2 = 9 * M_PI, .centre_mm = {0, 0, 50}},
    {.name = "B", .role = LATTICE_OUTLET, .area_mm2 = 4 * M_PI, .centre_mm = {0, 20, 50}},
    {.name = "C", .role = LATTICE_OUTLET, .area_mm2 = M_PI, .centre_mm = {0, -20, 50}}};

static void read_split(const char *split, const char *in, const char *last) {
    char text[1024];
    snprintf(text, sizeof text,
             "space: LPS\nmesh: {spacing: 0.5 mm, box: {low: [-9, -9, -9], high: [9, 9, 9]},\n"
             "  shape: {type: cylinder, from: [0, 0, -9], to: [0, 0, 9], radius: 3 mm}}\nopenings:\n"
             "- {name: IN, role: inlet, point: [1, 2, 3], %s}\n"
             "- {name: A, role: outlet, point: [1, 2, 9]}\n- {name: B, role: outlet, point: [1, 3, 9]}\n"
             "- {name: C, role: outlet, point: [1, 4, 9]%s}\nsplit: %s\n",
             in, last, split);
    if (case_read_text(text, strlen(text), "case.yaml", 0, &c) != OK)
        fail_msg("%s", status_message());
}

/* R = (93 - 5) mmHg / 6 mL/s: the outlets have 9, 4 and 1 of 14 parts of the flow. */
static void test_resistances(void **state) {
    (void)state;
    const double total = 88 * UNITS_PA_PER_MMHG / 6e-6, part[OPENINGS] = {0, 9 / 14.0, 4 / 14.0, 1 / 14.0};
    char text[CASE_MODEL];
    double conductance = 0;
    read_split("{murray: 2, mean_pressure: 93 mmHg, distal: 5 mmHg}", "flow: 6 mL/s", "");
    if (case_take_split(&c, OPENINGS, opening) != OK)
        fail_msg("%s", status_message());
    for (int k = 1; k < OPENINGS; k++) {
        const case_opening *o = &c.opening[k];
        assert_int_equal(o->condition, CONDITION_RESISTANCE);
        assert_near(o->split_share, part[k], 1e-12);
        assert_near(o->resistance_pa_s_m3, total / part[k], 1e-9 * total);
        assert_near(o->distal_pa, 5 * UNITS_PA_PER_MMHG, 1e-9);
        conductance += 1 / o->resistance_pa_s_m3;
    }
    assert_near(1 / conductance, total, 1e-9 * total);
    assert_int_equal(case_take_split(&c, OPENINGS, opening), OK); /* a second call changes nothing */
    assert_near(c.opening[1].resistance_pa_s_m3, total / part[1], 1e-9 * total);
    assert_string_equal(
        case_write_model(&c, &c.opening[3], "+-", text),
        "assumed: resistance chosen for 7.143 % of the inflow by Murray's law, radius to the power 2, at "
        "93 mmHg: 3422 mmHg min/L, distal pressure 5 mmHg");
    case_free(&c);
}

/* Capacitances in parallel add up, and R C is the same at each outlet. A collateral of given flow is no part. */
static void test_windkessels(void **state) {
    (void)state;
    const double total = 88 * UNITS_PA_PER_MMHG / 5e-6, part[] = {0, 0.7, 0.3};
    read_split("{A: 70 %, B: rest, mean_pressure: 93 mmHg, distal: 5 mmHg, capacitance: 2 mL/mmHg}", "flow: 6 mL/s",
               ", flow: 1 mL/s");
    assert_int_equal(case_take_split(&c, OPENINGS, opening), OK);
    for (int k = 1; k < 3; k++) {
        const case_opening *o = &c.opening[k];
        assert_int_equal(o->condition, CONDITION_WINDKESSEL);
        assert_near(o->resistance_pa_s_m3, total / part[k], 1e-9 * total);
        assert_near(o->capacitance_m3_pa, part[k] * 2e-6 / UNITS_PA_PER_MMHG, 1e-20);
        assert_near(o->proximal_part, 0.09, 0);
    }
    char text[CASE_MODEL];
    assert_string_equal(case_write_model(&c, &c.opening[1], "+-", text),
                        "Windkessel chosen for 70 % of the inflow at 93 mmHg: resistances 37.71 (proximal) and 381.3 "
                        "mmHg min/L, capacitance 1.4 mL/mmHg, distal pressure 5 mmHg");
    assert_int_equal(c.opening[3].condition, CONDITION_FLOW);
    case_free(&c);
    read_split("{murray: 3, mean_pressure: 93 mmHg, distal: 5 mmHg}", "flow: 1 mL/s", ", flow: 2 mL/s");
    assert_int_equal(case_take_split(&c, OPENINGS, opening), ERR_INPUT);
    assert_non_null(strstr(status_message(), "add up to -1 mL/s into the vessel"));
    status_clear();
    case_free(&c);
}

/* Uncertain pressures are inputs of the split: no outlet has an error of its own. A capacitance is divided with its
 * interval. */
static void test_uncertain_pressures(void **state) {
    (void)state;
    char text[CASE_MODEL], digest[2][17];
    for (int k = 0; k < 2; k++) {
        read_split(k ? "{A: 70 %, B: rest, mean_pressure: 93 mmHg +- 10 mmHg, distal: 4 to 6 mmHg, capacitance: 2 "
                       "mL/mmHg +- 30 %}"
                     : "{A: 70 %, B: rest, mean_pressure: 93 mmHg, distal: 5 mmHg, capacitance: 2 mL/mmHg}",
                   "flow: 6 mL/s", ", flow: 1 mL/s");
        case_digest(&c, "solve", digest[k]);
        if (k == 0)
            case_free(&c);
    }
    assert_string_not_equal(digest[0], digest[1]);
    assert_near(c.split.pressure_error[SPLIT_MEAN_PRESSURE], 10 * UNITS_PA_PER_MMHG, 1e-9);
    assert_near(c.split.distal_pa, 5 * UNITS_PA_PER_MMHG, 1e-9);
    assert_near(c.split.pressure_error[SPLIT_DISTAL], UNITS_PA_PER_MMHG, 1e-9);
    assert_int_equal(case_take_split(&c, OPENINGS, opening), OK);
    assert_true(c.opening[1].value_error == 0 && c.opening[1].distal_error == 0);
    assert_near(c.opening[1].capacitance_error, 0.3 * c.opening[1].capacitance_m3_pa, 1e-20);
    assert_string_equal(case_write_model(&c, &c.opening[1], "+-", text),
                        "Windkessel chosen for 70 % of the inflow at 93 +- 10 mmHg: resistances 37.71 (proximal) and "
                        "381.3 mmHg min/L, capacitance 1.4 mL/mmHg +- 30 %, distal pressure 5 +- 1 mmHg");
    case_free(&c);
}

/* Variance of the relative error of share k of independent runs: run i changes share i by case_split_error, and the
 * others divide the rest. */
static double half_width(int n, const double *share, int k, double error) {
    double square = 0;
    for (int i = 0; i < n; i++) {
        const double part = case_split_error(n, share, i, error);
        if (isfinite(share[i]))
            square += pow(i == k ? part : -part * share[i] / (1 - share[i]), 2);
    }
    return sqrt(square);
}

static void test_errors(void **state) {
    (void)state;
    const double halves[] = {NAN, 0.5, 0.5}, two[] = {0.2, 0.8, NAN}, thirds[] = {1 / 3.0, NAN, 1 / 3.0, 1 / 3.0},
                 four[] = {0.45, 0.3, 0.2, 0.05}, large[] = {0.6, 0.3, 0.1}, one[] = {1};
    assert_near(case_split_error(3, halves, 1, 0.2), 0.2, 1e-15);
    assert_near(case_split_error(3, halves, 2, 0.2), 0, 0); /* the same input as the first share */
    assert_near(half_width(3, halves, 1, 0.2), 0.2, 1e-15);
    assert_near(half_width(3, halves, 2, 0.2), 0.2, 1e-15);
    assert_near(half_width(3, two, 0, 0.2), 0.2, 1e-15);
    assert_near(half_width(3, two, 1, 0.2), 0.05, 1e-15);
    assert_near(case_split_error(4, thirds, 0, 0.2), 0.2 * sqrt(2 / 3.0), 1e-12);
    for (int k = 0; k < 4; k++) {
        assert_true(k == 1 || fabs(half_width(4, thirds, k, 0.2) - 0.2) < 1e-12);
        assert_near(half_width(4, four, k, 0.25), 0.25, 1e-12);
    }
    assert_near(half_width(3, large, 0, 0.3), 0.2, 1e-12); /* 60 % +- 12 points, so that 40 % has +- 30 % */
    assert_near(half_width(3, large, 1, 0.3), 0.3, 1e-12);
    assert_near(half_width(3, large, 2, 0.3), 0.3, 1e-12);
    assert_near(case_split_error(1, one, 0, 0.2), 0, 0);
    /* two outlets have one run, three outlets have three */
    read_split("{murray: 3, uncertainty: 20 %}", "flow: 6 mL/s", ", flow: 1 mL/s");
    assert_true(c.opening[1].value_error > 0 && c.opening[2].value_error == 0);
    assert_int_equal(case_take_split(&c, OPENINGS, opening), OK);
    assert_near(c.opening[1].value_error, 0.2 * 8 / 27, 1e-12); /* the smaller share of 8 parts has +- 20 % */
    char text[CASE_MODEL];
    for (int k = 1; k < 3; k++)
        assert_non_null(strstr(case_write_model(&c, &c.opening[k], "+-", text),
                               k == 1 ? "assumed: 77.14 +- 4.6 % of the inflow" : "assumed: 22.86 +- 4.6 % of the"));
    case_free(&c);
    read_split("{murray: 3, uncertainty: 20 %}", "flow: 6 mL/s", "");
    assert_true(c.opening[1].value_error > 0 && c.opening[2].value_error > 0 && c.opening[3].value_error > 0);
    case_free(&c);
}

/* mesh chooses the spacing for these flows: without a split they would be proportional to the areas. */
static void test_flows(void **state) {
    (void)state;
    double flow[OPENINGS];
    static const struct {
        const char *split;
        double part[OPENINGS];
        int rest;
    } row[] = {{"{murray: 3}", {0, 27 / 36.0, 8 / 36.0, 1 / 36.0}, 1},
               {"{A: 10 %, B: 30 %, C: rest}", {0, 0.1, 0.3, 0.6}, 3},
               {"{labels: {path: s.nii}, territory: {A: [1], B: [2], C: [3]}}", {0, 0.2, 0.3, 0.5}, 3}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        read_split(row[i].split, "flow: 6 mL/s", "");
        for (int k = 0; k < OPENINGS; k++) {
            opening[k].territory_ml = i == 2 ? 100 * row[i].part[k] : 0;
            assert_int_equal(case_flow_m3_s(&c, k, &opening[k], &flow[k]), OK);
        }
        case_estimate_flows(&c, OPENINGS, opening, flow);
        for (int k = 1; k < OPENINGS; k++)
            if (k == row[i].rest)
                assert_true(isnan(flow[k])); /* from the flow balance */
            else
                assert_near(flow[k], -6e-6 * row[i].part[k], 1e-18);
        case_free(&c);
    }
    read_split(row[2].split, "flow: 6 mL/s", "");
    opening[2].territory_ml = 0;
    assert_int_equal(case_take_split(&c, OPENINGS, opening), ERR_INPUT);
    assert_non_null(strstr(status_message(), "the lattice does not hold the volume of the territory"));
    status_clear();
    case_free(&c);
}

/* The resistances of a split have an error each, so they are no resistances of one liver. */
static void test_no_liver(void **state) {
    (void)state;
    read_split("{murray: 2, mean_pressure: 9 mmHg, distal: 5 mmHg}\nreadouts: [{ppg: {portal: IN, liver: {model: "
               "outlets}}}]",
               "flow: 6 mL/s", "");
    assert_int_equal(case_take_split(&c, OPENINGS, opening), OK);
    assert_true(case_liver_at_outlets(&c));
    for (int k = 0; k < OPENINGS; k++)
        assert_false(case_opening_is_liver(&c, &c.opening[k]));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_liver),    cmocka_unit_test(test_resistances),
                                       cmocka_unit_test(test_windkessels), cmocka_unit_test(test_uncertain_pressures),
                                       cmocka_unit_test(test_errors),      cmocka_unit_test(test_flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
