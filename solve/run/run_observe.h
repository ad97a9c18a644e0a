/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors of a run. */
#ifndef PORTAFLOW_RUN_OBSERVE_H
#define PORTAFLOW_RUN_OBSERVE_H
#include "solve/run/run_loop.h"

/* Takes one monitor: sets result->last, flow and density, and updates the mass balance. After a divergence the run
 * continues with half the time step (`retimes` grows), or ends with the message of hooks.diverged. */
MUST_CHECK int run_observe(run_loop *l);
#endif
