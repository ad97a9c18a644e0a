/* A coarser lattice of the same vessel, for choices before the solution: time step, first guess of a steady flow.
 *
 * A coarse cell combines factor^3 cells. The wall distance of its centre is the value of the plane fitted to theirs by
 * least squares (undetermined slopes are 0); its solid fraction is the sum of theirs. A coarse cell whose centre lies
 * beyond the plane of an opening that it touches is removed. Links exist along axes only: to openings, to walls where a
 * step from a fluid centre does not reach another one, and where a thin wall cuts the whole face. */
#ifndef PORTAFLOW_LATTICE_COARSEN_H
#define PORTAFLOW_LATTICE_COARSEN_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int factor;
    int64_t n, room;
    int32_t *at;             /* [coarse box] cell number, -1: none; < -1 in lattice_coarsen_end: beyond an opening */
    struct coarse_cell *sum; /* [n] sums of each coarse cell */
    lattice box;             /* box and openings of the coarse lattice; owned */
} lattice_coarsening;

/* Smallest factor for which a lattice of n cells gets no more than about `most` cells. */
int lattice_coarsen_factor(int64_t n_cell, int64_t most);
/* Adds the cells of a lattice or of a block of it, in the order of the lattice. *c is zeroed before the first call,
 * except `factor`. `first` is unused (signature of lattice_stretch_work, data: *c). Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_add(void *data, const lattice *l, int64_t first);
/* Builds the coarse lattice; its cells have region 0 and its openings no profiles. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_end(lattice_coarsening *c, lattice *coarse);
void lattice_coarsen_free(lattice_coarsening *c); /* safe on a zeroed struct */
#endif
