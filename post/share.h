/* The flow on the grid of an image. */
#ifndef PORTAFLOW_POST_SHARE_H
#define PORTAFLOW_POST_SHARE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "post/sample/sampler.h"

enum { SHARE_LEFT, SHARE_POSTERIOR, SHARE_SUPERIOR, SHARE_SPEED, SHARE_PRESSURE, SHARE_MAPS };

/* Components of the velocity (LPS) and speed, m/s, 0 outside the lumen; pressure, Pa, NaN outside; at the voxels'
 * centres. `grid`: geometry. map [SHARE_MAPS] out, the caller's. Errors: ERR_RESOURCE. */
MUST_CHECK int share_maps(const sampler *s, const fields *f, const volume *grid, volume *map);
#endif
