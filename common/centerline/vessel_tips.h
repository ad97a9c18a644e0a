/* SPDX-License-Identifier: Apache-2.0 */
/* Tips of a vessel: the voxels that are farther from one end along the vessel than all their neighbours. */
#ifndef PORTAFLOW_VESSEL_TIPS_H
#define PORTAFLOW_VESSEL_TIPS_H
#include "common/base/must_check.h"
#include "common/centerline/lumen_grid.h"

typedef struct {
    int n;
    size_t *voxel;        /* [n] owned: free() it */
    int n_piece;          /* connected pieces above the smallest size */
    int n_small;          /* smaller pieces, which have no tips */
    int64_t small_voxels; /* their voxels */
} vessel_tips;

/* Find the tips of each connected piece (26 neighbours). Voxels of pieces below a hundredth of the largest piece are
 * removed from g->inside. Distances are measured through the voxels (Dijkstra), first from any voxel, then from the
 * farthest voxel, which is a tip. Errors: ERR_RESOURCE. */
MUST_CHECK int vessel_tips_find(lumen_grid *g, vessel_tips *tips);
#endif
