/* SPDX-License-Identifier: Apache-2.0 */
/* Thins a lumen to curves of the same topology. */
#ifndef PORTAFLOW_THINNING_H
#define PORTAFLOW_THINNING_H
#include "common/base/must_check.h"
#include "common/centerline/lumen_grid.h"

/* Removes voxels from g->inside, voxels next to the wall first. A voxel is removed if this changes no connection, loop
 * or cavity (simple points, Bertrand and Malandain 1994). In the end only curves through the kept voxels and around the
 * loops remain. They lie within a voxel of the ridge of the distance to the wall (distance-ordered homotopic thinning,
 * Pudney 1998).
 *   n, keep  voxels that stay; voxels outside the lumen are ignored
 * g->voxel becomes the list of the remaining voxels. Errors: ERR_RESOURCE. */
MUST_CHECK int thinning_run(lumen_grid *g, int n, const size_t *keep);
#endif
