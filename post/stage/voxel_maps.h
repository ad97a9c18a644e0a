/* SPDX-License-Identifier: Apache-2.0 */
/* The flow on the grid of an image. */
#ifndef PORTAFLOW_POST_STAGE_VOXEL_MAPS_H
#define PORTAFLOW_POST_STAGE_VOXEL_MAPS_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "post/sample/sampler.h"

enum { VOXEL_LEFT, VOXEL_POSTERIOR, VOXEL_SUPERIOR, VOXEL_SPEED, VOXEL_PRESSURE, VOXEL_MAPS };

/* Compute maps at the voxel centres: velocity components (LPS) and speed, m/s, 0 outside the lumen; pressure, Pa, NaN
 * outside. `grid`: geometry. The caller frees map [VOXEL_MAPS]. Errors: ERR_RESOURCE. */
MUST_CHECK int voxel_maps(const sampler *s, const fields *f, const volume *grid, volume *map);
#endif
