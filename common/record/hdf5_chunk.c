/* See hdf5_chunk.h. */
#include "common/record/hdf5_chunk.h"
#include "common/record/hdf5_util.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { SUM = 4, FILTERS = 3, LEVEL = 1 };
static const H5Z_filter_t filter[FILTERS] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};

int hdf5_chunk_threads(void) {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

int hdf5_chunk_create(hdf5_chunk *c, size_t bytes, size_t width) {
    *c = (hdf5_chunk){.bytes = bytes,
                      .width = width,
                      .raw = malloc(bytes),
                      .apart = malloc(bytes),
                      .packed = malloc(compressBound(bytes) + SUM)};
    if (c->raw && c->apart && c->packed)
        return OK;
    hdf5_chunk_free(c);
    return fail_memory("a part of an array", 3.0 * (double)bytes);
}

void hdf5_chunk_free(hdf5_chunk *c) {
    free(c->raw);
    free(c->apart);
    free(c->packed);
    *c = (hdf5_chunk){0};
}

/* Fletcher's checksum over words of 16 bits, the first byte the higher one; an odd last byte is a high one. */
static uint32_t checksum(const uint8_t *data, size_t bytes) {
    uint32_t once = 0, twice = 0;
    for (size_t k = 0; k < bytes;) {
        const size_t end = k + 720 < bytes ? k + 720 : bytes; /* before the sums run over */
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
            c->apart[b * n + k] = raw[k * c->width + b];
    uLongf size = compressBound(c->bytes);
    if (compress2(c->packed, &size, c->apart, c->bytes, LEVEL) != Z_OK)
        return false;
    const uint32_t sum = checksum(c->packed, size);
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
    if (checksum(c->packed, size) != sum)
        return false;
    if (uncompress(c->apart, &found, c->packed, size) != Z_OK || found != c->bytes)
        return false;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < c->width; b++)
            raw[k * c->width + b] = c->apart[b * n + k];
    return true;
}

bool hdf5_chunk_fits(hid_t set, hid_t wanted, int rank, const hsize_t *shape) {
    hid_t list = H5Dget_create_plist(set), type = H5Dget_type(set);
    hsize_t found[H5S_MAX_RANK] = {0};
    bool fits = list >= 0 && type >= 0 && H5Tequal(type, wanted) > 0 &&
                H5Pget_chunk(list, H5S_MAX_RANK, found) == rank &&
                memcmp(found, shape, (size_t)rank * sizeof *shape) == 0 && H5Pget_nfilters(list) == FILTERS;
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

int hdf5_chunk_write(hid_t set, const hsize_t *place, const hdf5_chunk *c) {
    return H5Dwrite_chunk(set, H5P_DEFAULT, 0, place, c->size, c->packed) >= 0
               ? OK
               : hdf5_fail(ERR_OUTPUT, "cannot write a part of an array");
}

int hdf5_chunk_read(hid_t set, const hsize_t *place, hdf5_chunk *c) {
    hsize_t size = 0;
    uint32_t left_out = 0;
    if (H5Dget_chunk_storage_size(set, place, &size) < 0 || size > compressBound(c->bytes) + SUM ||
        H5Dread_chunk(set, H5P_DEFAULT, place, &left_out, c->packed) < 0 || left_out != 0)
        return hdf5_fail(ERR_INPUT, "a part of an array is damaged");
    c->size = size;
    return OK;
}

/* The chunks of an array: each a stretch of its values in memory. */
typedef struct {
    hsize_t across;    /* chunks along a row */
    hsize_t n, values; /* chunks, values of a whole one */
    hsize_t n_chunk;   /* packed at once */
    hdf5_chunk *chunk; /* [n_chunk] */
    size_t width;
} stretches;

static void stretches_free(stretches *s) {
    for (hsize_t k = 0; s->chunk && k < s->n_chunk; k++)
        hdf5_chunk_free(&s->chunk[k]);
    free(s->chunk);
}

static int stretches_create(stretches *s, size_t width, int rank, const hsize_t *size, const hsize_t *shape) {
    int rc = OK;
    *s = (stretches){.across = rank > 1 ? (size[1] + shape[1] - 1) / shape[1] : 1, .width = width};
    s->n = (size[0] + shape[0] - 1) / shape[0] * s->across;
    s->values = shape[0] * (rank > 1 ? shape[1] : 1);
    s->n_chunk = 2 * (hsize_t)hdf5_chunk_threads();
    if (s->n_chunk > s->n)
        s->n_chunk = s->n;
    s->chunk = calloc(s->n_chunk + 1, sizeof *s->chunk);
    if (!s->chunk)
        GIVE_UP(fail_memory("a part of an array", 0));
    for (hsize_t k = 0; k < s->n_chunk; k++)
        TRY(hdf5_chunk_create(&s->chunk[k], s->values * width, width));
cleanup:
    if (rc != OK)
        stretches_free(s);
    return rc;
}

/* Where chunk k begins in the array and in memory; returns its bytes there. */
static size_t stretch(const stretches *s, hsize_t k, int rank, const hsize_t *size, const hsize_t *shape,
                      hsize_t place[2], size_t *from) {
    const hsize_t row = rank > 1 ? size[1] : 1, all = size[0] * row;
    place[0] = k / s->across * shape[0];
    place[1] = rank > 1 ? k % s->across * shape[1] : 0;
    const hsize_t first = place[0] * row + place[1];
    const hsize_t end = s->across > 1 ? (place[0] + 1) * row : all;
    *from = first * s->width;
    return (end - first < s->values ? end - first : s->values) * s->width;
}

int hdf5_chunks_write(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape, const void *data) {
    stretches s;
    hsize_t place[2];
    size_t from;
    int rc = stretches_create(&s, width, rank, size, shape);
    if (rc != OK)
        return rc;
    for (hsize_t first = 0; rc == OK && first < s.n; first += s.n_chunk) {
        const int many = (int)(s.n - first < s.n_chunk ? s.n - first : s.n_chunk);
        int lost = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : lost) private(place, from)
        for (int k = 0; k < many; k++) {
            const size_t bytes = stretch(&s, first + (hsize_t)k, rank, size, shape, place, &from);
            memcpy(s.chunk[k].raw, (const uint8_t *)data + from, bytes);
            memset((uint8_t *)s.chunk[k].raw + bytes, 0, s.chunk[k].bytes - bytes);
            lost += !hdf5_chunk_pack(&s.chunk[k]);
        }
        rc = lost ? fail_memory("a part of an array", 0) : OK;
        for (int k = 0; k < many && rc == OK; k++) {
            stretch(&s, first + (hsize_t)k, rank, size, shape, place, &from);
            rc = hdf5_chunk_write(set, place, &s.chunk[k]);
        }
    }
    stretches_free(&s);
    return rc;
}

int hdf5_chunks_read(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape, void *data) {
    stretches s;
    hsize_t place[2];
    size_t from;
    int rc = stretches_create(&s, width, rank, size, shape);
    if (rc != OK)
        return rc;
    for (hsize_t first = 0; rc == OK && first < s.n; first += s.n_chunk) {
        const int many = (int)(s.n - first < s.n_chunk ? s.n - first : s.n_chunk);
        int damaged = 0;
        for (int k = 0; k < many && rc == OK; k++) {
            stretch(&s, first + (hsize_t)k, rank, size, shape, place, &from);
            rc = hdf5_chunk_read(set, place, &s.chunk[k]);
        }
        if (rc != OK)
            break;
#pragma omp parallel for schedule(dynamic) reduction(+ : damaged) private(place, from)
        for (int k = 0; k < many; k++) {
            const size_t bytes = stretch(&s, first + (hsize_t)k, rank, size, shape, place, &from);
            if (hdf5_chunk_unpack(&s.chunk[k]))
                memcpy((uint8_t *)data + from, s.chunk[k].raw, bytes);
            else
                damaged++;
        }
        rc = damaged ? hdf5_fail(ERR_INPUT, "a part of an array is damaged") : OK;
    }
    stretches_free(&s);
    return rc;
}
