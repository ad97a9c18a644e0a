/* SPDX-License-Identifier: Apache-2.0 */
/* Developed pulsatile profiles at openings with a prescribed flow (Womersley 1955, for any cross-section).
 *
 *   Q(t) = Q0 + Re sum Qh exp(i h w t)      u(t) = Q0 u0 + Re sum Qh uh exp(i h w t)                            (1)
 *
 * u0: steady developed profile, mean 1. uh: solution of (1) of pulse_section.h at the angular frequency h w, mean 1.
 * The differences uh - u0, times |Qh|, are combined to few orthogonal pulse profiles by Gram-Schmidt with pivoting. */
#ifndef PORTAFLOW_PULSE_INLETS_H
#define PORTAFLOW_PULSE_INLETS_H
#include "solve/boundary/boundary_values.h"

/* Sets the pulse profiles of g, and condition.pulse, of each opening that prescribes a developed profile and a flow
 * that changes in the cycle. The steady profile remains at on-site openings, on lattices with periodic axes, in cycles
 * longer than 16 periods of the shortest waveform, at openings with fewer than 40 grid nodes in the fluid, and for
 * flows whose harmonics above 64 are too large to be omitted. mark: as in pulse_section_create. nu_m2_s: kinematic
 * viscosity. Collective. Errors: ERR_RESOURCE, ERR_NUMERIC, errors of ranks_sums. */
MUST_CHECK int pulse_inlets_set(const lattice *l, const uint8_t *mark, const double *nu_m2_s, boundary_values *g);
#endif
