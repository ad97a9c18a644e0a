/* SPDX-License-Identifier: Apache-2.0 */
/* How far numbers may be off that have no interval, and the digits that leaves. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include "common/record/json.h"
#include "post/readouts/readouts.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Of 3 mL/s that are given 1 leaves by a given flow, the rest is shared alike by two openings: 1 mL/s each, too. A
 * section is off by its difference from the opening with its flow. */
static void what_is_given_is_not_off(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 3, .flow_given = true},
                  {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 1, .flow_given = true},
                  {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 1, .pressure_given = true},
                  {.name = "C", .role = LATTICE_OUTLET, .flow_ml_s = 1, .pressure_given = true},
                  {.name = "inside IN", .role = -1, .flow_ml_s = 2.999}};
    const readouts r = {.n_opening = 4, .n_section = 1, .place = at, .off = 0.65, .off_flows = OFF_SPLITS};
    static const struct {
        double off;
        const char *reynolds;
    } row[] = {{0, "66.9"}, {0, "66.9"}, {0.65 * 2 / 3, "67"}, {0.65 * 2 / 3, "67"}, {0.001, "66.9"}};
    for (int k = 0; k < 5; k++) {
        char text[READOUTS_SHOWN];
        at[k].mean_velocity_m_s = 0.1;
        at[k].reynolds = 66.9;
        assert_float_equal(readouts_off(&r, &at[k].flow_ml_s), row[k].off, 1e-12);
        assert_string_equal(readouts_show_reynolds(&r, &at[k], text), row[k].reynolds);
        assert_float_equal(readouts_section_off(&r, &at[k].flow_ml_s), k == 4 ? 0.001 : 0, 1e-12);
    }
}

/* Beside a given pressure of 700 Pa one of 708 is known to a part of 8; one open end takes what the others leave. */
static void what_intervals_leave_out(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .pressure_pa = 708},
                  {.name = "OUT", .role = LATTICE_OUTLET, .pressure_pa = 700, .pressure_given = true},
                  {.name = "inside", .role = -1, .pressure_pa = 704}};
    case_opening o[] = {{.condition = CONDITION_FLOW}, {.condition = CONDITION_PRESSURE}};
    const case_file c = {.n_opening = 2, .opening = o};
    const readouts r = {.n_opening = 2, .n_section = 1, .place = at};
    for (int k = 0; k < 3; k++) {
        assert_float_equal(readouts_exact_pa(&r, &at[k].pressure_pa), 700, 0);
        assert_float_equal(readouts_exact_pa(&r, &at[k].flow_ml_s), 0, 0);
        assert_int_equal(readouts_follows(&r, &c, &at[k].flow_ml_s), k < 2);
        assert_false(readouts_follows(&r, &c, &at[k].mean_velocity_m_s));
    }
    o[0].condition = CONDITION_DEVELOPED;
    assert_false(readouts_follows(&r, &c, &at[0].flow_ml_s));
}

/* Of 4 mL/s that are given 3 go through the liver, whose term is off as that share is; all that one piece is given is
 * not, whatever another piece has. */
static void a_modelled_term_is_off_as_its_flow(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 4, .flow_given = true},
                  {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 3, .pressure_given = true},
                  {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 1, .pressure_given = true},
                  {.name = "VEIN", .role = LATTICE_INLET, .flow_ml_s = 9, .flow_given = true, .piece = 1}};
    ppg g = {.portal = "IN", .value_pa = 400, .n_term = 1, .term = {{.kind = PPG_MODELLED, .value_pa = 400}}};
    const readouts r = {.n_opening = 4, .place = at, .n_ppg = 1, .ppg = &g, .off = 0.2, .off_flows = OFF_SPLITS};
    g.term[0].flow_ml_s = 3;
    assert_float_equal(readouts_off(&r, &g.term[0].value_pa), 0.2 * 0.25 * 400, 1e-9);
    assert_float_equal(readouts_off(&r, &g.value_pa), 0.2 * 0.25 * 400, 1e-9);
    g.term[0].flow_ml_s = 4;
    assert_float_equal(readouts_off(&r, &g.term[0].value_pa), 0, 1e-9);
}

/* What says nothing is not there. */
static void nothing_off_is_no_key(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 4, .flow_given = true, .pressure_given = true}};
    const solution run = {.device = "cpu"};
    const readouts r = {.n_opening = 1,
                        .place = at,
                        .off = 0.2,
                        .off_flows = OFF_SPLITS,
                        .solution = &run,
                        .wss = {.mean = NAN, .p99 = NAN, .max = NAN},
                        .velocity_max_m_s = NAN};
    cJSON *json = readouts_json(&r);
    const cJSON *in = json_find(json_find(json, "openings"), "IN");
    assert_non_null(in);
    assert_null(cJSON_GetObjectItem(in, "error_bound"));
    assert_null(cJSON_GetObjectItem(json_find(json, "wss"), "error_bound"));
    cJSON_Delete(json);
}

/* A given flow of 3 +- 0.6 mL/s beside an exact outflow of 1 mL/s: the free outlet carries 2 +- 0.6 mL/s. Velocities
 * grow as the flow, pressures and wall shear stress at most as its square. */
static void given_flows_limit_digits(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 3, .flow_given = true, .flow_error_ml_s = 0.6},
                  {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 1, .flow_given = true},
                  {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 2, .pressure_pa = 700, .pressure_given = true},
                  {.name = "inside IN", .role = -1, .flow_ml_s = 3, .pressure_pa = 706, .velocity_max_m_s = 0.23456}};
    readouts_drop drop = {.from = "inside IN", .to = "B", .value_pa = 27.3};
    readouts r = {.n_opening = 3, .n_section = 1, .place = at, .n_drop = 1, .drop = &drop, .velocity_max_m_s = 0.5};
    const double square = 1.2 * 1.2 - 1;
    char text[READOUTS_SHOWN];
    at[0].pressure_pa = at[1].pressure_pa = 706;
    assert_float_equal(readouts_off(&r, &at[0].flow_ml_s), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &at[1].flow_ml_s), 0, 0);
    assert_float_equal(readouts_off(&r, &at[2].flow_ml_s), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &at[3].flow_ml_s), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &at[2].pressure_pa), 0, 0);
    assert_float_equal(readouts_off(&r, &at[3].pressure_pa), square * 6, 1e-12);
    assert_float_equal(readouts_off(&r, &drop.value_pa), square * 27.3, 1e-12);
    assert_float_equal(readouts_off(&r, &at[3].velocity_max_m_s), 0.2 * 0.23456, 1e-12);
    assert_string_equal(readouts_show(&r, &at[3].velocity_max_m_s, 1, text), "0.23");
    assert_float_equal(readouts_off_speed(&r), 0.2, 1e-12);
    assert_float_equal(readouts_off_wss(&r), square, 1e-12);
    r.off = 0.33; /* an error of the lattice is independent of an error of the given flows */
    assert_float_equal(readouts_off(&r, &drop.value_pa), hypot(0.33, square) * 27.3, 1e-12);
    at[0].flow_error_ml_s = 0;
    assert_float_equal(readouts_off(&r, &drop.value_pa), 0.33 * 27.3, 1e-12);
    r.off = 0.1; /* wall shear stress has three times the error of a pressure drop, up to 40 %, or that of the drop */
    r.wss.mean = r.wss.max = at[3].wss_max_pa = 2;
    assert_float_equal(readouts_off(&r, &r.wss.mean), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &r.wss.max), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &at[3].wss_max_pa), 0.6, 1e-12);
    assert_float_equal(readouts_off_wss(&r), 0.3, 1e-12);
    r.off = 0.2;
    assert_float_equal(readouts_off_wss(&r), 0.4, 1e-12);
    r.off = 0.95;
    assert_float_equal(readouts_off_wss(&r), 0.95, 1e-12);
}

/* A pulse of 0 +- 0.6 mL/s on average: its interval is absolute. */
static void a_mean_of_zero_has_an_interval(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .area_mm2 = 30, .flow_given = true, .flow_error_ml_s = 0.6},
                  {.name = "OUT", .role = LATTICE_OUTLET, .area_mm2 = 30, .pressure_given = true, .flow_ml_s = 1e-9},
                  {.name = "inside", .role = -1, .area_mm2 = 30, .flow_ml_s = 0.01, .pressure_pa = 2}};
    const readouts r = {.n_opening = 2, .n_section = 1, .place = at};
    for (int k = 0; k < 3; k++) {
        assert_float_equal(readouts_off(&r, &at[k].flow_ml_s), 0.6, 1e-12);
        assert_float_equal(readouts_off(&r, &at[k].mean_velocity_m_s), 0.02, 1e-12);
    }
    assert_float_equal(readouts_off(&r, &at[2].pressure_pa), READOUTS_OFF_MOST * 2, 1e-12);
}

/* 3 +- 0.6 mL/s beside an exact outflow of 2.5 mL/s: a section in the free branch has the whole error, one in the other
 * branch none. */
static void sections_have_the_error_of_their_branch(void **state) {
    (void)state;
    place at[] = {{.name = "IN", .role = LATTICE_INLET, .flow_ml_s = 3, .flow_given = true, .flow_error_ml_s = 0.6},
                  {.name = "A", .role = LATTICE_OUTLET, .flow_ml_s = 2.5, .flow_given = true},
                  {.name = "B", .role = LATTICE_OUTLET, .flow_ml_s = 0.5, .pressure_given = true},
                  {.name = "in A", .role = -1, .flow_ml_s = 2.5},
                  {.name = "in B", .role = -1, .flow_ml_s = 0.5, .velocity_max_m_s = 0.1}};
    const solution run = {.device = "cpu"};
    readouts r = {.n_opening = 3, .n_section = 2, .place = at, .solution = &run, .wss.mean = 1};
    assert_float_equal(readouts_off(&r, &at[3].flow_ml_s), 0, 0);
    assert_float_equal(readouts_off(&r, &at[4].flow_ml_s), 0.6, 1e-12);
    assert_float_equal(readouts_off(&r, &at[4].velocity_max_m_s), 0.12, 1e-12);
    for (int known = 0; known < 2; known++) { /* no bound is complete while the discretization error is unknown */
        r.off = known ? 0.2 : 0;
        cJSON *json = readouts_json(&r);
        assert_int_equal(cJSON_GetObjectItem(json_find(json, "wss"), "error_bound") != NULL, known);
        cJSON_Delete(json);
    }
}

/* A small error bound does not show more than three digits. */
static void at_most_three_digits(void **state) {
    (void)state;
    const readouts r = {.off = 0.002, .wss = {.mean = 0.59234}};
    char text[READOUTS_SHOWN];
    assert_string_equal(readouts_show(&r, &r.wss.mean, 1, text), "0.592");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(at_most_three_digits),
                                       cmocka_unit_test(given_flows_limit_digits),
                                       cmocka_unit_test(a_mean_of_zero_has_an_interval),
                                       cmocka_unit_test(sections_have_the_error_of_their_branch),
                                       cmocka_unit_test(what_is_given_is_not_off),
                                       cmocka_unit_test(what_intervals_leave_out),
                                       cmocka_unit_test(a_modelled_term_is_off_as_its_flow),
                                       cmocka_unit_test(nothing_off_is_no_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
