/* What solve says of its choices, and where a flow diverged. */
#ifndef PORTAFLOW_SAY_H
#define PORTAFLOW_SAY_H
#include "common/case.h"
#include "common/lattice.h"
#include "domain.h"
#include "run.h"
#include "scale.h"

/* Lines and warnings before the first step. widest: cells across the widest passage, for a case without openings. */
void say_choice(const case_file *c, const lattice *l, const scale *s, const domain *d, double widest);

/* Records the sentence of a flow that diverged: step, place in mm (in the case's space, LPS when that is voxel), the
 * nearest opening, what to do. Returns ERR_NUMERIC. */
int say_diverged(const case_file *c, const lattice *l, const scale *s, const domain *d, const run_trouble *t);
#endif
