/* Connected pieces of fluid, and the openings that they touch. */
#ifndef PORTAFLOW_FLUID_PIECES_H
#define PORTAFLOW_FLUID_PIECES_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"
#include <stddef.h>

/* The piece with root `cell` touches opening `opening`, on its inner or outer side. */
typedef struct {
    int32_t cell, opening;
    bool inner;
} touch;

typedef struct {
    const fluid_cells *c;
    const voxelize_input *in;
    const section *sections;
    int32_t *parent; /* [c->n] root of the piece: its first cell; -1: centre not in the fluid */
    int32_t *size;   /* [c->n] at roots: number of fluid centres of the piece */
    touch *touches;  /* [n_touch] sorted by root, inner side first, opening */
    size_t n_touch;
} fluid_pieces;

/* Finds the pieces: fluid centres are connected over links that no opening and no thin wall cuts. Zeroes *p first; free
 * it after an error too. Equal for any number of threads. Errors: ERR_RESOURCE. Test: tests/unit/mesh/test_pieces.c */
MUST_CHECK int fluid_pieces_create(fluid_pieces *p, const fluid_cells *c, const voxelize_input *in,
                                   const section *sections);
void fluid_pieces_free(fluid_pieces *p); /* safe on a zeroed struct */
#endif
