/* SPDX-License-Identifier: Apache-2.0 */
/* Pulsatile flow: computes cycles until two are alike, then stores the instants of one more. */
#ifndef PORTAFLOW_RUN_CYCLES_H
#define PORTAFLOW_RUN_CYCLES_H
#include "solve/run/run_loop.h"

MUST_CHECK int run_cycles(run_loop *l);
#endif
