/* The balance of mass of a run: what walls take, and what given flows that leave fall short of. */
#ifndef PORTAFLOW_RUN_BALANCE_H
#define PORTAFLOW_RUN_BALANCE_H
#include "solve/run/run_loop.h"

/* A given flow that leaves, in steady flow: the rule does not quite keep what it is asked for. After a
 * good monitor: the mass correction of the walls, and what is asked for beside the flows that leave. */
void run_balance(run_loop *l, const backend_monitor *m);
#endif
