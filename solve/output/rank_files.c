/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/output/rank_files.h"
#include "common/base/status.h"
#include "common/record/hdf5_rows.h"
#include "common/record/hdf5_util.h"
#include "solve/ranks/ranks.h"
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 65536 }; /* cells per window, which is one chunk of the file */

static void join_bytes(void *all, const void *more, size_t bytes) {
    for (size_t k = 0; k < bytes; k++)
        if (((const uint8_t *)more)[k] > ((uint8_t *)all)[k])
            ((uint8_t *)all)[k] = ((const uint8_t *)more)[k];
}

static int largest_bytes(uint8_t *bytes, size_t n) {
    return ranks_join(bytes, n, join_bytes);
}

const field_ranks *rank_files_fields(void) {
    static field_ranks all = {.gather = ranks_gather, .largest = largest_bytes, .agree = ranks_agree};
    all.first = ranks_number() == 0;
    return ranks_count() > 1 ? &all : NULL;
}

static void size_of(const rank_array *a, int64_t cells, hsize_t size[2]) {
    const bool by_row = a->rank == 2 && a->width == 0;
    size[0] = by_row ? a->rows : (hsize_t)cells;
    size[1] = by_row ? (hsize_t)cells : a->width;
}

/* A range of cells in one row of an array, which is written at one time. */
typedef struct {
    hsize_t first[2], count[2];
    int64_t begin, end; /* range of cells in the whole lattice */
    int64_t low, high;  /* range of cells of this rank */
    size_t bytes;       /* bytes per cell */
    char *room;
} window;

static size_t cell_bytes(const rank_array *a) {
    return H5Tget_size(a->type) * (size_t)(a->width > 1 ? a->width : 1);
}

static window window_of(const rank_array *a, hsize_t row, int64_t begin, int64_t low, char *room) {
    window w = {.begin = begin, .low = low, .high = low, .bytes = cell_bytes(a), .room = room};
    w.end = a->n_all - begin < WINDOW ? a->n_all : begin + WINDOW;
    while (w.high < a->n && a->number[w.high] < w.end)
        w.high++;
    size_of(a, w.end - begin, w.count);
    if (a->rank == 2 && a->width == 0) {
        w.count[0] = 1;
        w.first[0] = row;
        w.first[1] = (hsize_t)begin;
    } else
        w.first[0] = (hsize_t)begin;
    return w;
}

static int take_window(void *to, const void *data, size_t bytes) {
    const window *w = to;
    for (const char *at = data; at < (const char *)data + bytes; at += sizeof(uint32_t) + w->bytes) {
        uint32_t place;
        memcpy(&place, at, sizeof place);
        memcpy(w->room + place * w->bytes, at + sizeof place, w->bytes);
    }
    return OK;
}

static int send_window(window *w, const rank_array *a, const char *row) {
    const size_t record = sizeof(uint32_t) + w->bytes, n = (size_t)(w->high - w->low);
    char *packed = malloc(n * record + 1);
    if (!packed)
        return fail_memory("a part of a file", (double)(n * record));
    for (size_t k = 0; k < n; k++) {
        const uint32_t place = (uint32_t)(a->number[w->low + (int64_t)k] - w->begin);
        memcpy(packed + k * record, &place, sizeof place);
        memcpy(packed + k * record + sizeof place, row + ((size_t)w->low + k) * w->bytes, w->bytes);
    }
    const int rc = ranks_gather(packed, n * record, take_window, w);
    free(packed);
    return rc;
}

int rank_files_write(hid_t group, const rank_array *a, const void *data) {
    hsize_t size[2];
    hid_t set = -1;
    int rc = OK;
    char *room = NULL;
    size_of(a, a->number ? a->n_all : a->n, size);
    if (!a->number)
        return hdf5_write_uncompressed(group, a->name, a->type, a->rank, size, data);
    const bool writes = ranks_number() == 0;
    room = calloc(WINDOW, cell_bytes(a));
    if (!room)
        GIVE_UP(fail_memory("a part of a file", (double)WINDOW * (double)cell_bytes(a)));
    if (writes && (set = hdf5_rows_create(group, a->name, a->type, a->rank, size)) < 0)
        GIVE_UP(hdf5_fail_array(a->name));
    const hsize_t rows = a->rank == 2 && a->width == 0 ? a->rows : 1;
    for (hsize_t row = 0; row < rows; row++)
        for (int64_t begin = 0, low = 0; begin < a->n_all; begin += WINDOW) {
            window w = window_of(a, row, begin, low, room);
            TRY(send_window(&w, a, (const char *)data + (size_t)row * (size_t)a->n * w.bytes));
            if (writes)
                TRY(hdf5_rows_write(set, a->type, a->rank, w.first, w.count, room));
            low = w.high;
        }
cleanup:
    free(room);
    if (set >= 0) {
        const int closed = hdf5_rows_close(set, a->name);
        rc = rc == OK ? closed : rc;
    }
    return rc;
}

int rank_files_read(hid_t group, const rank_array *a, void *data) {
    hsize_t size[2];
    hid_t set = -1;
    int rc;
    char *room = NULL;
    size_of(a, a->number ? a->n_all : a->n, size);
    if (!a->number)
        return hdf5_read_array(group, a->name, a->type, a->rank, size, data);
    TRY(hdf5_rows_open(group, a->name, a->rank, size, &set));
    room = malloc(WINDOW * cell_bytes(a));
    if (!room)
        GIVE_UP(fail_memory("a part of a file", (double)WINDOW * (double)cell_bytes(a)));
    const hsize_t rows = a->rank == 2 && a->width == 0 ? a->rows : 1;
    for (hsize_t row = 0; row < rows; row++)
        for (int64_t begin = 0, low = 0; begin < a->n_all; begin += WINDOW) {
            const window w = window_of(a, row, begin, low, room);
            char *to = (char *)data + (size_t)row * (size_t)a->n * w.bytes;
            if (w.high > w.low)
                TRY(hdf5_rows_read(set, a->type, a->rank, w.first, w.count, room));
            for (int64_t k = w.low; k < w.high; k++)
                memcpy(to + (size_t)k * w.bytes, room + (size_t)(a->number[k] - begin) * w.bytes, w.bytes);
            low = w.high;
        }
cleanup:
    free(room);
    status_ignore(hdf5_rows_close(set, a->name)); /* an error on closing is ignored, because the file was only read */
    return rc;
}
