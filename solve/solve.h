/* SPDX-License-Identifier: Apache-2.0 */
/* The solve stage: lattice + case -> fields, monitors, checkpoint. */
#ifndef PORTAFLOW_SOLVE_H
#define PORTAFLOW_SOLVE_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"
#include <stdio.h>

/* Runs the solve stage (README.md). Errors: any of status.h; ERR_NUMERIC if the flow diverged or did not converge. A
 * flow that did not converge is still written, marked converged: false. */
MUST_CHECK int solve(const solve_options *o);

/* Prints one line per device of this machine. Errors: ERR_RESOURCE if `device` is not among them. */
MUST_CHECK int solve_devices(int device, FILE *to);
#endif
