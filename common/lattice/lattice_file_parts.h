/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the lattice file without its arrays. Shared by lattice_file.c and lattice_stretch.c. */
#ifndef PORTAFLOW_LATTICE_FILE_PARTS_H
#define PORTAFLOW_LATTICE_FILE_PARTS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <hdf5.h>

/* Sets the box and the number of openings of *l; returns the number of cells and links. Errors: ERR_INPUT. */
MUST_CHECK int lattice_file_frame(hid_t group, const char *path, lattice *l, int64_t *n_cell, int64_t *n_link);
/* Reads l->opening [n_opening] with profiles; zero it before. If l has no links, n_link of an opening is the length of
 * its profile (0 for a moving wall without a profile). Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int lattice_file_openings(hid_t group, lattice *l);
#endif
