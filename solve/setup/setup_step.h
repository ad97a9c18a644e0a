/* The time step of a run, and the domain and device for it. */
#ifndef PORTAFLOW_SETUP_STEP_H
#define PORTAFLOW_SETUP_STEP_H
#include "solve/setup/solve_job.h"

double setup_length_cells(const lattice *l); /* diagonal of the box */
/* Steps of a period of the slowest sound in the box: four times its diagonal at the lattice's sound, 1/sqrt 3. */
int setup_sound_steps(const lattice *l);
/* Errors: ERR_INPUT when nothing of the case drives a flow. */
MUST_CHECK int setup_require_driven(const case_file *c);
/* What drives the flow, where it will be fastest, and the step for that; then the domain and a backend at rest.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int setup_scale(solve_job *j);
/* The domain and the device, and the bytes that a backend would take there and that are free. */
MUST_CHECK int setup_domain(solve_job *j, double *needed, double *available);
MUST_CHECK int setup_backend(solve_job *j);
void setup_instants(const solve_march *m, solve_results *out); /* times of the stored instants, whole steps */
/* Whether the step is the program's, so that it may change it. */
bool setup_chooses_step(const solve_inputs *in, const solve_vessel *v);
/* Scale and backend for a step of dt_s; the new backend is at rest. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int setup_change_step(solve_job *j, double dt_s);
/* A checkpoint of a run whose step was changed: the backend for it takes over what was read. */
MUST_CHECK int setup_resume_step(solve_job *j, const run_progress *from);
/* Fields f, with what openings prescribe at time_s (boundary_values_at), become the state of the backend.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int setup_write_state(const solve_vessel *v, const solve_march *m, const state_fields *f, double ramp_s,
                                 double time_s, double mass_correction);

/* Whether it steps on a GPU, where what the processor does to save steps takes longer than they do. */
bool setup_on_gpu(const solve_march *m);
#endif
