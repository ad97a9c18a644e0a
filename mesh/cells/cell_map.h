/* SPDX-License-Identifier: Apache-2.0 */
/* Set of cells of a box with a number for each cell: one bit per cell and one count per 64 bits.
 *
 * Cells are numbered x fastest. A box of 586 x 532 x 442 cells takes 28 MB; finding a cell takes two reads. */
#ifndef PORTAFLOW_CELL_MAP_H
#define PORTAFLOW_CELL_MAP_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int dims[3];
    bool periodic[3];
    int64_t words_per_row;
    uint64_t *bits;  /* [dims[2]][dims[1]][words_per_row] one bit for each cell along x */
    uint32_t *first; /* [number of words + 1] number of set cells before each word */
} cell_map;

MUST_CHECK int cell_map_create(cell_map *m, const int dims[3],
                               const bool periodic[3]); /* creates an empty set. Errors: ERR_RESOURCE */
void cell_map_free(cell_map *m);

static inline uint64_t *cell_map_row_bits(const cell_map *m, int y, int z) {
    return m->bits + ((int64_t)z * m->dims[1] + y) * m->words_per_row;
}
/* Add a cell to the set. Different threads may fill different rows. */
static inline void cell_map_set(cell_map *m, int x, int y, int z) {
    cell_map_row_bits(m, y, z)[x >> 6] |= 1ULL << (x & 63);
}

/* Number the cells after all bits are set; returns the number of cells. */
int64_t cell_map_number(cell_map *m);

/* Number of a cell, -1: not in the set; coordinates beyond the box wrap on periodic axes. */
int64_t cell_map_find(const cell_map *m, int x, int y, int z);

/* Writes x of every cell of a row, ascending, into x[dims[0]] and the number of the first cell into *first. Returns the
 * number of cells. */
int cell_map_row(const cell_map *m, int y, int z, int32_t *x, int64_t *first);
#endif
