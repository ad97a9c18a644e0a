/* lattice.h5: the lattice on disk (HDF5 1.10). Layout as in README.md of this folder. */
#ifndef PORTAFLOW_LATTICE_FILE_H
#define PORTAFLOW_LATTICE_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* gzip 1 + shuffle + fletcher32, through "<path>.part" and rename. Errors: ERR_OUTPUT. */
MUST_CHECK int lattice_file_write(const char *path, const lattice *l);
/* Reads and runs lattice_check. Errors: ERR_INPUT (missing, truncated, other version), ERR_RESOURCE. */
MUST_CHECK int lattice_file_read(const char *path, lattice *l);
#endif
