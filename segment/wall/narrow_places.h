/* SPDX-License-Identifier: Apache-2.0 */
/* Places where a vessel is narrow compared with an image voxel, such as a tight stenosis. */
#ifndef PORTAFLOW_SEGMENT_NARROW_PLACES_H
#define PORTAFLOW_SEGMENT_NARROW_PLACES_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Computes, near the wall, how narrow the vessel is. level: in voxels of its grid, negative inside, a distance near its
 * zero. image_voxel: width of an image voxel, in voxels of the grid. reach: distance from the wall, in voxels of the
 * grid, within which the weight is computed. weight (created): 1 where the radius is 1.5 image voxels or less, 0 from
 * 2.5 image voxels on and beyond `reach`. The radius at a wall point is the depth at its first maximum on the way
 * inwards along the normal. Returns in *any whether a weight is above 0. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_throat.c */
MUST_CHECK int narrow_places_find(const volume *level, double image_voxel, double reach, volume *weight, bool *any);
#endif
