/* Signed distance of the voxels of a mask to its border, exact between voxel centres. */
#ifndef PORTAFLOW_SEGMENT_MASK_DISTANCE_H
#define PORTAFLOW_SEGMENT_MASK_DISTANCE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* mask: > 0.5 inside. out (geometry of the mask, values filled): mm, negative inside; voxels on both sides of the
 * border are half a voxel from it. axes[a] false: distances do not run along axis a (each slice by itself). |out| <=
 * limit_mm. Felzenszwalb, Huttenlocher 2012. Test: tests/unit/segment/test_mask_distance.c
 * Errors: ERR_RESOURCE. */
MUST_CHECK int mask_distance(const volume *mask, const bool axes[3], double limit_mm, volume *out);
#endif
