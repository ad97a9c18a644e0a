/* What solve would refuse, and what a run would take. */
#ifndef PORTAFLOW_DRY_RUN_H
#define PORTAFLOW_DRY_RUN_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"

/* Finds what solve would refuse before its first step, and writes nothing: of a lattice in `in`, or of the coarser one
 * that `mesh --dry-run` left there (look.h5); without `in` what the case alone says: whether something drives the flow,
 * the normals of zou-he, and, where the spacing is given, the time step and whether it is far too coarse for the
 * velocities that are known. Warns as solve does before its first step.
 * Errors: those of solve before its first step. */
MUST_CHECK int dry_run(const solve_options *o);
#endif
