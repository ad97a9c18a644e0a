/* SPDX-License-Identifier: Apache-2.0 */
/* A steady run with acceleration on a flow that is no lattice: modes that decay fast and slowly, and one that leaves
 * its steady flow slowly for another one (a pitchfork, as a jet that attaches to one side). Mixing of states goes
 * straight to the one that is not stable, which plain steps leave. */
#include "tests/unit/near.h"
#include "tests/unit/solve/fake_flow.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { WALL_LINKS = 4, KICKS = 2 };
static const double SIDE = 0.05; /* where the pitchfork ends, of velocities of 0.1 */

struct backend {
    fake_flow flow;
    double growth;    /* a step */
    long steps, kick; /* done; from this one on, unless it is 0, the slow modes are kicked KICKS times */
    double mass_correction, take, mass; /* of walls: a link and a step; what they take a step */
};

static double end_of(int k) {
    return k ? 0.1 * cos(k) : 0;
}

static int fake_step(backend *b, int n, const prescribed_value *given) {
    (void)given;
    b->mass += n * (WALL_LINKS * b->mass_correction - b->take);
    for (int s = 0; s < n; s++) {
        const long kicks = (++b->steps - b->kick) / 200;
        for (int k = 1; k < 4 && b->kick && kicks < KICKS && b->steps == b->kick + 200 * kicks; k++)
            b->flow.x[k] += 1e-3 * cos((double)(k + 5 * kicks));
        for (int k = 1; k < VALUES; k++)
            b->flow.x[k] = end_of(k) + (k < 4 ? 1 - 3e-4 * k : 0.99) * (b->flow.x[k] - end_of(k));
        b->flow.x[0] += b->growth * b->flow.x[0] * (1 - b->flow.x[0] * b->flow.x[0] / (SIDE * SIDE));
    }
    return OK;
}

static void fake_set_outlets(backend *b, bool at_once) {
    (void)b;
    (void)at_once;
}

static void fake_set_mass_correction(backend *b, double mass_correction) {
    b->mass_correction = mass_correction;
}

static int fake_monitor(backend *b, backend_monitor *m) {
    fake_compare(&b->flow, m);
    m->mass = b->mass;
    m->entered = 0;
    m->bad_cell = -1;
    return OK;
}

static const backend_table table = {.name = "fake",
                                    .step = fake_step,
                                    .set_mass_correction = fake_set_mass_correction,
                                    .set_outlets = fake_set_outlets,
                                    .monitor = fake_monitor,
                                    .moments = fake_moments,
                                    .sample = fake_sample,
                                    .keep = fake_keep,
                                    .combine = fake_combine};

/* A steady run of 20 steps between monitors on b. */
static run_settings settings_of(const domain *d, const boundary_values *g, const scale *s, backend *b) {
    return (run_settings){.d = d,
                          .g = g,
                          .s = s,
                          .table = &table,
                          .b = b,
                          .tolerance = 1e-6,
                          .max_steps = 200000,
                          .monitor_every = 20,
                          .radius_cells = 10,
                          .mass_correction_every = 400,
                          .length_cells = 100,
                          .anderson_window_steps = 200};
}

/* Steps until it is steady; x: where. */
static long settle(double growth, int anderson_window_steps, double reynolds, double x[VALUES]) {
    backend b = {.flow.x = {1e-3}, .growth = growth};
    const domain d = {.n_cell = CELLS};
    const boundary_values g = {0};
    const scale s = {.dt_s = 1e-3, .velocity = 0.1, .viscosity = 0.01, .reynolds = reynolds};
    run_settings r = settings_of(&d, &g, &s, &b);
    r.anderson_window_steps = anderson_window_steps;
    run_result result = {0};
    assert_int_equal(run(&r, NULL, &result), OK);
    assert_true(result.converged);
    memcpy(x, b.flow.x, sizeof b.flow.x);
    run_result_free(&result);
    return result.progress.step;
}

/* Where the steady flow is stable, Anderson acceleration is faster and ends there. */
static void test_stable(void **state) {
    (void)state;
    double plain[VALUES], mixed[VALUES];
    const long without = settle(-1e-3, 0, 500, plain), with = settle(-1e-3, 200, 500, mixed);
    printf("stable: %ld steps, %ld with acceleration\n", without, with);
    assert_true(2 * with < without);
    for (int k = 0; k < VALUES; k++)
        assert_near(mixed[k], end_of(k), 1e-5);
}

/* Where it is not, the run ends where plain steps end. */
static void test_unstable(void **state) {
    (void)state;
    double plain[VALUES], mixed[VALUES];
    const long without = settle(1e-3, 0, 500, plain), with = settle(1e-3, 200, 500, mixed);
    printf("unstable: %ld steps, at %g; %ld with acceleration, at %g\n", without, plain[0], with, mixed[0]);
    assert_near(plain[0], SIDE, 1e-4);
    assert_near(mixed[0], SIDE, 1e-4);
}

/* One odd window, of a stable flow, does not switch Anderson acceleration off: it counts in as many estimates of the
 * growth as windows are kept. */
static void test_kicked(void **state) {
    (void)state;
    const domain d = {.n_cell = CELLS};
    const boundary_values g = {0};
    const scale s = {.dt_s = 1e-3, .velocity = 0.1, .viscosity = 0.01, .reynolds = 500};
    for (long kick = 1010; kick < 1900; kick += 90) {
        backend b = {.flow.x = {1e-3}, .growth = -1e-3, .kick = kick};
        run_settings r = settings_of(&d, &g, &s, &b);
        run_result result = {0};
        assert_int_equal(run(&r, NULL, &result), OK);
        printf("kicked at %ld: %ld steps, %s\n", kick, result.progress.step,
               result.progress.acceleration_off ? "off" : "on");
        assert_true(result.converged && !result.progress.acceleration_off);
        run_result_free(&result);
    }
}

/* Walls give back what they took from the first monitor on where a run begins with a flow, not where it begins at rest:
 * there they still take what the start makes of it. */
static void test_walls_begin(void **state) {
    (void)state;
    domain_link wall[WALL_LINKS] = {{0}};
    const domain d = {.n_cell = CELLS, .n_link = WALL_LINKS, .link = wall};
    const boundary_values g = {0};
    const scale s = {.dt_s = 1e-3, .velocity = 0.1, .viscosity = 0.01, .reynolds = 500};
    for (int near = 0; near < 2; near++) {
        backend b = {.flow.x = {1e-3}, .growth = -1e-3, .take = 1e-3};
        run_settings r = settings_of(&d, &g, &s, &b);
        r.max_steps = 40;
        const run_progress from = {.pace = 1, .dt_s = s.dt_s, .target = s.velocity, .change = 1, .balance = 1};
        run_result result = {0};
        assert_int_equal(run(&r, near ? &from : NULL, &result), OK);
        assert_near(WALL_LINKS * b.mass_correction, near ? b.take : 0, 1e-12);
        run_result_free(&result);
    }
}

typedef struct {
    backend *b;
    int calls;
    double before, time_s; /* of the first of them; the first velocity then */
} corrected;

/* Knows all of the way. */
static int to_the_end(void *data, const state_fields *before, double time_s, state_fields *now) {
    corrected *c = data;
    if (c->calls++ == 0) {
        c->before = before->velocity[1];
        c->time_s = time_s;
    }
    assert_near(now->velocity[1], c->b->flow.x[1], 1e-7);
    for (int k = 0; k < VALUES; k++)
        now->velocity[k] = (float)end_of(k);
    for (int k = 0; k < VALUES; k++)
        c->b->flow.x[k] = now->velocity[k];
    return OK;
}

/* A run that begins with a flow is corrected as often as it is asked to, by the change in a window behind the first
 * steps from what was put into the backend; one that goes on from a checkpoint is not. What is corrected well ends
 * after a window of plain steps. */
static void test_corrected(void **state) {
    (void)state;
    const domain d = {.n_cell = CELLS};
    const boundary_values g = {0};
    const scale s = {.dt_s = 1e-3, .velocity = 0.1, .viscosity = 0.01, .reynolds = 500};
    for (int times = 0; times < 3; times++) {
        const bool later = times == 0;
        backend b = {.flow.x = {1e-3}, .growth = -1e-3};
        corrected c = {.b = &b};
        run_settings r = settings_of(&d, &g, &s, &b);
        r.monitor_every = 40;
        r.hooks.data = &c;
        r.hooks.correct = to_the_end;
        r.corrections = later ? 1 : times;
        const run_progress from = {
            .step = later ? 400 : 0, .pace = 1, .dt_s = s.dt_s, .target = s.velocity, .change = 1, .balance = 1};
        run_result result = {0};
        assert_int_equal(run(&r, &from, &result), OK);
        assert_true(result.converged);
        assert_int_equal(c.calls, times);
        if (!later) {
            assert_near(c.before, end_of(1) * (1 - pow(1 - 3e-4, 120)), 1e-6);
            assert_near(c.time_s, 0.2, 1e-12);
            assert_in_range(result.progress.step, 320 * times, 320 * times + 200);
        }
        run_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walls_begin), cmocka_unit_test(test_corrected),
                                       cmocka_unit_test(test_stable), cmocka_unit_test(test_kicked),
                                       cmocka_unit_test(test_unstable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
