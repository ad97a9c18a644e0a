/* Fields of a lattice as stored in a file: in blocks of its box, of which only blocks with cells are written. Other
 * blocks read as the array's value outside the fluid. Part of field_file.c. */
#ifndef PORTAFLOW_FIELD_BLOCKS_H
#define PORTAFLOW_FIELD_BLOCKS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "common/record/hdf5_chunk.h"

/* One array of the file: values at the cells, and the value outside the fluid. */
typedef struct {
    const char *name;
    int width;
    float outside;
    float *value; /* [n_cell][width]; NULL: solid_fraction of the lattice */
} field_array;

typedef struct {
    const lattice *l;      /* borrowed */
    int side[3], along[3]; /* x y z: cells per block, blocks per box */
    hsize_t n;             /* number of blocks with cells */
    int64_t *number;       /* [n] block numbers, x fastest, ascending */
    int64_t *first;        /* [n + 1] first index in `cell` */
    int32_t *cell;         /* [n_cell] cells of the lattice, block by block */
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

/* Blocks with cells of several parts of a lattice, in windows of n blocks from whole->number[first] on. Each part packs
 * its cells and returns the number of bytes (to NULL: size only); the writer unpacks the data of all parts. */
typedef struct {
    const field_blocks *whole; /* number, side and along are set */
    const field_array *a;
    hsize_t first, n;
    float *box; /* [n][values per block], preset to the value outside the fluid; NULL: this part does not write */
} field_window;
/* Marks in `there` [blocks of the box] the blocks in which b has cells; sets b->whole to the marked blocks. Errors:
 * ERR_RESOURCE. */
size_t field_blocks_all(const field_blocks *b);
void field_blocks_there(const field_blocks *b, uint8_t *there);
MUST_CHECK int field_blocks_from(field_blocks *whole, const field_blocks *like, const uint8_t *there);
size_t field_window_pack(const field_window *w, const field_blocks *own, void *to);
MUST_CHECK int field_window_create(field_window *w);
MUST_CHECK int field_window_take(void *window, const void *data, size_t bytes);
hdf5_chunks field_window_chunks(const field_window *w);
#endif
