/* Files of several ranks, in the order of the whole lattice: rank 0 writes what all of them send it, a window of cells
 * at a time; each reads for itself and takes its own. Alone, or of a whole lattice: as in one piece. */
#ifndef PORTAFLOW_RANK_FILES_H
#define PORTAFLOW_RANK_FILES_H
#include "common/base/must_check.h"
#include "common/lattice/field_file.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* How fields are written by all ranks, NULL: alone. */
const field_ranks *rank_files_fields(void);

/* An array over cells, or over other things that are numbered in the whole. */
typedef struct {
    const char *name;
    hid_t type;
    int rank;              /* dimensions */
    hsize_t rows, width;   /* rank 2: [rows][cells] where width is 0, else [cells][width]; rank 1: [cells] */
    bool plain;            /* without chunks and packing */
    int64_t n, n_all;      /* cells here, of the whole */
    const int32_t *number; /* [n] in the whole, ascending; NULL: n is all */
} rank_array;

/* Errors: ERR_OUTPUT, ERR_RESOURCE, of a rank that failed. group: of rank 0. data: this rank's, [rows][n],
 * [n][width]. */
MUST_CHECK int rank_files_write(hid_t group, const rank_array *a, const void *data);
/* Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int rank_files_read(hid_t group, const rank_array *a, void *data);
#endif
