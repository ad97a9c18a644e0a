/* HDF5 with our status codes: what lattice_file.c, field_file.c and the checkpoint of solve share.
 *
 * The library prints nothing while a file is written or read. */
#ifndef PORTAFLOW_HDF5_UTIL_H
#define PORTAFLOW_HDF5_UTIL_H
#include "common/base/must_check.h"
#include "common/base/status.h"
#include <errno.h>
#include <hdf5.h>
#include <stdint.h>

/* fail() behind a call of the library that did not do its work: it says of everything that it cannot be read or
 * written, out of memory as well, which is ERR_RESOURCE. */
#define hdf5_fail(code, ...) (errno == ENOMEM ? fail_memory("a file in HDF5", 0) : fail(code, __VA_ARGS__))

/* What is done in the file's one group; path for messages. */
typedef int hdf5_work(hid_t group, const char *path, void *data);
/* A file with the group /name that `work` fills, through "<path>.part", with its seal (hdf5_seal.h). Errors:
 * ERR_OUTPUT, those of work; nothing is left then. */
MUST_CHECK int hdf5_write_file(const char *path, const char *name, hdf5_work *work, void *data);
/* Only a file whose seal is right and that has the group /name is read. what: "lattice file". Errors: ERR_INPUT, those
 * of work. */
MUST_CHECK int hdf5_read_file(const char *path, const char *what, const char *name, hdf5_work *work, void *data);

/* Dataset creation list: chunks of `chunk` [rank] (NULL: 64 Ki rows of a few columns, or 64 Ki columns of one row: HDF5
 * takes none of 4 GB and keeps three copies of one), shuffle, gzip 1, fletcher32. Below 0 where HDF5 refuses it. */
hid_t hdf5_compressed(int rank, const hsize_t *size, const hsize_t *chunk);

/* Write a whole array as /group/name. rank 1 or 2. Errors: ERR_OUTPUT. */
MUST_CHECK int hdf5_write_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                                const void *data);
/* The same without chunks and packing. */
MUST_CHECK int hdf5_write_plain(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                                const void *data);
/* Read a whole array; its rank and size must be these. Errors: ERR_INPUT. */
MUST_CHECK int hdf5_read_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, void *data);
/* Rank and size of an array. Errors: ERR_INPUT when there is none or the rank differs. */
MUST_CHECK int hdf5_array_size(hid_t group, const char *name, int rank, hsize_t *size);

/* Attributes: n values of a type (n 0: a scalar), or a fixed-length ASCII string. Errors of the two that write:
 * ERR_OUTPUT; of the two that read: ERR_INPUT (there is none, damaged, too long). */
MUST_CHECK int hdf5_write_attribute(hid_t object, const char *name, hid_t type, int n, const void *value);
MUST_CHECK int hdf5_write_text(hid_t object, const char *name, const char *text);
MUST_CHECK int hdf5_read_attribute(hid_t object, const char *name, hid_t type, int n, void *value);
MUST_CHECK int hdf5_read_text(hid_t object, const char *name, char *text, size_t size);
#endif
