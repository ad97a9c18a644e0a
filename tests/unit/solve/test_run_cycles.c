/* SPDX-License-Identifier: Apache-2.0 */
/* When a pulsatile run ends, on a flow that is no lattice: one that fades slowly to its cycle, one that shakes, and one
 * that rests at the end of its cycle. */
#include "tests/unit/near.h"
#include "tests/unit/solve/fake_flow.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { STEPS = 200 }; /* a cycle */

struct backend {
    fake_flow flow;
    double fades, shakes; /* what is left of the way after a cycle; of the velocity */
    bool rests;           /* the velocity is 0 at the end of a cycle */
    long steps;
};

static double end_of(int k) {
    return 0.1 * cos(k + 1);
}

static int fake_step(backend *b, int n, const prescribed_value *given) {
    (void)given;
    b->steps += n;
    const double phase = 2 * M_PI * (double)b->steps / STEPS;
    const double pulse = b->rests ? 1 - cos(phase) : 1 + 0.3 * sin(phase);
    for (int k = 0; k < VALUES; k++) {
        const double shaken = b->shakes * sin(37.0 * k + 11.0 * (double)(b->steps / STEPS));
        b->flow.x[k] = end_of(k) * (pulse - pow(b->fades, (double)b->steps / STEPS) + shaken);
    }
    return OK;
}

static void fake_set_mass_correction(backend *b, double mass_correction) {
    (void)b;
    (void)mass_correction;
}

static int fake_monitor(backend *b, backend_monitor *m) {
    fake_compare(&b->flow, m);
    m->mass = m->entered = 0;
    m->bad_cell = -1;
    return OK;
}

static const backend_table table = {.name = "fake",
                                    .step = fake_step,
                                    .set_mass_correction = fake_set_mass_correction,
                                    .monitor = fake_monitor,
                                    .moments = fake_moments};

static run_result go(backend b, int cycles) {
    const domain d = {.n_cell = CELLS};
    const boundary_values g = {0};
    const scale s = {.dt_s = 1e-3, .velocity = 0.1, .viscosity = 0.01, .reynolds = 500, .steps_per_period = STEPS};
    const run_settings r = {.d = &d,
                            .g = &g,
                            .s = &s,
                            .table = &table,
                            .b = &b,
                            .monitor_every = 20,
                            .radius_cells = 10,
                            .mass_correction_every = 400,
                            .cycles = cycles};
    run_result result = {0};
    assert_int_equal(run(&r, NULL, &result), OK);
    run_result_free(&result);
    return result;
}

/* The velocity repeats to 1 % long before it is where it will be: 0.8^k of its way are left, which changes by a fifth
 * of that. */
static void waits_for_the_way(void **state) {
    (void)state;
    const run_result r = go((backend){.fades = 0.8}, 8);
    const double left = pow(0.8, r.progress.cycle);
    printf("fades by 0.8 a cycle: %d cycles, %.4f left, said %.4f\n", r.progress.cycle, left, r.cycles_left);
    assert_true(r.converged && left < 0.01);
    assert_near(r.cycles_left / left, 1, 0.02);
}

/* Not for ever; and what is said is true. */
static void ends(void **state) {
    (void)state;
    const run_result r = go((backend){.fades = 0.9}, 6);
    const double left = pow(0.9, r.progress.cycle);
    printf("fades by 0.9: %d cycles, %.4f left, said %.4f\n", r.progress.cycle, left, r.cycles_left);
    assert_int_equal(r.progress.cycle, 18);
    assert_near(r.cycles_left / left, 1, 0.02);
}

/* Cycles that differ by 0.7 % and come no nearer are not waited for. */
static void shakes(void **state) {
    (void)state;
    const run_result r = go((backend){.shakes = 0.005}, 3);
    printf("shakes: %d cycles, change %.4f, said %.4f\n", r.progress.cycle, r.progress.cycle_change, r.cycles_left);
    assert_true(r.converged && r.progress.cycle <= 5 && r.cycles_left < 0.01);
}

/* What shakes by 0.3 % of the velocity of a cycle is periodic, also where the cycle ends at rest. */
static void rests(void **state) {
    (void)state;
    const run_result r = go((backend){.shakes = 0.002, .rests = true}, 3);
    printf("rests: %d cycles, change %.4f\n", r.progress.cycle, r.progress.cycle_change);
    assert_true(r.converged && r.progress.cycle <= 5 && r.progress.cycle_change > 0.001);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(waits_for_the_way), cmocka_unit_test(ends),
                                       cmocka_unit_test(shakes), cmocka_unit_test(rests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
