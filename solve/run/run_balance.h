/* Mass balance of a run: mass lost at interpolated walls, and errors of prescribed outflows. */
#ifndef PORTAFLOW_RUN_BALANCE_H
#define PORTAFLOW_RUN_BALANCE_H
#include "solve/run/run_loop.h"

/* After a good monitor: updates the mass correction of wall links. In steady flow it also updates the correction of
 * prescribed outflows (run_corrects_outflow), whose boundary rule (kernels/link.h) has a flow error of up to 0.3 %. */
void run_balance(run_loop *l, const backend_monitor *m);
#endif
