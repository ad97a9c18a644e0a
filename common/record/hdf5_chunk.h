/* SPDX-License-Identifier: Apache-2.0 */
/* Pack and unpack chunks of an array in several threads. HDF5 itself packs one chunk after the other. The bytes equal
 * the output of the filters of hdf5_create_compressed_list: shuffle, gzip level 1, Fletcher-32. */
#ifndef PORTAFLOW_HDF5_CHUNK_H
#define PORTAFLOW_HDF5_CHUNK_H
#include "common/base/must_check.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    size_t bytes;      /* bytes of the values before packing; may be less than at creation */
    size_t width;      /* bytes per value */
    void *raw;         /* [bytes] values as in memory */
    uint8_t *shuffled; /* [bytes] values after shuffling */
    uint8_t *packed;
    size_t size; /* number of bytes in `packed` */
} hdf5_chunk;

/* Allocate buffers for `bytes` of values. Errors: ERR_RESOURCE. hdf5_chunk_free is safe on a zeroed struct. */
MUST_CHECK int hdf5_chunk_create(hdf5_chunk *c, size_t bytes, size_t width);
void hdf5_chunk_free(hdf5_chunk *c);
/* hdf5_chunk_pack compresses raw to packed; false: no memory. hdf5_chunk_unpack restores raw from packed; false:
 * damaged. Thread-safe: no calls of HDF5. */
bool hdf5_chunk_pack(hdf5_chunk *c);
bool hdf5_chunk_unpack(hdf5_chunk *c);
/* Read the chunk shape [rank] of a dataset. False when its type or filters differ from the type and filters that
 * hdf5_chunk_write uses. */
bool hdf5_chunk_shape(hid_t set, hid_t type, int rank, hsize_t *shape);
/* True when hdf5_chunk_shape succeeds and gives this shape. */
bool hdf5_chunk_fits(hid_t set, hid_t type, int rank, const hsize_t *shape);
/* Write or read the packed chunk whose first value is at index `place` [rank]. Errors: ERR_OUTPUT; ERR_INPUT, also when
 * the packed chunk does not fit into c. */
MUST_CHECK int hdf5_chunk_write(hid_t set, const hsize_t *place, const hdf5_chunk *c);
MUST_CHECK int hdf5_chunk_read(hid_t set, const hsize_t *place, hdf5_chunk *c);

/* All chunks of an array, for parallel packing. give and take run in several threads. */
typedef struct {
    hsize_t n;           /* number of chunks */
    size_t bytes, width; /* bytes of a chunk; bytes of a value */
    const void *data;    /* first argument of the three functions */
    /* gives the index [rank] of the first value of chunk k */
    void (*place)(const void *data, hsize_t k, hsize_t *place);
    void (*give)(const void *data, hsize_t k, void *raw);       /* copies all values of chunk k to raw, for writing */
    void (*take)(const void *data, hsize_t k, const void *raw); /* copies raw, as read from the file, to chunk k */
} hdf5_chunks;

/* Write or read all chunks of an array. Errors of these and the next two functions: as hdf5_chunk_write and
 * hdf5_chunk_read; ERR_RESOURCE. */
MUST_CHECK int hdf5_chunks_write(hid_t set, const hdf5_chunks *all);
MUST_CHECK int hdf5_chunks_read(hid_t set, const hdf5_chunks *all);

/* Write or read a whole array of rank 1 or 2 for which hdf5_chunk_fits is true. A chunk is some whole rows or a part of
 * one row. */
MUST_CHECK int hdf5_chunks_write_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape,
                                       const void *data);
MUST_CHECK int hdf5_chunks_read_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape,
                                      void *data);
#endif
