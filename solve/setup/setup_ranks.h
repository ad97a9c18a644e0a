/* A run of several ranks: which part of the lattice is whose. */
#ifndef PORTAFLOW_SETUP_RANKS_H
#define PORTAFLOW_SETUP_RANKS_H
#include "solve/setup/solve_job.h"

enum { SETUP_PREVIEW_CELLS = 1000000 }; /* cells of job.look, about: of more, they cost more than they tell */
/* The own part of the lattice, and job.look; then its domain. Errors: those of
 * lattice_part_read, ERR_INPUT (fewer cells than ranks). */
MUST_CHECK int setup_ranks_read(solve_job *j);
MUST_CHECK int setup_ranks_domain(solve_job *j);
#endif
