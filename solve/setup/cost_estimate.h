/* SPDX-License-Identifier: Apache-2.0 */
/* Estimate of the cost of a run before it starts. */
#ifndef PORTAFLOW_COST_ESTIMATE_H
#define PORTAFLOW_COST_ESTIMATE_H
#include "solve/setup/solve_job.h"

/* Estimates the number of steps on the finest level. sound: steps in a period of the slowest sound wave in the box.
 * Steady flow: 2.2 periods with a grid sequence, 6 without (medians of settled runs), up to solve.max_steps. Pulsatile
 * flow: the requested cycles. NAN with heat: unknown. */
double cost_estimate_steps(const case_file *c, const grid_sequence *a, double sound, int steps_per_period);

/* Writes how to shorten a run of more than ten minutes, beginning with "; ": --fast; with mesh.fast no --set
 * solve.mode=pulsatile, or the place whose velocity sets the spacing. text: "" for a shorter run, or if `seconds` is
 * NAN. Test: tests/unit/solve/test_cost_estimate.c */
enum { COST_SHORTEN = 320 };
void cost_estimate_shorten(const case_file *c, const potential_flow_result *reach, double seconds,
                           char text[COST_SHORTEN]);

/* Measures the speed of this machine on the lattice of `j` and reports cells, runs and time of the whole grid sequence
 * `a`:
 *   "to compute: 0.24 million cells, 3 lattices, 7 runs: about 1:30 min on this machine (cpu); half to three times ..."
 * Sets a->omits_finest if the finest lattice will probably not be needed; cells and time are then without it.
 * spacing_mm, known_cells: spacing and number of cells of the finest level; known_cells 0: unknown. Reports nothing on
 * several ranks. The backend of `j` is replaced. `plan` (may be NULL) gets "cells" and "to_compute", the text after the
 * colon. Errors: ERR_RESOURCE. */
MUST_CHECK int cost_estimate_report(solve_job *j, grid_sequence *a, double spacing_mm, double known_cells, cJSON *plan);
#endif
