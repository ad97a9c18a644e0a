/* SPDX-License-Identifier: Apache-2.0 */
/* Temperature transported by the flow: D3Q7 with two relaxation times, coupled to D3Q19 in one collision. g_a:
 * population of the temperature in direction a, e_a its lattice vector, u the velocity of the cell; ': after the
 * collision.
 *   theta = sum g_a,   g_eq = w_a theta (1 + 4 e_a.u),   w = 1/4 at rest, 1/8    (cyclic pointer 2020, eqs. 4, 5 and 7)
 *   g+ relaxes with omega_plus, g- with omega_minus,   diffusivity = (1/omega_minus - 1/2) / 4
 *   (1/omega_plus - 1/2) (1/omega_minus - 1/2) = HEAT_MAGIC = 1/4: stable at any diffusivity, no ringing near 1/2
 *   Ginzburg 2005; Kuzmin, Ginzburg, Mohamad 2011
 *   Boussinesq: acceleration = force + buoyancy theta, buoyancy = - gravity times expansion       (ibid., eqs. 3 and 8)
 * theta: (temperature - reference) / unit (core/heat_links.h). Directions 0..6 are the first seven of D3Q19.
 * Cut links. Direction i points out of the fluid, a is its opposite. slot: stored value of the link (link.h).
 * Coefficients that are not listed are 0:
 *   g_a(x, t+1) = slot + C g_i(x, t+1) + D,   slot = A g_i' + B g_a' + E theta
 *   temperature T at distance q, interpolated anti-bounce-back, second order (Li, Mei, Klausner 2013):
 *     q <  1/2:  A = -2q, C = 2q - 1, D = T/4
 *     q >= 1/2:  A = -1/(2q), B = 1 - 1/(2q), D = T/(8q)
 *   no flux:           A = 1, keeps the heat of every cell
 *   free temperature:  A = -1, E = 1/4 (openings): the opening has the temperature of the cell; convection without
 *                      conduction
 * An opening with a prescribed temperature is a wall at q = 1/2. */
#ifndef PORTAFLOW_HEAT_CELL_H
#define PORTAFLOW_HEAT_CELL_H
#include "solve/kernels/collide.h"

#define HEAT_MAGIC 0.25

typedef struct {
    real omega_plus, omega_minus;
    real buoyancy[3]; /* acceleration divided by the temperature theta, lattice units */
} heat_rates;

typedef struct {
    real a, b, c, d, e;
} heat_coefficients;

KERNEL_FN heat_coefficients heat_wall(real q, real temperature) {
    const real half = (real)0.5 / q;
    const heat_coefficients near = {(real)-2 * q, (real)0, (real)2 * q - (real)1, (real)0.25 * temperature, (real)0},
                            far = {-half, (real)1 - half, (real)0, (real)0.25 * half * temperature, (real)0};
    return q < (real)0.5 ? near : far;
}

KERNEL_FN heat_coefficients heat_no_flux(void) {
    const heat_coefficients k = {(real)1, (real)0, (real)0, (real)0, (real)0};
    return k;
}

KERNEL_FN heat_coefficients heat_free(void) {
    const heat_coefficients k = {(real)-1, (real)0, (real)0, (real)0, (real)0.25};
    return k;
}

/* Slot of a cut link after the collision. `own`: g_i', `back`: g_a', theta: temperature of the cell. */
KERNEL_FN real heat_leave(heat_coefficients k, real own, real back, real theta) {
    return KERNEL_FMA(k.a, own, KERNEL_FMA(k.b, back, k.e * theta));
}

/* Population g_a that enters through a cut link, at the next step. received: g_i(x, t+1). */
KERNEL_FN real heat_arrive(heat_coefficients k, real slot, real received) {
    return slot + k.c * received + k.d;
}

KERNEL_FN real heat_theta(const real g[7]) {
    return g[0] + ((g[1] + g[2]) + (g[3] + g[4]) + (g[5] + g[6]));
}

/* Collision rates of the flow in a cell with temperature theta: r with the buoyancy added to its force. */
KERNEL_FN collide_rates heat_force(const collide_rates *r, const heat_rates *h, real theta) {
    collide_rates own = *r;
    own.force[0] += h->buoyancy[0] * theta;
    own.force[1] += h->buoyancy[1] * theta;
    own.force[2] += h->buoyancy[2] * theta;
    return own;
}

KERNEL_FN void heat_collide_pair(real *ga, real *gb, real even, real odd, real half_plus, real half_minus) {
    const real plus = even - half_plus * (*ga + *gb), minus = odd - half_minus * (*ga - *gb);
    *ga += plus + minus;
    *gb += plus - minus;
}

/* Collides the populations of the temperature of a cell. u: velocity of the cell, with half of the force. */
KERNEL_FN void heat_collide(real g[7], const heat_rates *h, real ux, real uy, real uz) {
    const real theta = heat_theta(g), half_plus = (real)0.5 * h->omega_plus, half_minus = (real)0.5 * h->omega_minus;
    const real even = h->omega_plus * (real)0.125 * theta, odd = half_minus * theta;
    g[0] += h->omega_plus * ((real)0.25 * theta - g[0]);
    heat_collide_pair(&g[1], &g[2], even, odd * ux, half_plus, half_minus);
    heat_collide_pair(&g[3], &g[4], even, odd * uy, half_plus, half_minus);
    heat_collide_pair(&g[5], &g[6], even, odd * uz, half_plus, half_minus);
}

/* Collides both distributions of a cell. */
KERNEL_FN void heat_collide_cell(real f[19], real g[7], const collide_rates *r, const heat_rates *h, int regularized) {
    const collide_rates own = heat_force(r, h, heat_theta(g));
    real x, y, z;
    velocity_set_momentum(f, &x, &y, &z);
    heat_collide(g, h, x + (real)0.5 * own.force[0], y + (real)0.5 * own.force[1], z + (real)0.5 * own.force[2]);
    if (regularized)
        collide_regularized(f, &own, (real)1, 1);
    else
        collide_scaled(f, &own, (real)1, 1);
}

/* Gradient of theta along an axis, from the two populations on this axis before the collision: g- = g_eq- - w d theta /
 * omega_minus. u: velocity along the axis. */
KERNEL_FN real heat_gradient(real ga, real gb, real theta, real u, const heat_rates *h) {
    return (real)-4 * h->omega_minus * (ga - gb - theta * u);
}
#endif
