/* monitors.csv of solve: the course of the run, row by row, and its values at a time in the last cycle. */
#ifndef PORTAFLOW_POST_FLOW_MONITORS_H
#define PORTAFLOW_POST_FLOW_MONITORS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int n, n_opening;                /* n 0: the file has no rows, or was not read */
    double *step, *time_s, *change;  /* [n] time since the start, ascending; change NaN: none */
    double *flow_ml_s, *pressure_pa; /* [n_opening][n], flow positive in the direction of the role */
} monitors;

/* Read all rows. If the time steps back to an earlier state after a divergence, the rows since that time are discarded.
 * Errors: ERR_INPUT (the columns do not match the openings of the lattice, a bad row), ERR_RESOURCE. */
MUST_CHECK int monitors_read(const char *path, const lattice *l, monitors *m);
void monitors_free(monitors *m); /* safe on a zeroed struct */

/* Values at `before_end_s` before the last row, by cubic interpolation of the four nearest rows (linear with fewer
 * rows). flow_ml_s, pressure_pa [n_opening] out; NaN outside the rows. */
void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa);
#endif
