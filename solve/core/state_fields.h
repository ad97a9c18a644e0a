/* The populations of a lattice from its fields: what a run goes on from after its time step was changed. */
#ifndef PORTAFLOW_STATE_FIELDS_H
#define PORTAFLOW_STATE_FIELDS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

/* Fields of every cell as backend_table.moments gives them, host, lattice units. */
typedef struct {
    float *density;  /* [n_cell] */
    float *velocity; /* [n_cell][3] */
    float *stress;   /* [n_cell][6] xx yy zz xy xz yz */
} state_fields;

/* Errors: ERR_RESOURCE. state_fields_free is safe on a zeroed struct. */
MUST_CHECK int state_fields_create(state_fields *f, int64_t n_cell);
void state_fields_free(state_fields *f);

/* The same flow in a time step `factor` times as long: velocities are that many times larger, densities (pressure) and
 * stresses its square. */
void state_fields_retime(state_fields *f, int64_t n_cell, double factor);

/* Populations before the collision, f_a = feq_a + 9/2 w e.S.e, S = -stress / (1 - omega_plus / 2), as slots:
 *   slots  [19][n_cell], kept [n_partial]  in the precision of the settings, for backend_table.write
 *   given  [n_opening]  what the openings prescribe in the step before; mass correction: of every wall link
 * Krueger, Varnik, Raabe 2009; slots: kernels/link.h. Test: tests/unit/solve/test_state_fields.c */
void state_slots(const domain *d, const backend_settings *s, const state_fields *f, const prescribed_value *given,
                 double mass_correction, void *slots, void *kept);
#endif
