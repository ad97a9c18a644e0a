/* A true signed distance from any level set. */
#ifndef PORTAFLOW_SEGMENT_DISTANCE_H
#define PORTAFLOW_SEGMENT_DISTANCE_H
#include "common/base/must_check.h"
#include "common/surface/surface.h"
#include "common/image/volume.h"

/* Signed distance in mm (negative inside) to the closed surface `wall`, at the voxels of phi (geometry given).
 * Near the wall it is exact. Further away each voxel takes the nearest of the wall points that those round it know,
 * until none knows a nearer one: error below a tenth of a voxel, shrinking with distance. The same for any number of
 * threads.
 * Beyond `outside_mm` outside the wall the value is only >= outside_mm; inside it is complete.
 * Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_distance.c */
MUST_CHECK int distance_from_surface(const surface *wall, double outside_mm, volume *phi);

/* Zero level of any smooth level set (negative inside; slope does not matter) as a closed surface, and its true
 * distance on a grid with the same voxels, cropped to the vessel with `margin` voxels of room on every side (beyond the
 * image where the vessel leaves it: there the wall is closed on the outer face of the image).
 * Errors: ERR_NUMERIC (no wall), ERR_RESOURCE. */
MUST_CHECK int distance_rebuild(const volume *level, int margin, surface *wall, volume *phi);
#endif
