/* SPDX-License-Identifier: Apache-2.0 */
/* HDF5 with our status codes, for lattice_file.c, field_file.c and the checkpoint of solve.
 *
 * HDF5 prints nothing during these calls. */
#ifndef PORTAFLOW_HDF5_UTIL_H
#define PORTAFLOW_HDF5_UTIL_H
#include "common/base/must_check.h"
#include "common/base/status.h"
#include <errno.h>
#include <hdf5.h>
#include <stdint.h>

/* fail() after a failed HDF5 call. HDF5 does not distinguish a lack of memory; errno does, and the code is then
 * ERR_RESOURCE. */
#define hdf5_fail(code, ...) (errno == ENOMEM ? fail_memory("an HDF5 file", 0) : fail(code, __VA_ARGS__))

/* Why the last HDF5 call failed: "No space left on device". Call it directly after the failed call, because the next
 * call of HDF5 clears its errors. Valid until the next call in this thread. */
const char *hdf5_reason(void);
/* hdf5_fail for an array that cannot be written, with hdf5_reason. Returns ERR_OUTPUT or ERR_RESOURCE. */
int hdf5_fail_array(const char *name);

/* Callback that reads or writes the group of the file; path for messages. */
typedef int hdf5_work(hid_t group, const char *path, void *data);
/* Write a file with the group /name, filled by `work`, through "<path>.part", and append its seal (hdf5_seal.h). On
 * error no file remains. Errors: ERR_OUTPUT, errors of work. */
MUST_CHECK int hdf5_write_file(const char *path, const char *name, hdf5_work *work, void *data);
/* Read the group /name of a file with a valid seal. what: "lattice file". Errors: ERR_INPUT, errors of work. */
MUST_CHECK int hdf5_read_file(const char *path, const char *what, const char *name, hdf5_work *work, void *data);

/* Dataset creation list with shuffle, gzip level 1, Fletcher-32 and chunks of shape chunk [rank]. chunk NULL: up to
 * 65536 whole rows, or up to 65536 columns of one row if rows are longer. Chunks are bounded because HDF5 refuses 4 GB
 * and copies a chunk three times. Negative on error. */
hid_t hdf5_create_compressed_list(int rank, const hsize_t *size, const hsize_t *chunk);

/* Write a whole array as /group/name. rank 1 or 2. Errors: ERR_OUTPUT. */
MUST_CHECK int hdf5_write_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                                const void *data);
/* As hdf5_write_array, without chunks and compression. */
MUST_CHECK int hdf5_write_uncompressed(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                                       const void *data);
/* Read a whole array. Its rank and size must match. Errors: ERR_INPUT. */
MUST_CHECK int hdf5_read_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, void *data);
/* Size [rank] of an array. Errors: ERR_INPUT when it is missing or has another rank. */
MUST_CHECK int hdf5_array_size(hid_t group, const char *name, int rank, hsize_t *size);

/* Attributes: n values of a type (n = 0: a scalar), or a fixed-length ASCII string. Errors when writing: ERR_OUTPUT;
 * when reading: ERR_INPUT (missing, damaged, too long). */
MUST_CHECK int hdf5_write_attribute(hid_t object, const char *name, hid_t type, int n, const void *value);
MUST_CHECK int hdf5_write_text(hid_t object, const char *name, const char *text);
MUST_CHECK int hdf5_read_attribute(hid_t object, const char *name, hid_t type, int n, void *value);
MUST_CHECK int hdf5_read_text(hid_t object, const char *name, char *text, size_t size);
#endif
