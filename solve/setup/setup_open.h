/* What a run reads: the case, the lattice, the records of the stages before. */
#ifndef PORTAFLOW_SETUP_OPEN_H
#define PORTAFLOW_SETUP_OPEN_H
#include "solve/setup/solve_job.h"

/* Reads the case and the lattice of j->one, locks the folder of the results. Errors: those of the readers, ERR_INPUT
 * where the lattice is missing or another case's, ERR_OUTPUT. Freed in any case. */
MUST_CHECK int setup_open(solve_job *j, const solve_options *o);
#endif
