/* SPDX-License-Identifier: Apache-2.0 */
/* The connected pieces of fluid, and the openings that each piece touches. */
#ifndef PORTAFLOW_FLUID_PIECES_H
#define PORTAFLOW_FLUID_PIECES_H
#include "common/base/must_check.h"
#include "mesh/cells/fluid_cells.h"
#include "mesh/section/cross_section.h"
#include <stddef.h>

/* A piece of fluid touches an opening from the opening's inner or outer side. cell: root of the piece. */
typedef struct {
    int32_t cell, opening;
    bool inner;
} touch;

typedef struct {
    const fluid_cells *c;
    const voxelize_input *in;
    const section *sections;
    int32_t *parent; /* [c->n] root of each cell's piece: the smallest cell of the piece; -1: centre not in the fluid */
    int32_t *size;   /* [c->n] at a root: number of fluid centres in the piece */
    /* [n_touch] which pieces touch which openings, sorted by root, then inner before outer, then by opening */
    touch *touches;
    size_t n_touch;
} fluid_pieces;

/* Find the pieces: fluid centres are connected over links that no opening and no thin wall cuts. Zeroes *p first; free
 * *p also after an error. Same result on any number of threads. Errors: ERR_RESOURCE. Test:
 * tests/unit/mesh/test_fluid_pieces.c */
MUST_CHECK int fluid_pieces_create(fluid_pieces *p, const fluid_cells *c, const voxelize_input *in,
                                   const section *sections);
void fluid_pieces_free(fluid_pieces *p); /* safe on a zeroed struct */
#endif
