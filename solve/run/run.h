/* SPDX-License-Identifier: Apache-2.0 */
/* The time loop: batches of steps, monitors, convergence, divergence, cycles. It knows no file and no device. Method
 * and limits: solve/STEADY.md (steady), solve/PULSATILE.md (cycles).
 *
 * residual = |u(t) - u(t - N)| / |u(t)| * T / N, L2 norm over all cells. N: steps between monitors. T: steps in which
 * blood moves by one radius, or viscosity crosses the radius if that is sooner. With heat, the larger residual of
 * velocity and temperature.
 *
 * Steady: ends when the residual is below the tolerance and the flows balance to 0.1 %, or at the step limit. With
 * Anderson acceleration (anderson.h) it ends only after a whole window of plain steps.
 *
 * Unsteady: when the residual stops falling, pressures, flows and fields are averaged until every standard error is
 * below 1 % (run_average.c).
 *
 * Pulsatile: `cycles` or more cycles, up to 3 * cycles. The stored cycle starts when the velocity changes from cycle to
 * cycle, and will still change, by 1 % or less.
 *
 * The time step is halved after a divergence if the program chose it (run_pace.h). Mass corrections: run_balance.h. A
 * steady run that was interrupted ends within the tolerance of an uninterrupted run, not with the same bits, because
 * the stored windows are lost. */
#ifndef PORTAFLOW_RUN_H
#define PORTAFLOW_RUN_H
#include "solve/run/run_settings.h"

/* Runs the time loop. from NULL: starts at rest. from not NULL: continues the run whose progress is *from; the backend
 * already holds its populations, and `result` its statistics and saved states. A pulsatile run continues with the bits
 * of an uninterrupted run. Errors: ERR_NUMERIC on divergence (step, place, what to do), or the error of a hook. */
MUST_CHECK int run(const run_settings *r, const run_progress *from, run_result *result);
#endif
