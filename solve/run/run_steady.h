/* SPDX-License-Identifier: Apache-2.0 */
/* Steady flow: runs until the residual is below the tolerance, or until the means of an unsteady flow are known. */
#ifndef PORTAFLOW_RUN_STEADY_H
#define PORTAFLOW_RUN_STEADY_H
#include "solve/run/run_loop.h"

MUST_CHECK int run_steady(run_loop *l);
#endif
