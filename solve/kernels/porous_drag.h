/* SPDX-License-Identifier: Apache-2.0 */
/* Darcy-Brinkman flow in a porous cell, lattice units:
 *   du/dt + u.grad u = -grad p + nu lap u - s u + G,    s = nu / K                                              (1)
 * u: velocity averaged over blood and tissue, K: permeability, G: body force. The viscosity nu is that of free blood.
 *   F = G - s u,   u = (j + G / 2) / (1 + s / 2)            j: sum of e f                 Guo and Zhao 2002, linear part
 * u solves u = j + F / 2, so the drag is implicit: it reverses j for a large s but never amplifies it. porous_rates puts
 * F into collide_rates.force. Collisions, moments and links then use F as they use any force.
 *
 * Rates of third moments. In a flow parallel to a grid plane the steady equations have the exact solution
 *   nu (1 + 3 b s) lap u - s u + G = 0 (central differences),   b = -1 / (2 - omega_plus) - a
 *   a F: part of the third moment m_xyy that the force adds to u / 3
 * With two relaxation times a = -(2 / (3 omega_minus) + 1 / 6), with cumulants a = -1 / (rate of third cumulants). The
 * rates below give b = 0; others change the viscosity by a multiple of nu dx^2 / K and can make it negative. */
#ifndef PORTAFLOW_POROUS_DRAG_H
#define PORTAFLOW_POROUS_DRAG_H
#include "solve/kernels/collide.h"
#if LATTICE_Q == 27
#include "solve/kernels/cumulant.h"
#endif

/* Rates of a cell with the populations f before the collision. drag: s of the cell, 0 outside porous regions. */
KERNEL_FN collide_rates porous_rates(const real f[LATTICE_Q], real drag, const collide_rates *r) {
    const real part = drag / ((real)1 + (real)0.5 * drag), o = r->omega_plus;
    collide_rates own = *r;
    real x, y, z;
    collide_momentum(f, r, 1, &x, &y, &z);
    own.force[0] -= part * x;
    own.force[1] -= part * y;
    own.force[2] -= part * z;
    own.omega_minus = drag > 0 ? (real)4 * ((real)2 - o) / ((real)4 + o) : r->omega_minus;
    return own;
}

#if LATTICE_Q == 27
/* Rates of the cumulants of a cell; k: rates of free blood. */
KERNEL_FN cumulant_rates porous_cumulants(const cumulant_rates *k, real omega_plus, real drag) {
    const real third = (real)2 - omega_plus;
    const cumulant_rates own = {third, third, third, (real)0, (real)0};
    return drag > 0 ? own : *k;
}
#endif
#endif
