/* SPDX-License-Identifier: Apache-2.0 */
/* A slow fast-beating flow through a pipe: its inlet's pressure beats as the flow does and no faster, its mean is that
 * of steady flow, and it accelerates the blood between the openings. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "common/base/csv.h"
#include "common/base/message.h"
#include "common/lattice/field_file.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/pipe_stage.h"

enum { MONITORS = 4000, INSTANTS = 20 };
static const double SHORT_MM = 7; /* half of the length of the short pipe */
static const double PULSE = 0.15, NU = 3.5e-3 / 1060, MU = 3.5e-3, DENSITY = 1060;

typedef struct {
    double womersley, reynolds;
} beat;
static const beat FAST = {15, 27}, CREEPING = {6, 0.5};

static double period_s(beat b) {
    return 2 * M_PI * 1e-6 * RADIUS_MM * RADIUS_MM / (NU * b.womersley * b.womersley);
}

static double mean_m_s(beat b) {
    return b.reynolds * NU / (2e-3 * RADIUS_MM);
}

/* Returns the number of cycles. */
static int run_pulse(beat b, const char *mesh) {
    char text[4096] = "t_s,flow_ml_s\n", blood[64];
    const double flow = mean_m_s(b) * M_PI * RADIUS_MM * RADIUS_MM;
    cJSON *whole;
    for (int k = 0; k <= 40; k++)
        sprintf(text + strlen(text), "%.9g,%.9g\n", period_s(b) * k / 40, flow * (1 + PULSE * cos(2 * M_PI * k / 40)));
    assert_int_equal(file_write(temp_path("wave.csv"), text, strlen(text)), OK);
    snprintf(blood, sizeof blood, "mode: pulsatile, stores: %d", INSTANTS);
    write_case("pulse.yaml", "flow: {waveform: wave.csv}", blood);
    if (run_in(mesh, "pulse.yaml", mesh, false) != OK)
        fail_msg("%s", status_message());
    const int cycles = (int)json_get_number(result_of(mesh, &whole), "cycles");
    cJSON_Delete(whole);
    return cycles;
}

/* Time and pressure of the inlet of a run over the last cycle; returns how many. */
static int last_cycle(const char *run, double period, int cycles, double *time_s, double *pa) {
    csv c;
    char name[64];
    int n = 0, column = -1;
    snprintf(name, sizeof name, "%s/monitors.csv", run);
    assert_int_equal(csv_open(&c, temp_path(name), 1 << 20), OK);
    assert_true(csv_next(&c));
    for (int k = 0; k < c.n; k++)
        column = strcmp(c.field[k], "in_pressure_pa") == 0 ? k : column;
    assert_true(column > 0);
    while (csv_next(&c) && n < MONITORS) {
        assert_int_equal(csv_number(&c, 1, &time_s[n]), OK);
        assert_int_equal(csv_number(&c, column, &pa[n]), OK);
        pa[n] -= 2 * 133.322387415; /* at the outlet */
        n += time_s[n] > (cycles - 1 - 1e-9) * period;
    }
    csv_close(&c);
    return n;
}

/* By the trapezium rule over the cycle, whose last instant is its first. */
static double complex harmonic(int n, const double *time_s, const double *pa, int k, double period) {
    double complex sum = 0;
    for (int i = 1; i < n; i++)
        for (int end = 0; end < 2; end++)
            sum += (time_s[i] - time_s[i - 1]) * pa[i - end] * cexp(-2 * M_PI * I * k * time_s[i - end] / period);
    return sum / period;
}

/* With a mass correction of the walls that followed them every 400 steps 7 % of it, with one that jumped after each
 * cycle 12 %. */
static void beats_as_the_flow(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    const double period = period_s(FAST);
    const int cycles = run_pulse(FAST, "mesh"), n = last_cycle("mesh", period, cycles, time_s, pa);
    const double first = cabs(harmonic(n, time_s, pa, 1, period));
    printf("%d cycles, %d monitors in the last; pressure at the inlet: %.4f Pa at the flow's frequency\n", cycles, n,
           first);
    double most = 0;
    for (int k = 6; k <= 14; k++)
        most = fmax(most, cabs(harmonic(n, time_s, pa, k, period)));
    printf("harmonics 6 to 14: %.5f Pa at most\n", most);
    assert_true(most < 0.01 * first);
}

/* Between two places of the mean fields, by two means over the section's cells. */
static void mean_is_steady(void **state) {
    (void)state;
    lattice l;
    fields f;
    double pa[2] = {0}, at_mm[2] = {0};
    int n[2] = {0};
    assert_int_equal(lattice_file_read(temp_path("mesh/lattice.h5"), &l), OK);
    assert_int_equal(field_file_read(temp_path("mesh/fields.vtkhdf"), &l, &f), OK);
    for (int64_t c = 0; c < l.n_cell; c++) {
        double p[3];
        lattice_centre_mm(&l, c, p);
        const int end = p[2] > 0;
        if (fabs(fabs(p[2]) - 8) > 1 || isnan(f.pressure_pa[c]))
            continue;
        pa[end] += f.pressure_pa[c];
        at_mm[end] += p[2];
        n[end]++;
    }
    const double slope = (pa[0] / n[0] - pa[1] / n[1]) / (1e-3 * (at_mm[1] / n[1] - at_mm[0] / n[0]));
    const double exact = 8 * MU * mean_m_s(FAST) / (1e-6 * RADIUS_MM * RADIUS_MM);
    printf("mean slope of the pressure %.4f Pa/m, of steady flow %.4f\n", slope, exact);
    assert_near(slope / exact, 1, 0.04);
    fields_free(&f);
    lattice_free(&l);
}

/* Two pipes, the longer by 16 cells: what the pressure drop of the shorter lacks to be proportional to its length, in
 * cells of accelerated blood. Its places at the openings are a fifth of a cell nearer than the planes; with f_a of the
 * step before in (12) it lacked 1.6 cells. */
static void accelerates_the_blood(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    const double end_mm[2] = {SHORT_MM, 13};
    static const char *const mesh[2] = {"short", "long"};
    const double speed = 2 * M_PI / period_s(CREEPING), cell_mm = 0.75;
    double complex drop[2];
    for (int k = 0; k < 2; k++) {
        lattice l;
        write_pipe_to(mesh[k], end_mm[k], LATTICE_INLET, LATTICE_OUTLET, &l);
        lattice_free(&l);
        const int cycles = run_pulse(CREEPING, mesh[k]),
                  n = last_cycle(mesh[k], period_s(CREEPING), cycles, time_s, pa);
        drop[k] = harmonic(n, time_s, pa, 1, period_s(CREEPING));
    }
    const double complex cell_pa = 1e-3 * cell_mm * DENSITY * I * speed * PULSE * mean_m_s(CREEPING);
    const double complex rise = (drop[1] - drop[0]) / (end_mm[1] - end_mm[0]);
    const double lacking = creal((rise * end_mm[0] - drop[0]) / cell_pa);
    printf("the pressure lacks %.3f cells of accelerated blood\n", lacking);
    assert_true(fabs(lacking) < 0.6);
}

/* Pressure drop of the first harmonic of a flow of 1 m3/s along a length of the pipe (Womersley 1955). */
static double complex exact_drop(double alpha, double angular_1_s, double length_mm) {
    const double complex l = alpha * cexp(0.75 * M_PI * I);
    double complex term = 1, zero = 1, one = 0.5;
    for (int k = 1; k < 60; k++) {
        term *= -0.25 * l * l / (k * k);
        zero += term;
        one += 0.5 * term / (k + 1); /* J1(l) / l */
    }
    const double area_m2 = M_PI * 1e-6 * RADIUS_MM * RADIUS_MM;
    return I * angular_1_s * 1060 * 1e-3 * length_mm / area_m2 / (1 - 2 * one / zero);
}

/* Flow that reverses in the cycle, 1 + 2 cos, through a long pipe and the short one of accelerates_the_blood. The inlet
 * has the developed profile, so the pressure drop between the openings is that of the whole length. Blood that returns
 * through the outlet enters flatter, which lowers both drops by 3 % of density times squared pulsating velocity: the
 * drop of the short pipe by 2.6 %. */
static void reverse_flow_is_developed(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    static const char *const mesh[2] = {"mesh", "short"};
    const double alpha = 5, angular_1_s = NU * alpha * alpha / (1e-6 * RADIUS_MM * RADIUS_MM);
    const double period = 2 * M_PI / angular_1_s,
                 mean_ml_s = 15 * NU / (2e-3 * RADIUS_MM) * M_PI * RADIUS_MM * RADIUS_MM;
    char text[4096] = "t_s,flow_ml_s\n";
    for (int k = 0; k <= 40; k++)
        sprintf(text + strlen(text), "%.9g,%.9g\n", period * k / 40, mean_ml_s * (1 + 2 * cos(2 * M_PI * k / 40)));
    assert_int_equal(file_write(temp_path("wave.csv"), text, strlen(text)), OK);
    write_case("reverse.yaml", "flow: {waveform: wave.csv}", "mode: pulsatile, stores: 4");
    for (int k = 0; k < 2; k++) {
        const double length_mm = k ? 2 * SHORT_MM : LENGTH_MM;
        cJSON *whole;
        assert_int_equal(run_in(mesh[k], "reverse.yaml", "reverse", false), OK);
        const double cycles = json_get_number(result_of("reverse", &whole), "cycles");
        cJSON_Delete(whole);
        const int n = last_cycle("reverse", period, (int)cycles, time_s, pa);
        const double mean = creal(harmonic(n, time_s, pa, 0, period)) / 2,
                     exact = 1e-6 * mean_ml_s * 8 * MU * 1e-3 * length_mm / (M_PI * pow(1e-3 * RADIUS_MM, 4));
        const double complex first =
            harmonic(n, time_s, pa, 1, period) / (2e-6 * mean_ml_s * exact_drop(alpha, angular_1_s, length_mm));
        printf("%s: pressure drop %.4f Pa, %.4f of exact; first harmonic over the exact: %.4f, %.2f degrees\n", mesh[k],
               mean, mean / exact, cabs(first), carg(first) * 180 / M_PI);
        assert_near(mean / exact, 1, k ? 0.03 : 0.008);
        assert_near(cabs(first), 1, 0.04); /* on 16 cells the gradient of accelerated blood is 2.9 % too large */
        assert_near(carg(first), 0, 0.02); /* and 0.4 degrees late */
    }
}

/* A fast flow that reverses, 0.5 + 2.5 cos. Its mean pressure drop is too high by no more than pulse_error_pa. */
static void error_of_a_strong_pulse(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    const double alpha = 6, period = 2 * M_PI * 1e-6 * RADIUS_MM * RADIUS_MM / (NU * alpha * alpha),
                 unit_ml_s = 80 * NU / (2e-3 * RADIUS_MM) * M_PI * RADIUS_MM * RADIUS_MM;
    char text[4096] = "t_s,flow_ml_s\n";
    cJSON *whole;
    for (int k = 0; k <= 40; k++)
        sprintf(text + strlen(text), "%.9g,%.9g\n", period * k / 40, unit_ml_s * (0.5 + 2.5 * cos(2 * M_PI * k / 40)));
    assert_int_equal(file_write(temp_path("wave.csv"), text, strlen(text)), OK);
    write_case("strong.yaml", "flow: {waveform: wave.csv}", "mode: pulsatile, stores: 4");
    assert_int_equal(run_in("mesh", "strong.yaml", "strong", false), OK);
    const cJSON *r = result_of("strong", &whole);
    const int n = last_cycle("strong", period, (int)json_get_number(r, "cycles"), time_s, pa);
    const double bound = json_get_number(r, "pulse_error_pa"), mean = creal(harmonic(n, time_s, pa, 0, period)) / 2,
                 exact = 0.5e-6 * unit_ml_s * 8 * MU * 1e-3 * LENGTH_MM / (M_PI * pow(1e-3 * RADIUS_MM, 4));
    printf("strong pulse: pressure drop %.4f Pa, exact %.4f, error at most %.4f\n", mean, exact, bound);
    assert_true(fabs(mean - exact) <= bound);
    assert_true(bound < 0.6 * exact);
    cJSON_Delete(whole);
}

int main(void) {
    lattice l;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beats_as_the_flow), cmocka_unit_test(mean_is_steady), cmocka_unit_test(accelerates_the_blood),
        cmocka_unit_test(reverse_flow_is_developed), cmocka_unit_test(error_of_a_strong_pulse)};
    message_init("test_pulse", false);
    write_pipe("mesh", LATTICE_INLET, LATTICE_OUTLET, &l);
    lattice_free(&l);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
