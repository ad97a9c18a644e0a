/* SPDX-License-Identifier: Apache-2.0 */
/* Treatments refused by the conditions of the openings. No result is read for these. */
#include "common/base/status.h"
#include "pipeline/treat/treat_conditions.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Finds the conditions for a plan with n treatments, after which the folder of the patient does not exist. */
static void expect_refused_plan(const char *split, int n, case_treatment *treatment, const char *reason) {
    static patient first;
    char text[800];
    treated_conditions t;
    const case_file plan = {.n_treat = n, .treat = treatment};
    snprintf(text, sizeof text,
             "space: LPS\nsegment: {method: labels, labels: {path: a.nii}}\nopenings:\n"
             "- {name: IN, role: inlet, point: [1, 2, 3], flow: 6 mL/s}\n- {name: A, role: outlet, point: [1, 2, 9]}\n"
             "- {name: B, role: outlet, point: [1, 3, 9]}\nmesh: {spacing: 0.5 mm}\n%s\n",
             split);
    memset(&first, 0, sizeof first);
    snprintf(first.dir, sizeof first.dir, "no-such-patient");
    if (case_read_text(text, strlen(text), "case.yaml", 0, &first.c) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(treat_conditions_find(&first, &plan, INFLOW_CONSTANT, &t), ERR_INPUT);
    if (!strstr(status_message(), reason))
        fail_msg("'%s' instead of '%s'", status_message(), reason);
    status_clear();
    treat_conditions_free(&t);
    case_free(&first.c);
}

static void expect_refused(const char *split, case_treatment treatment, const char *reason) {
    expect_refused_plan(split, 1, &treatment, reason);
}

/* Resistances from a mean pressure would become others in the treated case. */
static void test_mean_pressure(void **state) {
    (void)state;
    static char a[] = "A", tips[] = "TIPS";
    static const char reason[] = "split.mean_pressure: the treatment changes the flows of the outlets",
                      murray[] = "split: {murray: 3, mean_pressure: 20 mmHg, distal: 5 mmHg}";
    const case_treatment close = {.kind = TREAT_CLOSE, .from = {.branch = a}},
                         stent = {.kind = TREAT_STENT, .opening = tips, .pressure_pa = 1000};
    expect_refused(murray, close, reason);
    expect_refused(murray, stent, reason);
    expect_refused("split: {A: 60 %, B: rest, mean_pressure: 20 mmHg, distal: 5 mmHg}", stent, reason);
    expect_refused("split: {A: 60 %, B: rest}", close, "the case gives the shares or territories of the outlets");
    expect_refused("split: murray", stent, "the case has no resistance of the liver");
}

/* The reason names what is closed, not a missing pressure. */
static void test_all_closed(void **state) {
    (void)state;
    static char in[] = "IN", a[] = "A", b[] = "B";
    case_treatment both[] = {{.kind = TREAT_CLOSE, .from = {.branch = a}},
                             {.kind = TREAT_CLOSE, .from = {.branch = b}}};
    const case_treatment inlet = {.kind = TREAT_CLOSE, .from = {.branch = in}};
    expect_refused_plan("split: murray", 2, both, "closes all outlets ('A', 'B'), so no blood leaves");
    expect_refused("split: murray", inlet, "closes all inlets ('IN'), so no blood enters");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mean_pressure), cmocka_unit_test(test_all_closed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
