/* SPDX-License-Identifier: Apache-2.0 */
/* Branches of the lumen of a lattice: centerlines between openings and bifurcations (common/CENTERLINES.md).
 *
 * A branch is named after its opening, a branch between two bifurcations by its number. Branches run from inlets to
 * outlets: a branch with only inlets beyond its end, or only outlets before its start, is reversed. A branch at an
 * opening starts or ends in the plane of the opening, so its arc length includes an extension. */
#ifndef PORTAFLOW_POST_FLOW_BRANCHES_H
#define PORTAFLOW_POST_FLOW_BRANCHES_H
#include "common/base/must_check.h"
#include "common/centerline/centerline.h"
#include "common/lattice/lattice.h"
#include "common/vessel/vessel_table.h"
#include <stdbool.h>

typedef struct {
    centerline line;                 /* n_branch 0: none was found; generation and parent: as in centerline.h */
    char (*name)[VESSEL_TABLE_NAME]; /* [line.n_branch] owned */
    char why[256];                   /* reason why there are no branches; "": branches were found */
} vessel_branches;

/* Find the branches between the inlets and outlets of a lattice. narrowest_cells: cells per diameter in the minimum
 * cross-section; NaN: unknown. Without a centerline the result is empty and states the reason. Errors: ERR_RESOURCE. */
MUST_CHECK int branches_find(const lattice *l, double narrowest_cells, vessel_branches *b);
void branches_free(vessel_branches *b); /* safe on a zeroed struct */

int branches_number(const vessel_branches *b, const char *name); /* index of a branch; -1: none has this name */
/* The branch nearest to a point, LPS; -1: none is nearer than two inscribed radii. */
int branches_nearest(const vessel_branches *b, const double point_mm[3]);

/* Points of the shortest path along branches from one opening of the lattice to another. *n 0: no path.
 *   at_mm [*n][3]   out, LPS; the caller frees it
 *   radius_mm       out: largest radius of a closed cross-section on the path, outside bifurcations; 0: none
 * Errors: ERR_RESOURCE. */
MUST_CHECK int branches_path(const vessel_branches *b, const lattice *l, int from, int to, int *n, double (**at_mm)[3],
                             double *radius_mm);

/* Point and unit tangent at an arc length, which is limited to the branch. Returns true if the place is in the own part
 * of the branch: outside bifurcations, with a closed cross-section. */
bool branches_place(const vessel_branches *b, int branch, double at_mm, double point_mm[3], double tangent[3]);
#endif
