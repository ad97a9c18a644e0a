/* SPDX-License-Identifier: Apache-2.0 */
/* Collision of cumulants on D3Q27 (Geier, Pasquali, Schoenherr 2017, "K17"): diffusion and convection are accurate to
 * fourth order for velocities that do not depend on the grid direction.
 *   second cumulants: omega = omega_plus; their trace relaxes with rate 1
 *   third cumulants: rates of cumulant_rates_of, with the limiter of eq. 116 (CUMULANT_LIMIT)
 *   fourth cumulants: rate 1, to the values of A and B (eqs. 44 to 49); fifth and sixth: rate 1
 * Incompressible form: the density deviation rho is removed as w rho before the collision and added afterwards (as He
 * and Luo 1997 in collide.h). All cumulants then belong to a fluid of density 1 with u = j + F / 2.
 * Populations and central moments are deviations from w and from the central moments 1, 1/3, 1/9 and 1/27 of a fluid
 * at rest in the moving frame. Geier, Schoenherr, Pasquali, Krafczyk 2015, appendix J, has this form. */
#ifndef PORTAFLOW_CUMULANT_H
#define PORTAFLOW_CUMULANT_H
#include "solve/kernels/collide.h"

/* Relaxation rates of third cumulants c: third_sum of c120 + c102, third_difference of c120 - c102, third_product of
 * c111, and likewise for permuted axes. a, b: factors A and B of the fourth cumulants (K17, eqs. 44 to 49). */
typedef struct {
    real third_sum, third_difference, third_product, a, b;
} cumulant_rates;

/* CUMULANT_LIMIT: limiter of the third cumulants. A third cumulant of this size (lattice units) relaxes with a rate
 * halfway between its rate in cumulant_rates and 1. */
#define CUMULANT_LIMIT ((real)0.01)

#define CUMULANT_RATES 5 /* members of cumulant_rates */
/* Numerators `over` and denominators `under` of the published values, in the order of cumulant_rates. */
KERNEL_HOST_FN void cumulant_fractions(real o, real over[CUMULANT_RATES], real under[CUMULANT_RATES]) {
    const real one = (real)1, less = o - (real)2, square = o * o;
    over[0] = (real)8 * less * (one + (real)2 * o);
    under[0] = (real)-8 - (real)14 * o + (real)7 * square;
    over[1] = (real)8 * less * ((real)-7 + (real)4 * o);
    under[1] = (real)56 - (real)50 * o + (real)9 * square;
    over[2] = (real)24 * less * ((real)-2 - (real)7 * o + (real)3 * square);
    under[2] = (real)48 + (real)152 * o - (real)130 * square + (real)29 * square * o;
    over[3] = (real)4 + (real)2 * o - (real)3 * square;
    under[3] = (real)2 - (real)7 * o + (real)5 * square;
    over[4] = (real)4 + (real)28 * o - (real)14 * square;
    under[4] = (real)6 - (real)21 * o + (real)15 * square;
}

/* The published rates serve small viscosities; between omega 14/9 and 7/4 third_difference would be negative. Therefore
 * all rates are 1 and a = b = 0 for omega up to CUMULANT_LOW (Geier et al. 2015). From there to CUMULANT_FULL the
 * values change linearly to the published ones. */
#define CUMULANT_LOW  ((real)1.75)
#define CUMULANT_FULL ((real)1.8)
KERNEL_HOST_FN cumulant_rates cumulant_rates_of(real o) {
    const real one = (real)1;
    const real part = o > CUMULANT_FULL ? one : (o - CUMULANT_LOW) / (CUMULANT_FULL - CUMULANT_LOW);
    const cumulant_rates low = {one, one, one, (real)0, (real)0};
    real over[CUMULANT_RATES], under[CUMULANT_RATES];
    if (o <= CUMULANT_LOW)
        return low;
    cumulant_fractions(o, over, under);
    const cumulant_rates r = {one + part * (over[0] / under[0] - one), one + part * (over[1] / under[1] - one),
                              one + part * (over[2] / under[2] - one), part * (over[3] / under[3]),
                              part * (over[4] / under[4])};
    return r;
}

/* Equals cumulant_rates_of up to rounding, with one division and no branch, for rates that differ between cells. */
KERNEL_FN cumulant_rates cumulant_rates_local(real o) {
    const real one = (real)1, width = (real)1 / (CUMULANT_FULL - CUMULANT_LOW);
    const real above = o > CUMULANT_LOW ? o : CUMULANT_LOW, ramp = (above - CUMULANT_LOW) * width;
    const real part = ramp < one ? ramp : one;
    real n[CUMULANT_RATES], d[CUMULANT_RATES];
    cumulant_fractions(above, n, d);
    /* all: part over all denominators; d[4] is 3 d[3] */
    const real d01 = d[0] * d[1], d23 = d[2] * d[3], all = part / (d01 * d23);
    const real by01 = all * d23, by23 = all * d01, by3 = by23 * d[2];
    const cumulant_rates r = {one - part + by01 * d[1] * n[0], one - part + by01 * d[0] * n[1],
                              one - part + by23 * d[3] * n[2], by3 * n[3], by3 * (real)(1.0 / 3) * n[4]};
    return r;
}

/* Third cumulants of a cell with drag (porous_drag.h). */
typedef struct {
    real limit;    /* limiter, as CUMULANT_LIMIT */
    real force[3]; /* force part of c120 and c102, of c210 and c012, and of c201 and c021 */
} cumulant_drag;

/* Value of a third cumulant c after its relaxation. rate: relaxation rate of c without the limiter. */
KERNEL_FN real cumulant_kept(real rate, real c, real limit) {
    const real size = c < (real)0 ? -c : c;
    return ((real)1 - rate) * (limit / (limit + size)) * c;
}

/* Converts a line of three populations, in place, to the central moments of order 0, 1 and 2 about the velocity u. The
 * populations are deviations from a fluid at rest; rest: sum of the populations of this line in that fluid. */
KERNEL_FN void cumulant_forward(real *a, real *b, real *c, real u, real rest) {
    const real m0 = *a + *b + *c, m1 = *c - *a, m2 = *c + *a, all = m0 + rest;
    *a = m0;
    *b = m1 - u * all;
    *c = m2 - (real)2 * u * m1 + u * u * all;
}

/* Inverse of cumulant_forward. */
KERNEL_FN void cumulant_backward(real *a, real *b, real *c, real u, real rest) {
    const real m0 = *a, all = m0 + rest, m1 = *b + u * all, m2 = *c + (real)2 * u * *b + u * u * all;
    *a = (real)0.5 * (m2 - m1);
    *b = m0 - m2;
    *c = (real)0.5 * (m2 + m1);
}

/* The central moment of orders a, b, c is at index CUMULANT_abc: the population with e = (a - 1, b - 1, c - 1). */
enum {
    CUMULANT_000 = 20,
    CUMULANT_100 = 16,
    CUMULANT_200 = 25,
    CUMULANT_010 = 12,
    CUMULANT_110 = 6,
    CUMULANT_210 = 13,
    CUMULANT_020 = 24,
    CUMULANT_120 = 17,
    CUMULANT_220 = 21,
    CUMULANT_001 = 8,
    CUMULANT_101 = 4,
    CUMULANT_201 = 9,
    CUMULANT_011 = 2,
    CUMULANT_111 = 0,
    CUMULANT_211 = 1,
    CUMULANT_021 = 10,
    CUMULANT_121 = 3,
    CUMULANT_221 = 7,
    CUMULANT_002 = 22,
    CUMULANT_102 = 18,
    CUMULANT_202 = 23,
    CUMULANT_012 = 14,
    CUMULANT_112 = 5,
    CUMULANT_212 = 11,
    CUMULANT_022 = 26,
    CUMULANT_122 = 15,
    CUMULANT_222 = 19
};

#define CUMULANT_Z(turn, i, j, rest)                                                                                   \
    turn(&f[CUMULANT_##i##j##0], &f[CUMULANT_##i##j##1], &f[CUMULANT_##i##j##2], z, rest)
#define CUMULANT_Y(turn, i, k, rest)                                                                                   \
    turn(&f[CUMULANT_##i##0##k], &f[CUMULANT_##i##1##k], &f[CUMULANT_##i##2##k], y, rest)
#define CUMULANT_X(turn, j, k, rest) turn(&f[CUMULANT_0##j##k], &f[CUMULANT_1##j##k], &f[CUMULANT_2##j##k], x, rest)
/* Converts all lines of one axis. `rest` of a line is the product of one factor for each other axis: a weight 1/6, 2/3
 * or 1/6 for an axis that is not yet converted, and a moment 1, 0 or 1/3 of a fluid at rest for a converted axis. */
#define CUMULANT_ALL_Z(turn)                                                                                           \
    CUMULANT_Z(turn, 0, 0, (real)(1.0 / 36));                                                                          \
    CUMULANT_Z(turn, 0, 1, (real)(1.0 / 9));                                                                           \
    CUMULANT_Z(turn, 0, 2, (real)(1.0 / 36));                                                                          \
    CUMULANT_Z(turn, 1, 0, (real)(1.0 / 9));                                                                           \
    CUMULANT_Z(turn, 1, 1, (real)(4.0 / 9));                                                                           \
    CUMULANT_Z(turn, 1, 2, (real)(1.0 / 9));                                                                           \
    CUMULANT_Z(turn, 2, 0, (real)(1.0 / 36));                                                                          \
    CUMULANT_Z(turn, 2, 1, (real)(1.0 / 9));                                                                           \
    CUMULANT_Z(turn, 2, 2, (real)(1.0 / 36))
#define CUMULANT_ALL_Y(turn)                                                                                           \
    CUMULANT_Y(turn, 0, 0, (real)(1.0 / 6));                                                                           \
    CUMULANT_Y(turn, 1, 0, (real)(2.0 / 3));                                                                           \
    CUMULANT_Y(turn, 2, 0, (real)(1.0 / 6));                                                                           \
    CUMULANT_Y(turn, 0, 1, (real)0);                                                                                   \
    CUMULANT_Y(turn, 1, 1, (real)0);                                                                                   \
    CUMULANT_Y(turn, 2, 1, (real)0);                                                                                   \
    CUMULANT_Y(turn, 0, 2, (real)(1.0 / 18));                                                                          \
    CUMULANT_Y(turn, 1, 2, (real)(2.0 / 9));                                                                           \
    CUMULANT_Y(turn, 2, 2, (real)(1.0 / 18))
#define CUMULANT_ALL_X(turn)                                                                                           \
    CUMULANT_X(turn, 0, 0, (real)1);                                                                                   \
    CUMULANT_X(turn, 1, 0, (real)0);                                                                                   \
    CUMULANT_X(turn, 2, 0, (real)(1.0 / 3));                                                                           \
    CUMULANT_X(turn, 0, 1, (real)0);                                                                                   \
    CUMULANT_X(turn, 1, 1, (real)0);                                                                                   \
    CUMULANT_X(turn, 2, 1, (real)0);                                                                                   \
    CUMULANT_X(turn, 0, 2, (real)(1.0 / 3));                                                                           \
    CUMULANT_X(turn, 1, 2, (real)0);                                                                                   \
    CUMULANT_X(turn, 2, 2, (real)(1.0 / 9))

/* Adds `factor` times the weight w_a to every population. */
KERNEL_FN void cumulant_add_rest(real f[27], real factor) {
    const real one = factor * (real)(2.0 / 27), two = factor * (real)(1.0 / 54), three = factor * (real)(1.0 / 216);
    f[0] += factor * (real)(8.0 / 27);
    f[1] += one, f[2] += one, f[3] += one, f[4] += one, f[5] += one, f[6] += one;
    f[7] += two, f[8] += two, f[9] += two, f[10] += two, f[11] += two, f[12] += two;
    f[13] += two, f[14] += two, f[15] += two, f[16] += two, f[17] += two, f[18] += two;
    f[19] += three, f[20] += three, f[21] += three, f[22] += three;
    f[23] += three, f[24] += three, f[25] += three, f[26] += three;
}

/* Relaxes the two third cumulants with the force part d->force[axis]: c becomes (1 - rate) (c + force) + force. */
KERNEL_FN void cumulant_relax_pair(real *p, real *q, const cumulant_rates *k, const cumulant_drag *d, int axis) {
    const real limit = d ? d->limit : CUMULANT_LIMIT;
    const real difference = cumulant_kept(k->third_difference, *p - *q, limit);
    real sum = *p + *q;
    if (d)
        sum += (real)2 * d->force[axis];
    sum = cumulant_kept(k->third_sum, sum, limit);
    if (d)
        sum += (real)2 * d->force[axis];
    *p = (real)0.5 * (sum + difference);
    *q = (real)0.5 * (sum - difference);
}

/* Central moments after the collision from the central moments before it. M(abc): deviation of the central moment of
 * orders a, b, c from its value in a fluid at rest. d: NULL in a cell without drag, a compile-time constant. */
#define M(abc) f[CUMULANT_##abc]
KERNEL_FN void cumulant_relax(real f[27], const collide_rates *r, const cumulant_rates *k, real nu, const real u[3],
                              const cumulant_drag *d) {
    const real x = u[0], y = u[1], z = u[2];
    const real o = r->omega_plus, keep = (real)1 - o, half = (real)0.5, third = (real)(1.0 / 3);
    const real xx = x * x, yy = y * y, zz = z * z;
    /* velocity gradients from the second moments, eqs. 27 to 32: dx = du_x/dx, dxy = du_x/dy + du_y/dx */
    const real trace = M(200) + M(020) + M(002);
    const real dx = -half * (o * (M(200) + M(200) - M(020) - M(002)) + trace);
    const real dy = dx + (real)1.5 * o * (M(200) - M(020)), dz = dx + (real)1.5 * o * (M(200) - M(002));
    const real dxy = (real)-3 * o * M(110), dxz = (real)-3 * o * M(101), dyz = (real)-3 * o * M(011);
    const real fix = (real)3 * ((real)1 - half * o);
    const real xy = keep * (M(200) - M(020)) - fix * (xx * dx - yy * dy),
               xz = keep * (M(200) - M(002)) - fix * (xx * dx - zz * dz),
               all = (real)-1.5 * (xx * dx + yy * dy + zz * dz);
    const real a = third * (xy + xz + all), b = a - xy, c = a - xz; /* moments 200, 020 and 002 after the collision */
    const real p = keep * M(110), q = keep * M(101), s = keep * M(011);
    M(200) = a;
    M(020) = b;
    M(002) = c;
    M(110) = p;
    M(101) = q;
    M(011) = s;
    cumulant_relax_pair(&M(120), &M(102), k, d, 0);
    cumulant_relax_pair(&M(210), &M(012), k, d, 1);
    cumulant_relax_pair(&M(201), &M(021), k, d, 2);
    M(111) = cumulant_kept(k->third_product, M(111), d ? d->limit : CUMULANT_LIMIT);
    /* fourth cumulants, then fourth moments minus 1/9 (their value at rest) */
    const real ea = (real)2 * nu * k->a, eb = -nu * k->b;
    const real first = ea * (dx - dy - dy + dz), second = ea * (dx + dy - dz - dz),
               sum = (real)-2 * ea * (dx + dy + dz);
    const real c202 = third * (sum - first), c022 = third * (sum - second), c220 = sum - c202 - c022;
    const real ninth = (real)(1.0 / 9);
    const real d220 = c220 + third * (a + b) + a * b + (real)2 * p * p,
               d202 = c202 + third * (a + c) + a * c + (real)2 * q * q,
               d022 = c022 + third * (b + c) + b * c + (real)2 * s * s;
    const real na = third + a, nb = third + b, nc = third + c;
    M(220) = d220;
    M(202) = d202;
    M(022) = d022;
    M(211) = eb * dyz + na * s + (real)2 * p * q;
    M(121) = eb * dxz + nb * q + (real)2 * p * s;
    M(112) = eb * dxy + nc * p + (real)2 * q * s;
    M(122) = nb * M(102) + nc * M(120) + (real)4 * s * M(111) + (real)2 * (p * M(012) + q * M(021));
    M(212) = na * M(012) + nc * M(210) + (real)4 * q * M(111) + (real)2 * (p * M(102) + s * M(201));
    M(221) = na * M(021) + nb * M(201) + (real)4 * p * M(111) + (real)2 * (q * M(120) + s * M(210));
    /* sixth moment minus 1/27 (its value at rest) */
    const real fourths = a * (ninth + d022) + b * (ninth + d202) + c * (ninth + d220) + third * (d022 + d202 + d220);
    const real squares = q * q * nb + s * s * na + p * p * nc;
    const real product = ninth * (a + b + c) + third * (a * b + a * c + b * c) + a * b * c;
    M(222) = (real)4 * M(111) * M(111) + fourths + (real)4 * (s * M(211) + q * M(121) + p * M(112)) +
             (real)2 * (M(120) * M(102) + M(210) * M(012) + M(201) * M(021)) - (real)16 * p * q * s -
             (real)4 * squares - (real)2 * product;
}
#undef M

/* Central moments of a cell, in place, without the advection correction s [3] (kernels/advection.h). Returns the
 * density deviation rho, which is removed; u [3]: velocity. */
KERNEL_FN real cumulant_moments(real f[27], const collide_rates *r, int forced, const real s[3], real u[3]) {
    const real rho = velocity_set_density(f);
    real x, y, z;
    collide_momentum(f, r, forced, &x, &y, &z);
    cumulant_add_rest(f, -rho);
    CUMULANT_ALL_Z(cumulant_forward);
    CUMULANT_ALL_Y(cumulant_forward);
    CUMULANT_ALL_X(cumulant_forward);
    f[CUMULANT_200] -= s[0];
    f[CUMULANT_020] -= s[1];
    f[CUMULANT_002] -= s[2];
    u[0] = x;
    u[1] = y;
    u[2] = z;
    return rho;
}

/* Collides a cell from its central moments (cumulant_moments); f then holds its populations. nu: viscosity; s: as in
 * cumulant_moments; d: as in cumulant_relax. */
KERNEL_FN void cumulant_finish(real f[27], const collide_rates *r, const cumulant_rates *k, int forced, real nu,
                               real rho, const real s[3], const real u[3], const cumulant_drag *d) {
    const real x = u[0], y = u[1], z = u[2];
    cumulant_relax(f, r, k, nu, u, d);
    f[CUMULANT_200] += s[0];
    f[CUMULANT_020] += s[1];
    f[CUMULANT_002] += s[2];
    f[CUMULANT_000] = 0;
    f[CUMULANT_100] = forced ? (real)0.5 * r->force[0] : (real)0;
    f[CUMULANT_010] = forced ? (real)0.5 * r->force[1] : (real)0;
    f[CUMULANT_001] = forced ? (real)0.5 * r->force[2] : (real)0;
    CUMULANT_ALL_X(cumulant_backward);
    CUMULANT_ALL_Y(cumulant_backward);
    CUMULANT_ALL_Z(cumulant_backward);
    cumulant_add_rest(f, rho);
}

/* Collides one cell. forced 0: the force is zero and costs nothing. s [3]: advection correction. */
KERNEL_FN void cumulant_collide(real f[27], const collide_rates *r, const cumulant_rates *k, int forced,
                                const real s[3]) {
    real u[3];
    const real rho = cumulant_moments(f, r, forced, s, u);
    cumulant_finish(f, r, k, forced, (real)(1.0 / 3) * ((real)1 / r->omega_plus - (real)0.5), rho, s, u, 0);
}
#endif
