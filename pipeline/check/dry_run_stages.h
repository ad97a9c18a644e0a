/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that only a stage can find, from dry runs of the stages. */
#ifndef PORTAFLOW_DRY_RUN_STAGES_H
#define PORTAFLOW_DRY_RUN_STAGES_H
#include "common/base/must_check.h"
#include "common/cli/options.h"
#include "pipeline/run/patient.h"

/* Runs `solve --dry-run` on the case without a lattice. set: settings of the command line. Errors: exit code and
 * message of solve, ERR_RESOURCE. */
MUST_CHECK int dry_run_stages_of_case(const patient *p, const options_list *set);

/* Runs segment, `mesh --dry-run` and `solve --dry-run` if no level set must be computed: the lumen is an analytic
 * shape, a mask, a surface or a current result of segment. Without a lattice, solve checks the case alone. Current
 * results are used unchanged. New files are in a temporary folder under TMPDIR, which is removed. Each warning of these
 * stages is printed once; for a current result only the serious ones.
 *   *solve_warned   out: true if solve has checked the case on a lattice, in this call or in its current result
 *   *cells  out: cells of the finest grid level, NaN: unknown
 * Errors: exit code and message of the stage that refused; ERR_RESOURCE. */
MUST_CHECK int dry_run_stages(const patient *p, const options_list *set, bool *solve_warned, double *cells);
#endif
