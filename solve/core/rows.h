/* Where the active cells of a domain lie: which cell is at a place, by a search in its row along x. */
#ifndef PORTAFLOW_ROWS_H
#define PORTAFLOW_ROWS_H
#include "solve/core/domain.h"

/* Cells row[r] .. row[r+1]-1 lie in row r = z * dims[1] + y, ascending in x. */
typedef struct {
    const domain *d;
    int64_t *row;
} row_table;

/* From the positions of `d`, which must outlive it. Free with rows_free in any case. Errors: ERR_RESOURCE. */
int rows_create(row_table *t, const domain *d);
void rows_free(row_table *t);

/* Row of (y, z), wrapped where periodic, -1 outside the box. */
int64_t rows_index(const row_table *t, int y, int z);
/* First cell of the row with position >= x (row end when none). */
int64_t rows_lower(const row_table *t, int64_t row, int x);
/* Cell at x, y, z, wrapped where periodic, -1 when there is none. */
int64_t rows_find(const row_table *t, int x, int y, int z);
#endif
