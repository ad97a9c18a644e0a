/* Fields at the cells of a lattice, on disk as VTKHDF 1.0 ImageData over the lattice's box (readable by ParaView). In
 * memory: one value per stored cell. On disk: the box, x fastest; outside the fluid velocity and stress are 0, pressure
 * is NaN, solid_fraction is 1. Frame LPS; Origin: centre of cell 0,0,0 in mm; Spacing in mm. */
#ifndef PORTAFLOW_FIELD_FILE_H
#define PORTAFLOW_FIELD_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <stddef.h>

typedef struct {
    int64_t n_cell;
    double time_s;        /* time of the stored instant, s; 0: steady */
    float *velocity_m_s;  /* [n_cell][3] */
    float *pressure_pa;   /* [n_cell] relative to pressure 0 of the case */
    float *stress_pa;     /* [n_cell][6] viscous stress 2 mu S: xx yy zz xy xz yz */
    float *temperature_c; /* [n_cell] degC; NULL without heat; NaN if the cell centre is outside the fluid */
} fields;

MUST_CHECK int fields_create(fields *f, int64_t n_cell); /* initialized with 0. Errors: ERR_RESOURCE */
MUST_CHECK int fields_add_temperature(fields *f);        /* initialized with NaN. Errors: ERR_RESOURCE */
void fields_free(fields *f);

/* Writes velocity_m_s, pressure_pa, solid_fraction, stress_pa and, with heat, temperature_c. Writes "<path>.part"
 * first, then renames it. Errors: ERR_OUTPUT. */
MUST_CHECK int field_file_write(const char *path, const lattice *l, const fields *f);
/* Functions for writing from several ranks, each with the fields of its own cells `l`. All are collective; the first
 * rank writes the data it receives. Memory: a few blocks of the box. */
typedef struct {
    bool first; /* true on the rank that writes */
    /* Calls `take` on the first rank with the data of each rank, its own first. */
    MUST_CHECK int (*gather)(const void *data, size_t bytes, int (*take)(void *to, const void *data, size_t bytes),
                             void *to);
    /* Bytewise maximum over all ranks. */
    MUST_CHECK int (*largest)(uint8_t *bytes, size_t n);
    MUST_CHECK int (*agree)(int rc); /* common status of all ranks */
} field_ranks;
/* ranks NULL: as field_file_write. Errors: as field_file_write, and those of `ranks`. */
MUST_CHECK int field_file_write_ranks(const char *path, const lattice *l, const fields *f, const field_ranks *ranks);
/* Reads the values at the cells of `l`, which may be a part of the file's lattice; box, origin and spacing must agree.
 * Errors: ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int field_file_read(const char *path, const lattice *l, fields *f);
#endif
