/* SPDX-License-Identifier: Apache-2.0 */
/* Anderson acceleration: a linear iteration whose fixed point is known, and what is done where it cannot be found. */
#include "solve/run/anderson.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { CELLS = 40, N = 3 * CELLS };
static const domain cells = {.n_cell = CELLS};

/* One window: each value decays towards its own end, slowly for a few, with a pair that turns. */
static void window(float *x) {
    const float turn = 0.9F, a = 0.8F, b = 0.55F;
    for (int k = 2; k < N; k++)
        x[k] += (k < 5 ? 0.02F * (float)k : 0.6F) * ((float)k - x[k]);
    const float u = x[0] - 1, v = x[1] - 2;
    x[0] = 1 + turn * (a * u - b * v);
    x[1] = 2 + turn * (b * u + a * v);
}

static int look(anderson *m, const float *x) {
    for (int64_t k = 0; k < 4 * m->n_own; k++)
        m->value[k] = k % 4 < 3 ? x[3 * m->own[k / 4] + k % 4] : 0;
    return anderson_observe(m);
}

static double error_of(const float *x) {
    double sum = (x[0] - 1) * (x[0] - 1) + (x[1] - 2) * (x[1] - 2);
    for (int k = 2; k < N; k++)
        sum += (x[k] - (float)k) * (x[k] - (float)k);
    return sqrt(sum);
}

/* States by place, as a backend keeps them. */
static void blend(float kept[BACKEND_PLACES][N], const double *weight, float *x) {
    for (int k = 0; k < N; k++) {
        double sum = 0;
        for (int p = 0; p < BACKEND_PLACES; p++)
            sum += weight[p] != 0 ? weight[p] * (double)kept[p][k] : 0.0;
        x[k] = (float)sum;
    }
}

static void keep(const anderson *m, float kept[BACKEND_PLACES][N], const float *x) {
    for (int k = 0; k < N; k++)
        kept[anderson_next_place(m)][k] = x[k];
}

/* 24 windows: a hundredth of what plain steps leave is the least that is asked; the mass correction is mixed with the
 * same weights. */
static void linear_iteration(void **state) {
    (void)state;
    float x[N] = {0}, plain[N] = {0}, kept[BACKEND_PLACES][N] = {{0}};
    double weight[BACKEND_PLACES], residual = 1, mass_correction = 0;
    anderson m;
    assert_int_equal(anderson_create(&m, &cells), OK);
    assert_int_equal(look(&m, x), OK);
    anderson_restart(&m);
    for (int k = 0; k < 24; k++) {
        double sum = 0;
        window(plain);
        window(x);
        mass_correction += 0.05 * (7 - mass_correction);
        keep(&m, kept, x);
        assert_int_equal(look(&m, x), OK);
        residual = anderson_add(&m, mass_correction);
        assert_true(m.count >= 1 && m.count <= BACKEND_PLACES);
        mass_correction = anderson_combine(&m, weight);
        for (int p = 0; p < BACKEND_PLACES; p++)
            sum += weight[p];
        assert_true(fabs(sum - 1) < 1e-9);
        blend(kept, weight, x);
    }
    printf("residual %.1e, error %.1e, of plain steps %.1e\n", residual, error_of(x), error_of(plain));
    assert_true(residual < 1e-5);
    assert_true(error_of(x) < 0.01 * error_of(plain));
    anderson_free(&m);
}

/* Back to the last state, or to the one before: that state alone, whatever was mixed in between. */
static void taken_back(void **state) {
    (void)state;
    float x[N] = {0}, kept[BACKEND_PLACES][N] = {{0}};
    double weight[BACKEND_PLACES];
    anderson m;
    assert_int_equal(anderson_create(&m, &cells), OK);
    for (int back = 0; back < 2; back++) {
        assert_int_equal(look(&m, x), OK);
        anderson_restart(&m);
        for (int k = 0; k < 9; k++) {
            for (int i = 0; i < N; i++)
                x[i] = (float)(100 * k + i % 7);
            keep(&m, kept, x);
            assert_int_equal(look(&m, x), OK);
            anderson_add(&m, k);
        }
        assert_true(anderson_undo(&m, back, weight) == 8 - back);
        assert_int_equal(m.count, 1);
        blend(kept, weight, x);
        assert_true(x[3] == (float)(100 * (8 - back) + 3));
        assert_int_equal(look(&m, x), OK);
        assert_true(anderson_add(&m, 0) < 1e-6); /* the next window begins there */
    }
    anderson_free(&m);
}

/* Residuals that are all alike say nothing of where the end lies: weights stay small, and the flow goes on as far as
 * plain steps take it, as blood that is carried through a sac does, whose way shows in no residual. */
static void nothing_to_learn(void **state) {
    (void)state;
    float x[N] = {0};
    double weight[BACKEND_PLACES];
    anderson m;
    assert_int_equal(anderson_create(&m, &cells), OK);
    assert_int_equal(look(&m, x), OK);
    anderson_restart(&m);
    for (int k = 0; k < 40; k++) {
        double size = 0;
        for (int i = 0; i < N; i++)
            x[i] += 1 + 1e-3F * (float)((i * i * (k + 3) * 37 + k * k * 11) % 17 - 8);
        assert_int_equal(look(&m, x), OK);
        anderson_add(&m, 0);
        anderson_combine(&m, weight);
        for (int p = 0; p < BACKEND_PLACES; p++)
            size += fabs(weight[p]);
        assert_true(size <= 100);
        for (int i = 0; i < N; i++)
            x[i] = m.start[i];
        assert_true(x[0] > 0.98F * (float)(k + 1));
    }
    anderson_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(linear_iteration), cmocka_unit_test(taken_back),
                                       cmocka_unit_test(nothing_to_learn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
