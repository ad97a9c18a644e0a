/* The solve stage: lattice + case -> fields, monitors, checkpoint. */
#ifndef PORTAFLOW_SOLVE_H
#define PORTAFLOW_SOLVE_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"
#include <stdio.h>

/* Errors: all of status.h; ERR_NUMERIC when it diverged or did not converge (the fields are written then too, marked
 * converged: false). */
MUST_CHECK int solve(const solve_options *o);

/* Finds what solve would refuse before its first step, and writes nothing: of a lattice in `in`, or of the coarser one
 * that `mesh --dry-run` left there (look.h5); without `in` what the case alone says: whether something drives the flow,
 * the normals of zou-he, and, where the spacing is given, the time step and whether it is far too coarse for the
 * velocities that are known. Warns as solve does before its first step. dry_run.c
 * Errors: those of solve before its first step. */
MUST_CHECK int solve_dry_run(const solve_options *o);

/* A line a device of this machine. Errors: ERR_RESOURCE when `device` is not among them. */
MUST_CHECK int solve_devices(int device, FILE *to);
#endif
