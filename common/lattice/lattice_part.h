/* A part of a lattice: the cells of selected bricks of its box, read without the rest. */
#ifndef PORTAFLOW_LATTICE_PART_H
#define PORTAFLOW_LATTICE_PART_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* Selection of bricks of edge^3 cells: one byte per brick, 0: not selected. */
typedef struct {
    int edge;
    int64_t size[3]; /* number of bricks along each axis */
    uint8_t *mark;   /* [size], x fastest */
} lattice_marks;

/* All marks are 0. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_marks_create(lattice_marks *m, const int dims[3], int edge);
void lattice_marks_free(lattice_marks *m);
/* Mark of the brick of a cell. */
uint8_t *lattice_marks_at(const lattice_marks *m, const int32_t *cell);
/* Sets mark 2 on the neighbours of bricks with mark 1, also across periodic boundaries. */
void lattice_marks_spread(lattice_marks *m, const bool periodic[3]);

typedef struct {
    /* cells of the selected bricks in file order, their links and profiles; box and openings as in the whole lattice,
     * except n_link */
    lattice l;
    int64_t n_all, n_wet;  /* number of cells in the file; of those with the centre in the fluid */
    int32_t *number, *wet; /* [l.n_cell] index of the cell among all cells; among cells with the centre in the fluid */
    uint8_t *mark;         /* [l.n_cell] mark of its brick */
} lattice_part;

/* Errors: those of lattice_stretches_read; *p is zeroed then. Test: tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_part_read(const char *path, const lattice_marks *m, lattice_part *p);
/* Removes all cells with a mark other than 1, and all links. place [previous l.n_cell] out: new index, -1: removed. */
void lattice_part_shrink(lattice_part *p, int32_t *place);
void lattice_part_free(lattice_part *p); /* safe on a zeroed struct */
#endif
