/* SPDX-License-Identifier: Apache-2.0 */
/* Settings and hooks of the time loop (run/run.h). */
#ifndef PORTAFLOW_SETUP_HOOKS_H
#define PORTAFLOW_SETUP_HOOKS_H
#include "solve/setup/solve_job.h"

/* Sets settings and hooks of j->march.run. Errors: ERR_RESOURCE. */
MUST_CHECK int setup_hooks(solve_job *j);
/* Writes a checkpoint. Errors: ERR_OUTPUT, ERR_RESOURCE (also when the user requested a stop). */
MUST_CHECK int setup_keep_checkpoint(void *job, const run_progress *p);
#endif
