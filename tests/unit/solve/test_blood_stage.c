/* SPDX-License-Identifier: Apache-2.0 */
/* The stage solve with a model of shear-thinning blood: pressure drop of a pipe, result, and what a restart checks. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/message.h"
#include "common/blood/viscosity_law.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/pipe_stage.h"

/* A pipe along z with `across` cells per diameter, 2 diameters long. */
typedef struct {
    const char *mesh;
    double radius_mm, flow_ml_s;
    int across;
} tube;
static const tube NARROW = {"mesh", 6, 1, 16}, WIDE = {"wide", 12.5, 12, 24};

static void write_model(const tube *p, const char *name, const char *blood) {
    const double r = p->radius_mm, low = 1.09 * r;
    char text[2048];
    snprintf(text, sizeof text,
             "name: pipe\nspace: LPS\n"
             "mesh: {spacing: %.9g mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: %.9g mm},\n"
             "       box: {low: [%.9g, %.9g, %.9g], high: [%.9g, %.9g, %.9g]}}\n"
             "openings:\n"
             "  - {name: in, role: inlet, point: [0, 0, %.9g], normal: [0, 0, -1], flow: %.9g mL/s}\n"
             "  - {name: out, role: outlet, point: [0, 0, %.9g], normal: [0, 0, 1], pressure: 2 mmHg}\n"
             "blood: {%s}\nsolve: {collision: trt}\n",
             2 * r / p->across, r, -low, -low, -2.1 * r, low, low, 2.1 * r, -2 * r, p->flow_ml_s, 2 * r, blood);
    assert_int_equal(file_write(temp_path(name), text, strlen(text)), OK);
}

static void write_lattice(const tube *p) {
    const double r = p->radius_mm, low = 1.09 * r;
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {r}};
    mesh_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .normal = {0, 0, -1}, .point_mm = {0, 0, -2 * r}, .radius_mm = NAN},
        {.name = "out", .role = LATTICE_OUTLET, .normal = {0, 0, 1}, .point_mm = {0, 0, 2 * r}, .radius_mm = NAN}};
    voxelize_input in = {
        .distance = distance, .data = &s, .spacing_mm = 2 * r / p->across, .n_opening = 2, .opening = o};
    lattice l;
    char name[64];
    assert_int_equal(voxelize_box(&in, (double[3]){-low, -low, -2.1 * r}, (double[3]){low, low, 2.1 * r}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    assert_int_equal(file_create_folder(temp_path(p->mesh)), OK);
    snprintf(name, sizeof name, "%s/lattice.h5", p->mesh);
    assert_int_equal(lattice_file_write(temp_path(name), &l), OK);
    lattice_free(&l);
}

/* Flow in mL/s at a pressure gradient in Pa/m: pi times the integral of r^2 g dr. */
static double flow_of(const viscosity_law *l, double gradient, double radius_mm) {
    enum { N = 2000 };
    double flow = 0;
    for (int k = 0; k < N; k++) {
        const double step = 1e-3 * radius_mm / N, r = (k + 0.5) * step;
        flow += M_PI * r * r * viscosity_law_rate_1_s(l, 0.5 * gradient * r) * step;
    }
    return 1e6 * flow;
}

static double gradient_of(const viscosity_law *l, const tube *p) {
    double low = 0.01, high = 1000;
    for (int k = 0; k < 50; k++) {
        const double middle = sqrt(low * high);
        if (flow_of(l, middle, p->radius_mm) < p->flow_ml_s)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double opening_value(const cJSON *result, const char *name, const char *key) {
    return json_get_number(json_find(json_find(result, "openings"), name), key);
}

/* Pressure drop over that of developed flow. */
static double drop_of(const tube *p, const char *name, const viscosity_law *law) {
    cJSON *whole = NULL;
    const double exact = gradient_of(law, p) * 4e-3 * p->radius_mm;
    const cJSON *result = result_of(name, &whole);
    const double drop = opening_value(result, "in", "pressure_pa") - opening_value(result, "out", "pressure_pa");
    printf("pipe of %g mm: pressure drop %.4f Pa, developed flow %.4f Pa (%+.2f %%)\n", 2 * p->radius_mm, drop, exact,
           100 * (drop / exact - 1));
    assert_true(cJSON_IsTrue(json_find(result, "converged")));
    cJSON_Delete(whole);
    return drop / exact;
}

static void pressure_drop(void **state) {
    (void)state;
    cJSON *whole = NULL;
    const viscosity_law law = viscosity_law_of(VISCOSITY_QUEMADA, VISCOSITY_COKELET, 0.4);
    const double speed = 1e-6 / (M_PI * 36e-6);
    write_lattice(&NARROW);
    write_model(&NARROW, "case.yaml", "model: quemada, hematocrit: 40 %");
    if (run_case("case.yaml", "out", false) != OK)
        fail_msg("%s", status_message());
    const double drop = drop_of(&NARROW, "out", &law);
    assert_near(drop, 1, 0.01);
    const cJSON *result = result_of("out", &whole);
    assert_string_equal(cJSON_GetStringValue(json_find(result, "blood")), "quemada, set cokelet, haematocrit 40 %");
    assert_near(json_get_number(result, "wall_viscosity_pa_s"), viscosity_law_wall_pa_s(&law, speed, 12e-3), 2e-5);
    cJSON_Delete(whole);
    /* a restart continues with the same blood, and starts anew with another one */
    assert_int_equal(run_case("case.yaml", "out", true), OK);
    write_model(&NARROW, "case.yaml", "model: quemada, hematocrit: 60 %");
    assert_int_equal(run_case("case.yaml", "out", true), OK);
    assert_true(drop_of(&NARROW, "out", &law) > 1.3 * drop);
}

/* The prescribed flow enters with the developed profile of its viscosity law. */
static void wide_pipe(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int model, set;
    } blood[] = {{"model: carreau-yasuda", VISCOSITY_CARREAU_YASUDA, VISCOSITY_CHO_KENSEY},
                 {"model: casson", VISCOSITY_CASSON, VISCOSITY_SHIBESHI}};
    write_lattice(&WIDE);
    for (int k = 0; k < 2; k++) {
        const viscosity_law law = viscosity_law_of(blood[k].model, blood[k].set, 0);
        write_model(&WIDE, "wide.yaml", blood[k].text);
        if (run_in("wide", "wide.yaml", "wide_out", false) != OK)
            fail_msg("%s", status_message());
        assert_near(drop_of(&WIDE, "wide_out", &law), 1, 0.01);
    }
}

/* A slow pulse is steady at each instant: in a power-law fluid the pressure drop grows as flow to the power n. */
static void slow_pulse(void **state) {
    (void)state;
    char wave[2048] = "t_s,flow_ml_s\n", text[2048], *whole;
    const double most = 1.6, least = 0.4, period_s = 150;
    for (int k = 0; k < 20; k++)
        snprintf(wave + strlen(wave), sizeof wave - strlen(wave), "%.2f,%.6f\n", period_s * k / 20,
                 0.5 * (most + least) + 0.5 * (most - least) * sin(2 * M_PI * k / 20));
    assert_int_equal(file_write(temp_path("wave.csv"), wave, strlen(wave)), OK);
    write_lattice(&NARROW);
    write_model(&NARROW, "case.yaml", "model: power-law");
    assert_int_equal(file_read(temp_path("case.yaml"), sizeof text, &whole, NULL), OK);
    const char *flow = strstr(whole, "flow: 1 mL/s"), *solve = strstr(whole, "collision: trt");
    assert_true(flow && solve);
    snprintf(text, sizeof text, "%.*sflow: {waveform: wave.csv, period: 150 s}%.*smode: pulsatile, stores: 4, %s",
             (int)(flow - whole), whole, (int)(solve - flow) - 12, flow + 12, solve);
    free(whole);
    assert_int_equal(file_write(temp_path("pulse.yaml"), text, strlen(text)), OK);
    if (run_in("mesh", "pulse.yaml", "pulse", false) != OK)
        fail_msg("%s", status_message());
    char row[512];
    double low = INFINITY, high = 0, end = 0;
    FILE *f = fopen(temp_path("pulse/monitors.csv"), "r");
    assert_non_null(f);
    while (fgets(row, sizeof row, f)) { /* step, time, residual, balance, flow and pressure of both openings */
        double at[8] = {0};
        char *field = row;
        for (int k = 0; k < 8 && field; k++) {
            at[k] = strtod(field, NULL);
            field = strchr(field, ',');
            field += field != NULL;
        }
        if (at[1] < 2 * period_s)
            continue;
        low = fmin(low, at[5] - at[7]);
        high = fmax(high, at[5] - at[7]);
        end = at[1];
    }
    fclose(f);
    printf("drop %.4f to %.4f Pa, ratio %.4f (%.4f)\n", low, high, high / low, pow(most / least, 0.7755));
    assert_near(end, 3 * period_s, 1);
    assert_near(high / low, pow(most / least, 0.7755), 0.01 * high / low);
}

/* A pipe of radius 3 mm with a bulge of radius 7 mm. */
static double bulge_mm(const void *data, const double p[3]) {
    (void)data;
    return fmin(hypot(p[0], p[1]) - 3, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 7);
}

/* The velocity that a pressure difference causes is estimated for the widest cross-section, so blood in the narrow pipe
 * is several times slower than expected, and more viscous. tau at its wall stays below the limit of cumulants. */
static void slower_than_expected(void **state) {
    (void)state;
    cJSON *whole = NULL;
    const double spacing_mm = 0.6, density = 1060, limit = 0.65;
    const viscosity_law law = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_CHO_KENSEY, 0);
    mesh_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .normal = {0, 0, -1}, .point_mm = {0, 0, -14}, .radius_mm = NAN},
        {.name = "out", .role = LATTICE_OUTLET, .normal = {0, 0, 1}, .point_mm = {0, 0, 14}, .radius_mm = NAN}};
    voxelize_input in = {.distance = bulge_mm, .spacing_mm = spacing_mm, .n_opening = 2, .opening = o, .corners = true};
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-8, -8, -16}, (double[3]){8, 8, 16}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    const double area_mm2 = l.opening[1].area_mm2;
    assert_int_equal(file_create_folder(temp_path("bulge")), OK);
    assert_int_equal(lattice_file_write(temp_path("bulge/lattice.h5"), &l), OK);
    lattice_free(&l);
    const char *text =
        "name: bulge\nspace: LPS\n"
        "mesh: {spacing: 0.6 mm, shape: {type: cylinder, from: [0, 0, 0], to: [0, 0, 1], radius: 3 mm},\n"
        "       box: {low: [-8, -8, -16], high: [8, 8, 16]}}\n"
        "openings:\n"
        "  - {name: in, role: inlet, point: [0, 0, -14], normal: [0, 0, -1], pressure: 0.3 Pa}\n"
        "  - {name: out, role: outlet, point: [0, 0, 14], normal: [0, 0, 1], pressure: 0 Pa}\n"
        "blood: {model: carreau-yasuda}\nsolve: {collision: cumulant, tolerance: 1e-5}\n";
    assert_int_equal(file_write(temp_path("bulge.yaml"), text, strlen(text)), OK);
    if (run_in("bulge", "bulge.yaml", "bulge_out", false) != OK)
        fail_msg("%s", status_message());
    const cJSON *result = result_of("bulge_out", &whole);
    const double speed_m_s = 1e-6 * opening_value(result, "out", "flow_ml_s") / (1e-6 * area_mm2),
                 dt_s = json_get_number(result, "dt_s");
    const double nu = viscosity_law_wall_pa_s(&law, speed_m_s, 6e-3) / density,
                 tau = 0.5 + 3 * nu * dt_s / (1e-6 * spacing_mm * spacing_mm);
    printf("mean velocity %.4g m/s, tau at the wall %.3f, %.0f steps\n", speed_m_s, tau,
           json_get_number(result, "steps"));
    assert_true(cJSON_IsTrue(json_find(result, "converged")));
    assert_true(tau < 1.1 * (limit - 0.5) + 0.5);
    cJSON_Delete(whole);
    /* a given time step is kept, and a warning says that it is too long */
    char longer[2048];
    snprintf(longer, sizeof longer, "%.*s, time_step: 1.8 ms}\n", (int)(strrchr(text, '}') - text), text);
    assert_int_equal(file_write(temp_path("given.yaml"), longer, strlen(longer)), OK);
    message_clear();
    if (run_in("bulge", "given.yaml", "given_out", false) != OK)
        fail_msg("%s", status_message());
    result = result_of("given_out", &whole);
    printf("with a time step of 1.8 ms: mean velocity %.4g m/s\n",
           opening_value(result, "out", "flow_ml_s") / area_mm2);
    bool warned = false;
    for (int k = 0; k < message_warning_count(); k++)
        warned |=
            strstr(message_warning(k), "blood flows more slowly than the time step allows: tau at the wall") != NULL;
    assert_true(warned);
    cJSON_Delete(whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_drop), cmocka_unit_test(wide_pipe),
                                       cmocka_unit_test(slower_than_expected), cmocka_unit_test(slow_pulse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
