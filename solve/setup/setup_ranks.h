/* SPDX-License-Identifier: Apache-2.0 */
/* Partition of the lattice among ranks. */
#ifndef PORTAFLOW_SETUP_RANKS_H
#define PORTAFLOW_SETUP_RANKS_H
#include "solve/setup/solve_job.h"

enum { SETUP_PREVIEW_CELLS = 1000000 }; /* approximate number of cells of solve_vessel.preview */
/* setup_ranks_read reads this rank's part of the lattice, and the coarser lattice solve_vessel.preview;
 * setup_ranks_domain then builds the domain. Errors: errors of lattice_part_read; ERR_INPUT (fewer cells than
 * ranks). */
MUST_CHECK int setup_ranks_read(const solve_inputs *in, solve_vessel *v);
MUST_CHECK int setup_ranks_domain(const solve_inputs *in, solve_vessel *v);
#endif
