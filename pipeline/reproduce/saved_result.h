/* What is left of a computed case when its lattices and fields are gone: a study of a hundred large cases would fill a
 * disk, and one that was stopped goes on behind the cases that are kept. */
#ifndef PORTAFLOW_SAVED_RESULT_H
#define PORTAFLOW_SAVED_RESULT_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/study_case.h"

/* True when saved_result_write was called for this folder with the same settings, by this version: the JSON files of
 * the stages are there, and nothing need be computed. */
bool saved_result_exists(const study_case *t);

/* Note it in <folder>/kept.json and remove lattices, surfaces, fields and checkpoints below <folder>/out.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int saved_result_write(const study_case *t);
#endif
