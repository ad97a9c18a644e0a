/* Another time step for a run that became too fast or stayed slow. */
#ifndef PORTAFLOW_RUN_PACE_H
#define PORTAFLOW_RUN_PACE_H
#include "solve/run/run_loop.h"

/* Whether the step may still be changed; on from the last good state with half of it; after a good
 * monitor: fit it to the velocity that was found, and keep a good state now and then. */
bool run_pace_free(const run_loop *l);
MUST_CHECK int run_pace_recover(run_loop *l);
MUST_CHECK int run_pace_adapt(run_loop *l);
/* The state at the start of a cycle, from which run_pace_recover goes on where steps_per_period is above 0. */
MUST_CHECK int run_pace_keep_cycle(run_loop *l);
#endif
