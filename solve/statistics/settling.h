/* When will a run end? From the changes of the velocity so far (run.h), for the line that says how far it is.
 *
 * The change of a steady run falls exponentially once the start is over, with oscillations on it: the line through its
 * logarithm over the second half of the run so far, by least squares, is drawn on to the tolerance. Where that line
 * does not fall, or reaches the tolerance later than a flow that stays unsteady would be averaged from, the answer is
 * the averaging's: at the earliest one passage after it may begin. */
#ifndef PORTAFLOW_SETTLING_H
#define PORTAFLOW_SETTLING_H

/* A change over the one of the cycle before, where it falls: a start from rest fades faster. */
#define SETTLING_FALLS 0.95
enum { SETTLING_LEAST = 8 }; /* changes before anything is said */

/* Monitors that are left until the change reaches the tolerance: 0 when it has, INFINITY when it does not fall, NAN
 * when there are fewer than SETTLING_LEAST.
 *   log_change  [n] natural logarithm of the change at each monitor so far */
double settling_monitors(long n, const float *log_change, double tolerance);

/* From when on a flow whose changes no longer fall is averaged (s): once ten passages (passages_s) are over and twice
 * the time constant of viscosity (viscous_s), in which the slowest ways to settle would show as a fall. The more the
 * velocity changes while the blood moves on by a radius (change, run.h: jets that break down, vortices), the less of
 * it is on its way to rest: from 0.1 to 0.3 of itself the two time constants become half of one. */
double settling_due_s(double viscous_s, double passages_s, double change);

/* Time of the flow that is left (s), steady. `settle_s`: settling_monitors in time; `begin_s`: from when on a flow
 * that does not settle is averaged; `passages_s`: how long at least. */
double settling_left_s(double now_s, double settle_s, double begin_s, double passages_s);

/* The same while it is averaged: the standard error falls with the square root of the time. since_s: averaged so far,
 * error and limit relative; at least passages_s, at most 20 of them. error NAN or infinite, not known yet: what is left
 * of passages_s, NAN after them. */
double settling_average_left_s(double since_s, double error, double limit, double passages_s);

/* What is left of the way of a velocity that changes from cycle to cycle, in parts of it as the changes are: where they
 * fall by the same ratio, change * ratio / (1 - ratio). before NAN: not known, the ratio is `slowest`. Changes that do
 * not fall are no way, but how far cycles differ: change itself. NAN where that is. */
double settling_cycles_left(double change, double before, double slowest);

/* Cycles that a pulsatile run will have, the stored one included: `least` (solve.cycles) or as many as the change from
 * cycle to cycle and what is left need to fall to `limit` at the present rate, and one; at most 3 * least. change,
 * before: of the last complete cycle and of the one before it, NAN: not known. done: complete cycles. */
int settling_cycles(int done, double change, double before, double limit, int least);
#endif
