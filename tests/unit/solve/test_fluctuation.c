/* SPDX-License-Identifier: Apache-2.0 */
/* Means, swings and standard errors of a flow that does not become steady. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "solve/statistics/fluctuation.h"
#include "tests/unit/near.h"

static unsigned next(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Uniform in -1 .. 1 */
static double noise(unsigned *seed) {
    return next(seed) / 8388608.0 - 1;
}

/* A sine: its mean, range and standard deviation; the difference of two openings is that at each instant. */
static void sine(void **state) {
    (void)state;
    fluctuation f = {.n_opening = 2};
    for (int k = 0; k < 1600; k++) {
        const double s = sin(2 * 3.14159265358979 * k / 100);
        assert_int_equal(fluctuation_sample(&f, (double[2]){3, -3}, (double[2]){5 + s, 2 + s}), OK);
    }
    const fluctuation_value p = fluctuation_of(&f, 1, -1), d = fluctuation_of(&f, 1, 3), q = fluctuation_of(&f, 0, -1);
    assert_near(p.mean, 5, 1e-12);
    assert_near(p.deviation, sqrt(0.5), 1e-9);
    assert_near(p.low, 4, 1e-12);
    assert_near(p.high, 6, 1e-12);
    assert_near(p.error, 0, 1e-9); /* every batch is one period */
    assert_near(d.mean, 3, 1e-12);
    assert_near(d.deviation, 0, 1e-12);
    assert_near(q.mean, 3, 1e-12);
    fluctuation_free(&f);
}

/* The standard error of correlated noise (a first-order process, half-life 14 samples) against the exact one: on
 * average over many runs it is right to a tenth, and most means lie within twice of it. */
static void standard_error(void **state) {
    (void)state;
    enum { RUNS = 60, N = 6400 };
    const double keep = 0.95, exact = sqrt(1.0 / 3) / (1 - keep) / sqrt(N);
    double mean_error = 0;
    int within = 0;
    unsigned seed = 3;
    for (int run = 0; run < RUNS; run++) {
        fluctuation f = {.n_opening = 1};
        double x = 0;
        for (int k = 0; k < N; k++) {
            x = keep * x + noise(&seed);
            assert_int_equal(fluctuation_sample(&f, &x, &x), OK);
        }
        const fluctuation_value v = fluctuation_of(&f, 0, -1);
        mean_error += v.error / RUNS;
        within += fabs(v.mean) < 2 * v.error;
        fluctuation_free(&f);
    }
    assert_near(mean_error / exact, 1, 0.15);
    assert_true(within > 0.85 * RUNS);
}

/* A change that falls, however slowly, is on its way; one that stays or rises is not. */
static void lasting(void **state) {
    (void)state;
    fluctuation falls = {0}, stays = {0}, rises = {0};
    unsigned seed = 1;
    for (int k = 0; k < 400; k++) {
        const double n = exp(0.3 * noise(&seed));
        assert_int_equal(fluctuation_change(&falls, 1e-2 * n * exp(-k / 300.0)), OK);
        assert_int_equal(fluctuation_change(&stays, 1e-2 * n), OK);
        assert_int_equal(fluctuation_change(&rises, 1e-4 * n * exp(k / 300.0)), OK);
    }
    assert_false(fluctuation_residual_constant(&falls));
    assert_true(fluctuation_residual_constant(&stays));
    assert_true(fluctuation_residual_constant(&rises));
    assert_near(fluctuation_recent_residual(&stays), 1e-2, 1e-3);
    assert_near(fluctuation_recent_residual(&falls), 1e-2 * exp(-350 / 300.0), 5e-4);
    fluctuation_free(&falls);
    fluctuation_free(&stays);
    fluctuation_free(&rises);
}

/* The mean of fields. */
static void fields_mean(void **state) {
    (void)state;
    fluctuation f = {0};
    for (int k = 1; k <= 5; k++) {
        state_fields now;
        assert_int_equal(state_fields_create(&now, 2), OK);
        for (int c = 0; c < 2; c++)
            now.density[c] = (float)(k + c);
        for (int c = 0; c < 6; c++)
            now.velocity[c] = (float)(k * c);
        for (int c = 0; c < 12; c++)
            now.stress[c] = (float)(k * k);
        assert_int_equal(fluctuation_fields(&f, &now, 2), OK);
        state_fields_free(&now);
    }
    assert_near(f.mean.density[1], 4, 1e-6);
    assert_near(f.mean.velocity[5], 15, 1e-5);
    assert_near(f.mean.stress[11], 11, 1e-5);
    fluctuation_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sine), cmocka_unit_test(standard_error),
                                       cmocka_unit_test(lasting), cmocka_unit_test(fields_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
