/* monitors.csv of solve as curves: how a run went from its first step to its last. */
#ifndef PORTAFLOW_POST_FLOW_HISTORY_H
#define PORTAFLOW_POST_FLOW_HISTORY_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    int n, n_opening;
    double *step, *time_s, *change;  /* [n]; change NaN where it is not there */
    double *flow_ml_s, *pressure_pa; /* [n_opening][n], positive in the opening's role */
} history;

/* Every row but one that is cut off. A file without rows is OK: n 0.
 * Errors: ERR_INPUT (the columns are not those of the lattice's openings), ERR_RESOURCE. */
MUST_CHECK int history_read(const char *path, const lattice *l, history *h);
void history_free(history *h); /* safe on a zeroed struct */
#endif
