/* SPDX-License-Identifier: Apache-2.0 */
/* Collision of cumulants on D3Q27 and quadratic walls: conservation, viscosity of a shear wave, Poiseuille flow between
 * walls at an angle to the grid. */
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
#define LATTICE_Q 27
typedef double real;
#include "solve/kernels/cumulant.h"
#include "solve/kernels/moments.h"
#include "solve/kernels/porous_drag.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/solve_flow.h"

static const double advection[3] = {1e-4, -2e-4, 5e-5}, no_advection[3];

static double next_random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 16777216.0 - 0.5;
}

/* Mass is conserved, and momentum grows by the force. */
static void collision_conserves(void **state) {
    (void)state;
    unsigned seed = 5;
    for (int n = 0; n < 50; n++) {
        const collide_rates r = {.omega_plus = 1.0 + 0.99 * (n / 50.0), .force = {1e-3, -2e-3, 5e-4}};
        const cumulant_rates k = cumulant_rates_of(r.omega_plus);
        double f[27], before[4], after[4];
        for (int a = 0; a < 27; a++)
            f[a] = 0.2 * velocity_set_weight(a) * next_random(&seed);
        before[3] = velocity_set_density(f);
        velocity_set_momentum(f, &before[0], &before[1], &before[2]);
        cumulant_collide(f, &r, &k, 1, advection);
        after[3] = velocity_set_density(f);
        velocity_set_momentum(f, &after[0], &after[1], &after[2]);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(after[a] - before[a] - r.force[a]) < 1e-15);
        assert_true(fabs(after[3] - before[3]) < 1e-15);
    }
}

/* The stress carries the momentum that passes between the cells: without its trace it is the mean of the second moments
 * before and after the collision, less those of the equilibrium and the advection correction, at any velocity. */
static void stress_carries_the_momentum(void **state) {
    (void)state;
    unsigned seed = 7;
    for (int n = 0; n < 50; n++) {
        const collide_rates r = {.omega_plus = 1.0 + 0.99 * (n / 50.0), .force = {1e-3, -2e-3, 5e-4}};
        const cumulant_rates k = cumulant_rates_of(r.omega_plus);
        double f[27], before[6], after[6];
        moments m;
        for (int a = 0; a < 27; a++)
            f[a] = velocity_set_weight(a) * (0.2 * next_random(&seed) + 3 * velocity_set_dot(a, 0.07, -0.06, 0.02));
        moments_velocity(f, &r, &m);
        moments_stress(f, &r, advection, &m);
        velocity_set_flux(f, before);
        cumulant_collide(f, &r, &k, 1, advection);
        velocity_set_flux(f, after);
        double viscous[6], trace[2] = {0, 0};
        for (int i = 0; i < 6; i++)
            viscous[i] = -0.5 * (before[i] + after[i]);
        for (int i = 0; i < 3; i++) {
            viscous[i] += m.u[i] * m.u[i] + advection[i];
            trace[0] += viscous[i] / 3;
            trace[1] += m.stress[i] / 3;
        }
        viscous[3] += m.u[0] * m.u[1];
        viscous[4] += m.u[0] * m.u[2];
        viscous[5] += m.u[1] * m.u[2];
        for (int i = 0; i < 6; i++)
            assert_true(fabs(viscous[i] - m.stress[i] - (i < 3 ? trace[0] - trace[1] : 0)) < 1e-15);
    }
}

/* Density deviation alone is at rest: the collision leaves w rho unchanged. */
static void rest_is_unchanged(void **state) {
    (void)state;
    const collide_rates r = {.omega_plus = 1.9};
    const cumulant_rates k = cumulant_rates_of(r.omega_plus);
    double f[27], worst = 0;
    for (int a = 0; a < 27; a++)
        f[a] = 0.01 * velocity_set_weight(a);
    cumulant_collide(f, &r, &k, 0, no_advection);
    for (int a = 0; a < 27; a++)
        worst = fmax(worst, fabs(f[a] - 0.01 * velocity_set_weight(a)));
    assert_true(worst < 1e-17);
}

/* All rates lie in (0, 2), and a and b are finite, at every viscosity that `solve` uses (tau 0.5005 to 1). The rates of
 * cells with local viscosity are the same. */
static void rates_are_stable(void **state) {
    (void)state;
    for (double tau = 0.5005; tau <= 1; tau += 1e-4) {
        const cumulant_rates k = cumulant_rates_of(1 / tau);
        const double rate[] = {k.third_sum, k.third_difference, k.third_product};
        for (int n = 0; n < 3; n++)
            assert_true(rate[n] > 0 && rate[n] < 2);
        assert_true(fabs(k.a) < 10 && fabs(k.b) < 10);
        const cumulant_rates local = cumulant_rates_local(1 / tau);
        assert_near(local.third_sum, k.third_sum, 1e-13);
        assert_near(local.third_difference, k.third_difference, 1e-13);
        assert_near(local.third_product, k.third_product, 1e-13);
        assert_near(local.a, k.a, 1e-13);
        assert_near(local.b, k.b, 1e-13);
    }
}

/* Without drag a cell of a lattice with porous regions collides as a free cell. */
static void cell_without_drag_is_free(void **state) {
    (void)state;
    unsigned seed = 3;
    for (double tau = 0.505; tau < 1; tau += 0.03) {
        const collide_rates r = {1 / tau, 1, {1e-4, -2e-4, 3e-5}, 0, 0};
        const cumulant_rates k = cumulant_rates_of(r.omega_plus);
        double f[27], g[27];
        for (int a = 0; a < 27; a++)
            g[a] = f[a] = 0.2 * velocity_set_weight(a) * next_random(&seed);
        const collide_rates own = porous_rates(f, 0, &r);
        porous_collide(f, 0, &own, &k, advection);
        cumulant_collide(g, &r, &k, 1, advection);
        for (int a = 0; a < 27; a++)
            assert_near(f[a], g[a], 1e-16);
    }
}

/* Flow along z between two walls whose normal is `along`, driven by a force: error of the velocity in L2, relative. */
static double slab_error(int scale, double tau) {
    const flow_walls c = {{1, 2}, {10 * scale, 5 * scale, 2}, 0.1 * scale + 0.03, 3.9 * scale, 0.13};
    const double nu = (tau - 0.5) / 3, width = c.high - c.low, peak = 0.02, force = 8 * nu * peak / (width * width);
    lattice l = flow_walls_corners(&c);
    domain d;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_QUADRATIC, NULL, &d), OK);
    backend_settings s = flow_settings(tau, false, BACKEND_DOUBLE, force);
    s.cumulant = true;
    backend *b = NULL;
    assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, 2 * (int)(3 * width * width / nu / 2), NULL), OK);
    float *u = malloc(3 * (size_t)d.n_cell * sizeof *u);
    assert_non_null(u);
    assert_int_equal(backend_cpu.moments(b, NULL, u, NULL), OK);
    double off = 0, all = 0;
    for (int64_t k = 0; k < d.n_cell; k++) {
        double p[3];
        lattice_centre_mm(&l, d.stored[k], p);
        const double x = flow_walls_place(&c, p) - c.low, exact = 4 * peak * x * (width - x) / (width * width);
        off += pow(u[3 * k + 2] - exact, 2);
        all += exact * exact;
    }
    free(u);
    backend_cpu.destroy(b);
    domain_free(&d);
    lattice_free(&l);
    return sqrt(off / all);
}

static void oblique_slab_is_accurate(void **state) {
    (void)state;
    const double tau[] = {0.52, 0.6, 0.9}, limit[] = {0.02, 0.01, 0.04}; /* the slip of the wall grows with tau */
    for (int k = 0; k < 3; k++) {
        const double coarse = slab_error(2, tau[k]), fine = slab_error(4, tau[k]), order = log2(coarse / fine);
        printf("slab along 1 2 0, tau %.2f: error %.3f %% and %.3f %%, order %.2f\n", tau[k], 100 * coarse, 100 * fine,
               order);
        assert_true(coarse < limit[k] && fine < 0.3 * limit[k]);
        assert_true(order > 1.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collision_conserves),       cmocka_unit_test(stress_carries_the_momentum),
        cmocka_unit_test(rest_is_unchanged),         cmocka_unit_test(rates_are_stable),
        cmocka_unit_test(cell_without_drag_is_free), cmocka_unit_test(oblique_slab_is_accurate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
