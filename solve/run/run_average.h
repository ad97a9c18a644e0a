/* SPDX-License-Identifier: Apache-2.0 */
/* Time average of an unsteady flow. */
#ifndef PORTAFLOW_RUN_AVERAGE_H
#define PORTAFLOW_RUN_AVERAGE_H
#include "solve/run/run_loop.h"

/* Functions run_average_*. share_used: true if share_steps have passed and the flow is not about to settle. spent: true
 * if the run has used eight times share_steps and ends without a result. due: true if averaging may start, because the
 * slowest mode has had time to decay or the flow is known to be unsteady. add: adds one monitor to the means; the first
 * call starts the averaging. done: true when averaging is finished; if unsteady, flow and density of the result are
 * means. note: text for the progress line. left_s: remaining time of the flow, s; settle_s: estimated time for a
 * settling flow, NAN or INFINITY while unknown. */
bool run_average_share_used(const run_loop *l);
bool run_average_spent(const run_loop *l);
bool run_average_due(const run_loop *l);
MUST_CHECK int run_average_add(run_loop *l);
bool run_average_done(run_loop *l);
void run_average_note(const run_loop *l, char *note, size_t size);
double run_average_left_s(const run_loop *l, double settle_s);
#endif
