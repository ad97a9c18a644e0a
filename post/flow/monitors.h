/* monitors.csv of solve: how the run went, row by row, and its values at one moment of the last cycle. */
#ifndef PORTAFLOW_POST_FLOW_MONITORS_H
#define PORTAFLOW_POST_FLOW_MONITORS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int n, n_opening;                /* n 0: the file has no rows, or was not read */
    double *step, *time_s, *change;  /* [n] time since the start, ascending; change NaN where it is not there */
    double *flow_ml_s, *pressure_pa; /* [n_opening][n], flow positive in the opening's role */
} monitors;

/* All rows of the file. Where the time goes back, to an earlier state of a flow that diverged, the rows since that time
 * are dropped. Errors: ERR_INPUT (the columns are not those of the lattice's openings, a row that is no row),
 * ERR_RESOURCE. */
MUST_CHECK int monitors_read(const char *path, const lattice *l, monitors *m);
void monitors_free(monitors *m); /* safe on a zeroed struct */

/* Values at `before_end_s` before the last row, a cubic through the four nearest rows (linear between fewer).
 * flow_ml_s, pressure_pa [n_opening] out; NaN where no rows lie round that time. */
void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa);
#endif
