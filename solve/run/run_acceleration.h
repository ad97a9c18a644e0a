/* Acceleration of steady runs: Anderson acceleration (anderson.h) and a correction from a coarser grid level
 * (run_hooks.correct). */
#ifndef PORTAFLOW_RUN_ACCELERATION_H
#define PORTAFLOW_RUN_ACCELERATION_H
#include "solve/run/run_loop.h"

/* create: switches Anderson acceleration on if the settings ask for it. The queries and calls below are for after a
 * good monitor: is it running; end a window here if due; did the last window pass in plain steps and show a stable
 * steady state; after a divergence, restore the last stored state (recovered: true if there was one); restart: the
 * backend was replaced. */
void run_acceleration_create(run_loop *l);
void run_acceleration_free(run_loop *l);
bool run_acceleration_on(const run_loop *l);
MUST_CHECK int run_acceleration_add(run_loop *l);
bool run_acceleration_plain(const run_loop *l);
MUST_CHECK int run_acceleration_recover(run_loop *l, bool *recovered);
void run_acceleration_restart(run_loop *l);
/* True when the residual fell significantly, by a third or more, in the second half of the run so far. */
bool run_acceleration_falls(const run_loop *l);
/* Switches Anderson acceleration off and logs the reason. */
void run_acceleration_end(run_loop *l, const char *why);

/* is the coarse correction pending (no Anderson steps and no convergence until then); apply it after a good monitor if
 * due. */
void run_correct_create(run_loop *l);
void run_correct_free(run_loop *l);
bool run_correct_on(const run_loop *l);
MUST_CHECK int run_correct_add(run_loop *l);
#endif
