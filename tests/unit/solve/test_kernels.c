/* SPDX-License-Identifier: Apache-2.0 */
/* The cell operations against their definitions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

typedef double real;
#include "solve/core/backend.h"
#include "solve/core/half.h"
#include "solve/kernels/collide.h"
#include "solve/kernels/link.h"
#include "solve/kernels/moments.h"
#include "common/lattice/lattice.h"
#include "tests/unit/near.h"

static const double weight[19] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
                                  1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};

static double dot(int a, const double v[3]) {
    return lattice_e[a][0] * v[0] + lattice_e[a][1] * v[1] + lattice_e[a][2] * v[2];
}

static double equilibrium(int a, double density, const double u[3]) {
    const double eu = dot(a, u), uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    return weight[a] * (density + 3 * eu + 4.5 * eu * eu - 1.5 * uu);
}

static void some_populations(double f[19]) {
    for (int a = 0; a < 19; a++)
        f[a] = 0.01 * sin(1.7 * a + 0.3);
}

/* Directions, weights, opposites and first moments agree with common/lattice/lattice.h. */
static void lattice_agrees(void **state) {
    (void)state;
    const double v[3] = {0.31, -0.72, 1.13};
    double f[19], j[3] = {0}, x, y, z, sum = 0;
    some_populations(f);
    for (int a = 0; a < 19; a++) {
        assert_near(velocity_set_weight(a), weight[a], 1e-16);
        if (a > 0) {
            assert_near(velocity_set_dot(a, v[0], v[1], v[2]), dot(a, v), 1e-15);
            assert_int_equal(velocity_set_opposite(a), lattice_opposite(a));
        }
        for (int k = 0; k < 3; k++)
            j[k] += lattice_e[a][k] * f[a];
        sum += f[a];
    }
    velocity_set_momentum(f, &x, &y, &z);
    assert_near(x, j[0], 1e-16);
    assert_near(y, j[1], 1e-16);
    assert_near(z, j[2], 1e-16);
    assert_near(velocity_set_density(f), sum, 1e-16);
}

/* BGK written out, with Guo's force; TRT keeps mass, adds the force to the momentum, leaves equilibrium alone. */
static void collision(void **state) {
    (void)state;
    const double tau = 0.7, g[3] = {1e-3, -2e-3, 5e-4};
    const collide_rates bgk = {1 / tau, 1 / tau, {g[0], g[1], g[2]}}, trt = {1 / tau, 0.6, {g[0], g[1], g[2]}},
                        calm = {1 / tau, 0.6, {0, 0, 0}};
    double f[19], h[19], u[3], density;
    some_populations(f);
    for (int a = 0; a < 19; a++)
        h[a] = f[a];
    density = velocity_set_density(f);
    velocity_set_momentum(f, &u[0], &u[1], &u[2]);
    for (int k = 0; k < 3; k++)
        u[k] += 0.5 * g[k];
    const double ug = u[0] * g[0] + u[1] * g[1] + u[2] * g[2];
    collide(h, &bgk);
    for (int a = 0; a < 19; a++) {
        const double force = (1 - 0.5 / tau) * weight[a] * (3 * (dot(a, g) - ug) + 9 * dot(a, u) * dot(a, g));
        assert_near(h[a], f[a] - (f[a] - equilibrium(a, density, u)) / tau + force, 1e-15);
    }
    for (int a = 0; a < 19; a++)
        h[a] = f[a];
    collide(h, &trt);
    double j[3];
    velocity_set_momentum(h, &j[0], &j[1], &j[2]);
    assert_near(velocity_set_density(h), density, 1e-15);
    for (int k = 0; k < 3; k++)
        assert_near(j[k], u[k] + 0.5 * g[k], 1e-15);
    for (int a = 0; a < 19; a++)
        f[a] = h[a] = equilibrium(a, 0.02, u);
    collide(h, &calm);
    for (int a = 0; a < 19; a++)
        assert_near(h[a], f[a], 1e-15);
}

/* f = feq - tau w Q : S / cs^2 is the first-order solution: stress must be 2 nu S. */
static void stress(void **state) {
    (void)state;
    const double tau = 0.8, nu = (tau - 0.5) / 3, u[3] = {0.03, -0.02, 0.01};
    const double s[6] = {2e-4, -3e-4, 1e-4, 5e-5, -7e-5, 9e-5};
    const collide_rates rates = {1 / tau, 1 / tau, {0, 0, 0}};
    double f[19];
    moments m;
    for (int a = 0; a < 19; a++) {
        const double e[3] = {lattice_e[a][0], lattice_e[a][1], lattice_e[a][2]};
        const double q = s[0] * (e[0] * e[0] - 1. / 3) + s[1] * (e[1] * e[1] - 1. / 3) + s[2] * (e[2] * e[2] - 1. / 3) +
                         2 * (s[3] * e[0] * e[1] + s[4] * e[0] * e[2] + s[5] * e[1] * e[2]);
        f[a] = equilibrium(a, 0.01, u) - 3 * tau * weight[a] * q;
    }
    moments_velocity(f, &rates, &m);
    moments_stress(f, &rates, (const double[3]){0}, &m);
    for (int k = 0; k < 6; k++)
        assert_near(m.stress[k], 2 * nu * s[k], 1e-15);
}

/* Bouzidi's rule: exact for a population field that is linear along the link, for every q; half-way is bounce-back. */
static void wall_rule(void **state) {
    (void)state;
    assert_near(link_arrive(link_wall(0.5), link_leave(link_wall(0.5), 0.3, 0.9), 0.7), 0.3, 1e-16);
    for (double q = 0.05; q <= 1.0; q += 0.05) {
        /* a flow u = g (s - q) along the link coordinate s (wall at s = q): the odd parts +-3 w u of a pair */
        const double g = 0.01, own = g * (0 - q), before = g * (-1 - q); /* f_i' at the cell and one cell upstream */
        const double wanted = q < 0.5 ? 2 * q * own + (1 - 2 * q) * before : own / (2 * q) + (1 - 0.5 / q) * -own;
        assert_near(link_arrive(link_wall(q), link_leave(link_wall(q), own, -own), before), wanted, 1e-15);
    }
}

static void pressure_rule(void **state) {
    (void)state;
    const double u[3] = {0.02, 0.05, -0.03};
    for (int i = 1; i < 19; i++)
        assert_near(link_pressure_even(i, 0.04, u[0], u[1], u[2]),
                    equilibrium(i, 0.04, u) + equilibrium(lattice_opposite(i), 0.04, u), 1e-16);
}

/* An inlet's odd part: 0 at equilibrium; what relaxes with omega_minus is taken off (2 - omega_minus) times. */
static void flow_rule(void **state) {
    (void)state;
    const double u[3] = {0.02, 0.05, -0.03}, odd = 0.003, omega_minus = 0.4;
    for (int a = 1; a < 19; a++) {
        const int i = lattice_opposite(a);
        const double back = equilibrium(a, 0.04, u), out = equilibrium(i, 0.04, u), post = (1 - omega_minus) * odd;
        assert_near(link_flow_before(a, back, out, u) + 0.5 * (back - out), 0, 1e-16);
        assert_near(link_flow_before(a, back + odd, out - odd, u) + 0.5 * (back - out) + post, (2 - omega_minus) * odd,
                    1e-16);
    }
}

/* What a cell's slots hold beside f_i' sums to nothing: the flow of an inlet is exactly D. Each is its odd part less
 * its weight's share, other directions are left alone. */
static void flow_mean(void **state) {
    (void)state;
    const uint32_t in = 1u << 1 | 1u << 7 | 1u << 9 | 1u << 14, looked_at = in | 1u << 3;
    double f[19], beside[19], before[19], sum = 0, odds = 0, weights = 0;
    some_populations(f);
    for (int a = 0; a < 19; a++)
        before[a] = beside[a] = 0.01 * a;
    for (int a = 1; a < 19; a++)
        if (in >> a & 1u) {
            odds += before[a] + 0.5 * (f[a] - f[lattice_opposite(a)]);
            weights += weight[a];
        }
    link_flow_finish(looked_at, in, f + 1, 1, beside);
    for (int a = 0; a < 19; a++) {
        const double odd = before[a] + (a ? 0.5 * (f[a] - f[lattice_opposite(a)]) : 0);
        assert_near(beside[a], in >> a & 1u ? odd - weight[a] * odds / weights : before[a], 1e-15);
        sum += in >> a & 1u ? beside[a] : 0;
    }
    assert_near(sum, 0, 1e-15);
    assert_near(link_opening_leave(0.3, 0.2, 1), 0.5, 1e-15);
    assert_near(link_opening_leave(0.3, 0.2, 0), 0.3, 0);
    assert_true(link_flow_leaves(-1e-9) && !link_flow_leaves(0) && !link_flow_leaves(-0.0));
    for (int a = 1; a < 18; a += 2) /* 0x1e: two pairs, of which a third direction makes no more */
        assert_true(link_pairs(1u << a) == 0 && link_pairs(3u << a | 1u) == 3u << a && link_pairs(0x3e) == 0x1e);
}

static double moment(const double f[19], int x, int y, int z) {
    double sum = 0;
    for (int a = 0; a < 19; a++)
        sum += pow(lattice_e[a][0], x) * pow(lattice_e[a][1], y) * pow(lattice_e[a][2], z) * f[a];
    return sum;
}

/* Regularized: density and momentum stay (plus the force), the stress without its trace relaxes, the third moments are
 * those of the stress, the fourth those of the equilibrium. */
static void regularized(void **state) {
    (void)state;
    const double tau = 0.53, keep = 1 - 1 / tau, g[3] = {3e-4, -2e-4, 1e-4};
    for (int fourth = 0; fourth < 2; fourth++) {
        const collide_rates rates = {1 / tau, 1, {g[0], g[1], g[2]}, 1e30, fourth},
                            calm = {1 / tau, 1, {0, 0, 0}, 1e30, fourth};
        double f[19], h[19], u[3], s[3][3], trace = 0;
        for (int a = 0; a < 19; a++)
            f[a] = 0.01 * sin(3.0 * a + 1) + 0.002 * a;
        memcpy(h, f, sizeof f);
        collide_regularized(h, &rates, 1, 1);
        assert_near(moment(h, 0, 0, 0), moment(f, 0, 0, 0), 1e-15);
        for (int a = 0; a < 3; a++)
            assert_near(moment(h, a == 0, a == 1, a == 2), moment(f, a == 0, a == 1, a == 2) + g[a], 1e-15);
        memcpy(h, f, sizeof f);
        collide_regularized(h, &calm, 1, 0);
        const double rho = moment(f, 0, 0, 0);
        for (int a = 0; a < 3; a++)
            u[a] = moment(f, a == 0, a == 1, a == 2);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                s[a][b] = moment(f, (a == 0) + (b == 0), (a == 1) + (b == 1), (a == 2) + (b == 2)) - u[a] * u[b] -
                          (a == b ? rho / 3 : 0);
                trace += a == b ? s[a][b] / 3 : 0;
            }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                s[a][b] = keep * (s[a][b] - (a == b ? trace : 0));
                assert_near(moment(h, (a == 0) + (b == 0), (a == 1) + (b == 1), (a == 2) + (b == 2)),
                            s[a][b] + u[a] * u[b] + (a == b ? rho / 3 : 0), 1e-15);
            }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                if (a == b)
                    continue;
                int x[3] = {0, 0, 0};
                x[a] = 2;
                x[b] = 1;
                assert_near(moment(h, x[0], x[1], x[2]), u[b] / 3 + u[b] * s[a][a] + 2 * u[a] * s[a][b], 1e-15);
                x[b] = 2;
                if (fourth)
                    assert_near(moment(h, x[0], x[1], x[2]),
                                rho / 9 + (u[a] * u[a] + u[b] * u[b]) / 3 + 0.5 * (s[a][a] + s[b][b]), 1e-15);
            }
        for (int a = 0; a < 19; a++)
            f[a] = h[a];
        for (int n = 0; n < 400; n++) /* to the equilibrium of this density and momentum, which then stays */
            collide_regularized(h, &calm, 1, 0);
        for (int a = 0; a < 19 && !fourth; a++)
            assert_near(h[a], equilibrium(a, rho, u), 1e-14);
    }
}

/* A stress beyond the limit is made smaller along itself, by the square of the limit over its own. */
static void stress_limit(void **state) {
    (void)state;
    const double tau = 0.51, keep = 1 - 1 / tau, limit = 0.0005;
    const collide_rates free_rates = {1 / tau, 1, {0, 0, 0}, 1e30, 0}, cut = {1 / tau, 1, {0, 0, 0}, limit * limit, 0};
    double f[19], h[19], g[19], u[3], square[2] = {0, 0};
    for (int a = 0; a < 19; a++)
        f[a] = h[a] = g[a] = 0.01 * sin(3.0 * a + 1);
    collide_regularized(h, &free_rates, 1, 0);
    collide_regularized(g, &cut, 1, 0);
    for (int a = 0; a < 3; a++)
        u[a] = moment(f, a == 0, a == 1, a == 2);
    double whole[2][6];
    for (int n = 0; n < 2; n++) {
        const double *p = n ? g : h, rho = moment(p, 0, 0, 0);
        for (int k = 0; k < 6; k++) {
            const int a = k < 3 ? k : k == 5 ? 1 : 0, b = k < 3 ? k : k == 3 ? 1 : 2;
            whole[n][k] = moment(p, (a == 0) + (b == 0), (a == 1) + (b == 1), (a == 2) + (b == 2)) - u[a] * u[b] -
                          (a == b ? rho / 3 : 0);
        }
    }
    for (int k = 0; k < 12; k++)
        square[k / 6] += (k % 6 < 3 ? 1 : 2) * whole[k / 6][k % 6] * whole[k / 6][k % 6];
    assert_true(square[0] > 4 * keep * keep * limit * limit);
    assert_near(sqrt(square[1] * square[0]), keep * keep * limit * limit, 1e-12);
    assert_near(whole[1][3] / whole[1][0], whole[0][3] / whole[0][0], 1e-9);
}

/* Without a limit a flow at rest stays at rest, also in float with populations in the unit of 16 bits. */
static void stress_whole(void **state) {
    (void)state;
    const backend_settings none = {.omega_plus = 1.9};
    const float most = (float)(backend_most(&none) * HALF_UNIT * HALF_UNIT);
    assert_true(isfinite(most));
    assert_true(most > HALF_UNIT * HALF_UNIT);
}

/* A pressure outlet at equilibrium with the density prescribed and the flow along its normal: the population of the
 * cell, whatever the rate; a velocity along the opening is taken off by as much as a wall at rest would. */
static void outlet_rule(void **state) {
    (void)state;
    const double u[3] = {0.02, 0.05, -0.03}, across[3] = {0.02, 0, 0}, normal[3] = {0, 0, 1}, level[3] = {0};
    const collide_rates r = {1.3, 0.7, {0, 0, 0}, 1e30, 0};
    const double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double n[3] = {u[0] / size, u[1] / size, u[2] / size};
    for (int i = 1; i < 19; i++) {
        const int a = lattice_opposite(i);
        const double back = equilibrium(a, 0.04, u), out = equilibrium(i, 0.04, u);
        assert_near(link_pressure_slot(i, 0.04, back, out, 0.04, u, n, level, &r, false, 1), back, 1e-16);
        assert_near(link_pressure_slot(i, 0.04, back, out, 0.04, u, n, level, &r, false, 0.01), back, 1e-16);
        const double along = equilibrium(a, 0.04, across), away = equilibrium(i, 0.04, across);
        assert_near(link_pressure_slot(i, 0.04, along, away, 0.04, across, normal, level, &r, false, 1) - along,
                    (2 - 1.3) * 6 * weight[i] * lattice_e[i][0] * across[0], 1e-16);
        /* another pressure outside than in the cell: it enters, at half the rate half of it */
        assert_near(link_pressure_slot(i, 0.06, back, out, 0.04, u, n, level, &r, false, 1) - back, weight[i] * 0.02,
                    1e-16);
        assert_near(link_pressure_slot(i, 0.06, back, out, 0.04, u, n, level, &r, false, 0.5) - back, weight[i] * 0.01,
                    1e-16);
    }
}

/* At twice the full rate, without the term of the tangential velocity: the anti-bounce-back of Ginzburg, Verhaeghe and
 * d'Humieres 2008, -f_i' + 2 feq+ of the density prescribed + (2 - omega+) (f+ - feq+). */
static void outlet_is_half_of_anti_bounce_back(void **state) {
    (void)state;
    const double u[3] = {0, 0, 0.06}, n[3] = {0, 0, 1}, level[3] = {0}, density = 0.04, outside = 0.06;
    const collide_rates r = {1.3, 0.7, {0, 0, 0}, 1e30, 0};
    for (int i = 1; i < 19; i++) {
        const int a = lattice_opposite(i);
        const double equal[2] = {equilibrium(a, density, u), equilibrium(i, density, u)};
        const double back = equal[0] + 0.001, out = equal[1] - 0.0004;
        const double even = 0.5 * (back + out), odd = 0.5 * (back - out);
        const double even_equal = 0.5 * (equal[0] + equal[1]), odd_equal = 0.5 * (equal[0] - equal[1]);
        const double after = even + 1.3 * (even_equal - even) - odd - 0.7 * (odd_equal - odd);
        const double anti = -after + 2 * (even_equal + weight[i] * (outside - density)) + 0.7 * (even - even_equal);
        assert_near(link_pressure_slot(i, outside, back, out, density, u, n, level, &r, false, 2), anti, 1e-16);
    }
}

/* A developed flow at an angle, to first order in its slope: the slope is found again, a pressure outlet gives back the
 * cell's own population, and the push of the links through a plane is their share of the density and of what the
 * velocity carries. */
static void outlet_developed(void **state) {
    (void)state;
    const double plus = 1.7, minus = 0.8, density = 0.03, speed = 0.08;
    const double n[3] = {0.6, 0.48, 0.64}, slope[3] = {0.00512, 0, -0.0048};
    const double u[3] = {speed * n[0], speed * n[1], speed * n[2]};
    const collide_rates r = {plus, minus, {0, 0, 0}, 1e30, 0};
    double f[19] = {0}, found[3], push = 0, share = 0, carried = 0;
    for (int a = 0; a < 19; a++) {
        const double en = velocity_set_dot(a, n[0], n[1], n[2]), es = velocity_set_dot(a, slope[0], slope[1], slope[2]);
        f[a] = equilibrium(a, density, u) - weight[a] * 3 * en * es / plus -
               weight[a] * speed * (9 * en * en - 3) * es / minus;
    }
    link_slope(f + 1, 1, u, n, 1, plus, found);
    for (int k = 0; k < 3; k++)
        assert_near(found[k], slope[k], 1e-15);
    for (int i = 1; i < 19; i++) {
        const int a = lattice_opposite(i);
        assert_near(link_pressure_slot(i, density, f[a], f[i], density, u, n, found, &r, false, 0.5), f[a], 1e-16);
        if (velocity_set_dot(a, n[0], n[1], n[2]) >= 0)
            continue;
        const double eu = velocity_set_dot(a, u[0], u[1], u[2]);
        push += link_push(a, equilibrium(a, density, u), equilibrium(i, density, u), n);
        carried += link_share(a, n) * (4.5 * eu * eu - 1.5 * speed * speed); /* |n| = 1 */
        share += link_share(a, n);
    }
    assert_near((push - carried) / share, density, 1e-15);
}

/* e_a.grad feq of a flow u = speed n, slope its gradient across n. */
static double carried_away(int a, double speed, const double n[3], const double slope[3], double fourth) {
    const double en = velocity_set_dot(a, n[0], n[1], n[2]), es = velocity_set_dot(a, slope[0], slope[1], slope[2]);
    double inside = 0;
    for (int k = 0; k < 3; k++)
        inside += lattice_e[a][k] * lattice_e[a][k] * n[k] * n[k];
    const double more = a < 7 ? -(1 - inside) / 6 : (1 - inside) / 12; /* of collide_regularized */
    return (3 * weight[a] * en + speed * (weight[a] * (9 * en * en - 3) + fourth * more)) * es * (a > 0);
}

/* Populations of a developed flow at an angle as the collision itself leaves them, f = f' - e.grad feq: a pressure
 * outlet gives each of them back. */
static void outlet_keeps_developed(void **state) {
    (void)state;
    const double density = 0.03, speed = 0.08, n[3] = {0.6, 0.48, 0.64}, slope[3] = {0.00512, 0, -0.0048};
    const double u[3] = {speed * n[0], speed * n[1], speed * n[2]};
    for (int way = 0; way < 4; way++) {
        const double fourth = way == 1 || way == 2, minus = way == 2 ? 0.5 : way == 3 ? 0.4 : 1;
        const collide_rates r = {1.97, minus, {0, 0, 0}, 1e30, fourth};
        double f[19], found[3];
        for (int a = 0; a < 19; a++)
            f[a] = equilibrium(a, density, u);
        for (int step = 0; step < 2000; step++) {
            if (way < 3)
                collide_regularized(f, &r, 1, 0);
            else
                collide_scaled(f, &r, 1, 0);
            for (int a = 1; a < 19; a++)
                f[a] -= carried_away(a, speed, n, slope, fourth);
        }
        link_slope(f + 1, 1, u, n, 1, r.omega_plus, found);
        for (int i = 1; i < 19; i++) {
            const int a = lattice_opposite(i);
            const double slot = link_pressure_slot(i, density, f[a], f[i], density, u, n, found, &r, way < 3, 0.5);
            assert_near(slot, f[a], 1e-10); /* o is up to 1e-4 */
        }
    }
}

/* Flow that leaves: at equilibrium with the given velocity the slot and D together are f_a; what the cell's velocity
 * has beyond the given one does not come back (bounce-back would send back twice the difference). */
static void outflow_rule(void **state) {
    (void)state;
    const double u[3] = {0.02, 0.05, -0.03}, given[3] = {0.01, 0.04, -0.02};
    for (int i = 1; i < 19; i++) {
        const int a = lattice_opposite(i);
        double along = 0, eu = 0;
        for (int k = 0; k < 3; k++) {
            along += lattice_e[a][k] * given[k];
            eu += lattice_e[a][k] * u[k];
        }
        const double in = equilibrium(a, 0.04, u), out = equilibrium(i, 0.04, u), d = 6 * weight[a] * along;
        const double arrived = link_outflow_slot(i, in, out, 0.04, u, 1.3, d) + d;
        assert_near(arrived, in + 3 * weight[a] * (along - eu), 1e-16);
        /* half-way: an even part beyond equilibrium, -d_a feq- / omega+, counts half of what it does in a cell */
        assert_near(link_outflow_slot(i, in + 0.001, out + 0.001, 0.04, u, 1.3, d) + d - arrived, 0.001 * (1 - 1.3 / 2),
                    1e-16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lattice_agrees),
                                       cmocka_unit_test(collision),
                                       cmocka_unit_test(stress),
                                       cmocka_unit_test(wall_rule),
                                       cmocka_unit_test(pressure_rule),
                                       cmocka_unit_test(flow_rule),
                                       cmocka_unit_test(regularized),
                                       cmocka_unit_test(stress_limit),
                                       cmocka_unit_test(stress_whole),
                                       cmocka_unit_test(flow_mean),
                                       cmocka_unit_test(outlet_rule),
                                       cmocka_unit_test(outlet_is_half_of_anti_bounce_back),
                                       cmocka_unit_test(outlet_developed),
                                       cmocka_unit_test(outflow_rule),
                                       cmocka_unit_test(outlet_keeps_developed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
