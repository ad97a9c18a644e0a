/* SPDX-License-Identifier: Apache-2.0 */
/* Tips of a vessel. Distances are measured from one end along the vessel; a tip is a voxel farther away than all its
 * neighbours. */
#ifndef PORTAFLOW_VESSEL_TIPS_H
#define PORTAFLOW_VESSEL_TIPS_H
#include "common/base/must_check.h"
#include "common/centerline/lumen_grid.h"

typedef struct {
    int n;
    size_t *voxel;        /* [n] owned: free() it */
    int n_piece;          /* number of connected pieces of vessel size */
    int n_small;          /* number of smaller pieces; they have no tips */
    int64_t small_voxels; /* number of voxels in the smaller pieces */
} vessel_tips;

/* Finds the tips of each connected piece (26 neighbours). Removes the voxels of pieces below a hundredth of the largest
 * piece from g->inside. Distances are measured through the voxels (Dijkstra). A first search starts at any voxel; its
 * farthest voxel is a tip, at which the second search starts. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_tips_find(lumen_grid *g, vessel_tips *tips);
#endif
