/* SPDX-License-Identifier: Apache-2.0 */
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

/* Sorts the cells by block (counting sort). count [n_all]: scratch memory, zeros at the start. */
static void sort_cells(field_blocks *b, int64_t n_all, int64_t *count) {
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
        sort_cells(b, (int64_t)all, count);
    else
        field_blocks_free(b);
    free(count);
    return rc;
}

/* Box coordinates x y z of the first cell of block k. */
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

size_t field_blocks_count(const field_blocks *b) {
    return (size_t)b->along[0] * (size_t)b->along[1] * (size_t)b->along[2];
}

void field_blocks_mark(const field_blocks *b, uint8_t *there) {
    for (hsize_t k = 0; k < b->n; k++)
        there[b->number[k]] = 1;
}

int field_blocks_from_marks(field_blocks *whole, const field_blocks *like, const uint8_t *there) {
    const size_t all = field_blocks_count(like);
    *whole = (field_blocks){.l = like->l};
    memcpy(whole->side, like->side, sizeof whole->side);
    memcpy(whole->along, like->along, sizeof whole->along);
    whole->number = malloc((all + 1) * sizeof *whole->number);
    if (!whole->number)
        return fail_memory("the parts of the fields", 8.0 * (double)all);
    for (size_t k = 0; k < all; k++)
        if (there[k])
            whole->number[whole->n++] = (int64_t)k;
    return OK;
}

size_t field_window_pack(const field_window *w, const field_blocks *own, void *to) {
    const size_t cells = block_values(own, 1), record = sizeof(uint32_t) + (size_t)w->a->width * sizeof(float);
    size_t n = 0;
    hsize_t k = 0;
    for (hsize_t at = 0; at < w->n; at++) {
        int64_t start[3];
        while (k < own->n && own->number[k] < w->whole->number[w->first + at])
            k++;
        if (k == own->n || own->number[k] != w->whole->number[w->first + at])
            continue;
        block_start(own, k, start);
        for (int64_t i = own->first[k]; i < own->first[k + 1]; i++, n++) {
            if (!to)
                continue;
            const int64_t c = own->cell[i];
            const uint32_t place = (uint32_t)(at * cells + place_within(own, start, c));
            const float fluid = (float)own->l->solid[c] / LATTICE_SUBCELL_COUNT;
            char *record_at = (char *)to + n * record;
            memcpy(record_at, &place, sizeof place);
            memcpy(record_at + sizeof place, w->a->value ? w->a->value + c * w->a->width : &fluid,
                   record - sizeof place);
        }
    }
    return n * record;
}

int field_window_create(field_window *w) {
    const size_t n = (size_t)w->n * block_values(w->whole, w->a->width);
    w->box = malloc((n + 1) * sizeof *w->box);
    if (!w->box)
        return fail_memory("the parts of the fields", 4.0 * (double)n);
    for (size_t k = 0; k < n; k++)
        w->box[k] = w->a->outside;
    return OK;
}

int field_window_unpack(void *window, const void *data, size_t bytes) {
    const field_window *w = window;
    const size_t width = (size_t)w->a->width, record = sizeof(uint32_t) + width * sizeof(float);
    for (const char *at = data; at < (const char *)data + bytes; at += record) {
        uint32_t place;
        memcpy(&place, at, sizeof place);
        memcpy(w->box + (size_t)place * width, at + sizeof place, width * sizeof(float));
    }
    return OK;
}

static void window_place(const void *data, hsize_t k, hsize_t *place) {
    const field_window *w = data;
    int64_t start[3];
    block_start(w->whole, w->first + k, start);
    for (int a = 0; a < 3; a++)
        place[2 - a] = (hsize_t)start[a];
    place[3] = 0;
}

static void window_give(const void *data, hsize_t k, void *raw) {
    const field_window *w = data;
    const size_t n = block_values(w->whole, w->a->width);
    memcpy(raw, w->box + (size_t)k * n, n * sizeof *w->box);
}

hdf5_chunks field_window_chunks(const field_window *w) {
    return (hdf5_chunks){.n = w->n,
                         .bytes = block_values(w->whole, w->a->width) * sizeof(float),
                         .width = sizeof(float),
                         .data = w,
                         .place = window_place,
                         .give = window_give};
}
