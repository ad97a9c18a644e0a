/* SPDX-License-Identifier: Apache-2.0 */
/* Steady runs of flows that do not become steady, on a flow that is no lattice: velocities that are kicked at random
 * and calm down in between, a pressure at the inlet that varies and may drift on its way to its mean. */
#include "tests/unit/near.h"
#include "tests/unit/solve/fake_flow.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { OPENINGS = 2, EVERY = 20, PASSAGE = 1000 };

struct backend {
    fake_flow flow;
    double size, calm_steps;   /* of what is kicked; it calms down with this time constant, 0: never */
    double drift, drift_steps; /* the pressure's distance from its mean 1 at the start, and its time constant */
    double swing, swing_steps; /* of the pressure, slowly to and fro: amplitude and period */
    double pressure, decay;    /* what varies of it; of the velocities, a step */
    long steps, bad_at;        /* 0: never */
    unsigned seed;
    scale *s; /* NULL, or what a longer time step changes */
};

static double noise(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 8388608.0 - 1;
}

static double end_of(int k) {
    return 0.1 * cos(k);
}

static int fake_step(backend *b, int n, const prescribed_value *given) {
    (void)given;
    for (int s = 0; s < n; s++) {
        const double size = b->size * (b->calm_steps > 0 ? exp(-(double)b->steps / b->calm_steps) : 1);
        b->steps++;
        for (int k = 0; k < VALUES; k++) {
            const double end = (b->s ? 0.1 : 1) * end_of(k);
            b->flow.x[k] = end + (1 - b->decay) * (b->flow.x[k] - end);
        }
        if (b->steps % 10 == 0) {
            for (int k = 0; k < VALUES; k++)
                b->flow.x[k] += 0.1 * size * noise(&b->seed);
            b->pressure += -0.1 * b->pressure + 0.2 * size * noise(&b->seed);
        }
    }
    return OK;
}

static void fake_set_outlets(backend *b, bool at_once) {
    (void)b;
    (void)at_once;
}

static void fake_set_mass_correction(backend *b, double mass_correction) {
    (void)b;
    (void)mass_correction;
}

static int fake_monitor(backend *b, backend_monitor *m) {
    fake_compare(&b->flow, m);
    m->mass = m->entered = 0;
    m->bad_cell = b->bad_at > 0 && b->steps >= b->bad_at ? 0 : -1;
    m->flow[0] = 1;
    m->flow[1] = -1;
    m->density[0] = 1 + b->pressure + (b->drift_steps > 0 ? b->drift * exp(-(double)b->steps / b->drift_steps) : 0);
    m->density[0] += b->swing_steps > 0 ? b->swing * cos(2 * M_PI * (double)b->steps / b->swing_steps) : 0;
    m->density[1] = 0;
    return OK;
}

/* The flow goes on, and does not diverge again. */
static int fake_retime(void *data, double factor, bool diverged, state_fields *f) {
    backend *b = data;
    (void)factor;
    (void)f;
    assert_true(diverged);
    b->bad_at = 0;
    return OK;
}

/* The time step as `solve` changes it: the flow has the same velocities in m/s, and scale_choose refuses a lattice
 * velocity of the expected flow above 0.3. */
static int fake_longer_step(void *data, double factor, bool diverged, state_fields *f) {
    backend *b = data;
    (void)diverged;
    (void)f;
    b->s->dt_s *= factor;
    b->s->velocity *= factor;
    assert_true(factor > 1 && b->s->velocity <= 0.3);
    return OK;
}

/* What a test sets of a run. Viscosity takes 173,000 steps across the vessel, or what `viscosity` says in place of
 * 0.01. */
typedef struct {
    double viscosity, time_s; /* time: that it has run for */
    long share_steps;
    int anderson_window_steps;
    bool unsteady, near;
    double expected; /* lattice velocity of the expected flow; 0: 0.1 */
} kind;

static void go(backend *b, kind with, run_result *result) {
    static const backend_table table = {.name = "fake",
                                        .step = fake_step,
                                        .set_mass_correction = fake_set_mass_correction,
                                        .set_outlets = fake_set_outlets,
                                        .monitor = fake_monitor,
                                        .moments = fake_moments,
                                        .sample = fake_sample,
                                        .keep = fake_keep,
                                        .combine = fake_combine};
    domain_opening opening[OPENINGS] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_MOVING_WALL}};
    domain_condition condition[OPENINGS] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_MOVING_WALL}};
    double mean[OPENINGS] = {1, 0}, setback[OPENINGS] = {0}, share[OPENINGS] = {0};
    const domain d = {.n_cell = CELLS, .n_opening = OPENINGS, .opening = opening};
    const boundary_values g = {
        .n = OPENINGS, .condition = condition, .mean_m3_s = mean, .setback_pa_s_m3 = setback, .share = share};
    scale s = {.dt_s = 1e-3,
               .velocity = with.expected > 0 ? with.expected : 0.1,
               .viscosity = with.viscosity > 0 ? with.viscosity : 0.01,
               .reynolds = 500,
               .flow_scale = 1,
               .velocity_scale = 1,
               .pressure_scale = 1};
    run_settings r = {.d = &d,
                      .g = &g,
                      .s = &s,
                      .table = &table,
                      .b = b,
                      .tolerance = 1e-6,
                      .max_steps = 1000000,
                      .monitor_every = EVERY,
                      .radius_cells = 100,
                      .mass_correction_every = 400,
                      .length_cells = 100,
                      .anderson_window_steps = with.anderson_window_steps,
                      .share_steps = with.share_steps,
                      .starts_unsteady = with.unsteady};
    if (b->bad_at > 0) {
        r.hooks.data = b;
        r.hooks.retime = fake_retime;
    }
    if (with.expected > 0) {
        b->s = &s;
        r.hooks.data = b;
        r.hooks.retime = fake_longer_step;
    }
    const run_progress from = {
        .time_s = with.time_s, .pace = 1, .dt_s = s.dt_s, .target = s.velocity, .change = 1, .balance = 1};
    assert_int_equal(run(&r, with.near ? &from : NULL, result), OK);
}

/* Without anything known of it, it waits for viscosity; known to be unsteady, two passages are enough. */
static void test_early(void **state) {
    (void)state;
    long steps[2];
    for (int unsteady = 0; unsteady < 2; unsteady++) {
        backend b = {.size = 0.05, .decay = 0.02, .seed = 5};
        run_result result = {0};
        go(&b, (kind){.anderson_window_steps = 200 * unsteady, .unsteady = unsteady, .near = true}, &result);
        steps[unsteady] = result.progress.step;
        printf("unsteady %d: %ld steps, inlet pressure %.4f\n", unsteady, steps[unsteady], result.density[0]);
        assert_true(result.unsteady && !result.converged);
        assert_near(result.density[0], 1, 0.03);
        run_result_free(&result);
    }
    assert_true(steps[0] > 80000);
    assert_in_range(steps[1], 3 * PASSAGE, 12 * PASSAGE);
}

/* A drift is waited for, where it lasts longer than two passages, too. */
static void test_drift(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 8; seed++) {
        backend b = {.size = 0.05, .decay = 0.02, .seed = seed, .drift = 0.3, .drift_steps = 4 * PASSAGE};
        run_result result = {0};
        go(&b, (kind){.anderson_window_steps = 200, .unsteady = true, .near = true}, &result);
        printf("drift, seed %u: %ld steps, inlet pressure %.4f\n", seed, result.progress.step, result.density[0]);
        assert_true(result.unsteady);
        assert_near(result.density[0], 1, 0.05);
        run_result_free(&result);
    }
}

/* What was unsteady on a coarser lattice and calms down on this one is steady, and acceleration helps it on. */
static void test_calms(void **state) {
    (void)state;
    for (double calm = 0.5; calm <= 4; calm *= 2) {
        backend b = {.size = 0.05, .decay = 2e-3, .seed = 3, .calm_steps = calm * PASSAGE};
        run_result result = {0};
        go(&b, (kind){.anderson_window_steps = 200, .unsteady = true, .near = true}, &result);
        printf("calms within %.1f passages: %ld steps, %s\n", calm, result.progress.step,
               result.unsteady ? "unsteady" : "steady");
        assert_true(result.converged && !result.unsteady);
        assert_near(result.density[0], 1, 1e-3);
        run_result_free(&result);
    }
}

/* How far the velocities are from where they end, relative. */
static double away(const backend *b) {
    double apart = 0, square = 0;
    for (int k = 0; k < VALUES; k++) {
        apart += pow(b->flow.x[k] - end_of(k), 2);
        square += end_of(k) * end_of(k);
    }
    return sqrt(apart / square);
}

/* Velocities that never come below the tolerance, but stay where they are as pressures do: it ends soon, as steady. */
static void test_quiet(void **state) {
    (void)state;
    backend b = {.size = 2e-4, .decay = 0.02, .seed = 7};
    run_result result = {0};
    for (int k = 0; k < VALUES; k++)
        b.flow.x[k] = end_of(k);
    go(&b, (kind){.anderson_window_steps = 200, .unsteady = true, .near = true}, &result);
    printf("quiet: %ld steps, change %.1e, inlet pressure %.6f\n", result.progress.step, result.last.change,
           result.density[0]);
    assert_true(result.converged && !result.unsteady && result.progress.quiet);
    assert_true(result.last.change > 1e-5);
    assert_in_range(result.progress.step, 2 * PASSAGE, 20 * PASSAGE);
    assert_near(result.density[0], 1, 1e-3);
    run_result_free(&result);
}

/* The same that creeps to where it ends: it is waited for, by its velocities where the pressure says nothing. */
static void test_creeps(void **state) {
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        const double steps = slow ? 80e3 : 40e3;
        backend b = {.size = 1e-5, .decay = 1 / steps, .seed = 7, .drift = slow ? 0 : 0.05, .drift_steps = steps};
        run_result result = {0};
        for (int k = 0; k < VALUES; k++)
            b.flow.x[k] = (1 + 0.3 * sin(k)) * end_of(k);
        go(&b, (kind){.anderson_window_steps = 200, .unsteady = true, .near = true}, &result);
        printf("creeps within %.0f steps: %ld steps, %.2g %% away, inlet pressure %.5f\n", steps, result.progress.step,
               100 * away(&b), result.density[0]);
        assert_true(away(&b) < 1e-2);
        assert_near(result.density[0], 1, 1e-3);
        run_result_free(&result);
    }
}

/* A flow that is where it will be, with changes that fall, is steady though its pressure still swings by 0.07 %. */
static void test_swings(void **state) {
    (void)state;
    backend b = {.decay = 1.0 / 5000, .swing = 1e-3, .swing_steps = 3 * PASSAGE};
    run_result result = {0};
    for (int k = 0; k < VALUES; k++)
        b.flow.x[k] = b.flow.old[k] = (1 + 1e-3 * sin(k)) * end_of(k);
    go(&b, (kind){.unsteady = true, .near = true, .viscosity = 0.2, .time_s = 20}, &result);
    printf("swings: %ld steps, %s, by %.2g %%, quiet %d\n", result.progress.step,
           result.unsteady ? "unsteady" : "steady", 100 * result.largest_swing, result.progress.quiet);
    assert_true(result.progress.quiet && result.largest_swing > 5e-4);
    assert_true(result.converged && !result.unsteady);
    run_result_free(&result);
}

/* A run that has a share of the work: its mean over a passage; one that is about to settle goes on. */
static void test_share(void **state) {
    (void)state;
    backend b = {.size = 0.05, .decay = 0.02, .seed = 5};
    run_result result = {0};
    go(&b, (kind){.anderson_window_steps = 200, .share_steps = 3000}, &result);
    printf("share: %ld steps, inlet pressure %.4f\n", result.progress.step, result.density[0]);
    assert_true(result.unsteady && result.progress.share_used && !result.progress.falling);
    assert_in_range(result.progress.step, 3000 + PASSAGE, 3000 + 2 * PASSAGE);
    assert_near(result.density[0], 1, 0.1);
    run_result_free(&result);
    backend settles = {.flow.x = {1}, .decay = 2e-3, .seed = 5};
    result = (run_result){0};
    go(&settles, (kind){.share_steps = 2500}, &result);
    printf("settles: %ld steps\n", result.progress.step);
    assert_true(result.converged && !result.progress.share_used && result.progress.step > 2 * 2500);
    run_result_free(&result);
    backend falls = {
        .flow.x = {1}, .decay = 5e-4, .seed = 5}; /* it does not settle in its share, but it is no unsteady one */
    result = (run_result){0};
    go(&falls, (kind){.share_steps = 3000}, &result);
    assert_true(result.progress.share_used && result.progress.falling);
    run_result_free(&result);
}

/* A flow that diverges while it is averaged begins again, and so do its means: they hold what came after. */
static void test_diverged(void **state) {
    (void)state;
    backend b = {.size = 0.05, .decay = 0.02, .seed = 5, .bad_at = 3 * PASSAGE};
    run_result result = {0};
    go(&b, (kind){.anderson_window_steps = 200, .unsteady = true, .near = true}, &result);
    printf("diverged: %ld steps, mean of %.3g s\n", result.progress.step, result.unsteady_s);
    assert_true(result.unsteady);
    assert_in_range(result.progress.step, 5 * PASSAGE, 15 * PASSAGE);
    assert_near((double)result.statistics.n_sample, result.unsteady_s / (1e-3 * EVERY), 2);
    assert_near(result.density[0], 1, 0.03);
    run_result_free(&result);
}

/* A share that is over while the flow is still on its way is no mean of the way: the window begins again, and where
 * that does not end, the run ends without a result. */
static void test_share_on_its_way(void **state) {
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        backend b = {.size = 0.05, .decay = 0.02, .seed = 5, .drift = 3, .drift_steps = (slow ? 8 : 1) * PASSAGE};
        run_result result = {0};
        go(&b, (kind){.anderson_window_steps = 200, .share_steps = 1000, .near = true}, &result);
        printf("on its way: %ld steps, inlet pressure %.4f\n", result.progress.step, result.density[0]);
        assert_true(result.progress.share_used && !result.converged && result.unsteady == !slow);
        assert_true(slow || (result.density[0] > 0.95 && result.density[0] < 1.1));
        assert_in_range(result.progress.step, 2 * PASSAGE, 9 * PASSAGE);
        run_result_free(&result);
    }
}

/* Where blood takes another way than expected, its velocity may be a tenth of the expected one. The time step becomes
 * longer, but not so long that the expected velocity is refused. */
static void test_slower(void **state) {
    (void)state;
    for (double expected = 0.15; expected < 0.3; expected += 0.1) {
        backend b = {.size = 0.05, .decay = 0.02, .seed = 5};
        run_result result = {0};
        go(&b, (kind){.expected = expected}, &result);
        const double end = expected * result.progress.pace;
        printf("expected %.2f: %d changes of the time step, then %.3f\n", expected, result.progress.retimes, end);
        assert_true(result.unsteady);
        assert_in_range(result.progress.retimes, 1, 2);
        assert_true(end > 1.1 * expected && end <= 0.3);
        run_result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early),    cmocka_unit_test(test_drift),  cmocka_unit_test(test_calms),
        cmocka_unit_test(test_quiet),    cmocka_unit_test(test_creeps), cmocka_unit_test(test_swings),
        cmocka_unit_test(test_diverged), cmocka_unit_test(test_share),  cmocka_unit_test(test_share_on_its_way),
        cmocka_unit_test(test_slower)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
