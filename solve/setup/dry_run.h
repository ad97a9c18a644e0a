/* SPDX-License-Identifier: Apache-2.0 */
/* solve --dry-run: checks a run and estimates its cost. */
#ifndef PORTAFLOW_DRY_RUN_H
#define PORTAFLOW_DRY_RUN_H
#include "common/base/must_check.h"
#include "solve/setup/solve_options.h"

/* Runs all checks of solve before its first step and writes no result. With `in`: on the lattice in this folder, or on
 * the coarser one of `mesh --dry-run` (preview.h5). Without `in`: from the case alone (is the flow driven, are openings
 * with zou-he along the grid, and for a given spacing the time step and the cell Reynolds number). Warnings and errors:
 * as solve before its first step. */
MUST_CHECK int dry_run(const solve_options *o);
#endif
