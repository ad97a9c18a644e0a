/* SPDX-License-Identifier: Apache-2.0 */
/* Force-driven flow in a pipe against the exact solution (Hagen-Poiseuille): order of accuracy, off-centre, at angles
 * to the grid. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "solve/core/scale.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/periodic_pipe.h"
#include "tests/unit/solve/solve_flow.h"

typedef struct {
    double velocity, flow, stress; /* relative errors: L2, of the sum, L2 */
} pipe_errors;

enum { TRT, REGULARIZED };

static pipe_errors pipe_run(const pipe_case *c, int across, int wall, double tau, int collision) {
    double axis[3], n[3];
    lattice l = pipe_lattice(c, across, false, axis, n);
    domain d;
    backend *b;
    assert_int_equal(domain_create(&l, wall, NULL, &d), OK);
    const double nu = (tau - 0.5) / 3, radius = across / 2.0, peak = 0.8 / across,
                 force = peak * 4 * nu / (radius * radius);
    backend_settings s = flow_settings(tau, false, BACKEND_DOUBLE, 0);
    s.forced = true;
    s.regularized = collision == REGULARIZED;
    if (s.regularized) {
        s.omega_minus = 0.5;
        s.fourth = 1;
    }
    for (int k = 0; k < 3; k++)
        s.force[k] = force * n[k];
    assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
    const int count = 2 * (int)(0.5 * 2.5 * radius * radius / nu); /* the slowest mode has decayed by e^-14 */
    assert_int_equal(backend_cpu.step(b, count, NULL), OK);
    float *u = malloc(3 * (size_t)d.n_cell * sizeof *u), *sigma = malloc(6 * (size_t)d.n_cell * sizeof *sigma);
    assert_true(u && sigma);
    assert_int_equal(backend_cpu.moments(b, NULL, u, sigma), OK);
    double error = 0, square = 0, flow = 0, exact_flow = 0, stress_error = 0, stress_square = 0;
    for (int64_t k = 0; k < d.n_cell; k++) {
        double r[3] = {0}, traction[3], along = 0;
        const double distance = axis_vector(&l, axis, n, d.position + 3 * k, r);
        const double exact = peak * (1 - distance * distance / (radius * radius));
        for (int i = 0; i < 3; i++) {
            error += pow(u[3 * k + i] - exact * n[i], 2);
            flow += u[3 * k + i] * n[i];
        }
        square += exact * exact;
        exact_flow += exact;
        if (wall == DOMAIN_WALL_VLBM || distance > radius - 2 || distance < 1)
            continue;
        const float *t = sigma + 6 * k;
        for (int i = 0; i < 3; i++)
            r[i] /= distance;
        traction[0] = t[0] * r[0] + t[3] * r[1] + t[4] * r[2];
        traction[1] = t[3] * r[0] + t[1] * r[1] + t[5] * r[2];
        traction[2] = t[4] * r[0] + t[5] * r[1] + t[2] * r[2];
        for (int i = 0; i < 3; i++)
            along += traction[i] * n[i];
        const double exact_stress = -2 * nu * peak * distance / (radius * radius);
        stress_error += pow(along - exact_stress, 2);
        stress_square += exact_stress * exact_stress;
    }
    free(u);
    free(sigma);
    backend_cpu.destroy(b);
    domain_free(&d);
    lattice_free(&l);
    return (pipe_errors){sqrt(error / square), flow / exact_flow - 1,
                         stress_square > 0 ? sqrt(stress_error / stress_square) : 0};
}

static void interpolated_is_second_order(void **state) {
    (void)state;
    pipe_errors e[3];
    for (int k = 0; k < 3; k++) {
        e[k] = pipe_run(&straight, 16 << k, DOMAIN_WALL_INTERPOLATED, 0.8, TRT);
        printf("interpolated, %2d cells across: velocity %.4f %%, flow %+.4f %%, stress %.4f %%\n", 16 << k,
               100 * e[k].velocity, 100 * e[k].flow, 100 * e[k].stress);
    }
    const double order = log2(e[0].velocity / e[2].velocity) / 2;
    printf("order %.2f\n", order);
    assert_true(order >= 1.8);
    assert_true(e[1].velocity <= 0.003 && fabs(e[1].flow) <= 0.003 && e[1].stress <= 0.01);
}

static void interpolated_at_angles(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        pipe_errors coarse = pipe_run(&angled[k], 16, DOMAIN_WALL_INTERPOLATED, 0.8, TRT),
                    fine = pipe_run(&angled[k], 32, DOMAIN_WALL_INTERPOLATED, 0.8, TRT);
        printf("along %d %d %d: velocity %.4f %% at 16, %.4f %% at 32, flow %+.4f %%\n", angled[k].along[0],
               angled[k].along[1], angled[k].along[2], 100 * coarse.velocity, 100 * fine.velocity, 100 * fine.flow);
        assert_true(fine.velocity <= 0.003);
        assert_true(log2(coarse.velocity / fine.velocity) >= 1.8);
    }
}

/* A round pipe lacks 8 / R^2 of scale_slip: what the profile at an inlet allows for. */
static void slip_of_the_walls(void **state) {
    (void)state;
    const pipe_case centred = {{0, 0, 1}, {20, 20, 2}, {0, 0}};
    const scale s = {.tau = 0.52, .omega_minus = 0.5, .regularized = true, .fourth = 1};
    const double expected = -8 * scale_slip(&s) / 64;
    for (int k = 0; k < 2; k++) {
        const pipe_errors e = pipe_run(k ? &straight : &centred, 16, DOMAIN_WALL_INTERPOLATED, s.tau, REGULARIZED);
        printf("regularized, 16 cells across: flow %+.2f %%, by the slip %+.2f %%\n", 100 * e.flow, 100 * expected);
        assert_near(e.flow, expected, 0.4 * -expected);
    }
}

/* Regularized, walls at an angle add a friction that does not fall with the viscosity: half of what they add where the
 * third moments are forgotten (-4.2 % here). */
static void slanted_walls_of_small_viscosity(void **state) {
    (void)state;
    const pipe_errors e = pipe_run(&angled[0], 10, DOMAIN_WALL_INTERPOLATED, 0.51, REGULARIZED);
    printf("regularized, 10 cells across, tau 0.51, at an angle: flow %+.2f %%\n", 100 * e.flow);
    assert_true(fabs(e.flow) < 0.03);
}

/* First order, the wall about 0.35 cells inside: what the published method does. */
static void vlbm_is_first_order(void **state) {
    (void)state;
    pipe_errors e[2];
    for (int k = 0; k < 2; k++) {
        e[k] = pipe_run(&straight, 16 << k, DOMAIN_WALL_VLBM, 0.6, TRT);
        printf("vlbm, %2d cells across: velocity %.2f %%, flow %+.2f %%\n", 16 << k, 100 * e[k].velocity,
               100 * e[k].flow);
    }
    const double order = log2(e[0].velocity / e[1].velocity);
    printf("order %.2f\n", order);
    assert_true(order > 0.7 && order < 1.3);
    assert_true(e[1].flow < -0.05 && e[1].flow > -0.12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(interpolated_is_second_order),
                                       cmocka_unit_test(interpolated_at_angles), cmocka_unit_test(vlbm_is_first_order),
                                       cmocka_unit_test(slip_of_the_walls),
                                       cmocka_unit_test(slanted_walls_of_small_viscosity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
