/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of a scheme on a device: created from a case, filled, read back. */
#ifndef PORTAFLOW_BENCH_SCHEME_MEMORY_H
#define PORTAFLOW_BENCH_SCHEME_MEMORY_H
#include "common/base/must_check.h"
#include "solve/schemes/scheme_case.h"
#include "solve/schemes/scheme_device.h"

enum { SCHEME_ARRAYS = 8 };

typedef struct {
    const scheme_device *device;
    void *array[SCHEME_ARRAYS]; /* all arrays except the lattices */
    int n_array;
    double lattices, addressing; /* bytes of device memory for the lattices, and for finding neighbours */
    double per_update;           /* bytes that the update of a fluid cell must move (scheme_memory_create) */
} scheme_memory;

/* Bytes of device memory that scheme_memory_create will need. stride: cells per block of CSOA, a power of two. */
double scheme_memory_needed(const scheme_case *c, const scheme_state *s, int stride);

/* Creates the arrays of a scheme. s: id, wall, precision and heat are set; the other members are set here. Populations
 * are not initialized.
 *
 * per_update: every population read and written once (TWO: twice), plus addressing per cell. DENSE: a flag (or P) of
 * every cell of the box, twice with TWO. SEMI: the index of every cell of the box. SPARSE: x, y, z and the 32-byte
 * sectors of the index array that hold a cell or a neighbour. LIST: 18 numbers (AA: every other step). CYCLIC: the
 * backward pointer and the sectors of the forward pointers. Partially solid cells: P once more. Other data in the same
 * sectors is not counted. Errors: ERR_RESOURCE; the caller frees in any case. */
MUST_CHECK int scheme_memory_create(const scheme_case *c, const scheme_device *d, int stride, scheme_state *s,
                                    scheme_memory *m);
void scheme_memory_free(scheme_state *s, scheme_memory *m);
#endif
