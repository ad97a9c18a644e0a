/* SPDX-License-Identifier: Apache-2.0 */
/* Couples modelled openings (boundary/opening_model.h) with the lattice. Without a modelled opening nothing happens. */
#ifndef PORTAFLOW_RUN_OPENINGS_H
#define PORTAFLOW_RUN_OPENINGS_H
#include "solve/run/run_loop.h"

/* Starts the network unless progress.openings already holds its state. rest: the flow rises from rest; in steady
 * flow all flows are then 0. Otherwise the network starts from its estimate at the mean flow. Flows measured in an
 * interpolated state are not used: their errors times a large resistance exceed all pressure differences of the
 * vessel. */
void run_openings_start(run_loop *l, bool rest);
/* Advances the network over the next n steps; run_openings_give then gives the pressures of these steps. */
void run_openings_step(run_loop *l, int n);
/* Sets the pressures of the step `ahead` of n steps. */
void run_openings_give(run_loop *l, int ahead, int n, prescribed_value *given);
/* Sets the pressures of the last step before a restart. */
void run_openings_give_last(const run_loop *l, prescribed_value *given);
/* Moves the network towards the flows measured by the last monitor (progress.passed). */
void run_openings_observe(run_loop *l);
/* True if the flows of the network equal the measured flows within 1e-6 of the largest flow. */
bool run_openings_settled(const run_loop *l);
/* Stores the network with the lattice state in a place of run/anderson.h, and combines stored networks. */
void run_openings_keep(run_loop *l, int place);
void run_openings_combine(run_loop *l, const double *weight);
/* At the end of a cycle: sets progress.openings_change. */
void run_openings_end_cycle(run_loop *l);
#endif
