/* SPDX-License-Identifier: Apache-2.0 */
/* A coarser lattice of the same vessel, built from the cells of a finer lattice. On the coarser lattice a run finds its
 * time step and a first guess of a steady flow at low cost.
 *
 * A coarse cell holds `factor`^3 fine cells. A least-squares plane is fitted to the wall distances of the fine cells,
 * with slope 0 where the fine cells do not determine it. The wall distance of the coarse cell is the value of this
 * plane at its centre. Its solid fraction follows from the fluid subcells of the fine cells. A coarse cell is omitted
 * if it touches an opening and its centre is beyond the plane of this opening.
 *
 * Only links along the axes are stored: to openings, to walls where the step from a fluid centre does not reach another
 * fluid centre, and through a wall thinner than a cell that cuts the whole face. */
#ifndef PORTAFLOW_LATTICE_COARSEN_H
#define PORTAFLOW_LATTICE_COARSEN_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int factor;
    int64_t n, room; /* number of coarse cells; allocated */
    /* [coarse box] index of each cell; -1: no cell; values <= -2, during lattice_coarsen_end only: beyond an opening */
    int32_t *at;
    struct coarse_cell *sum; /* [n] sums over the fine cells of each coarse cell */
    lattice box;             /* box and openings of the coarse lattice; owned */
} lattice_coarsening;

/* Smallest factor with n_cell <= most * factor^3. */
int lattice_coarsen_factor(int64_t n_cell, int64_t most);
/* Adds the cells of a lattice or of a part of it; the cells must arrive in the order of the lattice. Before the first
 * call *c is zeroed and `factor` is set. `first` is unused: the signature is lattice_stretch_work with data = c.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_add(void *data, const lattice *l, int64_t first);
/* Builds the coarse lattice of all added cells. Its openings have no profiles. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_coarsen_end(lattice_coarsening *c, lattice *coarse);
void lattice_coarsen_free(lattice_coarsening *c); /* safe on a zeroed struct */
#endif
