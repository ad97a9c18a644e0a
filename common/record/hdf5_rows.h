/* SPDX-License-Identifier: Apache-2.0 */
/* Read or write a large array in blocks of rows. */
#ifndef PORTAFLOW_HDF5_ROWS_H
#define PORTAFLOW_HDF5_ROWS_H
#include "common/base/must_check.h"
#include <hdf5.h>
#include <stdbool.h>

/* Create an array that is written in blocks. The file has the same bytes as with
 * hdf5_write_uncompressed. Negative on error. The caller closes it with hdf5_rows_close. */
hid_t hdf5_rows_create(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size);

/* Write or read a block of an array of rank 1 or 2. The block starts at index first [rank] and has count [k] values
 * along dimension k. Errors: ERR_OUTPUT; ERR_INPUT. */
MUST_CHECK int hdf5_rows_write(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count,
                               const void *data);
MUST_CHECK int hdf5_rows_read(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count, void *data);

/* Open an array for reading. Its rank and size must match. Errors: ERR_INPUT, with *set = -1. */
MUST_CHECK int hdf5_rows_open(hid_t group, const char *name, int rank, const hsize_t *size, hid_t *set);
/* Close an array; set < 0 is allowed. Errors: ERR_OUTPUT, after writing. */
MUST_CHECK int hdf5_rows_close(hid_t set, const char *name);
#endif
