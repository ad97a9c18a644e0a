/* SPDX-License-Identifier: Apache-2.0 */
/* Correction of the advection error of D3Q27. On a cubic lattice, advection of u_k along its own axis k has an error of
 * second order, because e_k^3 = e_k. Cumulants do not remove it. In a flow oblique to the axes it drives vortices.
 *   s_k = -1/12 (P(x + e_k) - 2 P(x) + P(x - e_k)),  P = rho / 3 + u_k^2,  k = x, y, z                        (1)
 * The collision subtracts s_k from the second moment of axis k and adds it again afterwards (kernels/cumulant.h).
 *   Geier and Pasquali 2018, lattice of 27 speeds with finite differences; steady form
 * At a wall P = rho(x) / 3. s_k = 0 where a neighbour lies behind an opening or a moving wall, because these rules
 * prescribe a momentum flux. s_k is stored in 16 bits (advection_pack), so that a cell reads 6 bytes. */
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

/* The bits of ADVECTION_LEAST + |s| have a step of 2^-40 near s = 0 and of 11 binary digits elsewhere. No denormals. */
#define ADVECTION_LEAST 0x1p-30f

/* Rounds to the nearest stored value: the sign, then the upper 15 bits above the bits of ADVECTION_LEAST. Coarser
 * values would keep a steady flow in a limit cycle. From 2 on, or if not finite, s becomes 0: such a flow is
 * diverging. */
KERNEL_FN uint16_t advection_pack(float s) {
    const uint32_t bits = KERNEL_BITS(s);
    const float size = KERNEL_FLOAT(bits & 0x7fffffffu);
    const uint32_t above = KERNEL_BITS(size + ADVECTION_LEAST) - KERNEL_BITS(ADVECTION_LEAST);
    const uint32_t rounded = above + 0xfffu + (above >> 13 & 1u);
    return size < 2 ? (uint16_t)((bits >> 16 & 0x8000u) | rounded >> 13) : (uint16_t)0;
}

KERNEL_FN float advection_unpack(uint16_t stored) {
    const uint32_t bits = KERNEL_BITS(ADVECTION_LEAST) + ((uint32_t)(stored & 0x7fffu) << 13);
    const float size = KERNEL_FLOAT(bits) - ADVECTION_LEAST;
    return KERNEL_FLOAT(KERNEL_BITS(size) | (uint32_t)(stored & 0x8000u) << 16);
}

/* The stored value after an update by the fraction `rate` of the way to s: unchanged if s is within about two steps of
 * it, or if that fraction is below half a step. A value between two steps would otherwise change at every monitor, and
 * a steady flow would not settle. Stored values therefore depend on earlier updates: a resumed run has other bits. */
KERNEL_FN uint16_t advection_update(uint16_t stored, float s, float rate) {
    const float kept = advection_unpack(stored), off = s < kept ? kept - s : s - kept, size = kept < 0 ? -kept : kept;
    return off <= 0x1p-10f * size + 0x1p-39f ? stored : advection_pack(kept + rate * (s - kept));
}
#endif
