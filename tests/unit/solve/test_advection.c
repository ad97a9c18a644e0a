/* SPDX-License-Identifier: Apache-2.0 */
/* Advection correction of D3Q27 (kernels/advection.h): a vortex that a uniform flow carries oblique to the axes, and
 * noise. */
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

/* A deviation that a uniform flow carries through a periodic box of n x n x depth cells: a vortex of wavelength n along
 * x and y, or noise. every: steps between two monitors, 0: no correction. rate: backend_settings.advection_rate. */
typedef struct {
    int n, depth, steps, every;
    double tau, mean[3], rate;
    bool noise;
} carried;

static const double deviation_size = 1e-3; /* largest deviation at the start */

/* Velocity after the steps, [n_cell][3], and the positions of the cells in `d`. The caller frees both. */
static float *carry(const carried *v, domain *d) {
    const double k = 2 * M_PI / v->n;
    const flow_walls c = {{0, 0}, {v->n, v->n, v->depth}, -1, 1e9, 0}; /* no wall */
    lattice l = flow_walls_corners(&c);
    assert_int_equal(domain_create(&l, DOMAIN_WALL_QUADRATIC, NULL, d), OK);
    backend_settings s = flow_settings(v->tau, false, BACKEND_DOUBLE, 0);
    s.cumulant = true;
    s.advection_rate = v->rate;
    backend *b = NULL;
    assert_int_equal(backend_cpu.create(d, &s, &b), OK);
    state_fields f;
    uint32_t seed = 1;
    assert_int_equal(state_fields_create(&f, d->n_cell), OK);
    for (int64_t at = 0; at < d->n_cell; at++) {
        const double x = k * d->position[3 * at], y = k * d->position[3 * at + 1];
        const double around[] = {cos(x) * sin(y), -sin(x) * cos(y), 0};
        f.density[at] = 0;
        for (int a = 0; a < 3; a++) {
            seed = seed * 1664525u + 1013904223u;
            const double deviation = v->noise ? seed / 2147483648.0 - 1 : around[a];
            f.velocity[3 * at + a] = (float)(v->mean[a] + deviation_size * deviation);
        }
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
    const carried v = {.n = n,
                       .depth = 2,
                       .tau = 0.52,
                       .mean = {0.05, 0.05},
                       .steps = (int)(n / 0.05 / 2) * 2,
                       .every = corrected ? 2 : 0,
                       .rate = 1};
    const double k = 2 * M_PI / n;
    domain d;
    float *velocity = carry(&v, &d);
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

/* Largest deviation from the mean velocity after the steps, over the initial one. */
static double growth(const carried *v) {
    domain d;
    float *velocity = carry(v, &d);
    double largest = 0;
    for (int64_t at = 0; at < 3 * d.n_cell; at++)
        largest = fmax(largest, fabs(velocity[at] - v->mean[at % 3]));
    free(velocity);
    domain_free(&d);
    return largest / deviation_size;
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
 * replaces the correction (rate 1), it may grow. Cell Reynolds number 50. */
static void carried_vortex_decays(void **state) {
    (void)state;
    const int every[] = {2, 10, 40, 100, 200};
    for (int n = 8; n <= 16; n *= 2)
        for (double speed = 0.05; speed < 0.16; speed += 0.05) {
            const double viscosity = speed / 50;
            carried v = {.n = n, .depth = 2, .steps = 2000, .tau = 0.5 + 3 * viscosity, .mean = {speed, speed}};
            for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
                v.every = every[i];
                v.rate = run_advection_rate(v.every, viscosity);
                const double most = growth(&v);
                printf(
                    "vortex of %d cells, velocity %.2f, monitors every %d steps, rate %.3f: deviation %.2f after 2000 "
                    "steps\n",
                    n, speed, v.every, v.rate, most);
                assert_true(most < 1);
            }
        }
    const carried replaced = {
        .n = 16, .depth = 2, .steps = 2000, .every = 10, .tau = 0.506, .mean = {0.1, 0.1}, .rate = 1};
    assert_true(growth(&replaced) > 2);
}

/* Noise has waves of all directions, also those nearly perpendicular to the flow, which run_advection_rate does not
 * bound. At cell Reynolds number 60 it decays as without correction. At 120 it may grow, but too slowly to matter in
 * a vessel, which the flow crosses in some thousand steps. */
static void carried_noise_decays(void **state) {
    (void)state;
    const double direction[][3] = {{0.7, -0.7, 0.14}, {0.72, -0.57, 0.36}};
    for (int k = 0; k < 2; k++)
        for (int cell_reynolds = 60; cell_reynolds <= 120; cell_reynolds += 60) {
            const double viscosity = 0.1 / cell_reynolds;
            carried v = {.n = 12, .depth = 12, .steps = 4000, .tau = 0.5 + 3 * viscosity, .noise = true};
            for (int a = 0; a < 3; a++)
                v.mean[a] = 0.1 * direction[k][a];
            const double plain = growth(&v);
            v.every = 100;
            v.rate = run_advection_rate(v.every, viscosity);
            const double corrected = growth(&v);
            v.rate = 1;
            const double replaced = growth(&v);
            printf(
                "noise, cell Reynolds number %d: deviation %.3f without correction, %.3f with it, %.2f with rate 1\n",
                cell_reynolds, plain, corrected, replaced);
            assert_true(corrected < (cell_reynolds == 60 ? 1.1 : 4) * plain);
            assert_true(cell_reynolds == 60 || replaced > 2);
        }
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
                                       cmocka_unit_test(carried_noise_decays),
                                       cmocka_unit_test(values_are_stored_finely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
