/* See rows.h. */
#include "solve/core/rows.h"
#include "common/base/status.h"
#include <stdlib.h>

int rows_create(row_table *t, const domain *d) {
    const int64_t n = (int64_t)d->dims[1] * d->dims[2];
    t->d = d;
    t->row = calloc((size_t)n + 1, sizeof *t->row);
    if (!t->row)
        return fail_memory("the solver's row table", (double)(n + 1) * sizeof *t->row);
    for (int64_t c = 0; c < d->n_cell; c++)
        t->row[(int64_t)d->position[3 * c + 2] * d->dims[1] + d->position[3 * c + 1] + 1]++;
    for (int64_t r = 0; r < n; r++)
        t->row[r + 1] += t->row[r];
    return OK;
}

void rows_free(row_table *t) {
    free(t->row);
    t->row = NULL;
}

int64_t rows_index(const row_table *t, int y, int z) {
    const domain *d = t->d;
    if (d->periodic[1])
        y = (y + d->dims[1]) % d->dims[1];
    if (d->periodic[2])
        z = (z + d->dims[2]) % d->dims[2];
    if (y < 0 || z < 0 || y >= d->dims[1] || z >= d->dims[2])
        return -1;
    return (int64_t)z * d->dims[1] + y;
}

int64_t rows_lower(const row_table *t, int64_t row, int x) {
    int64_t low = t->row[row], high = t->row[row + 1];
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (t->d->position[3 * middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t rows_find(const row_table *t, int x, int y, int z) {
    const int64_t row = rows_index(t, y, z);
    if (t->d->periodic[0])
        x = (x + t->d->dims[0]) % t->d->dims[0];
    if (row < 0)
        return -1;
    const int64_t c = rows_lower(t, row, x);
    return c < t->row[row + 1] && t->d->position[3 * c] == x ? c : -1;
}
