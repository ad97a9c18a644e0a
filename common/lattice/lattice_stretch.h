/* A lattice file read stretch by stretch, for who must not hold all of it. */
#ifndef PORTAFLOW_LATTICE_STRETCH_H
#define PORTAFLOW_LATTICE_STRETCH_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

enum { LATTICE_STRETCH = 1 << 18 }; /* cells: about 10 MB with their links */

/* l: cells first .. first + l->n_cell - 1 of the file with their links and the openings' profiles of these links alone
 * (opening[k].n_link: how many); link_cell counts from `first`. Valid during the call. */
typedef int lattice_stretch_work(void *data, const lattice *l, int64_t first);

/* Calls `work` for all stretches of at most `most` cells, in order. *frame, zeroed before, gets box and openings as of
 * the whole lattice (n_link of each, without profiles; no cell, no link), also where work is NULL; lattice_free.
 * n_cell: of the file; NULL: not wanted. All is checked as by lattice_file_read, but for what a stretch does not know
 * of its neighbours. Errors: ERR_INPUT, ERR_RESOURCE, those of work. Test: tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_stretches_read(const char *path, int64_t most, lattice *frame, int64_t *n_cell,
                                      lattice_stretch_work *work, void *data);
#endif
