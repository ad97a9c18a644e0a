/* The connected pieces of fluid, and which of them touch an opening. */
#ifndef PORTAFLOW_FLUID_PIECES_H
#define PORTAFLOW_FLUID_PIECES_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"
#include <stddef.h>

/* The piece of root `cell` lies at opening `opening`, on the inner or the outer side. */
typedef struct {
    int32_t cell, opening;
    bool inner;
} touch;

typedef struct {
    const fluid_cells *c;
    const voxelize_input *in;
    const section *sections;
    int32_t *parent; /* [c->n] the smallest cell of the piece, its root; -1: centre not in the fluid */
    int32_t *size;   /* [c->n] at the root: fluid centres of the piece */
    touch *touches;  /* [n_touch] by root, the inner ones first, by opening */
    size_t n_touch;
} fluid_pieces;

/* Fluid centres are connected over links that no opening and no thin wall cuts. Zeroes *p first; free it on an error,
 * too. The same on any number of threads. Errors: ERR_RESOURCE. Test: tests/unit/mesh/test_pieces.c */
MUST_CHECK int fluid_pieces_create(fluid_pieces *p, const fluid_cells *c, const voxelize_input *in,
                                   const section *sections);
void fluid_pieces_free(fluid_pieces *p); /* safe on a zeroed struct */
#endif
