/* Partition of the lattice among ranks. */
#ifndef PORTAFLOW_SETUP_RANKS_H
#define PORTAFLOW_SETUP_RANKS_H
#include "solve/setup/solve_job.h"

enum { SETUP_PREVIEW_CELLS = 1000000 }; /* approximate cells of solve_vessel.preview */
/* Reads this rank's part of the lattice and the preview, then builds the domain. Errors: those of lattice_part_read,
 * ERR_INPUT (fewer cells than ranks). */
MUST_CHECK int setup_ranks_read(const solve_inputs *in, solve_vessel *v);
MUST_CHECK int setup_ranks_domain(const solve_inputs *in, solve_vessel *v);
#endif
