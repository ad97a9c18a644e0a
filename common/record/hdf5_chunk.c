/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/hdf5_chunk.h"
#include "common/record/hdf5_util.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { SUM = 4, FILTERS = 3, LEVEL = 1 };
static const double memory_limit =
    /* upper limit of the memory for all chunks that are packed at the same time, in bytes; one chunk is always
     * allowed */
    1.5e9;
static const H5Z_filter_t filter[FILTERS] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};

int hdf5_chunk_create(hdf5_chunk *c, size_t bytes, size_t width) {
    *c = (hdf5_chunk){.bytes = bytes,
                      .width = width,
                      .raw = malloc(bytes),
                      .shuffled = malloc(bytes),
                      .packed = malloc(compressBound(bytes) + SUM)};
    if (c->raw && c->shuffled && c->packed)
        return OK;
    hdf5_chunk_free(c);
    return fail_memory("a chunk of an HDF5 array", 3.0 * (double)bytes);
}

void hdf5_chunk_free(hdf5_chunk *c) {
    free(c->raw);
    free(c->shuffled);
    free(c->packed);
    *c = (hdf5_chunk){0};
}

/* Fletcher-32 as in HDF5: 16-bit words whose first byte is the high byte; with an odd number of bytes, the last byte
 * counts as a high byte. */
static uint32_t fletcher32(const uint8_t *data, size_t bytes) {
    uint32_t once = 0, twice = 0;
    for (size_t k = 0; k < bytes;) {
        /* after 720 bytes the sums are folded, before they could overflow */
        const size_t end = k + 720 < bytes ? k + 720 : bytes;
        for (; k < end; k += 2) {
            once += (uint32_t)data[k] << 8 | (k + 1 < bytes ? data[k + 1] : 0U);
            twice += once;
        }
        once = (once & 0xffff) + (once >> 16);
        twice = (twice & 0xffff) + (twice >> 16);
    }
    once = (once & 0xffff) + (once >> 16);
    twice = (twice & 0xffff) + (twice >> 16);
    return twice << 16 | once;
}

bool hdf5_chunk_pack(hdf5_chunk *c) {
    const size_t n = c->bytes / c->width;
    const uint8_t *raw = c->raw;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < c->width; b++)
            c->shuffled[b * n + k] = raw[k * c->width + b];
    uLongf size = compressBound(c->bytes);
    if (compress2(c->packed, &size, c->shuffled, c->bytes, LEVEL) != Z_OK)
        return false;
    const uint32_t sum = fletcher32(c->packed, size);
    for (int b = 0; b < SUM; b++)
        c->packed[size++] = (uint8_t)(sum >> (8 * b));
    c->size = size;
    return true;
}

bool hdf5_chunk_unpack(hdf5_chunk *c) {
    const size_t n = c->bytes / c->width, size = c->size - SUM;
    uint8_t *raw = c->raw;
    uint32_t sum = 0;
    uLongf found = c->bytes;
    if (c->size < SUM)
        return false;
    for (int b = 0; b < SUM; b++)
        sum |= (uint32_t)c->packed[size + (size_t)b] << (8 * b);
    if (fletcher32(c->packed, size) != sum)
        return false;
    if (uncompress(c->shuffled, &found, c->packed, size) != Z_OK || found != c->bytes)
        return false;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < c->width; b++)
            raw[k * c->width + b] = c->shuffled[b * n + k];
    return true;
}

bool hdf5_chunk_shape(hid_t set, hid_t wanted, int rank, hsize_t *shape) {
    hid_t list = H5Dget_create_plist(set), type = H5Dget_type(set);
    bool fits = list >= 0 && type >= 0 && H5Tequal(type, wanted) > 0 && H5Pget_layout(list) == H5D_CHUNKED &&
                H5Pget_chunk(list, rank, shape) == rank && H5Pget_nfilters(list) == FILTERS;
    for (unsigned k = 0; fits && k < FILTERS; k++) {
        size_t none = 0;
        fits = H5Pget_filter2(list, k, NULL, &none, NULL, 0, NULL, NULL) == filter[k];
    }
    if (list >= 0)
        H5Pclose(list);
    if (type >= 0)
        H5Tclose(type);
    return fits;
}

bool hdf5_chunk_fits(hid_t set, hid_t wanted, int rank, const hsize_t *shape) {
    hsize_t found[H5S_MAX_RANK] = {0};
    return hdf5_chunk_shape(set, wanted, rank, found) && memcmp(found, shape, (size_t)rank * sizeof *shape) == 0;
}

int hdf5_chunk_write(hid_t set, const hsize_t *place, const hdf5_chunk *c) {
    return H5Dwrite_chunk(set, H5P_DEFAULT, 0, place, c->size, c->packed) >= 0
               ? OK
               : hdf5_fail(ERR_OUTPUT, "cannot write a part of an array: %s", hdf5_reason());
}

int hdf5_chunk_read(hid_t set, const hsize_t *place, hdf5_chunk *c) {
    hsize_t size = 0;
    uint32_t skipped_filters = 0;
    if (H5Dget_chunk_storage_size(set, place, &size) < 0 || size > compressBound(c->bytes) + SUM ||
        H5Dread_chunk(set, H5P_DEFAULT, place, &skipped_filters, c->packed) < 0 || skipped_filters != 0)
        return hdf5_fail(ERR_INPUT, "a part of an array is damaged; run the stage that wrote the file again");
    c->size = size;
    return OK;
}

/* Buffers of the chunks that are packed or unpacked in parallel. */
typedef struct {
    hsize_t n;
    hdf5_chunk *chunk; /* [n] chunks */
} batch;

static void batch_free(batch *b) {
    for (hsize_t k = 0; b->chunk && k < b->n; k++)
        hdf5_chunk_free(&b->chunk[k]);
    free(b->chunk);
}

static int batch_create(batch *b, const hdf5_chunks *all) {
    int rc = OK;
    *b = (batch){.n = 2};
#ifdef _OPENMP
    b->n *= (hsize_t)omp_get_max_threads();
#endif
    while (b->n > 1 && (b->n > all->n || 3.0 * (double)all->bytes * (double)b->n > memory_limit))
        b->n--;
    b->chunk = calloc(b->n > 0 ? b->n : 1, sizeof *b->chunk);
    if (!b->chunk)
        GIVE_UP(fail_memory("a chunk of an HDF5 array", 0));
    for (hsize_t k = 0; k < b->n; k++)
        TRY(hdf5_chunk_create(&b->chunk[k], all->bytes, all->width));
cleanup:
    if (rc != OK)
        batch_free(b);
    return rc;
}

int hdf5_chunks_write(hid_t set, const hdf5_chunks *all) {
    batch b;
    hsize_t place[H5S_MAX_RANK] = {0};
    int rc = batch_create(&b, all);
    if (rc != OK)
        return rc;
    for (hsize_t first = 0; rc == OK && first < all->n; first += b.n) {
        const int count = (int)(all->n - first < b.n ? all->n - first : b.n);
        int failures = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failures)
        for (int k = 0; k < count; k++) {
            all->give(all->data, first + (hsize_t)k, b.chunk[k].raw);
            failures += !hdf5_chunk_pack(&b.chunk[k]);
        }
        rc = failures ? fail_memory("a chunk of an HDF5 array", 0) : OK;
        for (int k = 0; k < count && rc == OK; k++) {
            all->place(all->data, first + (hsize_t)k, place);
            rc = hdf5_chunk_write(set, place, &b.chunk[k]);
        }
    }
    batch_free(&b);
    return rc;
}

int hdf5_chunks_read(hid_t set, const hdf5_chunks *all) {
    batch b;
    hsize_t place[H5S_MAX_RANK] = {0};
    int rc = batch_create(&b, all);
    if (rc != OK)
        return rc;
    for (hsize_t first = 0; rc == OK && first < all->n; first += b.n) {
        const int count = (int)(all->n - first < b.n ? all->n - first : b.n);
        int damaged = 0;
        for (int k = 0; k < count && rc == OK; k++) {
            all->place(all->data, first + (hsize_t)k, place);
            rc = hdf5_chunk_read(set, place, &b.chunk[k]);
        }
        if (rc != OK)
            break;
#pragma omp parallel for schedule(dynamic) reduction(+ : damaged)
        for (int k = 0; k < count; k++) {
            if (hdf5_chunk_unpack(&b.chunk[k]))
                all->take(all->data, first + (hsize_t)k, b.chunk[k].raw);
            else
                damaged++;
        }
        rc = damaged ? hdf5_fail(ERR_INPUT, "a part of an array is damaged; run the stage that wrote the file again")
                     : OK;
    }
    batch_free(&b);
    return rc;
}

/* An array in memory whose chunks are contiguous. */
typedef struct {
    int rank;
    const hsize_t *size, *shape;
    hsize_t across, values; /* across: chunks per row; values: values of a full chunk */
    size_t width;
    const uint8_t *from; /* array to write; NULL: the chunks are read */
    uint8_t *to;
} array_chunks;

/* Finds the byte offset *from of chunk k in memory; returns the number of bytes of the chunk that are inside the
 * array. */
static size_t chunk_extent(const array_chunks *s, hsize_t k, size_t *from) {
    const hsize_t row = s->rank > 1 ? s->size[1] : 1, line = k / s->across * s->shape[0];
    const hsize_t first = line * row + (s->rank > 1 ? k % s->across * s->shape[1] : 0);
    const hsize_t end = s->across > 1 ? (line + 1) * row : s->size[0] * row;
    *from = first * s->width;
    return (end - first < s->values ? end - first : s->values) * s->width;
}

static void array_chunk_place(const void *data, hsize_t k, hsize_t *place) {
    const array_chunks *s = data;
    place[0] = k / s->across * s->shape[0];
    place[1] = s->rank > 1 ? k % s->across * s->shape[1] : 0;
}

static void array_chunk_give(const void *data, hsize_t k, void *raw) {
    const array_chunks *s = data;
    size_t from;
    const size_t bytes = chunk_extent(s, k, &from);
    memcpy(raw, s->from + from, bytes);
    memset((uint8_t *)raw + bytes, 0, s->values * s->width - bytes);
}

static void array_chunk_take(const void *data, hsize_t k, const void *raw) {
    const array_chunks *s = data;
    size_t from;
    const size_t bytes = chunk_extent(s, k, &from);
    memcpy(s->to + from, raw, bytes);
}

static hdf5_chunks describe_chunks(array_chunks *s) {
    s->across = s->rank > 1 ? (s->size[1] + s->shape[1] - 1) / s->shape[1] : 1;
    s->values = s->shape[0] * (s->rank > 1 ? s->shape[1] : 1);
    return (hdf5_chunks){.n = (s->size[0] + s->shape[0] - 1) / s->shape[0] * s->across,
                         .bytes = s->values * s->width,
                         .width = s->width,
                         .data = s,
                         .place = array_chunk_place,
                         .give = array_chunk_give,
                         .take = array_chunk_take};
}

int hdf5_chunks_write_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape,
                            const void *data) {
    array_chunks s = {.rank = rank, .size = size, .shape = shape, .width = width, .from = data};
    const hdf5_chunks all = describe_chunks(&s);
    return hdf5_chunks_write(set, &all);
}

int hdf5_chunks_read_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape, void *data) {
    array_chunks s = {.rank = rank, .size = size, .shape = shape, .width = width, .to = data};
    const hdf5_chunks all = describe_chunks(&s);
    return hdf5_chunks_read(set, &all);
}
