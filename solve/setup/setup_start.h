/* SPDX-License-Identifier: Apache-2.0 */
/* Initial flow of a run. */
#ifndef PORTAFLOW_SETUP_START_H
#define PORTAFLOW_SETUP_START_H
#include "solve/setup/solve_job.h"

/* Writes the flow of coarser grid levels or a developed flow to the backend and to *from, and sets *started. Otherwise
 * it changes nothing. from NULL: a resumed run, for which it sets only the default tolerance. Errors: ERR_INPUT,
 * ERR_RESOURCE. */
MUST_CHECK int setup_start(solve_job *j, run_progress *from, bool *started);
/* Removes the shift of the pressures in the file of run g (boundary_values.rest), because this lattice may have another
 * shift. */
void setup_shift_pressures(const solve_vessel *v, const grid_run *g, int64_t n_cell, fields *f);
#endif
