/* SPDX-License-Identifier: Apache-2.0 */
/* Estimate of the remaining time of a run from the history of the residual.
 *
 * The residual of a steady run decays exponentially, with oscillations. A straight line is fitted to its logarithm over
 * the second half of the run and extended to the tolerance. If the line does not fall, or reaches the tolerance after
 * averaging would start, the estimate is the end of averaging. */
#ifndef PORTAFLOW_SETTLING_H
#define PORTAFLOW_SETTLING_H

/* Upper limit of the ratio of two successive cycle differences that counts as falling */
#define SETTLING_FALLS 0.95
enum { SETTLING_LEAST = 8 }; /* smallest number of monitors that gives an estimate */

/* Number of monitors until the residual reaches the tolerance: 0 if it has, INFINITY if it does not fall, NAN below
 * SETTLING_LEAST monitors.
 *   log_change  [n] natural logarithm of the residual at each monitor */
double settling_monitors(long n, const float *log_change, double tolerance);

/* Time at which averaging of a flow with a constant residual starts, s: after ten passages (passages_s) and after two
 * viscous time constants (2 viscous_s). By then the slowest mode would show as a falling residual. A large residual
 * (`change`) means jets or vortices; from 0.1 to 0.3 the factor 2 of viscous_s falls to 1/2. */
double settling_due_s(double viscous_s, double passages_s, double change);

/* Remaining time of a steady flow until it settles or its average ends, s. settle_s: estimate of settling_monitors, s;
 * begin_s: time at which averaging would start; passages_s: shortest averaging time. */
double settling_left_s(double now_s, double settle_s, double begin_s, double passages_s);

/* Remaining time of averaging, s: the standard error falls with the square root of the time. since_s: averaged so far;
 * error and limit: relative. The whole average takes passages_s to 20 passages_s. While error is NAN or infinite, the
 * result is the time until passages_s; after passages_s it is NAN. */
double settling_average_left_s(double since_s, double error, double limit, double passages_s);

/* Remaining transient, estimated from the difference between the last two cycles (`change`). While differences fall by
 * a constant ratio, it is change * ratio / (1 - ratio). `before`: difference one cycle earlier; if it is NAN, `slowest`
 * is used as the ratio. If the differences do not fall, change itself is returned. NAN if change is NAN. */
double settling_cycles_left(double change, double before, double slowest);

/* Expected number of cycles, the stored one included: enough for the difference and the remaining transient to fall to
 * `limit` at the present rate, plus one, but between `least` (solve.cycles) and 3 * least. change, before: differences
 * of the last two complete cycles, NAN if unknown; done: complete cycles. */
int settling_cycles(int done, double change, double before, double limit, int least);
#endif
