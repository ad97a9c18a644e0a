/* SPDX-License-Identifier: Apache-2.0 */
/* Closes gaps of one cell width in a lattice with buoyancy. */
#ifndef PORTAFLOW_HEAT_GAPS_H
#define PORTAFLOW_HEAT_GAPS_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"
#include "solve/core/heat_links.h"

typedef struct {
    int64_t n;          /* number of cells that became wall */
    double place_mm[3]; /* centre of the first such cell, LPS */
} heat_gaps;

/* Turns a fluid cell into wall if it has walls on both sides along an axis. The new wall is half-way to the neighbour
 * cells and has the temperature of the two walls. Between two half-way walls, collision and walls only reverse the
 * momentum across the gap in every step, so an initial force never decays and a changing force accumulates. Two kinds
 * of cells stay open: cells at openings, and cells between walls of different temperature, because they conduct heat.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int heat_gaps_close(lattice *l, const heat_settings *h, heat_gaps *g);
#endif
