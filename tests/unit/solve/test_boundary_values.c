/* SPDX-License-Identifier: Apache-2.0 */
/* What the openings prescribe, from the case and the lattice, at any time of a run. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solve/boundary/boundary_values.h"
#include "tests/unit/near.h"

enum { IN, OUT, LID, FREE, OPENINGS };
static char *const names[OPENINGS] = {"IN", "OUT", "LID", "FREE"};

/* An inlet of 200 mm2 whose developed profile has a peak of 1.6, an outlet, a moving wall, an outlet for the rest. */
static lattice openings(void) {
    lattice l;
    assert_int_equal(lattice_create(&l, 1, 0, OPENINGS), OK);
    for (int k = 0; k < OPENINGS; k++) {
        strcpy(l.opening[k].name, names[k]);
        l.opening[k].area_mm2 = k == IN ? 200 : 100;
    }
    l.opening[IN].n_link = 3;
    l.opening[IN].profile_developed = malloc(3 * sizeof(float));
    assert_non_null(l.opening[IN].profile_developed);
    memcpy(l.opening[IN].profile_developed, (float[3]){0.5f, 1.6f, 0.9f}, 3 * sizeof(float));
    return l;
}

/* In another order than the lattice's. */
static void conditions(case_opening o[OPENINGS]) {
    o[0] = (case_opening){.name = names[FREE], .role = ROLE_OUTLET, .condition = CONDITION_PRESSURE, .value = 400};
    o[1] = (case_opening){
        .name = names[LID], .role = ROLE_MOVING_WALL, .condition = CONDITION_VECTOR, .vector_m_s = {3, 0, 4}};
    o[2] = (case_opening){.name = names[OUT], .role = ROLE_OUTLET, .condition = CONDITION_FLOW, .value = 1e-6};
    o[3] = (case_opening){.name = names[IN], .role = ROLE_INLET, .condition = CONDITION_VELOCITY_PEAK, .value = 0.8};
}

static void one_call_gives_all(void **state) {
    (void)state;
    lattice l = openings();
    case_opening o[OPENINGS];
    conditions(o);
    const case_file c = {.n_opening = OPENINGS, .opening = o, .blood = {1000, 4e-3}};
    boundary_values g;
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_ptr_equal(g.from[IN], &o[3]);
    assert_near(g.mean_m3_s[IN], 0.8 / 1.6 * 200e-6, 1e-10); /* the peak of its own profile */
    assert_near(g.largest_m3_s[IN], g.mean_m3_s[IN], 0);
    assert_near(g.mean_m3_s[OUT], -1e-6, 1e-20);
    assert_true(isnan(g.largest_m3_s[FREE]) && g.condition[FREE].kind == DOMAIN_PRESSURE);
    assert_near(g.mean_m3_s[FREE], 0, 0);
    assert_near(g.reference_pa, 400, 0);
    assert_near(g.fastest_m_s, 5, 1e-12); /* the moving wall */
    const scale s = {.flow_scale = 1e-9, .velocity_scale = 10, .pressure_scale = 100};
    prescribed_value given[OPENINGS];
    boundary_values_at(&g, &s, 2, 1, given); /* half-way up the rise: half of it */
    assert_near(given[IN].flow, 0.5 * g.mean_m3_s[IN] / 1e-9, 1e-6);
    assert_near(given[LID].wall_speed * g.condition[LID].velocity[2], 0.5 * 4 / 10, 1e-12);
    g.from_mean = true; /* at its mean, which is all that it has */
    boundary_values_at(&g, &s, 2, 0, given);
    assert_near(given[IN].flow, g.mean_m3_s[IN] / 1e-9, 1e-6);
    g.from_mean = false;
    boundary_values_at(&g, &s, 0, 0, given); /* at once */
    assert_near(given[OUT].flow, -1000, 1e-9);
    assert_near(given[FREE].pressure, 0, 0); /* the reference itself */
    boundary_values_free(&g);
    lattice_free(&l);
}

/* The peak velocity of the power law in a circle is (3 n + 1) / (n + 1) times the mean velocity. */
static void peak_of_shear_thinning_blood(void **state) {
    (void)state;
    lattice l = openings();
    case_opening o[OPENINGS];
    conditions(o);
    const case_file c = {.n_opening = OPENINGS,
                         .opening = o,
                         .blood = {1000, 4e-3, .model = VISCOSITY_POWER_LAW, .set = VISCOSITY_SHIBESHI}};
    const double power = 0.7755;
    boundary_values g;
    l.opening[IN].profile_developed[1] = 2;
    l.opening[IN].perimeter_mm = 2 * sqrt(M_PI * 200);
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_near(g.mean_m3_s[IN], 0.8 * 200e-6 * (power + 1) / (3 * power + 1), 1e-4 * 160e-6);
    boundary_values_free(&g);
    lattice_free(&l);
}

/* Two outlets with flows and an inlet with a pressure: the inlet has the rest, the larger outlet 0 Pa in its stead. */
static void rest_of_the_flows(void **state) {
    (void)state;
    lattice l = openings();
    case_opening o[OPENINGS];
    conditions(o);
    o[0] = (case_opening){.name = names[FREE], .role = ROLE_OUTLET, .condition = CONDITION_FLOW, .value = 3e-6};
    o[3] = (case_opening){.name = names[IN], .role = ROLE_INLET, .condition = CONDITION_PRESSURE, .value = 400};
    case_file c = {.n_opening = OPENINGS, .opening = o, .blood = {1000, 4e-3}};
    boundary_values g;
    const scale s = {.flow_scale = 1e-9, .velocity_scale = 10, .pressure_scale = 100};
    prescribed_value given[OPENINGS];
    assert_int_equal(case_balancing_inlet(&c), 3);
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_int_equal(g.rest, IN);
    assert_true(g.condition[IN].kind == DOMAIN_FLOW && g.condition[FREE].kind == DOMAIN_PRESSURE);
    assert_near(g.mean_m3_s[IN], 4e-6, 1e-18);
    boundary_values_at(&g, &s, 0, 0, given);
    assert_near(given[IN].flow, 4000, 1e-9);
    assert_near(given[OUT].flow, -1000, 1e-9);
    assert_near(given[FREE].pressure, 0, 0);
    assert_near(boundary_values_reference_pa(&g, &s, (double[OPENINGS]){0}, (double[OPENINGS]){[IN] = 0.5}), 350,
                1e-12);
    boundary_values_free(&g);
    o[2].role = ROLE_INLET; /* it brings 2e-6 more than leaves: the other inlet is no inlet */
    o[2].value = 5e-6;
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_true(g.rest < 0 && g.condition[IN].kind == DOMAIN_PRESSURE);
    assert_near(boundary_values_reference_pa(&g, &s, (double[OPENINGS]){0}, (double[OPENINGS]){0}), 400, 0);
    boundary_values_free(&g);
    c.solve.mode = MODE_PULSATILE;
    assert_int_equal(case_balancing_inlet(&c), -1);
    lattice_free(&l);
}

/* Without walls that move: the inflow through the outlet, or the force that viscosity balances. */
static void fastest(void **state) {
    (void)state;
    lattice l = openings();
    case_opening o[OPENINGS];
    conditions(o);
    o[1] = (case_opening){.name = names[LID], .role = ROLE_OUTLET, .condition = CONDITION_DEVELOPED};
    case_file c = {.n_opening = OPENINGS, .opening = o, .blood = {1000, 4e-3}};
    boundary_values g;
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_near(g.fastest_m_s, 2 * 0.5, 1e-7); /* 1e-4 m3/s through 200 mm2 */
    boundary_values_free(&g);
    l.opening[IN].area_mm2 = l.opening[OUT].area_mm2 =
        1000; /* 0.8 of 1e-4 m3/s are given to an outlet, the rest is 0.2 */
    o[0].value = 0;
    o[2].value = 8e-5;
    o[3].value = 0.16;
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_near(g.fastest_m_s, 0.2, 1e-7);
    boundary_values_free(&g);
    c.solve.force_m_s2[1] = 0.2;
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    assert_near(g.fastest_m_s, 0.2 * 1e-4 / (2 * 4e-6), 1e-12);
    boundary_values_free(&g);
    o[0].name = names[IN];
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), ERR_INPUT);
    assert_non_null(strstr(status_message(), "an opening 'FREE' that the case does not name"));
    status_clear();
    lattice_free(&l);
}

/* The flows that mesh expects are the flows of the network that solve starts with. A resistance limits its flow:
 * without it two equal outlets would share the inflow. */
static void expected_flows(void **state) {
    (void)state;
    lattice l = openings();
    case_opening o[OPENINGS];
    conditions(o);
    l.opening[OUT].centre_mm[0] = 60;
    l.opening[FREE].centre_mm[0] = -60;
    l.opening[IN].centre_mm[1] = 80;
    o[2] = (case_opening){
        .name = names[OUT], .role = ROLE_OUTLET, .condition = CONDITION_RESISTANCE, .value = 4e8, .distal_pa = 400};
    const case_file c = {.n_opening = OPENINGS, .opening = o, .blood = {1000, 4e-3}};
    boundary_values g;
    double flow[OPENINGS] = {1e-6, NAN, 0, NAN};
    assert_int_equal(boundary_values_create(&c, &l, 0.01, &g), OK);
    memcpy(flow, g.largest_m3_s, sizeof flow);
    case_estimate_flows(&c, OPENINGS, l.opening, flow);
    assert_int_equal(g.network.n, 2);
    assert_near(flow[IN], g.largest_m3_s[IN], 0);
    assert_near(flow[OUT], -g.initial.flow_m3_s[0], 1e-12);
    assert_true(flow[OUT] < 0 && -flow[OUT] < 0.01 * flow[IN]);
    assert_true(isnan(flow[FREE])); /* it takes what is left */
    assert_near(g.initial.flow_m3_s[1], flow[IN] + flow[OUT], 1e-12);
    boundary_values_free(&g);
    o[2].condition = CONDITION_PRESSURE; /* without resistances the widths share the flow */
    flow[OUT] = NAN;
    case_estimate_flows(&c, OPENINGS, l.opening, flow);
    assert_true(isnan(flow[OUT]) && isnan(flow[FREE]));
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_call_gives_all), cmocka_unit_test(peak_of_shear_thinning_blood),
        cmocka_unit_test(rest_of_the_flows), cmocka_unit_test(fastest), cmocka_unit_test(expected_flows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
