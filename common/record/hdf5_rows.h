/* Some rows of an array: what reads or writes a large one stretch by stretch. */
#ifndef PORTAFLOW_HDF5_ROWS_H
#define PORTAFLOW_HDF5_ROWS_H
#include "common/base/must_check.h"
#include <hdf5.h>
#include <stdbool.h>

/* An array that is written so; the same bytes in the file as of hdf5_write_array (plain: hdf5_write_plain). Below 0
 * after an error. The caller closes it with hdf5_rows_close. */
hid_t hdf5_rows_create(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, bool plain);

/* Part of an array of rank 1 or 2 from `first` [rank] on, `count` [rank]. Errors: ERR_OUTPUT; ERR_INPUT. */
MUST_CHECK int hdf5_rows_write(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count,
                               const void *data);
MUST_CHECK int hdf5_rows_read(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count, void *data);

/* Opens an array to be read; its rank and size must be these. Errors: ERR_INPUT; *set is -1 then. */
MUST_CHECK int hdf5_rows_open(hid_t group, const char *name, int rank, const hsize_t *size, hid_t *set);
/* set below 0: nothing. Errors: ERR_OUTPUT, of an array that was written. */
MUST_CHECK int hdf5_rows_close(hid_t set, const char *name);
#endif
