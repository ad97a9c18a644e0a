/* SPDX-License-Identifier: Apache-2.0 */
/* Time step of a run, domain and device. */
#ifndef PORTAFLOW_SETUP_STEP_H
#define PORTAFLOW_SETUP_STEP_H
#include "solve/setup/solve_job.h"

double setup_length_cells(const lattice *l); /* diagonal of the lattice's box, in cells */
/* Period of the slowest sound in the box, steps: four diagonals at the lattice speed of sound 1 / sqrt(3). */
int setup_sound_steps(const lattice *l);
int setup_monitor_every(const solve_inputs *in, const solve_vessel *v, const solve_march *m); /* run_settings */
/* Checks that something drives the flow. Errors: ERR_INPUT when the case prescribes no flow, pressure difference or
 * force. */
MUST_CHECK int setup_require_driven(const case_file *c);
/* Finds the boundary conditions and the largest velocity, and chooses the time step. Errors: ERR_INPUT, ERR_RESOURCE,
 * ERR_NUMERIC. */
MUST_CHECK int setup_scale(solve_job *j);
/* Wall of the domain: DOMAIN_WALL_.. of domain.h. */
int setup_wall(const case_file *c);
/* Builds the domain. needed, available out: bytes that a backend needs on the device, and free bytes there. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int setup_domain(solve_job *j, double *needed, double *available);
MUST_CHECK int setup_backend(solve_job *j);
/* computes the times of the stored instants, rounded to even steps */
void setup_instants(const solve_march *m, solve_results *out);
/* True when the program has chosen the time step and may change it during the run. */
bool setup_chooses_step(const solve_inputs *in, const solve_vessel *v);
/* Sets a time step of dt_s; the new backend is at rest. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int setup_change_step(solve_job *j, double dt_s);
/* Restores the time step of a checkpoint whose run had changed it. The new backend gets the populations of the old
 * one. */
MUST_CHECK int setup_resume_step(solve_job *j, const run_progress *from);
/* Writes fields f, with the boundary values at time_s (boundary_values_at), to the backend. Errors: ERR_RESOURCE. */
MUST_CHECK int setup_write_state(const solve_vessel *v, const solve_march *m, const state_fields *f, double ramp_s,
                                 double time_s, double mass_correction);

/* True on a GPU, where preparation on the CPU costs more than the steps it saves. */
bool setup_on_gpu(const solve_march *m);
#endif
