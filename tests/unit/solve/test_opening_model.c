/* SPDX-License-Identifier: Apache-2.0 */
/* Resistances and Windkessels at openings, compared with exact solutions of their equations. */
#include "solve/boundary/opening_model.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static opening_port resistance(double vessel, double value, double behind) {
    return (opening_port){.modelled = true, .behind_pa = behind, .proximal_pa_s_m3 = value, .vessel_pa_s_m3 = vessel};
}

/* Tubes of 400 and 500 with outlets of 100 and 1000 against 50 and 200, inflow 5 through a tube of 300. */
static void test_fork(void **state) {
    (void)state;
    const opening_network w = {.n = 2, .port = {resistance(400, 100, 50), resistance(500, 1000, 200)}};
    opening_state s;
    opening_network_steady(&w, 5, &s);
    assert_near(s.flow_m3_s[0], 3.825, 1e-6);
    assert_near(s.flow_m3_s[1], 1.175, 1e-6);
    assert_near(s.pressure_pa[0], 432.5, 1e-4);
    assert_near(s.pressure_pa[1], 1375, 1e-4);
    const double node = s.pressure_pa[0] + 400 * s.flow_m3_s[0];
    assert_near(node, 1962.5, 1e-3);
    assert_near(node + 300 * 5, 3462.5, 1e-3);
}

/* Inflows 5 and 10 through tubes of 100 and 200 meet and leave through a tube of 300 against 1600. The inflows come
 * from sources behind resistances. */
static void test_confluence(void **state) {
    (void)state;
    const opening_network w = {.n = 3,
                               .port = {resistance(100, 1000, 6600 + 5 * 1000), resistance(200, 500, 8100 + 10 * 500),
                                        resistance(300, 100, 100)}};
    opening_state s;
    opening_network_steady(&w, 0, &s);
    assert_near(s.flow_m3_s[0], -5, 1e-6);
    assert_near(s.flow_m3_s[1], -10, 1e-6);
    assert_near(s.pressure_pa[0], 6600, 1e-3);
    assert_near(s.pressure_pa[1], 8100, 1e-3);
    assert_near(s.pressure_pa[2], 1600, 1e-3);
    assert_near(s.pressure_pa[0] - 100 * 5, 6100, 1e-3);
}

/* A vessel with other friction and inertia than the network assumes: lossy tubes between a node and the ports, advanced
 * with small steps. The network must find the flows of that vessel. */
static void test_observer(void **state) {
    (void)state;
    enum { SMALL = 50 };
    const double friction[2] = {700, 300}, inertia[2] = {60, 20}, supply = 5, dt = 0.01;
    opening_network w = {.n = 2, .port = {resistance(400, 1000, 50), resistance(500, 5000, 200)}};
    w.port[0].inertance_pa_s2_m3 = w.port[1].inertance_pa_s2_m3 = 40;
    opening_state s;
    double flow[2] = {2.5, 2.5};
    opening_network_steady(&w, supply, &s);
    for (int step = 0; step < 20000; step++) {
        for (int i = 0; i < SMALL; i++) { /* implicit Euler */
            double sum = 0, weight = 0, d[2], c[2];
            for (int k = 0; k < 2; k++) {
                d[k] = inertia[k] / (dt / SMALL) + friction[k];
                c[k] = inertia[k] / (dt / SMALL) * flow[k] - s.pressure_pa[k];
                sum += c[k] / d[k];
                weight += 1 / d[k];
            }
            for (int k = 0; k < 2; k++)
                flow[k] = ((supply - sum) / weight + c[k]) / d[k];
        }
        opening_network_observe(&w, flow, dt, 10 * dt, &s);
        opening_network_step(&w, supply, dt, 0, 0, &s);
    }
    const double exact = (supply * (300 + 5000) + 200 - 50) / (700 + 1000 + 300 + 5000);
    assert_true(opening_network_error(&w, flow, &s) < 1e-6);
    assert_near(flow[0], exact, 1e-5 * exact);
    assert_near(s.pressure_pa[0], 1000 * flow[0] + 50, 1e-6 * 1000 * flow[0]);
    assert_near(s.pressure_pa[1], 5000 * flow[1] + 200, 1e-6 * 5000 * flow[1]);
}

typedef struct {
    double mean, low, high, first, change; /* of the last cycle */
    double lowest;                         /* of all cycles */
} cycle_values;

/* Computes cycles of one Windkessel for the flow mean + swing sin(2 pi t / period) from the state at the mean flow. */
static cycle_values cycles_of(const opening_port *p, double mean, double swing, double period, int steps, int cycles) {
    opening_network w = {.n = 1, .port = {*p}, .pulsatile = true};
    opening_state s;
    cycle_values v = {.lowest = INFINITY};
    opening_network_steady(&w, mean, &s);
    for (int cycle = 0; cycle < cycles; cycle++) {
        v = (cycle_values){.low = INFINITY, .high = -INFINITY, .first = s.pressure_pa[0], .lowest = v.lowest};
        for (int k = 0; k < steps; k++) {
            const double before = s.pressure_pa[0];
            opening_network_step(&w, mean + swing * sin(2 * M_PI * (k + 1) / steps), period / steps, (double)k / steps,
                                 (k + 1.0) / steps, &s);
            v.mean += 0.5 * (before + s.pressure_pa[0]) / steps;
            v.low = fmin(v.low, s.pressure_pa[0]);
            v.high = fmax(v.high, s.pressure_pa[0]);
            v.lowest = fmin(v.lowest, s.pressure_pa[0]);
        }
        v.change = opening_network_cycle(&w, period, &s);
    }
    return v;
}

/* Rp = Rd = 1000, C = 1e-4, tube 100, flow 2.2 + 2.5 sin(2 pi t): p_out(0) = 3273.8, p_in(0) = 3493.8. The phasor of
 * the capacitance gives the same: 2.2 * 2000 - Im part. */
static void test_periodic(void **state) {
    (void)state;
    const opening_port p = {
        .modelled = true, .proximal_pa_s_m3 = 1000, .distal_pa_s_m3 = 1000, .capacitance_m3_pa = 1e-4};
    const double angle = 2 * M_PI * 1000 * 1e-4;
    const double exact = 2.2 * 2000 - 2.5 * 1000 * angle / (1 + angle * angle);
    const cycle_values v = cycles_of(&p, 2.2, 2.5, 1, 400, 5);
    assert_near(exact, 3273.8, 0.1);
    assert_near(v.first, 3273.8, 0.002 * 3273.8);
    assert_near(v.first + 100 * 2.2, 3493.8, 0.002 * 3493.8);
    assert_true(v.change < 1e-4);
    /* second order: a quarter of the error with half the step */
    const double coarse = cycles_of(&p, 2.2, 2.5, 1, 50, 12).first - exact,
                 fine = cycles_of(&p, 2.2, 2.5, 1, 100, 12).first - exact;
    assert_true(fabs(coarse) > 0.01);
    assert_near(coarse / fine, 4, 0.2);
}

/* RCR of 121, 1.5e-4, 1212 (dyn, cm, s) and the flow 20 pi (1 + sin(2 pi t)) cm3/s: mean 83759, 28290 to 139219. */
static void test_pipe(void **state) {
    (void)state;
    const opening_port p = {
        .modelled = true, .proximal_pa_s_m3 = 121, .distal_pa_s_m3 = 1212, .capacitance_m3_pa = 1.5e-4};
    const cycle_values v = cycles_of(&p, 20 * M_PI, 20 * M_PI, 1, 400, 5);
    assert_near(v.mean, 83759, 0.005 * 83759);
    assert_near(v.low, 28290, 0.01 * 28290);
    assert_near(v.high, 139219, 0.01 * 139219);
    assert_true(v.lowest > 0.9 * 28290); /* the start from the mean makes no negative pressure */
}

/* A slow Windkessel, R C of ten periods, is periodic after two cycles although the transient lasts for thirty. */
static void test_slow(void **state) {
    (void)state;
    const opening_port p = {.modelled = true,
                            .behind_pa = 600,
                            .proximal_pa_s_m3 = 1e8,
                            .distal_pa_s_m3 = 1.4e9,
                            .capacitance_m3_pa = 10 / 1.4e9};
    const cycle_values v = cycles_of(&p, 6e-6, 5e-6, 1, 400, 5), last = cycles_of(&p, 6e-6, 5e-6, 1, 400, 120);
    assert_true(v.change < 2e-3);
    assert_near(v.mean, 600 + 1.5e9 * 6e-6, 0.005 * 9000);
    assert_near(v.low, last.low, 0.002 * last.low);
    assert_near(v.high, last.high, 0.002 * last.high);
}

/* Flow between two resistances through a vessel of measured loss, which is not a multiple of the estimated friction:
 * with other resistances the network starts at the flow of the new circuit. */
static void test_changed(void **state) {
    (void)state;
    opening_network w = {.n = 2,
                         .port = {{.modelled = true, .behind_pa = 2000, .proximal_pa_s_m3 = 500, .vessel_pa_s_m3 = 1},
                                  {.modelled = true, .behind_pa = 500, .proximal_pa_s_m3 = 500, .vessel_pa_s_m3 = 1}}};
    const double flow[2] = {-1.49, 1.49}, pressure[2] = {2000 - 500 * 1.49, 500 + 500 * 1.49}; /* a loss of 10 */
    opening_state s;
    opening_network_start_changed(&w, flow, pressure, &s);
    assert_near(s.flow_m3_s[1], 1.49, 1e-8);
    w.port[0].proximal_pa_s_m3 = 250;
    opening_network_start_changed(&w, flow, pressure, &s);
    const double friction = 2, loss = 10 - friction * 1.49;
    assert_near(s.flow_m3_s[1], (1500 - loss) / (750 + friction), 1e-8);
    assert_near(s.pressure_pa[0] - s.pressure_pa[1], loss + friction * s.flow_m3_s[1], 1e-5);
}

/* The circuit is linear, so the first cycle determines the periodic state: the second cycle ends in it. */
static void test_second_cycle(void **state) {
    (void)state;
    for (double periods = 0.01; periods < 20; periods *= 3) { /* R C over the period */
        const opening_port p = {
            .modelled = true, .proximal_pa_s_m3 = 1e8, .distal_pa_s_m3 = 1.4e9, .capacitance_m3_pa = periods / 1.4e9};
        const cycle_values v = cycles_of(&p, 6e-6, 5e-6, 1, 400, 2);
        printf("R C of %.2f periods: remaining change %.1e\n", periods, v.change);
        assert_true(v.change < 1e-4);
    }
}

/* Largest flow in mL/s through port 0 of a pulse of 0.3 to 2.7 mL/s and period 0.4 s into a fork of two short vessels,
 * in the last of 14 cycles. periods: R_d C over the period at port 0 (1.5 times as much at port 1). *change: as
 * opening_network_cycle. */
static double fork_of_slow_ports(double periods, bool second_has_capacitance, double *change) {
    enum { STEPS = 400, CYCLES = 14 };
    const double period_s = 0.4, unit = 133.322 * 60e3, capacitance = periods * period_s / (20 * unit);
    opening_network w = {.n = 2, .opening = {1, 2}, .pulsatile = true};
    opening_state s = {0};
    double most = 0;
    for (int k = 0; k < 2; k++)
        w.port[k] = (opening_port){.modelled = true,
                                   .behind_pa = 400,
                                   .proximal_pa_s_m3 = (2 + k) * unit,
                                   .distal_pa_s_m3 = (20 + 10 * k) * unit,
                                   .capacitance_m3_pa = capacitance,
                                   .vessel_pa_s_m3 = 2e7,
                                   .inertance_pa_s2_m3 = 1.5e6};
    if (!second_has_capacitance)
        w.port[1].capacitance_m3_pa = 0;
    opening_network_steady(&w, 1.5e-6, &s);
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        most = 0;
        for (int i = 0; i < STEPS; i++) {
            const double after = (i + 1.0) / STEPS;
            opening_network_step(&w, 1e-6 * (1.5 + 1.2 * sin(2 * M_PI * after)), period_s / STEPS, (double)i / STEPS,
                                 after, &s);
            most = fmax(most, 1e6 * fabs(s.flow_m3_s[0]));
        }
        *change = opening_network_cycle(&w, period_s, &s);
    }
    return most;
}

/* Slow Windkessels side by side, or beside a resistance, settle in 14 cycles: the shift of one does not drive the
 * other. */
static void test_slow_ports(void **state) {
    (void)state;
    for (double periods = 0.3; periods < 10; periods *= 3)
        for (int both = 0; both < 2; both++) {
            double change = 1;
            const double flow = fork_of_slow_ports(periods, both != 0, &change);
            printf("R C of %.1f periods, %s: %.3f mL/s, remaining change %.1e\n", periods,
                   both ? "two Windkessels" : "beside a resistance", flow, change);
            assert_true(flow < 2.7 && change < 1e-5);
        }
}

/* Two outlets of large resistance, pulsatile, behind a vessel of little friction that starts with a wrong division of
 * the flow. stiffness: resistance over inertance times the time step. *ringing: largest change of slope of the pressure
 * difference between two steps, in the last half of the run, over the pressure that stops the supply in one step.
 * Returns the error of the division of the flow at the end. */
static double error_of_stiff_ports(double stiffness, double *ringing) {
    enum { STEPS = 2000, SMALL = 10 };
    const double dt = 1e-3, inertia = 1, supply = 1, observer_s = 100 * dt, vessel = 1e-3;
    const double value = stiffness * inertia / dt;
    opening_network w = {
        .n = 2, .pulsatile = true, .port = {resistance(vessel, value, 0), resistance(vessel, 3 * value, 0)}};
    opening_state s;
    double flow[2] = {0.7, 0.3}, difference[3] = {0};
    *ringing = 0;
    w.port[0].inertance_pa_s2_m3 = w.port[1].inertance_pa_s2_m3 = inertia;
    opening_network_steady(&w, supply, &s);
    for (int step = 0; step < STEPS; step++) {
        const double before[2] = {s.pressure_pa[0], s.pressure_pa[1]};
        opening_network_step(&w, supply, dt, (double)step / STEPS, (step + 1.0) / STEPS, &s);
        for (int i = 0; i < SMALL; i++) { /* the difference of the flows obeys d(M0 - M1)/dt = (p1 - p0) / inertia */
            const double part = (i + 0.5) / SMALL;
            const double p0 = (1 - part) * before[0] + part * s.pressure_pa[0],
                         p1 = (1 - part) * before[1] + part * s.pressure_pa[1];
            const double change = 0.5 * dt / SMALL / inertia * (p1 - p0 - vessel * (flow[0] - flow[1]));
            flow[0] += change;
            flow[1] -= change;
        }
        opening_network_observe(&w, flow, dt, observer_s, &s);
        difference[0] = difference[1];
        difference[1] = difference[2];
        difference[2] = s.pressure_pa[0] - s.pressure_pa[1];
        if (step >= STEPS / 2)
            *ringing = fmax(*ringing, fabs(difference[0] - 2 * difference[1] + difference[2]) * dt / inertia / supply);
    }
    return fabs(flow[0] - 0.75 * supply) / supply;
}

static void test_stiff_ports(void **state) {
    (void)state;
    for (double stiffness = 10; stiffness < 2e5; stiffness *= 10) {
        double ringing;
        const double error = error_of_stiff_ports(stiffness, &ringing);
        printf("resistance over inertance times time step %.0e: error %.1e, ringing %.1e\n", stiffness, error, ringing);
        assert_true(error < 1e-3 && ringing < 1e-5);
    }
}

static void test_combine(void **state) {
    (void)state;
    opening_state kept[2] = {{.flow_m3_s = {1, 2}, .pressure_pa = {10}, .set = 1},
                             {.flow_m3_s = {3, 6}, .pressure_pa = {30}, .set = 1}};
    opening_state s;
    opening_state_combine(2, (double[]){-0.5, 1.5}, kept, &s);
    assert_near(s.flow_m3_s[0], 4, 1e-14);
    assert_near(s.flow_m3_s[1], 8, 1e-14);
    assert_near(s.pressure_pa[0], 40, 1e-13);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fork),        cmocka_unit_test(test_confluence),   cmocka_unit_test(test_observer),
        cmocka_unit_test(test_periodic),    cmocka_unit_test(test_pipe),         cmocka_unit_test(test_slow),
        cmocka_unit_test(test_changed),     cmocka_unit_test(test_second_cycle), cmocka_unit_test(test_slow_ports),
        cmocka_unit_test(test_stiff_ports), cmocka_unit_test(test_combine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
