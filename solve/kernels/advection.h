/* SPDX-License-Identifier: Apache-2.0 */
/* Correction of the advection error of D3Q27. On a cubic lattice, advection of u_k along its own axis k has an error of
 * second order, because e_k^3 = e_k. Cumulants do not remove it. In a flow oblique to the axes it drives vortices.
 *   s_k = -1/12 (P(x + e_k) - 2 P(x) + P(x - e_k)),  P = rho / 3 + u_k^2,  k = x, y, z                        (1)
 * The collision subtracts s_k from the second moment of axis k and adds it again afterwards (kernels/cumulant.h).
 *   Geier and Pasquali 2018, lattice of 27 speeds with finite differences; steady form
 * At a wall P = rho(x) / 3. s_k = 0 where a neighbour lies behind an opening or a moving wall, because these rules
 * prescribe a momentum flux. s_k is stored as bfloat16, the upper half of a float, so that a cell reads 6 bytes. */
#ifndef PORTAFLOW_ADVECTION_H
#define PORTAFLOW_ADVECTION_H
#include "solve/kernels/kernel.h"

KERNEL_FN float advection_flux(float rho, float u) {
    return rho * (1.0f / 3) + u * u;
}

/* s_k of (1). before, own, after: P of x - e_k, x and x + e_k. */
KERNEL_FN float advection_of(float before, float own, float after) {
    return (-1.0f / 12) * ((before - own) + (after - own));
}

/* Rounds to the nearest stored value. Values that are not finite become 0: the monitor reports their cell. */
KERNEL_FN uint16_t advection_pack(float s) {
    const uint32_t bits = KERNEL_BITS(s), rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    return (bits & 0x7f800000u) == 0x7f800000u ? (uint16_t)0 : (uint16_t)(rounded >> 16);
}

KERNEL_FN float advection_unpack(uint16_t stored) {
    return KERNEL_FLOAT((uint32_t)stored << 16);
}
#endif
