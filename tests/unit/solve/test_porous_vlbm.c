/* SPDX-License-Identifier: Apache-2.0 */
/* Porous regions with partly solid cells (wall vlbm) against exact solutions of the Darcy-Brinkman equation.
 * Lengths in cells; u: velocity, G: acceleration, nu: viscosity, K: permeability, P: solid fraction. A flow is the sum
 * of (1 - P) u over the cells of a cross-section. */
#include "tests/unit/near.h"
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "tests/unit/solve/solve_flow.h"
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double FORCE = 1e-6;

static double viscosity(double tau) {
    return (tau - 0.5) / 3;
}

typedef struct {
    double permeability, tau, along[3]; /* along: unit vector, direction of the acceleration FORCE */
    int first, last, steps;             /* cells with first <= z <= last are porous */
    bool regularized;
} porous_run;

/* Runs a lattice; returns the sum of (1 - P) u along the acceleration over all cells. Frees l. d, density [n_cell]: out
 * if not NULL; the caller frees them. */
static double porous_flow(lattice *l, const porous_run *run, domain *d, float **density) {
    domain own;
    backend *b;
    double factor = 0, flow = 0;
    backend_settings s = flow_settings(run->tau, false, BACKEND_DOUBLE, 0);
    for (int a = 0; a < 3; a++)
        s.force[a] = FORCE * run->along[a];
    s.forced = true;
    s.regularized = run->regularized;
    s.omega_minus = run->regularized ? 1 : s.omega_minus;
    for (int64_t k = 0; k < l->n_cell; k++)
        l->region[k] = l->cell[3 * k + 2] >= run->first && l->cell[3 * k + 2] <= run->last;
    assert_int_equal(domain_create(l, DOMAIN_WALL_VLBM, NULL, &own), OK);
    porous_walls(porous_volumes_of(l), 1, &run->permeability, &own, &factor);
    assert_true(factor == 1);
    const porous_media media = {.drag = {0, factor * viscosity(run->tau) / run->permeability}};
    s.porous = &media;
    assert_int_equal(backend_cpu.create(&own, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, run->steps, NULL), OK);
    float *velocity = malloc(3 * (size_t)own.n_cell * sizeof *velocity),
          *rho = malloc((size_t)own.n_cell * sizeof *rho);
    assert_true(velocity && rho);
    assert_int_equal(backend_cpu.moments(b, rho, velocity, NULL), OK);
    for (int64_t k = 0; k < own.n_cell; k++)
        for (int a = 0; a < 3; a++)
            flow += (double)own.fluid[k] * (double)velocity[3 * k + a] * run->along[a];
    free(velocity);
    backend_cpu.destroy(b);
    lattice_free(l);
    if (d) {
        *d = own;
        *density = rho;
        return flow;
    }
    free(rho);
    domain_free(&own);
    return flow;
}

/* Even number of steps after which a flow of half-width or radius `half` is steady. */
static int steps_needed(double half, double permeability, double tau) {
    return 2 * (int)(3 * fmin(half * half, 3 * permeability) / viscosity(tau)) + 400;
}

/* ---------------------------------------------------------------------------------------------------------- channel */

/* Mean of u nu / (G K) in a channel of half-width x sqrt(K). */
static double channel_mean(double x) {
    return 1 - tanh(x) / x;
}

/* Relative error of the flow of a channel with the walls at x = 2 + part and x = 2 + part + 2 half. */
static double channel_error(double half, double part, double permeability, double tau, bool regularized) {
    const int wide = (int)ceil(2 * half) + 4;
    const shape walls = {.kind = SHAPE_CHANNEL, .a = {2 + part + half - 0.5, 0, 0}, .b = {2 + part - 0.5, 0, 0}};
    lattice l = flow_lattice(&walls, (int[3]){wide, 2, 2}, (bool[3]){false, true, true}, 1);
    const porous_run run = {.permeability = permeability,
                            .tau = tau,
                            .along = {0, 1, 0},
                            .last = INT_MAX,
                            .steps = steps_needed(half, permeability, tau),
                            .regularized = regularized};
    const double flow = porous_flow(&l, &run, NULL, NULL);
    return flow / 4 / (2 * half * FORCE * permeability / viscosity(tau) * channel_mean(half / sqrt(permeability))) - 1;
}

enum { WIDEST = 70 }; /* cells across a channel */

/* Solves the n equations row[k][0 .. n - 1] . x = row[k][n]; x replaces row[k][n]. */
static void equations_solve(int n, double row[2 * WIDEST][2 * WIDEST + 1]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            const double part = i == k ? 0 : row[i][k] / row[k][k];
            for (int j = k; j <= n && part != 0; j++)
                row[i][j] -= part * row[k][j];
        }
    for (int k = 0; k < n; k++)
        row[k][n] /= row[k][k];
}

/* Error of the flow of the channel, predicted from the steady equations of the scheme. At cell i with the fluid part
 * m[i]: u, q = sum of e_x e_y f, F = G - s u. Sums of e_y f over the directions with e_x = 1 (R) and e_x = -1 (L):
 *   before the collision (u / 3 + a F +- q) / 2, after it (u / 3 + (a + 1) F +- (1 - omega_plus) q) / 2
 * with a of kernels/porous_drag.h. R before = (1 - theta) R after of cell i - 1 - theta L after of cell i, eq. 14, with
 * theta = max(0, 1 - m[i - 1] / m[i]); L likewise from cell i + 1. Unknowns: u of cell i is 2 i, q is 2 i + 1. */
static double channel_predicted(double half, double part, double permeability, double tau) {
    static double row[2 * WIDEST][2 * WIDEST + 1];
    double m[WIDEST + 2] = {0}, flow = 0;
    const double omega_plus = 1 / tau, odd = 4 * (2 - omega_plus) / (4 + omega_plus), a = -(2 / (3 * odd) + 1.0 / 6);
    const double s = viscosity(tau) / permeability;
    const int wide = (int)ceil(2 * half + part);
    for (int i = 1; i <= wide; i++)
        m[i] = fmin(i, part + 2 * half) - fmax(i - 1, part);
    memset(row, 0, sizeof row);
    for (int i = 1; i <= wide; i++)
        for (int side = 0; side < 2; side++) { /* side 0: R from cell i - 1, 1: L from cell i + 1 */
            const int from = side ? i + 1 : i - 1, sign = side ? -1 : 1, n = 2 * wide;
            const double theta = fmax(0, 1 - m[from] / m[i]);
            double *to = row[2 * (i - 1) + side], *own = to + 2 * (i - 1), *other = to + 2 * (from - 1);
            const double after = 1.0 / 3 - (a + 1) * s;
            own[0] += 1.0 / 3 - a * s + theta * after;
            own[1] += sign - theta * sign * (1 - omega_plus);
            to[n] -= a + theta * (a + 1);
            if (theta < 1) {
                other[0] -= (1 - theta) * after;
                other[1] -= (1 - theta) * sign * (1 - omega_plus);
                to[n] += (1 - theta) * (a + 1);
            }
        }
    equations_solve(2 * wide, row);
    for (int i = 1; i <= wide; i++)
        flow += m[i] * row[2 * (i - 1)][2 * wide];
    return flow * viscosity(tau) / (2 * half * permeability * channel_mean(half / sqrt(permeability))) - 1;
}

static void channel(void **state) {
    (void)state;
    for (int m = 0; m < 3; m++)
        for (double da = 1e-1; da > 5e-5; da /= 10) {
            const double half = m < 2 ? 8 : 16, k = da * half * half, tau = m == 1 ? 0.8 : 0.55;
            printf("channel Da %.0e, half-width %2.0f, tau %.2f: error of the flow", da, half, tau);
            for (double part = 0; part < 0.6; part += 0.25) { /* P has steps of 1/8 */
                const double e = channel_error(half, part, k, tau, m == 0);
                printf(" %+.3f %%", 100 * e);
                assert_near(e, channel_predicted(half, part, k, tau), 1e-7);
                assert_true(fabs(e) < 0.75 / half);
            }
            printf("\n");
        }
}

/* ------------------------------------------------------------------------------------------------------------- pipe */

static double pipe_distance(const void *data, const double p[3]) {
    return hypot(p[0] - 0.2, p[1] - 0.3) - *(const double *)data;
}

/* Modified Bessel function I_n over exp(x), by its integral. */
static double bessel(int n, double x) {
    double sum = 0;
    enum { N = 2000 };
    for (int k = 0; k < N; k++) {
        const double t = M_PI * (k + 0.5) / N;
        sum += exp(x * (cos(t) - 1)) * cos(n * t) / N;
    }
    return sum;
}

/* Mean of u nu / (G K) in a pipe of radius x sqrt(K). */
static double pipe_mean(double x) {
    return 1 - 2 * bessel(1, x) / (x * bessel(0, x));
}

static double pipe_error(double radius, double permeability, double tau, bool regularized) {
    voxelize_input in = {.distance = pipe_distance, .data = &radius, .spacing_mm = 1};
    lattice l;
    assert_int_equal(
        voxelize_box(&in, (double[3]){-radius - 2, -radius - 2, 0}, (double[3]){radius + 2, radius + 2, 2}), OK);
    in.periodic[2] = true;
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    const int length = l.dims[2];
    const porous_run run = {.permeability = permeability,
                            .tau = tau,
                            .along = {0, 0, 1},
                            .last = INT_MAX,
                            .steps = steps_needed(radius, permeability, tau),
                            .regularized = regularized};
    const double flow = porous_flow(&l, &run, NULL, NULL);
    const double darcy = M_PI * radius * radius * FORCE * permeability / viscosity(tau);
    return flow / length / (darcy * pipe_mean(radius / sqrt(permeability))) - 1;
}

/* First order; the error falls with tau. Below K = 1 the wall layer of thickness sqrt(K) is thinner than a cell, and
 * the flow is too large. */
static void pipe(void **state) {
    (void)state;
    for (double tau = 0.55; tau < 0.9; tau += 0.25)
        for (double da = 1e-1; da > 5e-6; da /= 10) {
            const double e[2] = {pipe_error(8, da * 64, tau, false), pipe_error(16, da * 256, tau, true)};
            printf("pipe Da %.0e, tau %.2f, radius 8 16: error of the flow %+.3f %+.3f %%\n", da, tau, 100 * e[0],
                   100 * e[1]);
            assert_true(fabs(e[0]) < 1.1 / 8 && fabs(e[1]) < 1.15 / 16);
            if (da > 0.05)
                assert_true(log2(e[0] / e[1]) > 0.7);
            if (da < 2e-5) /* Darcy flow through the whole lumen, but for the layer */
                assert_true(e[0] > 0 && e[0] < 2 * sqrt(da));
        }
}

/* ------------------------------------------------------------------------------------------------------------- plug */

enum { LENGTH = 14, PLUG_FROM = 3, PLUG_TO = 10 }; /* cells along z; first and last porous layer */

/* Relative error of the pressure gradient in a porous plug of a periodic pipe. */
static double plug_error(double radius, double permeability, double tau) {
    voxelize_input in = {.distance = pipe_distance, .data = &radius, .spacing_mm = 1};
    lattice l;
    double pressure[LENGTH] = {0}, n = 0;
    assert_int_equal(
        voxelize_box(&in, (double[3]){-radius - 2, -radius - 2, 0}, (double[3]){radius + 2, radius + 2, LENGTH}), OK);
    in.periodic[2] = true;
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    assert_int_equal(l.dims[2], LENGTH);
    const porous_run run = {.permeability = permeability,
                            .tau = tau,
                            .along = {0, 0, 1},
                            .first = PLUG_FROM,
                            .last = PLUG_TO,
                            .steps = 6000};
    float *density = NULL;
    domain d;
    const double flow = porous_flow(&l, &run, &d, &density) / LENGTH;
    for (int64_t k = 0; k < d.n_cell; k++) {
        const int z = d.position[3 * k + 2];
        pressure[z] += (double)density[k] / 3;
        n += z == 6;
    }
    free(density);
    domain_free(&d);
    const double slope = (pressure[5] - pressure[8]) / (3 * n) + FORCE;
    return slope * M_PI * radius * radius * permeability * pipe_mean(radius / sqrt(permeability)) /
               (viscosity(tau) * flow) -
           1;
}

static void plug(void **state) {
    (void)state;
    for (double permeability = 1; permeability > 5e-4; permeability /= 10) {
        const double e = plug_error(9.7, permeability, 0.8);
        printf("plug in a pipe, K %.0e: error of the pressure gradient %+.3f %%\n", permeability, 100 * e);
        assert_true(fabs(e) < 0.03);
    }
}

/* ---------------------------------------------------------------------------------------------------------- oblique */

/* Relative error of the flow of a channel at an angle to the grid; its walls are at x = +- half along `across`. */
static double oblique_error(const int across[2], const int size[2], double half, double permeability, double tau) {
    const flow_walls w = {
        .along = {across[0], across[1]}, .size = {size[0], size[1], 2}, .low = -half, .high = half, .shift = 0.37};
    double n[2], volume = 0;
    flow_walls_normal(&w, n);
    lattice l = flow_walls_lattice(&w);
    for (int64_t k = 0; k < l.n_cell; k++)
        volume += lattice_fluid_part(&l, k);
    const porous_run run = {.permeability = permeability,
                            .tau = tau,
                            .along = {-n[1], n[0], 0},
                            .last = INT_MAX,
                            .steps = 3 * steps_needed(half, permeability, tau) / 2 * 2};
    const double darcy = volume * FORCE * permeability / viscosity(tau);
    return porous_flow(&l, &run, NULL, NULL) / (darcy * channel_mean(half / sqrt(permeability))) - 1;
}

static void oblique(void **state) {
    (void)state;
    for (double da = 1e-1; da > 5e-6; da /= 10)
        for (int m = 1; m < 3; m++) {
            const double half = 6.3 * m, k = da * half * half;
            const double e[2] = {oblique_error((int[2]){1, 1}, (int[2]){24 * m, 24 * m}, half, k, 0.8),
                                 oblique_error((int[2]){1, 2}, (int[2]){40 * m, 20 * m}, half, k, 0.8)};
            printf("oblique channel Da %.0e, half-width %4.1f, 45 and 27 degrees: error of the flow %+.3f %+.3f %%\n",
                   da, half, 100 * e[0], 100 * e[1]);
            for (int n = 0; n < 2; n++)
                assert_true(fabs(e[n]) < 0.35 / half);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(channel), cmocka_unit_test(pipe), cmocka_unit_test(plug),
                                       cmocka_unit_test(oblique)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
