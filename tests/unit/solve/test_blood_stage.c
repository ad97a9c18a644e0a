/* SPDX-License-Identifier: Apache-2.0 */
/* The stage solve with a model of shear-thinning blood: pressure drop of a pipe, result, and what a restart checks. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/blood/viscosity_law.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/pipe_stage.h"

static void write_model(const char *name, const char *blood) {
    char text[2048];
    snprintf(text, sizeof text,
             "name: pipe\nspace: LPS\n"
             "mesh: {spacing: 0.75 mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 6 mm},\n"
             "       box: {low: [-6.9, -6.7, -20], high: [6.9, 6.8, 20]}}\n"
             "openings:\n"
             "  - {name: in, role: inlet, point: [0, 0, -18], normal: [0, 0, -1], flow: 1 mL/s}\n"
             "  - {name: out, role: outlet, point: [0, 0, 18], normal: [0, 0, 1], pressure: 2 mmHg}\n"
             "blood: {%s}\nsolve: {collision: trt}\n",
             blood);
    assert_int_equal(file_write(temp_path(name), text, strlen(text)), OK);
}

/* Flow in mL/s at a pressure gradient in Pa/m: pi times the integral of r^2 g dr. */
static double flow_of(const viscosity_law *l, double gradient) {
    enum { N = 2000 };
    double flow = 0;
    for (int k = 0; k < N; k++) {
        const double step = 1e-3 * RADIUS_MM / N, r = (k + 0.5) * step;
        flow += M_PI * r * r * viscosity_law_rate_1_s(l, 0.5 * gradient * r) * step;
    }
    return 1e6 * flow;
}

static double gradient_of(const viscosity_law *l, double flow_ml_s) {
    double low = 0.1, high = 1000;
    for (int k = 0; k < 50; k++) {
        const double middle = sqrt(low * high);
        if (flow_of(l, middle) < flow_ml_s)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double opening_value(const cJSON *result, const char *name, const char *key) {
    return json_get_number(json_find(json_find(result, "openings"), name), key);
}

static void pressure_drop(void **state) {
    (void)state;
    lattice l;
    cJSON *whole = NULL;
    const viscosity_law law = viscosity_law_of(VISCOSITY_QUEMADA, VISCOSITY_COKELET, 0.4);
    const double exact = gradient_of(&law, 1) * 1e-3 * LENGTH_MM, speed = 1e-6 / (M_PI * 36e-6);
    write_pipe("mesh", LATTICE_INLET, LATTICE_OUTLET, &l);
    write_model("case.yaml", "model: quemada, hematocrit: 40 %");
    if (run_case("case.yaml", "out", false) != OK)
        fail_msg("%s", status_message());
    const cJSON *result = result_of("out", &whole);
    const double drop = opening_value(result, "in", "pressure_pa") - opening_value(result, "out", "pressure_pa");
    printf("pressure drop %.4f Pa, developed flow %.4f Pa\n", drop, exact);
    assert_true(cJSON_IsTrue(json_find(result, "converged")));
    /* the profile of constant viscosity enters, which takes part of the drop */
    assert_near(drop / exact, 0.995, 0.01);
    assert_string_equal(cJSON_GetStringValue(json_find(result, "blood")), "quemada, set cokelet, haematocrit 40 %");
    assert_near(json_get_number(result, "wall_viscosity_pa_s"), viscosity_law_wall_pa_s(&law, speed, 12e-3), 2e-5);
    cJSON_Delete(whole);
    /* a restart continues with the same blood, and starts anew with another one */
    assert_int_equal(run_case("case.yaml", "out", true), OK);
    write_model("case.yaml", "model: quemada, hematocrit: 60 %");
    assert_int_equal(run_case("case.yaml", "out", true), OK);
    result = result_of("out", &whole);
    assert_true(opening_value(result, "in", "pressure_pa") - opening_value(result, "out", "pressure_pa") > 1.3 * drop);
    cJSON_Delete(whole);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
