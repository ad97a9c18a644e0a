/* SPDX-License-Identifier: Apache-2.0 */
/* The portal pressure gradient is a sum of named terms, and never a number without a liver. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/readouts/ppg.h"
#include "common/lattice/lattice.h"
#include "common/base/units.h"
#include <math.h>
#include <string.h>

static const double MMHG_MIN_L = UNITS_PA_PER_MMHG * 60 / 1e-3;

static const place portal_tree[] = {{"SMV", LATTICE_INLET, 0, 60, 10, 0.17, 40},
                                    {"SV", LATTICE_INLET, 0, 40, 6, 0.15, 38},
                                    {"RPV", LATTICE_OUTLET, 0, 50, 12, 0.24, 10},
                                    {"LPV", LATTICE_OUTLET, 0, 30, 4, 0.13, 2},
                                    {"PV", -1, 0, 90, 16, 0.18, 30},
                                    {"HV1", LATTICE_INLET, 1, 50, 9, 0.2, 9},
                                    {"HV2", LATTICE_INLET, 1, 50, 7, 0.2, 7},
                                    {"IVC", LATTICE_OUTLET, 1, 300, 16, 0.1, 1}};

static int near(double a, double b) {
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

static void terms_without_cava(void **state) {
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .liver_resistance = 4 * MMHG_MIN_L};
    notes why = {0};
    ppg g;
    assert_int_equal(ppg_form(5, portal_tree, &r, &g, &why), OK);
    assert_int_equal(g.n_term, 2);
    assert_true(g.term[0].kind == PPG_RESOLVED && near(g.term[0].value_pa, 30 - (12 * 10 + 4 * 2) / 16.0));
    assert_true(g.term[1].kind == PPG_MODELLED && near(g.term[1].flow_ml_s, 16));
    assert_true(near(units_pa_to_mmhg(g.term[1].value_pa), 4 * 16 * 0.06)); /* mmHg min/L times L/min */
    assert_true(near(g.value_pa, g.term[0].value_pa + g.term[1].value_pa));
    assert_int_equal(why.n, 1); /* the cava is not in the model */
    notes_free(&why);
    (void)state;
}

/* The blood of a collateral does not reach the liver: its error counts only where the balance gives the flow. */
static void collateral_outlet(void **state) {
    (void)state;
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .liver_resistance = 4 * MMHG_MIN_L};
    place tree[5];
    notes why = {0};
    ppg g;
    memcpy(tree, portal_tree, sizeof tree);
    tree[3].collateral = true;
    assert_int_equal(ppg_form(5, tree, &r, &g, &why), OK);
    assert_true(near(g.term[0].value_pa, 30 - 10) && near(g.term[1].flow_ml_s, 12));
    for (int k = 0; k < 4; k++)
        tree[k].flow_given = true;
    tree[2].flow_error_ml_s = 1;
    tree[3].flow_error_ml_s = 3;
    assert_int_equal(ppg_form(5, tree, &r, &g, &why), OK);
    assert_true(near(g.term[1].flow_error_ml_s, 1));
    tree[2].flow_given = false;
    tree[0].flow_error_ml_s = 4;
    assert_int_equal(ppg_form(5, tree, &r, &g, &why), OK);
    assert_true(near(g.term[1].flow_error_ml_s, 5));
    notes_free(&why);
}

static void terms_with_a_cava_of_its_own(void **state) {
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .cava = "IVC", .liver_resistance = 4 * MMHG_MIN_L};
    notes why = {0};
    ppg g;
    assert_int_equal(ppg_form(8, portal_tree, &r, &g, &why), OK);
    assert_int_equal(g.n_term, 3);
    assert_true(g.term[2].kind == PPG_RESOLVED && near(g.term[2].value_pa, (81 + 49) / 16.0 - 1));
    assert_true(near(g.value_pa, g.term[0].value_pa + g.term[1].value_pa + g.term[2].value_pa));
    assert_int_equal(why.n, 0);
    (void)state;
}

static void one_piece_of_lumen(void **state) {
    place p[3] = {{"in", LATTICE_INLET, 0, 50, 10, 0.2, 900},
                  {"IVC", LATTICE_OUTLET, 0, 300, 10, 0.1, 100},
                  {"PV", -1, 0, 50, -10, -0.2, 800}};
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .cava = "IVC", .liver_resistance = MMHG_MIN_L};
    notes why = {0};
    ppg g;
    assert_int_equal(ppg_form(3, p, &r, &g, &why), OK);
    assert_int_equal(g.n_term, 2);
    assert_true(near(g.term[0].value_pa, 700) && near(units_pa_to_mmhg(g.term[1].value_pa), 0.6));
    notes_free(&why);
    r.liver_outlets = true; /* the liver at the outlets: no term of its own */
    r.liver_resistance = NAN;
    assert_int_equal(ppg_form(3, p, &r, &g, &why), OK);
    assert_true(g.n_term == 1 && near(g.value_pa, 700) && g.liver_outlets && why.n == 1);
    notes_free(&why);
    p[1].behind_given = true; /* a resistance at the end of the stent: the gradient ends behind it */
    p[1].behind_pa = 40;
    assert_int_equal(ppg_form(3, p, &r, &g, &why), OK);
    assert_true(g.n_term == 1 && near(g.value_pa, 760) && why.n == 1);
    notes_free(&why);
    r.cava = NULL;
    assert_int_equal(ppg_form(3, p, &r, &g, &why), OK);
    assert_true(g.n_term == 0 && isnan(g.value_pa) && why.n == 1);
    notes_free(&why);
    (void)state;
}

/* 4 +- 2 times a flow of 16 +- 2.5: the flow's own error where the outlets are free, none where it is unknown. */
static void resistance_and_flow_give_an_interval(void **state) {
    case_readout r = {
        .kind = READOUT_PPG, .portal = "PV", .liver_resistance = 4 * MMHG_MIN_L, .liver_error = 2 * MMHG_MIN_L};
    place p[5];
    notes why = {0};
    ppg g;
    memcpy(p, portal_tree, sizeof p);
    assert_int_equal(ppg_form(5, p, &r, &g, &why), OK);
    assert_true(isnan(g.term[1].flow_error_ml_s) && ppg_inputs_pa(&g.term[0]) == 0);
    assert_true(near(units_pa_to_mmhg(ppg_inputs_pa(&g.term[1])), 2 * 16 * 0.06));
    p[0].flow_given = p[1].flow_given = true;
    p[0].flow_error_ml_s = 2;
    p[1].flow_error_ml_s = 1.5;
    assert_int_equal(ppg_form(5, p, &r, &g, &why), OK);
    assert_true(near(units_pa_to_mmhg(ppg_inputs_pa(&g.term[1])), 0.06 * hypot(2 * 16, 4 * 2.5)));
    p[2].flow_given = p[3].flow_given = true; /* both outlets are given: their sum is the flow */
    p[1].flow_given = false;
    p[3].flow_error_ml_s = 1;
    assert_int_equal(ppg_form(5, p, &r, &g, &why), OK);
    assert_true(near(g.term[1].flow_error_ml_s, 1));
    notes_free(&why);
    (void)state;
}

/* A model that ends at the portal vein: the outlet is the portal vein, and its flow is that through the liver. */
static void portal_vein_is_the_outlet(void **state) {
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .liver_resistance = 4 * MMHG_MIN_L};
    place p[3] = {portal_tree[0], portal_tree[1], portal_tree[4]};
    notes why = {0};
    ppg g;
    p[2].role = LATTICE_OUTLET;
    p[0].flow_given = p[1].flow_given = true;
    p[0].flow_error_ml_s = 3;
    p[1].flow_error_ml_s = 4;
    assert_int_equal(ppg_form(3, p, &r, &g, &why), OK);
    assert_true(near(g.term[0].value_pa, 0) && near(g.term[1].flow_ml_s, 16));
    assert_true(near(units_pa_to_mmhg(g.value_pa), 4 * 16 * 0.06));
    assert_true(near(g.term[1].flow_error_ml_s, 5));
    notes_free(&why);
    (void)state;
}

static void without_a_liver_it_has_no_value(void **state) {
    case_readout r = {.kind = READOUT_PPG, .portal = "PV", .liver_resistance = NAN};
    notes why = {0};
    ppg g;
    assert_int_equal(ppg_form(5, portal_tree, &r, &g, &why), OK);
    assert_true(isfinite(g.term[0].value_pa) && isnan(g.term[1].value_pa) && isnan(g.value_pa));
    assert_non_null(strstr(why.text[0], "no portal pressure gradient"));
    notes_free(&why);
    (void)state;
}

static void what_is_missing_is_said(void **state) {
    case_readout r = {.kind = READOUT_PPG, .portal = "nowhere", .liver_resistance = MMHG_MIN_L};
    notes why = {0};
    ppg g;
    assert_int_equal(ppg_form(5, portal_tree, &r, &g, &why), OK);
    assert_true(isnan(g.value_pa) && g.n_term == 0);
    assert_non_null(strstr(why.text[0], "'nowhere' is neither an opening nor a section"));
    place only[1] = {portal_tree[0]};
    r.portal = "SMV";
    assert_int_equal(ppg_form(1, only, &r, &g, &why), OK); /* no outlet */
    assert_true(isnan(g.value_pa));
    place back[2] = {portal_tree[0], portal_tree[2]};
    back[1].flow_ml_s = -1; /* flow out of the liver */
    assert_int_equal(ppg_form(2, back, &r, &g, &why), OK);
    assert_true(isnan(g.value_pa));
    notes_free(&why);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_without_cava),
        cmocka_unit_test(collateral_outlet),
        cmocka_unit_test(terms_with_a_cava_of_its_own),
        cmocka_unit_test(one_piece_of_lumen),
        cmocka_unit_test(resistance_and_flow_give_an_interval),
        cmocka_unit_test(portal_vein_is_the_outlet),
        cmocka_unit_test(without_a_liver_it_has_no_value),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
