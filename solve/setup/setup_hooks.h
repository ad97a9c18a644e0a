/* The settings of the time loop, and what it calls. */
#ifndef PORTAFLOW_SETUP_HOOKS_H
#define PORTAFLOW_SETUP_HOOKS_H
#include "solve/setup/solve_job.h"

/* Settings and hooks of the time loop. */
void setup_hooks(solve_job *j);
/* Keeps a checkpoint; ERR_RESOURCE when the user asked to stop. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int setup_keep_checkpoint(void *job, const run_progress *p);
#endif
