/* A run of several ranks: which part of the lattice is whose. */
#ifndef PORTAFLOW_SETUP_RANKS_H
#define PORTAFLOW_SETUP_RANKS_H
#include "solve/setup/solve_job.h"

enum { SETUP_PREVIEW_CELLS = 1000000 }; /* cells of solve_vessel.preview, about: more cost more than they tell */
/* The own part of the lattice, and the preview; then its domain. Errors: those of
 * lattice_part_read, ERR_INPUT (fewer cells than ranks). */
MUST_CHECK int setup_ranks_read(const solve_inputs *in, solve_vessel *v);
MUST_CHECK int setup_ranks_domain(const solve_inputs *in, solve_vessel *v);
#endif
