/* A fields file on its own, without its lattice: what `post probe` reads. */
#ifndef PORTAFLOW_POST_PROBE_BOX_FIELDS_H
#define PORTAFLOW_POST_PROBE_BOX_FIELDS_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"

/* Read fields.vtkhdf and make a lattice from its solid fraction: the cells with some fluid. It has no links and no
 * openings; distance_mm is an estimate from the solid fraction, good for its sign (negative in the fluid, when the
 * solver had a value there). Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int box_fields_read(const char *path, lattice *l, fields *f);
#endif
