/* A flow between the cells of its lattice: what a run on another lattice begins with (start_flow.h).
 *
 * Where all 4 x 4 x 4 cells around a point are in the fluid: the cubic through them (Lagrange). Beside walls, where
 * some are not, the plane that fits those that are there best (least squares, weights that fall to 0 two cells away);
 * the velocity as a plane times a function of the wall's distance that is 0 there, so that it is 0 at the wall and its
 * slope is kept. Fourth and second order. */
#ifndef PORTAFLOW_START_VALUES_H
#define PORTAFLOW_START_VALUES_H
#include "common/lattice/field_file.h"
#include "common/lattice/lattice.h"

enum { START_VALUES = 10, START_ROWS = 16 }; /* pressure (Pa), velocity (m/s), viscous stress (Pa); x-rows of cells */

/* A lattice and its flow, borrowed, and what is found of them once. */
typedef struct {
    const lattice *l;
    const fields *f;
    lattice_rows rows;
    double *rise; /* [l->n_cell] of the velocity beside a wall */
} start_source;
MUST_CHECK int start_source_create(start_source *s, const lattice *l, const fields *f); /* Errors: ERR_RESOURCE */
void start_source_free(start_source *s);                                                /* safe on a zeroed struct */

/* The x-rows around a point; zeroed at first. Points that go along x find theirs again. */
typedef struct {
    bool known;
    int x, y, z;                               /* first cell around the last point */
    int64_t next[START_ROWS], end[START_ROWS]; /* of each row the first cell at x or beyond it, and after the last */
} start_rows;

/* Values at the point p (LPS mm), whose distance to the wall is distance_mm (negative in the fluid). Returns false
 * where none of the 4 x 4 x 4 cells has a flow; value is 0 then. One `rows` a thread and source.
 * Test: tests/unit/solve/test_start_flow.c */
bool start_values(const start_source *s, start_rows *rows, const double p[3], double distance_mm,
                  double value[START_VALUES]);
#endif
