/* SPDX-License-Identifier: Apache-2.0 */
/* Places where a vessel is narrow compared with a voxel, such as a tight stenosis. */
#ifndef PORTAFLOW_SEGMENT_NARROW_PLACES_H
#define PORTAFLOW_SEGMENT_NARROW_PLACES_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

/* Computes, near the wall, how narrow the vessel is. level: in cells, negative inside, a distance near its zero.
 * voxel_cells: width of an image voxel in cells. reach: distance from the wall, in cells, within which the weight is
 * computed. weight (created): 1 where the radius is at most 1.5 voxels, 0 from 2.5 voxels on and beyond `reach`. The
 * radius at a wall point is the largest depth met on the way inwards along the normal. Returns in *any whether a weight
 * is above 0. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_throat.c */
MUST_CHECK int narrow_places_find(const volume *level, double voxel_cells, double reach, volume *weight, bool *any);
#endif
