/* Shared by lattice_file.c and lattice_stretch.c: the lattice file without its cell and link arrays. */
#ifndef PORTAFLOW_LATTICE_FILE_PARTS_H
#define PORTAFLOW_LATTICE_FILE_PARTS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <hdf5.h>

/* Reads box and number of openings into *l, and the numbers of cells and links. Errors: ERR_INPUT. */
MUST_CHECK int lattice_file_frame(hid_t group, const char *path, lattice *l, int64_t *n_cell, int64_t *n_link);
/* Reads l->opening [n_opening], zeroed before, with profiles. If l has no links, n_link is the length of the profiles
 * (0 for a moving wall). Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lattice_file_openings(hid_t group, lattice *l);
#endif
