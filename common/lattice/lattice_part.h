/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a lattice: the cells of selected bricks of its box, read from the file without holding the other cells. */
#ifndef PORTAFLOW_LATTICE_PART_H
#define PORTAFLOW_LATTICE_PART_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* Selection of bricks of `edge`^3 cells: one byte per brick, 0: not selected. */
typedef struct {
    int edge;
    int64_t size[3]; /* number of bricks along each axis */
    uint8_t *mark;   /* [size] mark of each brick, x fastest */
} lattice_marks;

/* Creates marks that are all 0. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_marks_create(lattice_marks *m, const int dims[3], int edge);
void lattice_marks_free(lattice_marks *m);
/* Mark of the brick that contains a cell of the box. */
uint8_t *lattice_marks_at(const lattice_marks *m, const int32_t *cell);
/* For every brick with the mark `ring`, also across periodic edges: gives its neighbours without a mark the mark `ring`
 * + 1. */
void lattice_marks_spread(lattice_marks *m, const bool periodic[3], int ring);

typedef struct {
    /* Lattice of the selected bricks: their cells in the order of the file, the links of these cells, and the profiles
     * of these links. Box and openings are copies of the box and openings of the whole lattice, except that n_link of
     * an opening counts the selected links only. */
    lattice l;
    int64_t n_all, n_wet; /* number of all cells in the file, and of the cells with their centre in the fluid */
    /* [l.n_cell] number[c]: how many cells precede cell c in the file; wet[c]: how many of them have their centre in
     * the fluid */
    int32_t *number, *wet;
    uint8_t *mark; /* [l.n_cell] mark of each cell's brick */
} lattice_part;

/* Reads the cells of the bricks whose mark is not 0. Errors: as lattice_stretches_read; *p is zeroed then. Test:
 * tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_part_read(const char *path, const lattice_marks *m, lattice_part *p);
/* Removes all cells that do not have mark 1, and all links. place [old l.n_cell] receives the new index of each cell,
 * -1: removed. */
void lattice_part_shrink(lattice_part *p, int32_t *place);
void lattice_part_free(lattice_part *p); /* safe on a zeroed struct */
#endif
