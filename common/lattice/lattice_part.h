/* A part of a lattice: the cells of some bricks of its box, read without the rest. */
#ifndef PORTAFLOW_LATTICE_PART_H
#define PORTAFLOW_LATTICE_PART_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

/* Which bricks of `edge`^3 cells are wanted: a byte each, 0 not; 1 byte for edge^3 cells of the box. */
typedef struct {
    int edge;
    int64_t size[3]; /* bricks along each axis */
    uint8_t *mark;   /* [size], x fastest */
} lattice_marks;

/* All 0. Errors: ERR_RESOURCE. */
MUST_CHECK int lattice_marks_create(lattice_marks *m, const int dims[3], int edge);
void lattice_marks_free(lattice_marks *m);
/* Of the brick of a cell of the box. */
uint8_t *lattice_marks_at(const lattice_marks *m, const int32_t *cell);
/* The bricks around those of mark 1 get mark 2, over periodic edges too. */
void lattice_marks_spread(lattice_marks *m, const bool periodic[3]);

typedef struct {
    lattice l; /* the cells of the wanted bricks in the file's order, their links, the profiles of these links; box and
                  openings are those of the whole, but for the openings' n_link */
    int64_t n_all, n_wet;  /* cells of the file, and of those the ones with their centre in the fluid */
    int32_t *number, *wet; /* [l.n_cell] how many of these lie before the cell in the file */
    uint8_t *mark;         /* [l.n_cell] of its brick */
} lattice_part;

/* Errors: those of lattice_stretches_read; *p is zeroed then. Test: tests/unit/common/test_lattice_part.c */
MUST_CHECK int lattice_part_read(const char *path, const lattice_marks *m, lattice_part *p);
/* Only the cells of mark 1 stay, without links. place [l.n_cell before] becomes their new index, -1. */
void lattice_part_shrink(lattice_part *p, int32_t *place);
void lattice_part_free(lattice_part *p); /* safe on a zeroed struct */
#endif
