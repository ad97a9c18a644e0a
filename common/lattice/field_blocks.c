/* See field_blocks.h. */
#include "common/lattice/field_blocks.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void field_blocks_free(field_blocks *b) {
    free(b->number);
    free(b->first);
    free(b->cell);
    *b = (field_blocks){0};
}

static int64_t block_of(const field_blocks *b, int64_t cell) {
    const int32_t *at = b->l->cell + 3 * cell;
    return ((int64_t)(at[2] / b->side[2]) * b->along[1] + at[1] / b->side[1]) * b->along[0] + at[0] / b->side[0];
}

/* Counts [n_all] of the cells become those before; then each cell comes to its place. */
static void fill(field_blocks *b, int64_t n_all, int64_t *count) {
    int64_t before = 0;
    for (int64_t c = 0; c < b->l->n_cell; c++)
        count[block_of(b, c)]++;
    for (int64_t k = 0; k < n_all; k++) {
        const int64_t n = count[k];
        count[k] = before;
        if (n == 0)
            continue;
        b->number[b->n] = k;
        b->first[b->n++] = before;
        before += n;
    }
    b->first[b->n] = before;
    for (int64_t c = 0; c < b->l->n_cell; c++)
        b->cell[count[block_of(b, c)]++] = (int32_t)c;
}

int field_blocks_create(field_blocks *b, const lattice *l, const int side[3]) {
    double all = 1;
    *b = (field_blocks){.l = l};
    for (int a = 0; a < 3; a++) {
        b->side[a] = side[a];
        b->along[a] = (l->dims[a] + side[a] - 1) / side[a];
        all *= b->along[a];
    }
    const size_t most = (size_t)fmin(all, (double)l->n_cell) + 1;
    int64_t *count = all < 1e9 ? calloc((size_t)all, sizeof *count) : NULL;
    b->number = malloc(most * sizeof *b->number);
    b->first = malloc(most * sizeof *b->first);
    b->cell = malloc((size_t)(l->n_cell + 1) * sizeof *b->cell);
    const int rc = count && b->number && b->first && b->cell
                       ? OK
                       : fail_memory("the parts of the fields", 8.0 * all + 4.0 * (double)l->n_cell);
    if (rc == OK)
        fill(b, (int64_t)all, count);
    else
        field_blocks_free(b);
    free(count);
    return rc;
}

/* First cell of block k, x y z. */
static void block_start(const field_blocks *b, hsize_t k, int64_t start[3]) {
    int64_t left = b->number[k];
    for (int a = 0; a < 3; a++) {
        start[a] = left % b->along[a] * b->side[a];
        left /= b->along[a];
    }
}

static void block_place(const void *data, hsize_t k, hsize_t *place) {
    int64_t start[3];
    block_start(((const field_blocked *)data)->b, k, start);
    for (int a = 0; a < 3; a++)
        place[2 - a] = (hsize_t)start[a];
    place[3] = 0;
}

static size_t place_within(const field_blocks *b, const int64_t start[3], int64_t cell) {
    const int32_t *at = b->l->cell + 3 * cell;
    return ((size_t)(at[2] - start[2]) * (size_t)b->side[1] + (size_t)(at[1] - start[1])) * (size_t)b->side[0] +
           (size_t)(at[0] - start[0]);
}

static size_t block_values(const field_blocks *b, int width) {
    return (size_t)b->side[0] * (size_t)b->side[1] * (size_t)b->side[2] * (size_t)width;
}

static void block_give(const void *data, hsize_t k, void *raw) {
    const field_blocks *b = ((const field_blocked *)data)->b;
    const field_array *a = ((const field_blocked *)data)->a;
    const size_t n = block_values(b, a->width);
    float *box = raw;
    int64_t start[3];
    block_start(b, k, start);
    for (size_t v = 0; v < n; v++)
        box[v] = a->outside;
    for (int64_t i = b->first[k]; i < b->first[k + 1]; i++) {
        const int64_t c = b->cell[i];
        float *to = box + place_within(b, start, c) * (size_t)a->width;
        if (a->value)
            memcpy(to, a->value + c * a->width, (size_t)a->width * sizeof *to);
        else
            *to = (float)b->l->solid[c] / LATTICE_SUBCELL_COUNT;
    }
}

static void block_take(const void *data, hsize_t k, const void *raw) {
    const field_blocks *b = ((const field_blocked *)data)->b;
    const field_array *a = ((const field_blocked *)data)->a;
    const float *box = raw;
    int64_t start[3];
    block_start(b, k, start);
    for (int64_t i = b->first[k]; i < b->first[k + 1]; i++)
        memcpy(a->value + b->cell[i] * (int64_t)a->width, box + place_within(b, start, b->cell[i]) * (size_t)a->width,
               (size_t)a->width * sizeof *box);
}

hdf5_chunks field_blocks_chunks(const field_blocked *data) {
    return (hdf5_chunks){.n = data->b->n,
                         .bytes = block_values(data->b, data->a->width) * sizeof(float),
                         .width = sizeof(float),
                         .data = data,
                         .place = block_place,
                         .give = block_give,
                         .take = block_take};
}
