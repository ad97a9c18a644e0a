/* The fields of a lattice as a file stores them: in blocks of its box, and of those only the ones that hold cells. What
 * reads the others gets the array's value outside the fluid. Part of field_file.c. */
#ifndef PORTAFLOW_FIELD_BLOCKS_H
#define PORTAFLOW_FIELD_BLOCKS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "common/record/hdf5_chunk.h"

/* One array of the file: its values at the cells, and what it is outside the fluid. */
typedef struct {
    const char *name;
    int width;
    float outside;
    float *value; /* [n_cell][width]; NULL: solid_fraction from the lattice */
} field_array;

typedef struct {
    const lattice *l;      /* borrowed */
    int side[3], along[3]; /* x y z: cells of a block, blocks of the box */
    hsize_t n;             /* blocks with cells */
    int64_t *number;       /* [n] of all, x fastest; ascending */
    int64_t *first;        /* [n + 1] in cell */
    int32_t *cell;         /* [n_cell] of the lattice, block by block */
} field_blocks;

/* Errors: ERR_RESOURCE. field_blocks_free is safe on a zeroed struct. */
MUST_CHECK int field_blocks_create(field_blocks *b, const lattice *l, const int side[3]);
void field_blocks_free(field_blocks *b);

typedef struct {
    const field_blocks *b;
    const field_array *a;
} field_blocked;

/* For hdf5_chunks_write and _read; `data` is borrowed. */
hdf5_chunks field_blocks_chunks(const field_blocked *data);

/* Blocks that hold cells of several parts of a lattice, a few at a time: whole->number[first] and those behind it, n.
 * Each part packs its cells (returns the bytes; to NULL: only that), and who writes takes what all of them packed. */
typedef struct {
    const field_blocks *whole; /* number, side, along */
    const field_array *a;
    hsize_t first, n;
    float *box; /* [n][values of a block] outside the fluid before; NULL: does not write */
} field_window;
/* Blocks of the box: a byte each in `there`, 1 where b has cells; the blocks of `whole` are those. Errors:
 * ERR_RESOURCE. */
size_t field_blocks_all(const field_blocks *b);
void field_blocks_there(const field_blocks *b, uint8_t *there);
MUST_CHECK int field_blocks_from(field_blocks *whole, const field_blocks *like, const uint8_t *there);
size_t field_window_pack(const field_window *w, const field_blocks *own, void *to);
MUST_CHECK int field_window_create(field_window *w);
MUST_CHECK int field_window_take(void *window, const void *data, size_t bytes);
hdf5_chunks field_window_chunks(const field_window *w);
#endif
