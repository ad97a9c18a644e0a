/* A coarser lattice of the same vessel, made from the cells of a finer one: what is chosen before anything is solved
 * (the time step, a first guess of a steady flow) is found on it where the finer one has many cells.
 *
 * A coarse cell holds `factor`^3 cells. The distance of its centre from the wall is that of the plane that fits theirs
 * best (least squares, 0 slope where they leave it open), its solid fraction what they leave. One whose centre lies
 * beyond the plane of an opening that it touches is left out. Its links are those along the axes alone: to openings, to
 * walls where the step from a centre in the fluid does not reach another one, or where a wall thinner than a cell cuts
 * the whole face. */
#ifndef PORTAFLOW_LATTICE_COARSEN_H
#define PORTAFLOW_LATTICE_COARSEN_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int factor;
    int64_t n, room;
    int32_t *at; /* [coarse box] number of the cell, -1: none; in lattice_coarsen_end less: beyond an opening */
    struct coarse_cell *sum; /* [n] */
    lattice box;             /* of the coarse lattice, with its openings; owned */
} lattice_coarsening;

/* The least factor by which a lattice of n cells has at most about `most`. */
int lattice_coarsen_factor(int64_t n_cell, int64_t most);
/* Adds the cells of a lattice, or of a stretch of it; all of them in the order of the lattice. *c is zeroed before the
 * first but for `factor`. `first` is not looked at (a lattice_stretch_work, data: *c). Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_add(void *data, const lattice *l, int64_t first);
/* The lattice of all that was added; its cells have region 0 and its openings no profiles. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_end(lattice_coarsening *c, lattice *coarse);
void lattice_coarsen_free(lattice_coarsening *c); /* safe on a zeroed struct */
#endif
