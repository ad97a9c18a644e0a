/* SPDX-License-Identifier: Apache-2.0 */
/* Density, velocity and viscous stress of a cell, from its populations before the collision (deviation form).
 *   rho = sum f, p = rho / 3      u = sum e f + F/2       F: acceleration by the body force
 *   stress = -(1 - omega_plus/2) (sum e e (f - feq) + (u F + F u)/2)       2 nu S in lattice units, local, 2nd order
 *   Chapman-Enskog; Krueger, Varnik, Raabe 2009; force term Guo 2002
 * On D3Q27 feq lacks terms of third order in u. The collision subtracts 3 (1 - omega_plus/2) u_x^2 du_x/dx from each
 * normal moment, less in their sum (cumulant_relax), and the stress contains half of it. */
#ifndef PORTAFLOW_MOMENTS_H
#define PORTAFLOW_MOMENTS_H
#include "solve/kernels/collide.h"

typedef struct {
    real density, u[3], stress[6]; /* xx yy zz xy xz yz */
} moments;

KERNEL_FN void moments_velocity(const real f[LATTICE_Q], const collide_rates *r, moments *m) {
    m->density = velocity_set_density(f);
    collide_momentum(f, r, 1, &m->u[0], &m->u[1], &m->u[2]);
}

/* Viscous stress from the non-equilibrium second moments, sum e e f - (rho/3 delta + u u). Needs m->density and
 * m->u. s [3]: advection correction (kernels/advection.h), 0 on D3Q19. */
KERNEL_FN void moments_stress(const real f[LATTICE_Q], const collide_rates *r, const real s[3], moments *m) {
    real flux[6];
    velocity_set_flux(f, flux);
    const real third = m->density * (real)(1.0 / 3.0);
    const real x = m->u[0], y = m->u[1], z = m->u[2];
    const real *g = r->force;
    const real factor = -((real)1 - (real)0.5 * r->omega_plus), half = (real)0.5;
    m->stress[0] = factor * (flux[0] - s[0] - third - x * x + x * g[0]);
    m->stress[1] = factor * (flux[1] - s[1] - third - y * y + y * g[1]);
    m->stress[2] = factor * (flux[2] - s[2] - third - z * z + z * g[2]);
    m->stress[3] = factor * (flux[3] - x * y + half * (x * g[1] + y * g[0]));
    m->stress[4] = factor * (flux[4] - x * z + half * (x * g[2] + z * g[0]));
    m->stress[5] = factor * (flux[5] - y * z + half * (y * g[2] + z * g[1]));
#if LATTICE_Q == 27
    /* du_x/dx = -1/2 (omega_plus (3 P_xx - P_xx - P_yy - P_zz) + P_xx + P_yy + P_zz), as in cumulant_relax; here
     * m->stress = factor P */
    const real trace = m->stress[0] + m->stress[1] + m->stress[2], u[3] = {x, y, z};
    for (int k = 0; k < 3; k++)
        m->stress[k] += (real)0.75 * u[k] * u[k] * (r->omega_plus * ((real)3 * m->stress[k] - trace) + trace);
#endif
}
#endif
