/* SPDX-License-Identifier: Apache-2.0 */
/* Mass balance of a run: mass lost at interpolated walls, and errors of prescribed outflows. */
#ifndef PORTAFLOW_RUN_BALANCE_H
#define PORTAFLOW_RUN_BALANCE_H
#include "solve/run/run_loop.h"

/* Called after a good monitor: updates the mass correction of wall links and the correction of prescribed outflows. */
void run_balance(run_loop *l, const backend_monitor *m);
#endif
