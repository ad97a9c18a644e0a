/* Monitors of a run. */
#ifndef PORTAFLOW_RUN_OBSERVE_H
#define PORTAFLOW_RUN_OBSERVE_H
#include "solve/run/run_loop.h"

/* One monitor: result->last, flow and density; the walls' balance; a flow that diverged goes on with half the step
 * (`retimes` is larger then) or ends with the sentence of hooks.diverged. */
MUST_CHECK int run_observe(run_loop *l);
#endif
