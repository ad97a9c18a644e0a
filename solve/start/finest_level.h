/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the grid sequence (key solve.accuracy): the finest lattice is omitted if the discretization part of the
 * pressure drops' intervals on the coarser levels is small already. Rule: solve/STEADY.md. Test:
 * tests/unit/solve/test_finest_level.c */
#ifndef PORTAFLOW_FINEST_LEVEL_H
#define PORTAFLOW_FINEST_LEVEL_H
#include "common/base/must_check.h"
#include "solve/start/grid_sequence.h"

/* Whether the sequence may end before the finest level: steady, two coarser levels or more, one wall region. A spacing
 * given in the case is always solved, unless the case has solve.accuracy, too. */
bool finest_level_may_be_omitted(const case_file *c, const grid_sequence *a);

/* Whether run g is the level that the last run continues, if the finest level is omitted: it needs a checkpoint. */
bool finest_level_may_continue(const case_file *c, const grid_sequence *a, const grid_run *g);

/* Decides from the results of all coarser runs. Sets a->accuracy to the record of the decision (grid_sequence.h). If
 * the finest level is not needed, the last run becomes the run on the next coarser lattice, continued.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int finest_level_choose(const case_file *c, grid_sequence *a);

/* Velocity, spacing and wall of the vessel, for the expected decision. */
typedef struct {
    double cell_reynolds, cells_per_diameter; /* at the fastest cross-section, on a lattice of spacing_mm */
    double spacing_mm;
    double diameter_mm;         /* of this cross-section */
    double wall_uncertainty_mm; /* NaN: unknown */
} finest_level_vessel;

/* Expects, before any run, whether the finest level will be omitted, and sets a->omits_finest. Discretization error:
 * RESOLUTION_FRICTION_EXPECTED times the numerical friction. Other parts: the pressure drop grows with the power 1.5 of
 * the flow and -4 of the diameter. */
void finest_level_expect(const case_file *c, const finest_level_vessel *v, grid_sequence *a);
#endif
