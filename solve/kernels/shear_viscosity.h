/* SPDX-License-Identifier: Apache-2.0 */
/* Local viscosity of shear-thinning blood, from the populations of a cell before the collision.
 *   P = sum e e (f - feq) + (u F + F u) / 2, without its trace        P = -2 tau/3 S: Chapman-Enskog, as in moments.h,
 *                                                                on D3Q27 without its terms of third order in u
 *   3 |P| / sqrt(2) = tau g,   tau = 1/2 + 3 nu(g),   g = sqrt(2 S:S)                                            (1)
 * S: strain rate, g: shear rate, nu: viscosity. tau g grows with g, so P:P alone determines g, nu and tau. No iteration
 * is needed. A table holds 3 nu as a function of P:P (core/viscosity_table.h). Populations must not be scaled. */
#ifndef PORTAFLOW_SHEAR_VISCOSITY_H
#define PORTAFLOW_SHEAR_VISCOSITY_H
#include "solve/kernels/collide.h"
#if LATTICE_Q == 27
#include "solve/kernels/cumulant.h"
#endif

/* Segments of the table. Each octave of the argument has 2^(23 - SHEAR_SHIFT) = 16 segments of equal width. Segment n
 * holds the floats whose bits, shifted right by SHEAR_SHIFT, equal SHEAR_FIRST + n. The first segment also holds all
 * smaller values, the last all larger ones. The table spans 2^-63 to 2. */
#define SHEAR_SHIFT 19
enum { SHEAR_FIRST = (127 - 63) << (23 - SHEAR_SHIFT), SHEAR_SEGMENTS = 64 << (23 - SHEAR_SHIFT) };

/* 3 nu = constant + slope * argument in one segment. */
typedef struct {
    real constant, slope;
} shear_segment;

#define SHEAR_LAMBDA ((real)(3.0 / 16)) /* Lambda of collide.h, equal in all cells */

/* Index of the segment that holds the argument P:P (`square`). */
KERNEL_FN int shear_segment_of(real square) {
    const int n = (int)(KERNEL_BITS((float)square) >> SHEAR_SHIFT) - SHEAR_FIRST, low = n < 0 ? 0 : n;
    return low > SHEAR_SEGMENTS - 1 ? SHEAR_SEGMENTS - 1 : low;
}

/* 3 nu for the argument P:P (`square`), from a table [SHEAR_SEGMENTS]. */
KERNEL_FN real shear_three_nu(const shear_segment *table, real square) {
    const int n = shear_segment_of(square);
    return table[n].constant + table[n].slope * square;
}

/* P:P from second moments. Their trace drops out; it also contains the pressure. */
KERNEL_FN real shear_square_of(real xx, real yy, real zz, real xy, real xz, real yz) {
    const real mean = (xx + yy + zz) * (real)(1.0 / 3.0);
    const real a = xx - mean, b = yy - mean, c = zz - mean;
    return a * a + b * b + c * c + (real)2 * (xy * xy + xz * xz + yz * yz);
}

/* P:P of eq. (1), from the populations f before the collision. forced 0: there is no force; a compile-time constant.
 * u [3]: collide_momentum; s [3]: advection correction (kernels/advection.h), 0 on D3Q19. */
KERNEL_FN real shear_square(const real f[LATTICE_Q], const collide_rates *r, int forced, const real s[3],
                            const real u[3]) {
    real m[6];
    velocity_set_flux(f, m);
    const real *g = r->force, half = (real)0.5, x = u[0], y = u[1], z = u[2];
    real xx = m[0] - s[0] - x * x, yy = m[1] - s[1] - y * y, zz = m[2] - s[2] - z * z, xy = m[3] - x * y,
         xz = m[4] - x * z, yz = m[5] - y * z;
    if (forced) {
        xx += x * g[0];
        yy += y * g[1];
        zz += z * g[2];
        xy += half * (x * g[1] + y * g[0]);
        xz += half * (x * g[2] + z * g[0]);
        yz += half * (y * g[2] + z * g[1]);
    }
    return shear_square_of(xx, yy, zz, xy, xz, yz);
}

/* Rates of a cell with the local viscosity three_nu / 3. fixed_minus: 1 keeps omega_minus (collide_regularized,
 * cumulants); 0: two relaxation times, Lambda is kept. */
KERNEL_FN collide_rates shear_rates_of(real three_nu, const collide_rates *r, int fixed_minus) {
    const real half = (real)0.5, tau = half + three_nu;
    collide_rates own = *r;
    if (fixed_minus)
        own.omega_plus = (real)1 / tau;
    else { /* one division for 1 / tau and three_nu / rest */
        const real rest = half * three_nu + SHEAR_LAMBDA, both = (real)1 / (tau * rest);
        own.omega_plus = rest * both;
        own.omega_minus = three_nu * tau * both;
    }
    return own;
}

/* Rates of a cell with local viscosity, from the populations f before the collision. fixed_minus: as shear_rates_of;
 * forced, s: as shear_square. */
KERNEL_FN collide_rates shear_rates(const real f[LATTICE_Q], const shear_segment *table, const collide_rates *r,
                                    int fixed_minus, int forced, const real s[3]) {
    real u[3];
    collide_momentum(f, r, forced, &u[0], &u[1], &u[2]);
    return shear_rates_of(shear_three_nu(table, shear_square(f, r, forced, s, u)), r, fixed_minus);
}

/* What shear_collide_begin leaves for shear_collide_end. rho: density deviation, D3Q27 only; u: velocity. */
typedef struct {
    real rho, u[3];
} shear_flow;

/* First half of the collision with local viscosity; returns P:P, the argument of the table. Between the halves the CPU
 * looks up the viscosity of many cells. On D3Q27 it also converts f to central moments: the second ones are P. s: as
 * shear_square. */
KERNEL_FN real shear_collide_begin(real f[LATTICE_Q], const collide_rates *r, int forced, const real s[3],
                                   shear_flow *flow) {
#if LATTICE_Q == 27
    flow->rho = cumulant_moments(f, r, forced, s, flow->u);
    return shear_square_of(f[CUMULANT_200], f[CUMULANT_020], f[CUMULANT_002], f[CUMULANT_110], f[CUMULANT_101],
                           f[CUMULANT_011]);
#else
    flow->rho = (real)0;
    collide_momentum(f, r, forced, &flow->u[0], &flow->u[1], &flow->u[2]);
    return shear_square(f, r, forced, s, flow->u);
#endif
}

/* Second half of the collision. regularized: D3Q19 only, 1: collide_regularized, 0: two relaxation times. s: as
 * shear_square. */
KERNEL_FN void shear_collide_end(real f[LATTICE_Q], const collide_rates *r, int regularized, int forced, real three_nu,
                                 const real s[3], const shear_flow *flow) {
#if LATTICE_Q == 27
    const collide_rates own = shear_rates_of(three_nu, r, 1);
    const cumulant_rates k = cumulant_rates_local(own.omega_plus);
    (void)regularized;
    cumulant_finish(f, &own, &k, forced, three_nu * (real)(1.0 / 3), flow->rho, s, flow->u, 0);
#else
    const collide_rates own = shear_rates_of(three_nu, r, regularized);
    (void)s;
    if (regularized)
        collide_regularized_at(f, &own, (real)1, forced, flow->u);
    else
        collide_scaled_at(f, &own, (real)1, forced, flow->u);
#endif
}

/* Both halves. Arguments as shear_collide_end. */
KERNEL_FN void shear_collide(real f[LATTICE_Q], const shear_segment *table, const collide_rates *r, int regularized,
                             int forced, const real s[3]) {
    shear_flow flow;
    const real square = shear_collide_begin(f, r, forced, s, &flow);
    shear_collide_end(f, r, regularized, forced, shear_three_nu(table, square), s, &flow);
}
#endif
