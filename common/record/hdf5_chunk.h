/* Chunks of an array packed and unpacked beside HDF5, so that several threads do it at once: HDF5 takes one after the
 * other. The same bytes as through the filters of hdf5_compressed: shuffle, gzip 1, fletcher32. */
#ifndef PORTAFLOW_HDF5_CHUNK_H
#define PORTAFLOW_HDF5_CHUNK_H
#include "common/base/must_check.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    size_t bytes;   /* of the values; they may be fewer than it was created for */
    size_t width;   /* bytes of a value */
    void *raw;      /* [bytes] */
    uint8_t *apart; /* [bytes] shuffled */
    uint8_t *packed;
    size_t size; /* of packed */
} hdf5_chunk;

/* Room for `bytes` of values. Errors: ERR_RESOURCE. hdf5_chunk_free is safe on a zeroed struct. */
MUST_CHECK int hdf5_chunk_create(hdf5_chunk *c, size_t bytes, size_t width);
void hdf5_chunk_free(hdf5_chunk *c);
/* raw to packed (false: no memory), and back (false: damaged). Thread-safe: no call of HDF5. */
bool hdf5_chunk_pack(hdf5_chunk *c);
bool hdf5_chunk_unpack(hdf5_chunk *c);
/* The shape [rank] of an array's chunks; false: its values are not of this type, or the filters are not these. */
bool hdf5_chunk_shape(hid_t set, hid_t type, int rank, hsize_t *shape);
/* Whether they have this shape. */
bool hdf5_chunk_fits(hid_t set, hid_t type, int rank, const hsize_t *shape);
/* The chunk that begins at `place`. Errors: ERR_OUTPUT; ERR_INPUT (also where it would not fit into c). */
MUST_CHECK int hdf5_chunk_write(hid_t set, const hsize_t *place, const hdf5_chunk *c);
MUST_CHECK int hdf5_chunk_read(hid_t set, const hsize_t *place, hdf5_chunk *c);

/* Chunks of an array, several of them packed or unpacked at once. */
typedef struct {
    hsize_t n;                                                  /* chunks */
    size_t bytes, width;                                        /* of the values of one, of a value */
    const void *data;                                           /* for these, the last two by several threads: */
    void (*place)(const void *data, hsize_t k, hsize_t *place); /* where chunk k begins */
    void (*give)(const void *data, hsize_t k, void *raw);       /* its values, all of them, to be written */
    void (*take)(const void *data, hsize_t k, const void *raw); /* those that were read */
} hdf5_chunks;

/* Errors of the four: as above, ERR_RESOURCE. */
MUST_CHECK int hdf5_chunks_write(hid_t set, const hdf5_chunks *all);
MUST_CHECK int hdf5_chunks_read(hid_t set, const hdf5_chunks *all);

/* A whole array of rank 1 or 2 that hdf5_chunk_fits, its chunks whole rows or parts of one. */
MUST_CHECK int hdf5_chunks_write_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape,
                                       const void *data);
MUST_CHECK int hdf5_chunks_read_array(hid_t set, size_t width, int rank, const hsize_t *size, const hsize_t *shape,
                                      void *data);
#endif
