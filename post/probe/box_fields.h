/* SPDX-License-Identifier: Apache-2.0 */
/* A fields file without its lattice, as read by `post probe`. */
#ifndef PORTAFLOW_POST_PROBE_BOX_FIELDS_H
#define PORTAFLOW_POST_PROBE_BOX_FIELDS_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"

/* Read fields.vtkhdf and build a lattice of the cells with fluid from its solid fraction, without links and openings.
 * distance_mm is an estimate from the solid fraction; only its sign is reliable (negative in the fluid where the solver
 * has a value). Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int box_fields_read(const char *path, lattice *l, fields *f);
#endif
