/* What is left of a computed case when its lattices and fields are gone: a study of a hundred large cases would fill a
 * disk, and one that was stopped goes on behind the cases that are kept. */
#ifndef PORTAFLOW_KEPT_H
#define PORTAFLOW_KEPT_H
#include "common/base/must_check.h"
#include "pipeline/reproduce/trial.h"

/* True when kept_write was called for this folder with the same settings, by this version: the JSON files of the
 * stages are there, and nothing need be computed. */
bool kept_is(const trial *t);

/* Note it in <folder>/kept.json and remove lattices, surfaces, fields and checkpoints below <folder>/out.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int kept_write(const trial *t);
#endif
