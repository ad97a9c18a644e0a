/* Reads a lattice file in blocks, for programs that cannot hold all of it. */
#ifndef PORTAFLOW_LATTICE_STRETCH_H
#define PORTAFLOW_LATTICE_STRETCH_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

enum { LATTICE_STRETCH = 1 << 18 }; /* default cells per block: about 10 MB with links */

/* l: cells first .. first + l->n_cell - 1 of the file with their links and the profiles of these links
 * (opening[k].n_link: their number); link_cell counts from `first`. Valid during the call. */
typedef int lattice_stretch_work(void *data, const lattice *l, int64_t first);

/* Calls `work` for all blocks of up to `most` cells, in order. work may be NULL. *frame, zeroed before: box and
 * openings of the whole lattice (n_link of each, no profiles, cells or links); free with lattice_free. n_cell: cells of
 * the file, may be NULL. Checks as lattice_file_read does, except neighbours across blocks. Errors: ERR_INPUT,
 * ERR_RESOURCE, those of work. Test: tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_stretches_read(const char *path, int64_t most, lattice *frame, int64_t *n_cell,
                                      lattice_stretch_work *work, void *data);
#endif
