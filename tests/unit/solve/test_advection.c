/* SPDX-License-Identifier: Apache-2.0 */
/* Advection correction of D3Q27 (kernels/advection.h): a vortex that a uniform flow carries oblique to the axes. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "solve/core/state_fields.h"
#include "solve/run/run_settings.h"
typedef float real;
#include "solve/kernels/advection.h"
#include "tests/unit/solve/solve_flow.h"

/* A vortex of wavelength n cells along x and y, carried by the velocity `mean` along x and y. every: steps between two
 * monitors, 0: no correction. rate: backend_settings.advection_rate. */
typedef struct {
    int n, steps, every;
    double tau, mean, rate;
} vortex;

static const double vortex_size = 1e-3;

/* Velocity after the steps, [n_cell][3], and the positions of the cells in `d`. The caller frees both. */
static float *vortex_run(const vortex *v, domain *d) {
    const double k = 2 * M_PI / v->n;
    const flow_walls c = {{0, 0}, {v->n, v->n, 2}, -1, 1e9, 0}; /* no wall */
    lattice l = flow_walls_corners(&c);
    assert_int_equal(domain_create(&l, DOMAIN_WALL_QUADRATIC, NULL, d), OK);
    backend_settings s = flow_settings(v->tau, false, BACKEND_DOUBLE, 0);
    s.cumulant = true;
    s.advection_rate = v->rate;
    backend *b = NULL;
    assert_int_equal(backend_cpu.create(d, &s, &b), OK);
    state_fields f;
    assert_int_equal(state_fields_create(&f, d->n_cell), OK);
    for (int64_t at = 0; at < d->n_cell; at++) {
        const double x = k * d->position[3 * at], y = k * d->position[3 * at + 1];
        f.density[at] = 0;
        f.velocity[3 * at] = (float)(v->mean + vortex_size * cos(x) * sin(y));
        f.velocity[3 * at + 1] = (float)(v->mean - vortex_size * sin(x) * cos(y));
        f.velocity[3 * at + 2] = 0;
        memset(f.stress + 6 * at, 0, 6 * sizeof *f.stress);
    }
    double *slots = malloc(27 * (size_t)d->n_cell * sizeof *slots), kept;
    assert_non_null(slots);
    assert_int_equal(state_slots(d, &s, &f, NULL, 0, slots, &kept), OK);
    assert_int_equal(backend_cpu.write(b, slots, &kept), OK);
    backend_monitor m;
    const int batch = v->every ? v->every : v->steps;
    for (int step = 0; step < v->steps; step += batch) {
        if (v->every)
            assert_int_equal(backend_cpu.monitor(b, &m), OK);
        assert_int_equal(backend_cpu.step(b, batch, NULL), OK);
    }
    assert_int_equal(backend_cpu.moments(b, NULL, f.velocity, NULL), OK);
    float *velocity = f.velocity;
    f.velocity = NULL;
    free(slots);
    state_fields_free(&f);
    backend_cpu.destroy(b);
    lattice_free(&l);
    return velocity;
}

/* Error of the distance that the vortex moves in one wavelength, relative. */
static double vortex_lag(int n, bool corrected) {
    const vortex v = {
        .n = n, .tau = 0.52, .mean = 0.05, .steps = (int)(n / 0.05 / 2) * 2, .every = corrected ? 2 : 0, .rate = 1};
    const double k = 2 * M_PI / n;
    domain d;
    float *velocity = vortex_run(&v, &d);
    /* after a way of p / k along x and y, u_x - mean has the part sin(x + y - 2 p) / 2; p is 2 pi without error */
    double along = 0, across = 0;
    for (int64_t at = 0; at < d.n_cell; at++) {
        const double phase = k * (d.position[3 * at] + d.position[3 * at + 1]);
        along += velocity[3 * at] * sin(phase);
        across += velocity[3 * at] * cos(phase);
    }
    free(velocity);
    domain_free(&d);
    return fabs(atan2(-across, along) / 2) / (2 * M_PI);
}

/* Largest deviation from the mean velocity after 2000 steps at cell Reynolds number 50, over the initial one.
 * rate: 0: the rate of a run. */
static double vortex_growth(int n, double mean, int every, double rate) {
    const double viscosity = mean / 50;
    const vortex v = {.n = n,
                      .tau = 0.5 + 3 * viscosity,
                      .mean = mean,
                      .steps = 2000,
                      .every = every,
                      .rate = rate > 0 ? rate : run_advection_rate(every, viscosity)};
    domain d;
    float *velocity = vortex_run(&v, &d);
    double largest = 0;
    for (int64_t at = 0; at < 3 * d.n_cell; at++)
        largest = fmax(largest, fabs(velocity[at] - (at % 3 < 2 ? mean : 0)));
    free(velocity);
    domain_free(&d);
    return largest / vortex_size;
}

/* Without the correction the error is of second order, with it of fourth. */
static void vortex_is_carried(void **state) {
    (void)state;
    const double plain[] = {vortex_lag(8, false), vortex_lag(16, false)};
    const double corrected[] = {vortex_lag(8, true), vortex_lag(16, true)};
    printf("vortex of 8 and 16 cells: error of its way %.2f and %.2f %% without correction, %.3f and %.3f %% with it\n",
           100 * plain[0], 100 * plain[1], 100 * corrected[0], 100 * corrected[1]);
    assert_true(plain[0] > 0.04 && log2(plain[0] / plain[1]) < 2.2);
    assert_true(corrected[0] < 0.005 && log2(corrected[0] / corrected[1]) > 3.8);
}

/* The correction is constant between two monitors. With the rate of a run a carried vortex decays; if each monitor
 * replaces the correction (rate 1), it may grow. */
static void carried_vortex_decays(void **state) {
    (void)state;
    const int every[] = {2, 6, 10, 20, 40, 70, 100, 200};
    const double speed[] = {0.05, 0.1, 0.14};
    for (int n = 8; n <= 32; n *= 2)
        for (int k = 0; k < 3; k++) {
            double most = 0, replaced = 0;
            for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
                most = fmax(most, vortex_growth(n, speed[k], every[i], 0));
                replaced = fmax(replaced, vortex_growth(n, speed[k], every[i], 1));
            }
            const double plain = vortex_growth(n, speed[k], 2000, 1);
            printf("vortex of %d cells, velocity %.2f: largest deviation after 2000 steps %.2f with the rate of a run, "
                   "%.2f with rate 1, %.2f without correction\n",
                   n, speed[k], most, replaced, plain);
            assert_true(most < 1);
        }
    assert_true(vortex_growth(16, 0.1, 10, 1) > 2);
}

/* Coarse values keep a steady flow in a limit cycle: with 8 bits the residual of a branching tube stays above 4e-6. */
static void values_are_stored_finely(void **state) {
    (void)state;
    for (float size = 1e-12f; size < 1.9f; size *= 1.0137f)
        for (int sign = -1; sign < 2; sign += 2) {
            const float stored = advection_unpack(advection_pack((float)sign * size));
            assert_true(fabsf(stored - (float)sign * size) <= 0x1p-11f * size + 0x1p-41f);
        }
    const float none[] = {0, -0.0f, 2, -1e30f, INFINITY, -INFINITY, NAN};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        assert_true(advection_unpack(advection_pack(none[k])) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(vortex_is_carried), cmocka_unit_test(carried_vortex_decays),
                                       cmocka_unit_test(values_are_stored_finely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
