/* Fields at the cells of a lattice, on disk as VTKHDF 1.0 ImageData over the lattice's box (ParaView opens it).
 *
 * In memory: one value per stored cell, double. On disk: the box, x fastest; outside the fluid velocity and stress are
 * 0, pressure is NaN, solid_fraction is 1. Frame LPS, Origin = centre of cell 0,0,0 in mm, Spacing in mm. */
#ifndef PORTAFLOW_FIELD_FILE_H
#define PORTAFLOW_FIELD_FILE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include <stddef.h>

typedef struct {
    int64_t n_cell;
    double time_s;        /* of the stored instant; 0 for steady */
    float *velocity_m_s;  /* [n_cell][3] */
    float *pressure_pa;   /* [n_cell] relative to the reference pressure 0 of the case */
    float *stress_pa;     /* [n_cell][6] viscous stress 2 mu S: xx yy zz xy xz yz */
    float *temperature_c; /* [n_cell] degC; NULL without heat. NaN where the centre is outside the fluid */
} fields;

MUST_CHECK int fields_create(fields *f, int64_t n_cell); /* zeros. Errors: ERR_RESOURCE */
MUST_CHECK int fields_add_temperature(fields *f);        /* NaN. Errors: ERR_RESOURCE */
void fields_free(fields *f);

/* Arrays velocity_m_s, pressure_pa, solid_fraction, stress_pa, with heat temperature_c. Through "<path>.part".
 * Errors: ERR_OUTPUT. */
MUST_CHECK int field_file_write(const char *path, const lattice *l, const fields *f);
/* The same by several ranks, each with the fields of its own cells `l`, which all call it: the first one writes what
 * they send it. Between calls of gather nothing is held but a few blocks of the box. */
typedef struct {
    bool first; /* this one writes */
    /* `take` of the first one is called with what each rank has, its own first. */
    MUST_CHECK int (*gather)(const void *data, size_t bytes, int (*take)(void *to, const void *data, size_t bytes),
                             void *to);
    /* Of each byte all ranks get the largest. */
    MUST_CHECK int (*largest)(uint8_t *bytes, size_t n);
    MUST_CHECK int (*agree)(int rc); /* the status of all */
} field_ranks;
/* ranks NULL: as field_file_write. Errors: those, and of ranks. */
MUST_CHECK int field_file_write_ranks(const char *path, const lattice *l, const fields *f, const field_ranks *ranks);
/* Values at the cells of `l`, which may be a part of the file's; box, origin and spacing must agree. Errors:
 * ERR_INPUT, ERR_RESOURCE. */
MUST_CHECK int field_file_read(const char *path, const lattice *l, fields *f);
#endif
