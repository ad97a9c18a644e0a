/* The potential between two openings (see course.h). Part of course.c. */
#ifndef PORTAFLOW_POST_FLOW_POTENTIAL_H
#define PORTAFLOW_POST_FLOW_POTENTIAL_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"

/* What all pairs of openings have in common. */
typedef struct {
    const sampler *s;
    int32_t *neighbour; /* [n_cell][6] active cell to -x +x -y +y -z +z, -1: none */
    int32_t **steps; /* [n_opening] NULL: not in a pair; [n_cell] steps of cells from the opening, -1: not connected */
} potential_cells;

/* Errors: ERR_RESOURCE. potential_cells_free is safe on a zeroed struct. */
MUST_CHECK int potential_cells_create(const sampler *s, int n_pair, const int (*pair)[2], potential_cells *p);
void potential_cells_free(potential_cells *p);

/* laplace phi = 0 in the active cells, phi = 0 on opening `from`, 1 on `to`, no flux elsewhere
 * (common/lattice/laplace.h).
 *   phi          [n_cell] out, 0..1; NaN in cells that are not active or not connected with both openings
 *   gradient_mm  [n_cell][3] out, 1/mm
 * *connected: 0 when no path of cells leads from one to the other (the arrays are then all NaN).
 * Errors: ERR_RESOURCE, ERR_NUMERIC (no convergence). */
MUST_CHECK int potential_solve(const potential_cells *p, int from, int to, float *phi, float *gradient_mm,
                               int *connected);
#endif
