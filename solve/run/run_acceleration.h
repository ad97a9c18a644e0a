/* SPDX-License-Identifier: Apache-2.0 */
/* Acceleration of steady runs: Anderson acceleration (anderson.h) and a correction from a coarser grid level
 * (run_hooks.correct). */
#ifndef PORTAFLOW_RUN_ACCELERATION_H
#define PORTAFLOW_RUN_ACCELERATION_H
#include "solve/run/run_loop.h"

/* Functions run_acceleration_*. `create`: switches Anderson acceleration on if the settings request it. `on`: true if
 * it is running. add: called after a good monitor, ends the window if it is complete. plain: true if the last window
 * had plain steps only and showed a stable steady state. recover: after a divergence, restores the last stored state;
 * *recovered: there was one. restart: called after the backend was replaced. */
void run_acceleration_create(run_loop *l);
void run_acceleration_free(run_loop *l);
bool run_acceleration_on(const run_loop *l);
MUST_CHECK int run_acceleration_add(run_loop *l);
bool run_acceleration_plain(const run_loop *l);
MUST_CHECK int run_acceleration_recover(run_loop *l, bool *recovered);
void run_acceleration_restart(run_loop *l);
/* True when the residual fell significantly, by 40 % or more, in the second half of the run so far. */
bool run_acceleration_falls(const run_loop *l);
/* Switches Anderson acceleration off and logs the reason. */
void run_acceleration_end(run_loop *l, const char *why);

/* Functions run_correct_*. `on`: true until the last coarse correction has been made; meanwhile there are no Anderson
 * steps and the run does not end. add: called after a good monitor, applies the correction if it is due. */
void run_correct_create(run_loop *l);
void run_correct_free(run_loop *l);
bool run_correct_on(const run_loop *l);
MUST_CHECK int run_correct_add(run_loop *l);
#endif
