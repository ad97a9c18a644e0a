/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the time step of a running simulation. */
#ifndef PORTAFLOW_RUN_PACE_H
#define PORTAFLOW_RUN_PACE_H
#include "solve/run/run_loop.h"

/* Endings of run_pace: _free: true if the time step may still change. _recover: continues from the last good state
 * with half the time step. _adapt: after a good monitor, fits the time step to the measured velocity and stores good
 * states. */
bool run_pace_free(const run_loop *l);
MUST_CHECK int run_pace_recover(run_loop *l);
MUST_CHECK int run_pace_adapt(run_loop *l);
/* Stores the state at the start of a cycle, for run_pace_recover of a pulsatile run. */
MUST_CHECK int run_pace_keep_cycle(run_loop *l);
#endif
