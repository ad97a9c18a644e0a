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

/* Turns each fluid cell with walls on both sides along an axis into wall. The new wall is half-way to the neighbour
 * cells and has the temperature of the cell's walls. Reason: between two half-way walls, momentum across the gap only
 * changes its sign in every step, so the start-up force never decays and a changing force accumulates. Not closed:
 * cells at openings, and cells between walls of different temperature, which conduct heat. Errors: ERR_RESOURCE. */
MUST_CHECK int heat_gaps_close(lattice *l, const heat_settings *h, heat_gaps *g);
#endif
