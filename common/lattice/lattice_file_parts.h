/* What lattice_file.c and lattice_stretch.c share: the lattice file without its arrays. */
#ifndef PORTAFLOW_LATTICE_FILE_PARTS_H
#define PORTAFLOW_LATTICE_FILE_PARTS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <hdf5.h>

/* Box and number of openings of *l, and how many cells and links there are. Errors: ERR_INPUT. */
MUST_CHECK int lattice_file_frame(hid_t group, const char *path, lattice *l, int64_t *n_cell, int64_t *n_link);
/* l->opening [n_opening], zeroed before, with their profiles; where l has no links, with as many as the profiles say (a
 * moving wall without one: 0). Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lattice_file_openings(hid_t group, lattice *l);
#endif
