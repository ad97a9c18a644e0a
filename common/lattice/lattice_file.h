/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.h5: the lattice on disk (HDF5 1.10). Layout: common/FILES.md. */
#ifndef PORTAFLOW_LATTICE_FILE_H
#define PORTAFLOW_LATTICE_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* Checks the lattice and writes it with the filters gzip 1, shuffle and fletcher32, as "<path>.part", which is then
 * renamed. Errors: ERR_OUTPUT; as lattice_check. */
MUST_CHECK int lattice_file_write(const char *path, const lattice *l);
/* Reads the file and runs lattice_check. Errors: ERR_INPUT (missing, truncated, other version), ERR_RESOURCE. */
MUST_CHECK int lattice_file_read(const char *path, lattice *l);
#endif
