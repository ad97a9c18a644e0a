/* SPDX-License-Identifier: Apache-2.0 */
/* Darcy-Brinkman flow in a porous cell, lattice units:
 *   du/dt + u.grad u = -grad p + nu lap u - s u + G,    s = nu / K                                              (1)
 * u: velocity averaged over blood and tissue, K: permeability, G: body force. The viscosity nu is that of free blood.
 *   F = G - s u,   u = (j + G / 2) / (1 + s / 2)            j: sum of e f                 Guo and Zhao 2002 (guo2002c)
 * u solves u = j + F / 2, so the drag is implicit: it reverses j for a large s but never amplifies it. porous_rates
 * puts F into collide_rates.force. Collisions, moments and links then use F as they use any force.
 *
 * Rates of third moments. In a flow parallel to a grid plane the steady equations have the exact solution
 *   nu (1 + 3 b s) lap u - s u + G = 0 (central differences),   b = -1 / (2 - omega_plus) - a
 *   a = -(2 / (3 o) + 1 / 6),   o: omega_minus; a F: force part of the moment m_xyy
 * porous_odd_rate gives b = 0. Other rates change the viscosity by a multiple of nu dx^2 / K and can make it
 * negative.
 * D3Q27: the third cumulants of porous cells have the rate o and the force part F / 6 before and after the collision,
 * which is the same a. They grow as F / o, so they have no limiter. Fourth cumulants relax to 0. In waves of any
 * direction the viscosity is 0.4 to 4.4 nu, and nu in long ones. No wave in a periodic region grows (s up to 1000, tau
 * from 0.505); between free flow, regions with K < 0.02 may diverge (setup/setup_step.c).
 * Test: tests/unit/solve/test_porous.c */
#ifndef PORTAFLOW_POROUS_DRAG_H
#define PORTAFLOW_POROUS_DRAG_H
#include "solve/kernels/collide.h"
#if LATTICE_Q == 27
#include "solve/kernels/cumulant.h"
#endif

/* Rate of third moments in a porous cell. */
KERNEL_FN real porous_odd_rate(real omega_plus) {
    return (real)4 * ((real)2 - omega_plus) / ((real)4 + omega_plus);
}

/* Rates of a cell with the populations f before the collision. drag: s of the cell, 0 outside porous regions. */
KERNEL_FN collide_rates porous_rates(const real f[LATTICE_Q], real drag, const collide_rates *r) {
    const real part = drag / ((real)1 + (real)0.5 * drag);
    collide_rates own = *r;
    real x, y, z;
    collide_momentum(f, r, 1, &x, &y, &z);
    own.force[0] -= part * x;
    own.force[1] -= part * y;
    own.force[2] -= part * z;
    own.omega_minus = drag > 0 ? porous_odd_rate(r->omega_plus) : r->omega_minus;
    return own;
}

#if LATTICE_Q == 27
#define POROUS_NO_LIMIT ((real)1e30)

/* Collides a cell of a lattice with porous regions. own: porous_rates of the cell; k: rates of free cells, which
 * collide as in cumulant_collide. s: advection correction. */
KERNEL_FN void porous_collide(real f[27], real drag, const collide_rates *own, const cumulant_rates *k,
                              const real s[3]) {
    const int porous = drag > 0;
    const real o = own->omega_minus, part = porous ? (real)(1.0 / 6) : (real)0;
    const cumulant_rates third = {porous ? o : k->third_sum, porous ? o : k->third_difference,
                                  porous ? o : k->third_product, porous ? (real)0 : k->a, porous ? (real)0 : k->b};
    const cumulant_drag d = {porous ? POROUS_NO_LIMIT : CUMULANT_LIMIT,
                             {part * own->force[0], part * own->force[1], part * own->force[2]}};
    real u[3];
    const real rho = cumulant_moments(f, own, 1, s, u);
    cumulant_finish(f, own, &third, 1, (real)(1.0 / 3) * ((real)1 / own->omega_plus - (real)0.5), rho, s, u, &d);
}
#endif
#endif
