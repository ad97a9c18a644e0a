/* SPDX-License-Identifier: Apache-2.0 */
/* Fields at the cells of a lattice. On disk: VTKHDF 1.0 ImageData over the lattice's box, which ParaView opens.
 *
 * In memory: one float per value and stored cell. On disk: the whole box, x fastest. Outside the fluid velocity and
 * stress are 0, pressure and temperature are NaN, solid_fraction is 1. Frame LPS, Origin = centre of cell 0,0,0 in mm,
 * Spacing in mm. */
#ifndef PORTAFLOW_FIELD_FILE_H
#define PORTAFLOW_FIELD_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <stddef.h>

typedef struct {
    int64_t n_cell;
    double time_s;       /* time of the fields; 0 in a steady flow */
    float *velocity_m_s; /* [n_cell][3] */
    float *pressure_pa;  /* [n_cell] pressure relative to the reference pressure of the case */
    float *stress_pa;    /* [n_cell][6] viscous stress 2 mu S: xx yy zz xy xz yz */
    /* [n_cell] temperature, degC; NaN where the cell centre is outside the fluid. NULL without heat */
    float *temperature_c;
} fields;

MUST_CHECK int fields_create(fields *f, int64_t n_cell); /* creates fields with all values 0. Errors: ERR_RESOURCE */
/* adds temperature_c with all values NaN. Errors: ERR_RESOURCE */
MUST_CHECK int fields_add_temperature(fields *f);
void fields_free(fields *f);

/* Writes velocity_m_s, pressure_pa, solid_fraction, stress_pa and, with heat, temperature_c. The file is written as
 * "<path>.part" and then renamed. Errors: ERR_OUTPUT. */
MUST_CHECK int field_file_write(const char *path, const lattice *l, const fields *f);
/* Writing by several ranks. Each rank passes its own cells `l` and their fields. All ranks make the call; the first
 * rank writes the file. Needs memory for a few blocks of the box, in addition to the fields. */
typedef struct {
    bool first; /* true on the rank that writes the file */
    /* gathers data of all ranks: on the first rank `take` is called once for each rank, first for its own data */
    MUST_CHECK int (*gather)(const void *data, size_t bytes, int (*take)(void *to, const void *data, size_t bytes),
                             void *to);
    /* Replaces each byte by its maximum over all ranks. */
    MUST_CHECK int (*largest)(uint8_t *bytes, size_t n);
    MUST_CHECK int (*agree)(int rc); /* combines rc to a common status of all ranks */
} field_ranks;
/* Writes the fields of all ranks. ranks NULL: as field_file_write. Errors: ERR_OUTPUT and the errors of the
 * callbacks. */
MUST_CHECK int field_file_write_ranks(const char *path, const lattice *l, const fields *f, const field_ranks *ranks);
/* Reads the values at the cells of `l`, which may be a part of the file's lattice. Box, origin and spacing must agree.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int field_file_read(const char *path, const lattice *l, fields *f);
#endif
