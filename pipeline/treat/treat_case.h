/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the case file after a treatment. */
#ifndef PORTAFLOW_TREAT_CASE_H
#define PORTAFLOW_TREAT_CASE_H
#include "common/base/must_check.h"
#include "pipeline/treat/treat_conditions.h"
#include "pipeline/treat/treat_lattice.h"

/* Writes the case of `before` with the treatment to `path`.
 *   plan_path  file with the list treat; plan: its content
 *   cells      lattice of the patient before the treatment; the case keeps its cells (mesh.before)
 *   to_before  path from the folder of `path` to the patient before the treatment
 * Errors: ERR_INPUT, ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int treat_case_write(const patient *before, const char *plan_path, const case_file *plan, int inflow,
                                const treated_conditions *t, const treat_lattice *cells, const char *to_before,
                                const char *path);
#endif
