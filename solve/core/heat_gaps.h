/* Gaps that are one cell wide, of a lattice on which buoyancy drives the flow. */
#ifndef PORTAFLOW_HEAT_GAPS_H
#define PORTAFLOW_HEAT_GAPS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/heat_links.h"

typedef struct {
    int64_t n;          /* cells that became wall */
    double place_mm[3]; /* LPS, centre of the first of them */
} heat_gaps;

/* A cell with a wall on both sides along an axis, in every direction that is not across it, becomes wall, half-way to
 * its neighbours and of its own wall's temperature: between two walls half-way momentum across only changes its sign
 * with every step, so that what a force gives it as it sets in never decays, and a changing one adds to it. Not those
 * at an opening, nor those between walls of different temperature, through which heat goes from one to the other.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int heat_gaps_close(lattice *l, const heat_settings *h, heat_gaps *g);
#endif
