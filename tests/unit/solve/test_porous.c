/* SPDX-License-Identifier: Apache-2.0 */
/* Porous regions (kernels/porous_drag.h) against exact solutions of the Darcy-Brinkman equation.
 * Lengths in cells; u: velocity, G: acceleration, nu: viscosity, K: permeability. */
#include "tests/unit/near.h"
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "tests/unit/solve/solve_flow.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { TRT, REGULARIZED, CUMULANT, COLLISIONS };
static const char *const collision_name[COLLISIONS] = {"two rates", "regularized", "D3Q27"};
static const double FORCE = 1e-6, WITHOUT_WALLS = 1000;

/* A channel between the planes x = -half and x = half. Cell centres are at whole numbers plus `offset`. Cells with
 * low < x < high are porous if along is 0, cells with low < y < high if along is 1. */
typedef struct {
    double half, offset, tau, permeability, low, high;
    int along, length, collision; /* length: cells in y; the flow is along y */
} channel;

typedef struct {
    domain d;
    float *density, *velocity;
    double nu, first_mm; /* first_mm: x of the cells with position 0 */
} channel_flow;

static double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

static double place(const channel_flow *f, int64_t c) {
    return f->d.position[3 * c] + f->first_mm;
}

/* Settings of a backend in double precision, without force. */
static backend_settings settings_of(int collision, double tau) {
    backend_settings s = flow_settings(tau, false, BACKEND_DOUBLE, 0);
    s.forced = true;
    s.regularized = collision == REGULARIZED;
    s.cumulant = collision == CUMULANT;
    s.omega_minus = collision == TRT ? s.omega_minus : 1;
    return s;
}

static void domain_of(const lattice *l, int collision, domain *d) {
    assert_int_equal(
        domain_create(l, collision == CUMULANT ? DOMAIN_WALL_QUADRATIC : DOMAIN_WALL_INTERPOLATED, NULL, d), OK);
}

/* Runs a channel to its steady flow, `count` steps. */
static channel_flow run(const channel *c, int count) {
    const bool open = c->half > WITHOUT_WALLS;
    const int wide = open ? 4 : (int)ceil(2 * c->half) + 3;
    const double start = -floor(0.5 * wide) + c->offset;
    const shape walls = {.kind = SHAPE_CHANNEL, .a = {-start, 0, 0}, .b = {-start + c->half, 0, 0}};
    voxelize_input in = {.distance = distance, .data = &walls, .spacing_mm = 1};
    lattice l;
    in.dims[0] = wide;
    in.dims[1] = c->length;
    in.dims[2] = 2;
    in.periodic[0] = open;
    in.periodic[1] = in.periodic[2] = true;
    in.corners = c->collision == CUMULANT;
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    channel_flow f = {.nu = (c->tau - 0.5) / 3, .first_mm = start};
    backend_settings s = settings_of(c->collision, c->tau);
    double factor = 1;
    backend *b;
    s.force[1] = FORCE;
    for (int64_t k = 0; k < l.n_cell; k++) {
        const double at = c->along == 0 ? l.cell[3 * k] + start : l.cell[3 * k + 1];
        l.region[k] = at > c->low && at < c->high;
    }
    domain_of(&l, c->collision, &f.d);
    porous_walls(porous_volumes_of(&l), 1, &c->permeability, &f.d, &factor);
    const porous_media media = {.drag = {0, factor * f.nu / c->permeability}};
    s.porous = &media;
    assert_int_equal(backend_cpu.create(&f.d, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, count, NULL), OK);
    f.density = malloc((size_t)f.d.n_cell * sizeof *f.density);
    f.velocity = malloc(3 * (size_t)f.d.n_cell * sizeof *f.velocity);
    assert_true(f.density && f.velocity);
    assert_int_equal(backend_cpu.moments(b, f.density, f.velocity, NULL), OK);
    backend_cpu.destroy(b);
    lattice_free(&l);
    return f;
}

static void flow_free(channel_flow *f) {
    free(f->density);
    free(f->velocity);
    domain_free(&f->d);
}

/* Mean velocity of a channel, from the cells with y = row, z = 0. u is linear between a wall and the next cell centre,
 * at the distance q: (q - 1/2)^2 / (2 q) times the velocity there completes the sum over the cells. */
static double mean_velocity(const channel *c, const channel_flow *f, int row) {
    double sum = 0;
    for (int64_t k = 0; k < f->d.n_cell; k++) {
        const double q = c->half - fabs(place(f, k));
        if (f->d.position[3 * k + 1] != row || f->d.position[3 * k + 2] != 0)
            continue;
        sum += f->velocity[3 * k + 1] * (1 + (q <= 1 ? (q - 0.5) * (q - 0.5) / (2 * q) : 0));
    }
    return sum / (2 * c->half);
}

/* Mean of u nu / (G H^2) in a porous channel of half-width H: Da (1 - sqrt(Da) tanh(1 / sqrt(Da))), Da = K / H^2. */
static double brinkman_mean(double da) {
    return da * (1 - sqrt(da) * tanh(1 / sqrt(da)));
}

/* Relative error of the mean velocity of a porous channel. */
static double mean_error(double half, double offset, double da, double tau, int collision) {
    const channel c = {.half = half,
                       .offset = offset,
                       .tau = tau,
                       .permeability = da * half * half,
                       .low = -INFINITY,
                       .high = INFINITY,
                       .length = 2,
                       .collision = collision};
    channel_flow f = run(&c, 2 * (int)(3 * half * half * fmin(1, 3 * da) / ((tau - 0.5) / 3)) + 400);
    const double exact = brinkman_mean(da) * FORCE * half * half / f.nu, got = mean_velocity(&c, &f, 0) / exact - 1;
    flow_free(&f);
    return got;
}

static void brinkman_channel(void **state) {
    (void)state;
    static const double da[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}, offset[] = {0, 0.2, 0.5, 0.8};
    static const double published[] = {0.068490, 0.009, 9.6838e-4, 9.9e-5};
    for (int k = 0; k < 4; k++)
        assert_near(brinkman_mean(da[k]) / published[k], 1, 1e-4);
    for (int collision = 0; collision < COLLISIONS; collision++)
        for (int k = 0; k < 5; k++) {
            printf("%-12s Da %.0e: error of the mean velocity", collision_name[collision], da[k]);
            for (int m = 0; m < 4; m++) {
                const double e = mean_error(da[k] > 2e-3 ? 24 : 96, offset[m], da[k], 0.8, collision);
                printf(" %+.3f %%", 100 * e);
                assert_true(fabs(e) < 0.005);
            }
            printf("\n");
        }
}

/* u of a channel whose half x > 0 is porous. u and its derivative are continuous at x = 0. */
static double layer_exact(double x, double half, double permeability, double g_nu) {
    const double k = sqrt(permeability), e = exp(-half / k), darcy = g_nu * permeability;
    /* free: -g x^2 / 2 + a x + b, porous: darcy + p exp((x - half) / k) + r exp(-x / k) */
    /* u(half) = 0: p = -darcy - r e.  u(0): b = darcy + p e + r.  u'(0): a = (p e - r) / k.
     * u(-half) = 0: -g half^2 / 2 - a half + b = 0 gives r. */
    const double p0 = -darcy, p1 = -e;                                                         /* p = p0 + p1 r */
    const double b0 = darcy + p0 * e, b1 = p1 * e + 1, a0 = p0 * e / k, a1 = (p1 * e - 1) / k; /* b, a likewise */
    const double r = (0.5 * g_nu * half * half + a0 * half - b0) / (b1 - a1 * half);
    const double p = p0 + p1 * r, a = a0 + a1 * r, b = b0 + b1 * r;
    return x < 0 ? -0.5 * g_nu * x * x + a * x + b : darcy + p * exp((x - half) / k) + r * exp(-x / k);
}

/* L2 error of the velocity. layer: only x > 0 is porous. */
static double profile_error(double half, double offset, double da, int collision, bool layer, double tau) {
    const channel c = {.half = half,
                       .offset = offset,
                       .tau = tau,
                       .permeability = da * half * half,
                       .low = layer ? 0 : -INFINITY,
                       .high = INFINITY,
                       .length = 2,
                       .collision = collision};
    channel_flow f = run(&c, 2 * (int)(3 * half * half * (layer ? 1 : fmin(1, 3 * da)) / ((tau - 0.5) / 3)) + 400);
    double difference = 0, square = 0;
    for (int64_t k = 0; k < f.d.n_cell; k++) {
        const double x = place(&f, k), root = sqrt(c.permeability), u = f.velocity[3 * k + 1];
        const double exact = layer ? layer_exact(x, half, c.permeability, FORCE / f.nu)
                                   : FORCE * c.permeability / f.nu * (1 - cosh(x / root) / cosh(half / root));
        difference += (u - exact) * (u - exact);
        square += exact * exact;
    }
    flow_free(&f);
    return sqrt(difference / square);
}

static void accuracy(void **state) {
    (void)state;
    for (int layer = 0; layer < 2; layer++)
        for (int collision = 0; collision < COLLISIONS; collision++)
            for (double tau = 0.6; tau < 1.1; tau += 0.4) {
                const double offset = 0.5; /* the layer ends midway between two cells */
                const double e[3] = {profile_error(8, offset, 1e-2, collision, layer, tau),
                                     profile_error(16, offset, 1e-2, collision, layer, tau),
                                     profile_error(32, offset, 1e-2, collision, layer, tau)};
                printf("%-7s %-12s tau %.1f: L2 %.2e %.2e %.2e, order %.2f\n", layer ? "layer" : "channel",
                       collision_name[collision], tau, e[0], e[1], e[2], log2(e[1] / e[2]));
                assert_true(e[2] < 0.005);
                assert_true(log2(e[1] / e[2]) > 1.8);
            }
}

/* A periodic box without walls, porous for a part of its length: the drop over the block is nu U L / K. */
static void darcy_block(void **state) {
    (void)state;
    for (int collision = 0; collision < COLLISIONS; collision++)
        for (double da = 1e-1; da > 2e-6; da *= 0.01) {
            const double length = 20;
            const channel c = {.half = 2000,
                               .tau = 0.8,
                               .permeability = da * length * length,
                               .low = 9.5,
                               .high = 9.5 + length,
                               .along = 1,
                               .length = 40,
                               .collision = collision};
            channel_flow f = run(&c, 40000);
            double before = 0, behind = 0, u = 0;
            for (int64_t k = 0; k < f.d.n_cell; k++) {
                if (f.d.position[3 * k + 1] == 5)
                    before = f.density[k] / 3;
                if (f.d.position[3 * k + 1] == 35)
                    behind = f.density[k] / 3;
                u += f.velocity[3 * k + 1] / (double)f.d.n_cell;
            }
            const double drop = before - behind + 30 * FORCE, darcy = f.nu * u * length / c.permeability;
            printf("block, %-12s Da %.0e: drop over nu U L / K %+.2e, U %+.2e\n", collision_name[collision], da,
                   drop / darcy - 1, darcy / (40 * FORCE) - 1);
            assert_true(fabs(drop / darcy - 1) < 0.001);
            assert_true(fabs(darcy / (40 * FORCE) - 1) < 0.001);
            flow_free(&f);
        }
}

/* The same block between walls: pressure in the middle of the block, per length, against the porous channel. */
static void walled_block(void **state) {
    (void)state;
    static const struct { double da, offset; } flow[] = {{1e-1, 0.3}, {1e-2, 0.3}, {1e-3, 0}, {1e-4, 0.5}, {1e-5, 0.3}};
    for (int collision = 0; collision < COLLISIONS; collision++)
        for (size_t m = 0; m < sizeof flow / sizeof *flow; m++) {
            const double half = 8;
            const channel c = {.half = half,
                               .offset = flow[m].offset,
                               .tau = 0.8,
                               .permeability = flow[m].da * half * half,
                               .low = 3.5,
                               .high = 19.5,
                               .along = 1,
                               .length = 24,
                               .collision = collision};
            channel_flow f = run(&c, 4000);
            double before = 0, behind = 0;
            for (int64_t k = 0; k < f.d.n_cell; k++)
                if (fabs(place(&f, k)) < 0.6) {
                    if (f.d.position[3 * k + 1] == 9)
                        before = f.density[k] / 3;
                    if (f.d.position[3 * k + 1] == 14)
                        behind = f.density[k] / 3;
                }
            const double slope = (before - behind) / 5 + FORCE, u = mean_velocity(&c, &f, 12);
            const double error = slope * half * half * brinkman_mean(flow[m].da) / (f.nu * u) - 1;
            printf("block between walls, %-12s Da %.0e offset %.1f: pressure gradient %+.3f %%\n",
                   collision_name[collision], flow[m].da, flow[m].offset, 100 * error);
            assert_true(fabs(error) < 0.04);
            flow_free(&f);
        }
}

/* ------------------------------------------------------------------------------------------------ round pipe */

enum { PIPE_LENGTH = 14, PLUG_FROM = 3, PLUG_TO = 10 }; /* cells along z; first and last porous layer */

static double pipe_distance(const void *data, const double p[3]) {
    return hypot(p[0] - 0.2, p[1] - 0.3) - *(const double *)data;
}

/* Mean velocity over G K / nu in a porous pipe of radius x sqrt(K): 1 - 2 I1(x) / (x I0(x)), modified Bessel functions
 * I0 and I1. Their ratio is 1 - 1 / (2 x) - 1 / (8 x^2) - 1 / (8 x^3) for large x. */
static double pipe_mean(double x) {
    return 1 - 2 / x * (1 - 1 / (2 * x) - 1 / (8 * x * x) - 1 / (8 * x * x * x));
}

/* Relative error of the pressure gradient in the plug of a periodic pipe. */
static double pipe_error(double radius, double permeability, int collision) {
    const double tau = 0.8, nu = (tau - 0.5) / 3;
    voxelize_input in = {.distance = pipe_distance, .data = &radius, .spacing_mm = 1};
    lattice l;
    domain d;
    backend *b;
    double factor = 1, pressure[PIPE_LENGTH] = {0}, flow = 0, n = 0;
    assert_int_equal(
        voxelize_box(&in, (double[3]){-radius - 2, -radius - 2, 0}, (double[3]){radius + 2, radius + 2, PIPE_LENGTH}),
        OK);
    in.periodic[2] = true;
    in.corners = collision == CUMULANT;
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    assert_int_equal(l.dims[2], PIPE_LENGTH);
    backend_settings s = settings_of(collision, tau);
    s.force[2] = FORCE;
    for (int64_t k = 0; k < l.n_cell; k++)
        l.region[k] = l.cell[3 * k + 2] >= PLUG_FROM && l.cell[3 * k + 2] <= PLUG_TO;
    domain_of(&l, collision, &d);
    porous_walls(porous_volumes_of(&l), 1, &permeability, &d, &factor);
    const porous_media media = {.drag = {0, factor * nu / permeability}};
    s.porous = &media;
    assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, permeability < 5e-4 ? 40000 : permeability < 5e-3 ? 20000 : 4000, NULL), OK);
    float *density = malloc((size_t)d.n_cell * sizeof *density),
          *velocity = malloc(3 * (size_t)d.n_cell * sizeof(float));
    assert_true(density && velocity);
    assert_int_equal(backend_cpu.moments(b, density, velocity, NULL), OK);
    for (int64_t k = 0; k < d.n_cell; k++) {
        const int z = d.position[3 * k + 2];
        pressure[z] += (double)density[k] / 3;
        flow += z == 6 ? (double)velocity[3 * k + 2] : 0;
        n += z == 6;
    }
    const double slope = (pressure[5] - pressure[8]) / (3 * n) + FORCE;
    const double exact = nu * flow / (M_PI * radius * radius * permeability * pipe_mean(radius / sqrt(permeability)));
    backend_cpu.destroy(b);
    free(density);
    free(velocity);
    domain_free(&d);
    lattice_free(&l);
    return slope / exact - 1;
}

static void round_pipe(void **state) {
    (void)state;
    for (int collision = 0; collision < COLLISIONS; collision++)
        for (double permeability = 1e-2; permeability > (collision == CUMULANT ? 5e-5 : 5e-4); permeability /= 10) {
            const double e = pipe_error(9.7, permeability, collision);
            printf("round pipe, %-12s K %.0e: pressure gradient in the plug %+.3f %%\n", collision_name[collision],
                   permeability, 100 * e);
            assert_true(fabs(e) < 0.02);
        }
}

/* ------------------------------------------------------------------------------------------------ oblique channel */

/* A periodic channel between two walls with the normal (1, 2, 0). The flow is along (2, -1, 0) or, with along_z, along
 * (0, 0, 1). Layers x < porous of the box are porous. */
typedef struct {
    int scale, collision, porous;
    double tau, permeability, force;
    bool along_z;
} oblique;

enum { OBLIQUE_X = 10, OBLIQUE_Y = 5 }; /* size of the box over the scale */

typedef struct {
    domain d;
    float *density, *velocity;
    double *across, along[3], half, mean; /* across: distance from the middle plane; mean velocity along the channel */
} oblique_flow;

static oblique_flow oblique_run(const oblique *c, int count) {
    const flow_walls walls = {
        {1, 2}, {OBLIQUE_X * c->scale, OBLIQUE_Y * c->scale, 2}, 0.1 * c->scale + 0.03, 3.9 * c->scale, 0.13};
    const double width = walls.high - walls.low, nu = (c->tau - 0.5) / 3;
    const double volume = 2 * OBLIQUE_Y * c->scale * width * sqrt(5); /* the walls' period is 2 scale sqrt(5) */
    lattice l = c->collision == CUMULANT ? flow_walls_corners(&walls) : flow_walls_lattice(&walls);
    oblique_flow f = {.half = 0.5 * width, .along = {2 / sqrt(5), -1 / sqrt(5), 0}};
    backend_settings s = settings_of(c->collision, c->tau);
    double factor = 1;
    backend *b;
    if (c->along_z)
        memcpy(f.along, (double[3]){0, 0, 1}, sizeof f.along);
    for (int64_t k = 0; k < l.n_cell; k++)
        l.region[k] = l.cell[3 * k] < c->porous;
    domain_of(&l, c->collision, &f.d);
    porous_walls(porous_volumes_of(&l), 1, &c->permeability, &f.d, &factor);
    const porous_media media = {.drag = {0, factor * nu / c->permeability}};
    s.porous = &media;
    for (int k = 0; k < 3; k++)
        s.force[k] = c->force * f.along[k];
    assert_int_equal(backend_cpu.create(&f.d, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, count, NULL), OK);
    f.density = malloc((size_t)f.d.n_cell * sizeof *f.density);
    f.velocity = malloc(3 * (size_t)f.d.n_cell * sizeof *f.velocity);
    f.across = malloc((size_t)f.d.n_cell * sizeof *f.across);
    assert_true(f.density && f.velocity && f.across);
    assert_int_equal(backend_cpu.moments(b, f.density, f.velocity, NULL), OK);
    for (int64_t k = 0; k < f.d.n_cell; k++) {
        double p[3];
        lattice_centre_mm(&l, f.d.stored[k], p);
        f.across[k] = flow_walls_place(&walls, p) - walls.low - f.half;
        for (int a = 0; a < 3; a++)
            f.mean += f.velocity[3 * k + a] * f.along[a] / volume;
    }
    backend_cpu.destroy(b);
    lattice_free(&l);
    return f;
}

static void oblique_free(oblique_flow *f) {
    free(f->density);
    free(f->velocity);
    free(f->across);
    domain_free(&f->d);
}

/* Relative error of the mean velocity of a porous channel. *profile: L2 error of the velocity. */
static double oblique_error(int scale, double da, double tau, int collision, bool along_z, double *profile) {
    oblique c = {scale, collision, INT32_MAX, tau, 0, FORCE, along_z};
    const double half = 1.9 * scale - 0.015, nu = (tau - 0.5) / 3, root = sqrt(da) * half;
    double difference = 0, square = 0;
    c.permeability = root * root;
    oblique_flow f = oblique_run(&c, 2 * (int)(3 * half * half * fmin(1, 3 * da) / nu) + 400);
    assert_near(f.half, half, 1e-9);
    for (int64_t k = 0; k < f.d.n_cell; k++) {
        const double exact = FORCE * root * root / nu * (1 - cosh(f.across[k] / root) / cosh(half / root));
        double along = 0;
        for (int a = 0; a < 3; a++)
            along += f.velocity[3 * k + a] * f.along[a];
        difference += pow(along - exact, 2);
        square += exact * exact;
    }
    *profile = sqrt(difference / square);
    const double error = f.mean / (brinkman_mean(da) * FORCE * half * half / nu) - 1;
    oblique_free(&f);
    return error;
}

/* L2 of the profile: only for a wall layer sqrt(K) of a cell or more. */
static void oblique_channel(void **state) {
    (void)state;
    for (int along_z = 0; along_z < 2; along_z++)
        for (int collision = 0; collision < COLLISIONS; collision++)
            for (double tau = 0.6; tau < 1.1; tau += 0.4)
                for (double da = 0.1; da > 5e-6; da *= da > 0.05 ? 0.1 : 0.01) {
                    double profile[2];
                    const double e[2] = {oblique_error(4, da, tau, collision, along_z, &profile[0]),
                                         oblique_error(8, da, tau, collision, along_z, &profile[1])};
                    printf("oblique channel along %s, %-11s tau %.1f Da %.0e: mean velocity %+.3f %%, %+.3f %%, L2 "
                           "%.2e, %.2e\n",
                           along_z ? "z" : "2 -1 0", collision_name[collision], tau, da, 100 * e[0], 100 * e[1],
                           profile[0], profile[1]);
                    assert_true(fabs(e[0]) < 0.025 && fabs(e[1]) < 0.01);
                    if (da > 5e-3)
                        assert_true(profile[0] < 0.06 && log2(profile[0] / profile[1]) > 1.2);
                }
}

/* Largest difference of the flow through the layers x of the box from their mean, relative. */
static double imbalance(const oblique_flow *f, int layers) {
    double *flow = calloc((size_t)layers, sizeof *flow), mean = 0, most = 0;
    assert_non_null(flow);
    for (int64_t k = 0; k < f->d.n_cell; k++) {
        flow[f->d.position[3 * k]] += f->velocity[3 * k];
        mean += f->velocity[3 * k] / layers;
    }
    for (int x = 0; x < layers; x++)
        most = fmax(most, fabs(flow[x] / mean - 1));
    free(flow);
    return most;
}

/* Part of an oblique channel is porous, with K of one cell. tau 0.502 is a Reynolds number of 1450 and a cell Reynolds
 * number of 100: D3Q19 diverges there. */
static void inertia(void **state) {
    (void)state;
    static const struct {
        double tau, reynolds;
        int first; /* first of REGULARIZED and CUMULANT */
    } flow[] = {{0.53, 100, REGULARIZED}, {0.51, 296, REGULARIZED}, {0.502, 1450, CUMULANT}};
    for (size_t k = 0; k < sizeof flow / sizeof *flow; k++) {
        const double nu = (flow[k].tau - 0.5) / 3;
        double mean[COLLISIONS];
        for (int collision = flow[k].first; collision <= CUMULANT; collision++) {
            const oblique c = {4, collision, OBLIQUE_X, flow[k].tau, 1, 0.022 * nu, false};
            oblique_flow f = oblique_run(&c, 20000);
            const double lost = imbalance(&f, OBLIQUE_X * c.scale);
            mean[collision] = f.mean;
            printf("porous part of an oblique channel, %-11s tau %.3f: Re %.0f, flow differs by %.2f %% along it\n",
                   collision_name[collision], flow[k].tau, f.mean * 2 * f.half / nu, 100 * lost);
            assert_true(lost < 0.005);
            assert_near(f.mean * 2 * f.half / nu / flow[k].reynolds, 1, 0.03);
            oblique_free(&f);
        }
        if (flow[k].first == REGULARIZED)
            assert_near(mean[CUMULANT] / mean[REGULARIZED], 1, 0.01);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(brinkman_channel), cmocka_unit_test(accuracy),
                                       cmocka_unit_test(darcy_block),      cmocka_unit_test(walled_block),
                                       cmocka_unit_test(round_pipe),       cmocka_unit_test(oblique_channel),
                                       cmocka_unit_test(inertia)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
