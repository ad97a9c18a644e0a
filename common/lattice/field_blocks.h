/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of the lattice's box, as a field file stores them. The file holds only blocks that contain cells; a reader of
 * any other block gets the fill value of the array. Part of field_file.c. */
#ifndef PORTAFLOW_FIELD_BLOCKS_H
#define PORTAFLOW_FIELD_BLOCKS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "common/record/hdf5_chunk.h"

/* One array of the field file: its values at the cells, and its fill value for the box outside the fluid. */
typedef struct {
    const char *name;
    int width; /* values per cell */
    float outside;
    float *value; /* [n_cell][width] values; NULL: use solid_fraction of the lattice */
} field_array;

typedef struct {
    const lattice *l;      /* the lattice, borrowed */
    int side[3], along[3]; /* along x, y, z. side: cells per block; along: number of blocks in the box */
    hsize_t n;             /* number of blocks that contain cells */
    int64_t *number;       /* [n] index of each block in the box, x fastest; ascending */
    int64_t *first;        /* [n + 1] first cell of each block in `cell` */
    int32_t *cell;         /* [n_cell] cells of the lattice, sorted by block */
} field_blocks;

/* Creates the blocks of `side` cells per axis that contain cells of l. Errors: ERR_RESOURCE. field_blocks_free is safe
 * on a zeroed struct. */
MUST_CHECK int field_blocks_create(field_blocks *b, const lattice *l, const int side[3]);
void field_blocks_free(field_blocks *b);

typedef struct {
    const field_blocks *b;
    const field_array *a;
} field_blocked;

/* Callbacks for hdf5_chunks_write and hdf5_chunks_read; `data` is borrowed. */
hdf5_chunks field_blocks_chunks(const field_blocked *data);

/* Some blocks of a lattice that is partitioned over ranks: whole->number[first] .. whole->number[first + n - 1]. Blocks
 * are written window by window. Each rank packs its own cells of the window; the writing rank unpacks the cells of all
 * ranks into `box`. */
typedef struct {
    const field_blocks *whole; /* all blocks of the file; only number, side and along are used */
    const field_array *a;
    hsize_t first, n;
    /* [n][values of a block] values to write; initially the fill value. NULL on ranks that do not write */
    float *box;
} field_window;
/* Steps on each rank:
 * field_blocks_count       number of blocks in the box, with and without cells
 * field_blocks_mark        sets there[k] = 1 for each block k that contains cells of b
 * field_blocks_from_marks  creates the blocks with there[k] = 1. Errors: ERR_RESOURCE.
 * field_window_pack        packs this rank's cells into `to` (NULL: nothing is written) and returns the number of bytes
 * field_window_create      allocates the box of the writing rank. Errors: ERR_RESOURCE.
 * field_window_unpack      unpacks the packed cells of one rank into the box */
size_t field_blocks_count(const field_blocks *b);
void field_blocks_mark(const field_blocks *b, uint8_t *there);
MUST_CHECK int field_blocks_from_marks(field_blocks *whole, const field_blocks *like, const uint8_t *there);
size_t field_window_pack(const field_window *w, const field_blocks *own, void *to);
MUST_CHECK int field_window_create(field_window *w);
MUST_CHECK int field_window_unpack(void *window, const void *data, size_t bytes);
hdf5_chunks field_window_chunks(const field_window *w);
#endif
