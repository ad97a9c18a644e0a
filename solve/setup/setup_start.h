/* The flow that a run begins with. */
#ifndef PORTAFLOW_SETUP_START_H
#define PORTAFLOW_SETUP_START_H
#include "solve/setup/solve_job.h"

/* The flow of coarser runs as the start of this one: into the backend, and `from` (NULL: it has one; for the tolerance
 * alone, where the case gives none); *started stays as it is where there is none. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int setup_start(solve_job *j, run_progress *from, bool *started);
/* Pressures of the run g as this lattice has them: with boundary_values.rest they are shifted in files. */
void setup_shift_pressures(const solve_vessel *v, const grid_run *g, int64_t n_cell, fields *f);
#endif
