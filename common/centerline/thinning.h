/* SPDX-License-Identifier: Apache-2.0 */
/* Thin a lumen to curves of the same topology. */
#ifndef PORTAFLOW_THINNING_H
#define PORTAFLOW_THINNING_H
#include "common/base/must_check.h"
#include "common/centerline/lumen_grid.h"

/* Remove voxels from g->inside, those next to the wall first, whose removal changes no connection, loop or cavity
 * (simple points, Bertrand and Malandain 1994), until only curves through the kept voxels and round the loops remain.
 * Distance-ordered homotopic thinning (Pudney 1998): the curves follow the ridge of the distance within a voxel.
 *   n, keep  voxels that stay; voxels outside the lumen are ignored
 * g->voxel becomes the list of the remaining voxels. Errors: ERR_RESOURCE. */
MUST_CHECK int thinning_run(lumen_grid *g, int n, const size_t *keep);
#endif
