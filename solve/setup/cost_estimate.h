/* What a run will take, said before it begins. */
#ifndef PORTAFLOW_COST_ESTIMATE_H
#define PORTAFLOW_COST_ESTIMATE_H
#include "solve/setup/solve_job.h"

/* Steps that a run of the finest lattice takes, `sound` of them a period of the slowest sound in its box; NAN: not
 * known beforehand (heat). Steady: 3 periods with a ladder, 6 without (medians of 131 and 46 runs that settled: 2.3 and
 * 5.8; a tenth took more than 2.9 and 20; the demo 3.5); at most solve.max_steps. Pulsatile: the cycles asked for. */
double cost_estimate_steps(const case_file *c, const grid_sequence *a, double sound, int steps_per_period);

/* Measures how fast this machine is on the lattice of `j`, whose backend is new and is made anew, and says cells, runs
 * and time of all of `a`:
 *   "to compute: 0.24 million cells, 3 lattices, 7 runs: about 1:30 min on this machine (cpu); half to three times ..."
 * Of the finest lattice `spacing_mm` and, where they are known (above 0), the cells. Nothing with several ranks. `plan`
 * (NULL: not wanted) gets "cells" and "to_compute", the text behind the colon.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int cost_estimate_report(solve_job *j, const grid_sequence *a, double spacing_mm, double known_cells,
                                    cJSON *plan);
#endif
