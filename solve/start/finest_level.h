/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the grid sequence (key solve.accuracy). The finest lattice is omitted if the discretization errors of the
 * deciding values are small on the coarser levels already. These values are pressure drops, or the flows of a case
 * without prescribed flows. Small means below a fraction of the value, or of the uncertainty caused by image and given
 * flows (finest_level_accepted_error). Rule: solve/STEADY.md. Test: tests/unit/solve/test_finest_level.c */
#ifndef PORTAFLOW_FINEST_LEVEL_H
#define PORTAFLOW_FINEST_LEVEL_H
#include "common/base/must_check.h"
#include "solve/start/grid_sequence.h"

/* True if the sequence may end before the finest level: steady flow, two coarser levels or more, one wall region. If
 * the case gives a spacing, its lattice is always solved, unless the case also has solve.accuracy. */
bool finest_level_may_be_omitted(const case_file *c, const grid_sequence *a);

/* True if g is the run on the level next to the finest. If the finest level is omitted, the last run continues g, so g
 * must write a checkpoint. */
bool finest_level_may_continue(const case_file *c, const grid_sequence *a, const grid_run *g);

/* Decides from the results of all coarser runs. Sets a->accuracy to the record of the decision (grid_sequence.h). If
 * the finest level is not needed, the last run becomes a continuation of the run on the next coarser lattice. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int finest_level_choose(const case_file *c, grid_sequence *a);

/* Smallest discretization error, relative to the value, that solve.accuracy accepts in any of the values that decide.
 * It is solve.accuracy where the case gives a number. Otherwise it is a third of the half-width of the 95 % interval
 * caused by image and given flows, at least 0.01. This half-width needs the results of the runs on the coarser levels;
 * without coarser levels, or with a NULL, it is 0.01. Errors: ERR_RESOURCE. */
MUST_CHECK int finest_level_accepted_error(const case_file *c, const grid_sequence *a, double *part);

/* Velocity, spacing and wall of the vessel, for finest_level_expect. */
typedef struct {
    double cell_reynolds, cells_per_diameter; /* at the fastest cross-section, on a lattice of spacing_mm */
    double spacing_mm;
    double diameter_mm;         /* diameter of the fastest cross-section */
    double wall_uncertainty_mm; /* NaN: unknown */
} finest_level_vessel;

/* Predicts, before any run, whether the finest level will be omitted, and sets a->omits_finest. Discretization error:
 * RESOLUTION_FRICTION_EXPECTED times the numerical friction. Other parts of the interval: the pressure drop grows with
 * the power 1.5 of the flow and -4 of the diameter. */
void finest_level_expect(const case_file *c, const finest_level_vessel *v, grid_sequence *a);
#endif
