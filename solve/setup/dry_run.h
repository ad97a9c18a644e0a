/* SPDX-License-Identifier: Apache-2.0 */
/* solve --dry-run: checks a run and estimates its cost. */
#ifndef PORTAFLOW_DRY_RUN_H
#define PORTAFLOW_DRY_RUN_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"

/* Runs the checks that solve makes before its first step; writes no result. With `in`: checks the lattice in this
 * folder, or the coarser lattice of `mesh --dry-run` (preview.h5). Without `in`: checks the case alone, i.e. whether
 * the flow is driven, whether openings with zou-he lie along the grid, and for a given spacing the time step and the
 * cell Reynolds number. Warnings and errors: as solve. */
MUST_CHECK int dry_run(const solve_options *o);
#endif
