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
typedef float real;
#include "solve/kernels/advection.h"
#include "tests/unit/solve/solve_flow.h"

/* A vortex of wavelength n cells along x and y is carried by a uniform velocity along x and y. Returns the error of the
 * distance that it moves in one wavelength, relative. */
static double vortex_lag(int n, bool corrected) {
    const double tau = 0.52, mean = 0.05, size = 1e-3, k = 2 * M_PI / n;
    const flow_walls c = {{0, 0}, {n, n, 2}, -1, 1e9, 0}; /* no wall */
    lattice l = flow_walls_corners(&c);
    domain d;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_QUADRATIC, NULL, &d), OK);
    backend_settings s = flow_settings(tau, false, BACKEND_DOUBLE, 0);
    s.cumulant = true;
    backend *b = NULL;
    assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
    state_fields f;
    assert_int_equal(state_fields_create(&f, d.n_cell), OK);
    for (int64_t at = 0; at < d.n_cell; at++) {
        const double x = k * d.position[3 * at], y = k * d.position[3 * at + 1];
        f.density[at] = 0;
        f.velocity[3 * at] = (float)(mean + size * cos(x) * sin(y));
        f.velocity[3 * at + 1] = (float)(mean - size * sin(x) * cos(y));
        f.velocity[3 * at + 2] = 0;
        memset(f.stress + 6 * at, 0, 6 * sizeof *f.stress);
    }
    double *slots = malloc(27 * (size_t)d.n_cell * sizeof *slots), kept;
    assert_non_null(slots);
    assert_int_equal(state_slots(&d, &s, &f, NULL, 0, slots, &kept), OK);
    assert_int_equal(backend_cpu.write(b, slots, &kept), OK);
    backend_monitor m;
    const int steps = (int)(n / mean / 2) * 2;
    for (int step = 0; step < steps; step += 2) {
        if (corrected)
            assert_int_equal(backend_cpu.monitor(b, &m), OK);
        assert_int_equal(backend_cpu.step(b, 2, NULL), OK);
    }
    assert_int_equal(backend_cpu.moments(b, NULL, f.velocity, NULL), OK);
    /* after a way of p / k along x and y, u_x - mean has the part sin(x + y - 2 p) / 2; p is 2 pi without error */
    double along = 0, across = 0;
    for (int64_t at = 0; at < d.n_cell; at++) {
        const double x = k * d.position[3 * at], y = k * d.position[3 * at + 1];
        along += f.velocity[3 * at] * sin(x + y);
        across += f.velocity[3 * at] * cos(x + y);
    }
    free(slots);
    state_fields_free(&f);
    backend_cpu.destroy(b);
    domain_free(&d);
    lattice_free(&l);
    return fabs(atan2(-across, along) / 2) / (2 * M_PI);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(vortex_is_carried), cmocka_unit_test(values_are_stored_finely)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
