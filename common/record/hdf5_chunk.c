/* See hdf5_chunk.h. */
#include "common/record/hdf5_chunk.h"
#include "common/record/hdf5_util.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { WIDTH = 4, SUM = 4, FILTERS = 3, LEVEL = 1 };
static const H5Z_filter_t filter[FILTERS] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};

int hdf5_chunk_create(hdf5_chunk *c, size_t bytes) {
    *c = (hdf5_chunk){
        .bytes = bytes, .raw = malloc(bytes), .apart = malloc(bytes), .packed = malloc(compressBound(bytes) + SUM)};
    if (c->raw && c->apart && c->packed)
        return OK;
    hdf5_chunk_free(c);
    return fail_memory("a part of the fields", 3.0 * (double)bytes);
}

void hdf5_chunk_free(hdf5_chunk *c) {
    free(c->raw);
    free(c->apart);
    free(c->packed);
    *c = (hdf5_chunk){0};
}

/* Fletcher (1982) over words of 16 bits, the first byte the higher one; an odd last byte is a high one. */
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
    const size_t n = c->bytes / WIDTH;
    const uint8_t *raw = c->raw;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < WIDTH; b++)
            c->apart[b * n + k] = raw[k * WIDTH + b];
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
    const size_t n = c->bytes / WIDTH, size = c->size - SUM;
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
        for (size_t b = 0; b < WIDTH; b++)
            raw[k * WIDTH + b] = c->apart[b * n + k];
    return true;
}

bool hdf5_chunk_fits(hid_t set, int rank, const hsize_t *shape) {
    hid_t list = H5Dget_create_plist(set), type = H5Dget_type(set);
    hsize_t found[H5S_MAX_RANK] = {0};
    bool fits = list >= 0 && type >= 0 && H5Tequal(type, H5T_NATIVE_FLOAT) > 0 &&
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
