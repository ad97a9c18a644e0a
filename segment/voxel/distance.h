/* SPDX-License-Identifier: Apache-2.0 */
/* Signed distance from a surface or from any level set. */
#ifndef PORTAFLOW_SEGMENT_DISTANCE_H
#define PORTAFLOW_SEGMENT_DISTANCE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"

/* Signed distance in mm (negative inside) to the closed surface `wall`, at the voxels of phi (geometry given). It is
 * exact near the wall. Further away each voxel uses the nearest of the wall points of its neighbours, until none is
 * nearer: error below a tenth of a voxel, decreasing with distance. Independent of the number of threads. Outside the
 * wall, distances above outside_mm are not computed: their value is only >= outside_mm. Inside, all distances are
 * computed. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_distance.c */
MUST_CHECK int distance_from_surface(const surface *wall, double outside_mm, volume *phi);

/* Converts a smooth level set (negative inside, any slope) to a closed surface, *wall, and to the signed distance from
 * this surface, *phi. The grid of phi has the same voxels as `level`, cropped to the vessel with `margin` voxels on
 * every side. Where the vessel leaves the image, the grid extends past the image, and the wall is closed on the outer
 * face of the image. Errors: ERR_NUMERIC (no wall), ERR_RESOURCE. */
MUST_CHECK int distance_rebuild(const volume *level, int margin, surface *wall, volume *phi);
#endif
