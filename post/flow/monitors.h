/* SPDX-License-Identifier: Apache-2.0 */
/* Reads monitors.csv, where solve records flows and pressures over the run, and interpolates between its rows. */
#ifndef PORTAFLOW_POST_FLOW_MONITORS_H
#define PORTAFLOW_POST_FLOW_MONITORS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int n, n_opening; /* n: number of rows; 0: the file has no rows or was not read */
    /* [n] time_s: time since the start, ascending; change: residual, NaN if the row has none */
    double *step, *time_s, *change;
    double *flow_ml_s, *pressure_pa; /* [n_opening][n] flow: positive in the direction of the opening's role */
} monitors;

/* Reads all rows. After a divergence, solve continues from an earlier time and writes rows for this time again; the
 * older rows are discarded. Errors: ERR_INPUT (the columns do not match the openings of the lattice, a bad row),
 * ERR_RESOURCE. */
MUST_CHECK int monitors_read(const char *path, const lattice *l, monitors *m);
void monitors_free(monitors *m); /* safe on a zeroed struct */

/* Interpolates the values at the time before_end_s before the last row: cubic through the four nearest rows, of lower
 * order with fewer. flow_ml_s, pressure_pa [n_opening] out; NaN after the last row, or earlier than the first row by
 * more than 1 % of the last step. */
void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa);
#endif
