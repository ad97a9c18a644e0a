/* monitors.csv of solve: flow and pressure of every opening over the run, here at one moment of its last cycle. */
#ifndef PORTAFLOW_POST_FLOW_MONITORS_H
#define PORTAFLOW_POST_FLOW_MONITORS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int n_row, n_opening;
    double *time_s; /* [n_row] since the start of the run, ascending */
    double *value;  /* [n_row][2 n_opening] flow mL/s (positive in the opening's role), pressure Pa */
} monitors;

/* Rows from the last `span_s` seconds of the run and three before. Where the time goes back, to an earlier state of a
 * flow that diverged, the rows since that time are dropped. Errors: ERR_INPUT (the columns are not those of the
 * lattice's openings, a row that is no row), ERR_RESOURCE. */
MUST_CHECK int monitors_read(const char *path, const lattice *l, double span_s, monitors *m);
void monitors_free(monitors *m); /* safe on a zeroed struct */

/* Values at `before_end_s` before the last row, a cubic through the four nearest rows (linear between fewer).
 * flow_ml_s, pressure_pa [n_opening] out; NaN where no rows lie round that time. */
void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa);
#endif
