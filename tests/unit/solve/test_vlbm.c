/* SPDX-License-Identifier: Apache-2.0 */
/* The published volumetric boundary: our link form against the particle-number form of shang2023, eqs. 5 and 6. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/solve/solve_flow.h"

static const double weight[19] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

/* Particle numbers n [box][19], P [box] (1 where there is no cell), one step of the paper with tau; periodic box. */
static void textbook_step(const int dims[3], const double *P, double *n, double *after, double tau) {
    const int cells = dims[0] * dims[1] * dims[2];
    for (int c = 0; c < cells; c++) {
        double rho = 0, u[3] = {0};
        if (P[c] == 1)
            continue;
        for (int a = 0; a < 19; a++) {
            rho += n[19 * c + a] / (1 - P[c]);
            for (int k = 0; k < 3; k++)
                u[k] += lattice_e[a][k] * n[19 * c + a] / (1 - P[c]);
        }
        for (int a = 0; a < 19; a++) {
            const double eu = lattice_e[a][0] * u[0] + lattice_e[a][1] * u[1] + lattice_e[a][2] * u[2];
            const double eq = (1 - P[c]) * weight[a] *
                              (rho + 3 * eu + 4.5 * eu * eu - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]));
            after[19 * c + a] = n[19 * c + a] - (n[19 * c + a] - eq) / tau;
        }
    }
    for (int c = 0; c < cells; c++) { /* c receives along a from b */
        const int x = c % dims[0], y = c / dims[0] % dims[1], z = c / dims[0] / dims[1];
        for (int a = 0; P[c] < 1 && a < 19; a++) {
            const int b =
                ((z - lattice_e[a][2] + dims[2]) % dims[2] * dims[1] + (y - lattice_e[a][1] + dims[1]) % dims[1]) *
                    dims[0] +
                (x - lattice_e[a][0] + dims[0]) % dims[0];
            if (P[c] >= P[b])
                n[19 * c + a] = (1 - P[c]) / (1 - P[b]) * after[19 * b + a];
            else
                n[19 * c + a] = (P[b] < 1 ? after[19 * b + a] : 0) +
                                (P[b] - P[c]) / (1 - P[c]) * after[19 * c + lattice_opposite(a)];
        }
    }
}

static int place_of(const domain *d, const int dims[3], int64_t cell) {
    const int *at = &d->position[3 * cell];
    return (at[2] * dims[1] + at[1]) * dims[0] + at[0];
}

/* Solid fractions P [cells] and particle numbers n [cells][19] of what the cells receive. */
static void numbers_from(const lattice *l, const domain *d, const int dims[3], const double *slots, const double *kept,
                         double *P, double *n) {
    const int cells = dims[0] * dims[1] * dims[2];
    for (int c = 0; c < cells; c++)
        P[c] = 1;
    for (int64_t k = 0; k < d->n_cell; k++) {
        const int c = place_of(d, dims, k);
        P[c] = l->solid[k] / 512.0;
        for (int a = 0; a < 19; a++)
            n[19 * c + a] = slots[a * d->n_cell + k];
    }
    for (int64_t k = 0; k < d->n_partial; k++) {
        double *value = &n[19 * place_of(d, dims, d->partial[k].cell) + d->partial[k].dir];
        *value = (1 - d->partial[k].theta) * *value + kept[k];
    }
    for (int c = 0; c < cells; c++)
        for (int a = 0; a < 19; a++)
            n[19 * c + a] *= 1 - P[c];
}

static void equal_to_particle_numbers(void **state) {
    (void)state;
    const int dims[3] = {7, 6, 5}, cells = 7 * 6 * 5, steps = 6;
    const double tau = 0.8;
    lattice l = flow_random_solids(dims, true, 7);
    domain d;
    backend *b;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_VLBM, NULL, &d), OK);
    const backend_settings settings = flow_settings(tau, true, BACKEND_DOUBLE, 0);
    assert_int_equal(backend_cpu.create(&d, &settings, &b), OK);
    flow_randomise(&backend_cpu, b, &d, BACKEND_DOUBLE, 0.01, 3);
    double *slots = malloc(19 * (size_t)d.n_cell * sizeof *slots),
           *kept = calloc((size_t)d.n_partial + 1, sizeof *kept);
    double *P = malloc((size_t)cells * sizeof *P), *n = calloc(19 * (size_t)cells, sizeof *n),
           *after = calloc(19 * (size_t)cells, sizeof *after);
    assert_true(slots && kept && P && n && after);
    /* Random slots with kept = 0 are no state of the paper (a kept value belongs to each partial link), so one pair of
     * steps is made first and the paper starts from what the cells then receive. */
    assert_int_equal(backend_cpu.step(b, 2, NULL), OK);
    assert_int_equal(backend_cpu.read(b, slots, kept), OK);
    numbers_from(&l, &d, dims, slots, kept, P, n);
    for (int s = 0; s < steps; s++)
        textbook_step(dims, P, n, after, tau);
    assert_int_equal(backend_cpu.step(b, steps, NULL), OK);
    float *density = malloc((size_t)d.n_cell * sizeof *density),
          *velocity = malloc(3 * (size_t)d.n_cell * sizeof *velocity);
    assert_true(density && velocity);
    assert_int_equal(backend_cpu.moments(b, density, velocity, NULL), OK);
    for (int64_t k = 0; k < d.n_cell; k++) {
        const int c = place_of(&d, dims, k);
        double rho = 0, u[3] = {0};
        for (int a = 0; a < 19; a++) {
            rho += n[19 * c + a] / (1 - P[c]);
            for (int i = 0; i < 3; i++)
                u[i] += lattice_e[a][i] * n[19 * c + a] / (1 - P[c]);
        }
        assert_true(fabs(rho - density[k]) < 2e-8); /* the outputs are float */
        for (int i = 0; i < 3; i++)
            assert_true(fabs(u[i] - velocity[3 * k + i]) < 2e-8);
    }
    free(slots);
    free(kept);
    free(P);
    free(n);
    free(after);
    free(density);
    free(velocity);
    backend_cpu.destroy(b);
    domain_free(&d);
    lattice_free(&l);
}

/* sum (1-P) f is constant to rounding, in a closed box and a periodic one, on random populations. */
static void mass_is_kept(void **state) {
    (void)state;
    const int dims[3] = {9, 8, 7};
    for (int periodic = 0; periodic < 2; periodic++) {
        lattice l = flow_random_solids(dims, periodic, 11);
        domain d;
        backend *b;
        backend_monitor before = {0}, after = {0};
        assert_int_equal(domain_create(&l, DOMAIN_WALL_VLBM, NULL, &d), OK);
        const backend_settings settings = flow_settings(0.7, false, BACKEND_DOUBLE, 0);
        assert_int_equal(backend_cpu.create(&d, &settings, &b), OK);
        flow_randomise(&backend_cpu, b, &d, BACKEND_DOUBLE, 0.01, 5);
        assert_int_equal(backend_cpu.step(b, 2, NULL), OK); /* fills the kept values */
        assert_int_equal(backend_cpu.monitor(b, &before), OK);
        assert_int_equal(backend_cpu.step(b, 1000, NULL), OK);
        assert_int_equal(backend_cpu.monitor(b, &after), OK);
        assert_true(fabs(before.mass) > 1e-3);
        assert_true(fabs(after.mass - before.mass) < 1e-12 * fabs(before.mass) * 1000);
        backend_cpu.destroy(b);
        domain_free(&d);
        lattice_free(&l);
    }
}

/* theta of shang2023 figure 2: cell B (P = 1/4) beside A (P = 1/2), and a plain cell beside a solid one. */
static void link_rule_of_figure_2(void **state) {
    (void)state;
    lattice l;
    domain d;
    assert_int_equal(lattice_create(&l, 2, 0, 0), OK);
    l.spacing_mm = 1;
    l.dims[0] = 2;
    l.dims[1] = l.dims[2] = 1;
    l.cell[3] = 1;
    l.solid[0] = 256;
    l.solid[1] = 128;
    l.distance_mm[0] = l.distance_mm[1] = -1;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_VLBM, NULL, &d), OK);
    assert_int_equal(d.n_partial, 1);
    assert_int_equal(d.partial[0].cell, 1);
    assert_int_equal(d.partial[0].dir, 1); /* B receives along +x from A */
    assert_true(fabs(d.partial[0].theta - (0.5 - 0.25) / (1 - 0.25)) < 1e-7);
    assert_int_equal(d.n_link, 2 * 17);
    domain_free(&d);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_particle_numbers), cmocka_unit_test(mass_is_kept),
                                       cmocka_unit_test(link_rule_of_figure_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
