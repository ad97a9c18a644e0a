/* The means of a flow that does not become steady. */
#ifndef PORTAFLOW_RUN_AVERAGE_H
#define PORTAFLOW_RUN_AVERAGE_H
#include "solve/run/run_loop.h"

/* Is share_steps over, and the flow not about to settle? Is so much more over that it ends without a
 * result? May it be averaged: it has had the time that its slowest ways to settle take, or is known to be restless? One
 * monitor into the means (the first call begins them); whether it was the last: flow and density of the result are
 * means then. For the progress: what to say, and the time of the flow that is left until they are done (of a flow that
 * settles, NAN or INFINITY before it is seen to: `settle_s`). */
bool run_average_share_used(const run_loop *l);
bool run_average_spent(const run_loop *l);
bool run_average_due(const run_loop *l);
MUST_CHECK int run_average_add(run_loop *l);
bool run_average_done(run_loop *l);
void run_average_note(const run_loop *l, char *note, size_t size);
double run_average_left_s(const run_loop *l, double settle_s);
#endif
