/* SPDX-License-Identifier: Apache-2.0 */
/* Interpolation of a flow between the cells of its lattice (for start_flow.h).
 *
 * If all 4 x 4 x 4 cells around a point are in the fluid: cubic Lagrange interpolation, fourth order. Near walls:
 * weighted least-squares fit of a plane to the available cells, second order. The velocity is fitted as a plane times a
 * function of the wall distance, so that it is 0 at the wall and keeps its slope. */
#ifndef PORTAFLOW_START_VALUES_H
#define PORTAFLOW_START_VALUES_H
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"

/* START_VALUES: pressure (Pa), velocity (m/s), viscous stress (Pa) of a point; START_ROWS: x-rows of cells around it */
enum { START_VALUES = 10, START_ROWS = 16 };

/* A lattice and its flow, borrowed, with precomputed near-wall factors. */
typedef struct {
    const lattice *l;
    const fields *f;
    lattice_rows rows;
    double *rise; /* [l->n_cell] factor of the velocity near walls */
} start_source;
/* prepares the cells of a coarse flow for interpolation. Errors: ERR_RESOURCE */
MUST_CHECK int start_source_create(start_source *s, const lattice *l, const fields *f);
void start_source_free(start_source *s); /* safe on a zeroed struct */

/* Cache of the x-rows around a point, for successive points along x. Zero-initialize. */
typedef struct {
    bool known;
    int x, y, z;                               /* first cell of the stencil of the previous point */
    int64_t next[START_ROWS], end[START_ROWS]; /* [START_ROWS] first cell of each row at or after x; end of each row */
} start_rows;

/* Interpolates at point p (LPS mm). distance_mm: signed wall distance of p, negative in the fluid. If none of the 4 x 4
 * x 4 cells has a flow, returns false and value 0. Each thread needs its own `rows` for each source. Test:
 * tests/unit/solve/test_start_flow.c */
bool start_values(const start_source *s, start_rows *rows, const double p[3], double distance_mm,
                  double value[START_VALUES]);
#endif
