/* Fewer steps to a steady flow: states are mixed (Anderson acceleration, anderson.h), and a correction may come from a
 * coarser lattice (run_hooks.correct). */
#ifndef PORTAFLOW_RUN_ACCELERATION_H
#define PORTAFLOW_RUN_ACCELERATION_H
#include "solve/run/run_loop.h"

/* Is the run mixing states? After a good monitor: a window may end here, and the next one begin at a mixed
 * state. Did the last window pass in plain steps (what a steady state is judged by), and is it not one that
 * plain steps may leave? After a divergence: on from the
 * last state that was kept, without mixing; recovered: there was one. restart: the backend is another one. */
void run_acceleration_create(run_loop *l);
void run_acceleration_free(run_loop *l);
bool run_acceleration_on(const run_loop *l);
MUST_CHECK int run_acceleration_add(run_loop *l);
bool run_acceleration_plain(const run_loop *l);
MUST_CHECK int run_acceleration_recover(run_loop *l, bool *recovered);
void run_acceleration_restart(run_loop *l);
/* The flow calms down: its changes fell by a third and more, and by more than chance, in the second half of the run so
 * far. */
bool run_acceleration_falls(const run_loop *l);
/* It is switched off, with a line. */
void run_acceleration_end(run_loop *l, const char *why);

/* Is the correction still to come (no states are mixed, nothing has converged)? After a good monitor: it
 * may be made here. */
void run_correct_create(run_loop *l);
void run_correct_free(run_loop *l);
bool run_correct_on(const run_loop *l);
MUST_CHECK int run_correct_add(run_loop *l);
#endif
