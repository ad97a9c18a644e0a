/* SPDX-License-Identifier: Apache-2.0 */
/* Settings and hooks of the time loop (run/run.h). */
#ifndef PORTAFLOW_SETUP_HOOKS_H
#define PORTAFLOW_SETUP_HOOKS_H
#include "solve/setup/solve_job.h"

/* Sets settings and hooks of j->march.run. Errors: ERR_RESOURCE. */
MUST_CHECK int setup_hooks(solve_job *j);
/* Largest factor by which the time step may change if the largest velocity is `velocity`, lattice units: cumulants of
 * shear-thinning blood limit tau at the wall (scale_tau_most). The velocity at the wall is taken to differ from the
 * expected one as much as the largest velocity. INFINITY: no limit. */
double setup_longest_step(const solve_inputs *in, const solve_march *m, double velocity);
/* Writes a checkpoint. Errors: ERR_OUTPUT, ERR_RESOURCE (also when the user requested a stop). */
MUST_CHECK int setup_keep_checkpoint(void *job, const run_progress *p);
#endif
