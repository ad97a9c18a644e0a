/* lattice.h5: the lattice on disk (HDF5 1.10). Layout: common/README.md. */
#ifndef PORTAFLOW_LATTICE_FILE_H
#define PORTAFLOW_LATTICE_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* Compressed with gzip 1, shuffle, fletcher32. Writes "<path>.part" first, then renames it. Errors: ERR_OUTPUT. */
MUST_CHECK int lattice_file_write(const char *path, const lattice *l);
/* Reads the file and calls lattice_check. Errors: ERR_INPUT (missing, truncated, other version), ERR_RESOURCE. */
MUST_CHECK int lattice_file_read(const char *path, lattice *l);
#endif
