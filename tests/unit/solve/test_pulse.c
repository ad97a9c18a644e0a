/* SPDX-License-Identifier: Apache-2.0 */
/* A slow fast-beating flow through a pipe: its inlet's pressure beats as the flow does and no faster, and its mean is
 * that of steady flow. */
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
static const double WOMERSLEY = 15, REYNOLDS = 27, PULSE = 0.15, NU = 3.5e-3 / 1060, MU = 3.5e-3;

static double period_s(void) {
    return 2 * M_PI * 1e-6 * RADIUS_MM * RADIUS_MM / (NU * WOMERSLEY * WOMERSLEY);
}

static double mean_m_s(void) {
    return REYNOLDS * NU / (2e-3 * RADIUS_MM);
}

static void run_pulse(void) {
    char text[4096] = "t_s,flow_ml_s\n", blood[64];
    const double flow = mean_m_s() * M_PI * RADIUS_MM * RADIUS_MM;
    for (int k = 0; k <= 40; k++)
        sprintf(text + strlen(text), "%.9g,%.9g\n", period_s() * k / 40, flow * (1 + PULSE * cos(2 * M_PI * k / 40)));
    assert_int_equal(file_write(temp_path("wave.csv"), text, strlen(text)), OK);
    snprintf(blood, sizeof blood, "mode: pulsatile, stores: %d", INSTANTS);
    write_case("pulse.yaml", "flow: {waveform: wave.csv}", blood);
    if (run_case("pulse.yaml", "pulse", false) != OK)
        fail_msg("%s", status_message());
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
static double complex amplitude(int n, const double *time_s, const double *pa, int k, double period) {
    double complex sum = 0;
    for (int i = 1; i < n; i++)
        for (int end = 0; end < 2; end++)
            sum += (time_s[i] - time_s[i - 1]) * pa[i - end] * cexp(-2 * M_PI * I * k * time_s[i - end] / period);
    return sum / period;
}

static double harmonic(int n, const double *time_s, const double *pa, int k) {
    return cabs(amplitude(n, time_s, pa, k, period_s()));
}

/* With a mass correction of the walls that followed them every 400 steps 7 % of it, with one that jumped after each
 * cycle 12 %. */
static void beats_as_the_flow(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    cJSON *whole;
    run_pulse();
    const double cycles = json_get_number(result_of("pulse", &whole), "cycles");
    cJSON_Delete(whole);
    const int n = last_cycle("pulse", period_s(), (int)cycles, time_s, pa);
    const double first = harmonic(n, time_s, pa, 1);
    printf("%.0f cycles, %d monitors in the last; pressure at the inlet: %.4f Pa at the flow's frequency\n", cycles, n,
           first);
    double most = 0;
    for (int k = 6; k <= 14; k++)
        most = fmax(most, harmonic(n, time_s, pa, k));
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
    assert_int_equal(field_file_read(temp_path("pulse/fields.vtkhdf"), &l, &f), OK);
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
    const double exact = 8 * MU * mean_m_s() / (1e-6 * RADIUS_MM * RADIUS_MM);
    printf("mean slope of the pressure %.4f Pa/m, of steady flow %.4f\n", slope, exact);
    assert_near(slope / exact, 1, 0.04);
    fields_free(&f);
    lattice_free(&l);
}

/* Pressure drop of the first harmonic of a flow of 1 m3/s along LENGTH_MM of the pipe (Womersley 1955). */
static double complex exact_drop(double alpha, double angular_1_s) {
    const double complex l = alpha * cexp(0.75 * M_PI * I);
    double complex term = 1, zero = 1, one = 0.5;
    for (int k = 1; k < 60; k++) {
        term *= -0.25 * l * l / (k * k);
        zero += term;
        one += 0.5 * term / (k + 1); /* J1(l) / l */
    }
    const double area_m2 = M_PI * 1e-6 * RADIUS_MM * RADIUS_MM;
    return I * angular_1_s * 1060 * 1e-3 * LENGTH_MM / area_m2 / (1 - 2 * one / zero);
}

/* Flow that reverses in the cycle: 1 + 2 cos. The inlet has the developed profile, so the pressure drop between the
 * openings is that of the whole length. */
static void reverse_flow_is_developed(void **state) {
    (void)state;
    static double time_s[MONITORS], pa[MONITORS];
    const double alpha = 5, angular_1_s = NU * alpha * alpha / (1e-6 * RADIUS_MM * RADIUS_MM);
    const double period = 2 * M_PI / angular_1_s,
                 mean_ml_s = 15 * NU / (2e-3 * RADIUS_MM) * M_PI * RADIUS_MM * RADIUS_MM;
    char text[4096] = "t_s,flow_ml_s\n";
    cJSON *whole;
    for (int k = 0; k <= 40; k++)
        sprintf(text + strlen(text), "%.9g,%.9g\n", period * k / 40, mean_ml_s * (1 + 2 * cos(2 * M_PI * k / 40)));
    assert_int_equal(file_write(temp_path("wave.csv"), text, strlen(text)), OK);
    write_case("reverse.yaml", "flow: {waveform: wave.csv}", "mode: pulsatile, stores: 4");
    assert_int_equal(run_case("reverse.yaml", "reverse", false), OK);
    const double cycles = json_get_number(result_of("reverse", &whole), "cycles");
    cJSON_Delete(whole);
    const int n = last_cycle("reverse", period, (int)cycles, time_s, pa);
    const double mean = creal(amplitude(n, time_s, pa, 0, period)) / 2,
                 exact = 1e-6 * mean_ml_s * 8 * MU * 1e-3 * LENGTH_MM / (M_PI * pow(1e-3 * RADIUS_MM, 4));
    const double complex first =
        amplitude(n, time_s, pa, 1, period) / (2e-6 * mean_ml_s * exact_drop(alpha, angular_1_s));
    printf("pressure drop %.4f Pa, exact %.4f; first harmonic over the exact: %.4f, %.2f degrees\n", mean, exact,
           cabs(first), carg(first) * 180 / M_PI);
    assert_near(mean / exact, 1, 0.03);
    assert_near(cabs(first), 1, 0.03);
    assert_near(carg(first), 0, 0.01);
}

int main(void) {
    lattice l;
    const struct CMUnitTest tests[] = {cmocka_unit_test(beats_as_the_flow), cmocka_unit_test(mean_is_steady),
                                       cmocka_unit_test(reverse_flow_is_developed)};
    message_init("test_pulse", false);
    write_pipe("mesh", LATTICE_INLET, LATTICE_OUTLET, &l);
    lattice_free(&l);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
