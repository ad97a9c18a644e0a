/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a lattice file in pieces of consecutive cells, so that memory need not hold the whole lattice. */
#ifndef PORTAFLOW_LATTICE_STRETCH_H
#define PORTAFLOW_LATTICE_STRETCH_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

enum { LATTICE_STRETCH = 1 << 18 }; /* cells per piece; a piece with its links has about 10 MB */

/* Called for each piece. l: cells `first .. first + l->n_cell - 1` of the file with their links, the openings' profiles
 * at these links, and the number of these links in opening[k].n_link. link_cell counts from `first`. Valid during the
 * call. */
typedef int lattice_stretch_work(void *data, const lattice *l, int64_t first);

/* Calls `work` for pieces of up to `most` cells, in order. *frame receives the box and the openings of the whole
 * lattice with n_link, without profiles, cells and links; the caller frees it with lattice_free. n_cell: number of
 * cells of the file; NULL: not returned. Makes the checks of lattice_file_read, except checks of neighbours. work NULL:
 * cells and links are not checked, and n_link is 0 for an opening without profiles. Errors: ERR_INPUT, ERR_RESOURCE,
 * errors of work. Test: tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_stretches_read(const char *path, int64_t most, lattice *frame, int64_t *n_cell,
                                      lattice_stretch_work *work, void *data);
#endif
