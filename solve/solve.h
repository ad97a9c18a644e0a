/* The solve stage: lattice + case -> fields, monitors, checkpoint. */
#ifndef PORTAFLOW_SOLVE_H
#define PORTAFLOW_SOLVE_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"
#include <stdio.h>

/* Errors: all of status.h; ERR_NUMERIC when it diverged or did not converge (the fields are written then too, marked
 * converged: false). */
MUST_CHECK int solve(const solve_options *o);

/* A line a device of this machine. Errors: ERR_RESOURCE when `device` is not among them. */
MUST_CHECK int solve_devices(int device, FILE *to);
#endif
