/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel file access in the order of the whole lattice. Writing: rank 0 receives a window of cells at a time and
 * writes it. Reading: each rank reads the file and keeps its own cells. With one rank, plain access. */
#ifndef PORTAFLOW_RANK_FILES_H
#define PORTAFLOW_RANK_FILES_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* Field writer for several ranks; NULL for one. */
const field_ranks *rank_files_fields(void);

/* An array over cells, or over other items with numbers in the whole lattice. */
typedef struct {
    const char *name;
    hid_t type;
    int rank; /* number of dimensions */
    /* shape of the array. rank 1: [cells]; rank 2 with width 0: [rows][cells], with another width: [cells][width] */
    hsize_t rows, width;
    int64_t n, n_all;      /* n: cells of this rank; n_all: cells of the whole lattice */
    const int32_t *number; /* [n] number of each cell in the whole lattice, ascending; NULL: the rank has all cells */
} rank_array;

/* Writes an array, without compression: it hardly shrinks populations and fields. data: this rank's
 * part, [rows][n] or [n][width]; group: valid on rank 0. Errors, also of another rank: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int rank_files_write(hid_t group, const rank_array *a, const void *data);
/* Reads this rank's part of an array, [rows][n] or [n][width]. Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int rank_files_read(hid_t group, const rank_array *a, void *data);
#endif
