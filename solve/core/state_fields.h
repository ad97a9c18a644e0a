/* SPDX-License-Identifier: Apache-2.0 */
/* Builds populations from fields, to continue a run after a change of the time step or from another lattice. */
#ifndef PORTAFLOW_STATE_FIELDS_H
#define PORTAFLOW_STATE_FIELDS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

/* Fields of every cell as backend_table.moments returns them; host memory, lattice units. */
typedef struct {
    float *density;  /* [n_cell] */
    float *velocity; /* [n_cell][3] */
    float *stress;   /* [n_cell][6] xx yy zz xy xz yz */
} state_fields;

/* Allocates the fields. Errors: ERR_RESOURCE. state_fields_free is safe on a zeroed struct. */
MUST_CHECK int state_fields_create(state_fields *f, int64_t n_cell);
void state_fields_free(state_fields *f);

/* Converts a flow for a new time step, `factor` times the old one. Velocities are multiplied by factor, density
 * deviations and stresses by factor^2. */
void state_fields_retime(state_fields *f, int64_t n_cell, double factor);

/* Computes the populations before the collision, f_a = feq_a + 9/2 w e.S.e, S = -stress / (1 - omega_plus / 2)
 * (Krueger, Varnik, Raabe 2009), as slots (solve/BOUNDARY_LINKS.md):
 *   slots  [domain.directions][n_cell], kept [n_partial]  out, in the precision of s, for backend_table.write
 *   given  [n_opening]  prescribed values of the previous step
 * mass_correction: mass correction of every wall link. With D3Q27, the parts of a lattice exchange halos: all parts
 * call it. Errors: ERR_RESOURCE, and the errors of halo.exchange. Test: tests/unit/solve/test_state_fields.c,
 * tests/cli/ranks.sh */
MUST_CHECK int state_slots(const domain *d, const backend_settings *s, const state_fields *f,
                           const prescribed_value *given, double mass_correction, void *slots, void *kept);
#endif
