/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the input of a run: case, lattice, records of earlier stages. */
#ifndef PORTAFLOW_SETUP_OPEN_H
#define PORTAFLOW_SETUP_OPEN_H
#include "solve/setup/solve_job.h"

/* Reads case and lattice into j->in and j->vessel, and locks the output folder. Call solve_job_free afterwards, also
 * after an error. Errors: errors of the readers; ERR_INPUT (lattice missing or made for another case); ERR_OUTPUT. */
MUST_CHECK int setup_open(solve_job *j, const solve_options *o);
#endif
