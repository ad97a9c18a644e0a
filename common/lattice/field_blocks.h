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
#endif
