/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a computed case without its large files, so that studies with a hundred large cases fit on a disk and can
 * be interrupted. */
#ifndef PORTAFLOW_SAVED_RESULT_H
#define PORTAFLOW_SAVED_RESULT_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/study_case.h"

/* True if saved_result_write was called for this folder with the same settings and version: the JSON files of the
 * stages exist, and nothing needs to be computed. */
bool saved_result_exists(const study_case *t);

/* Writes <folder>/kept.json and removes lattices, surfaces, fields and checkpoints below <folder>/out. Errors:
 * ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int saved_result_write(const study_case *t);
#endif
