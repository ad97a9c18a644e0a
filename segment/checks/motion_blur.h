/* SPDX-License-Identifier: Apache-2.0 */
/* Motion blur or a double image: walls that face the direction of motion have wide edges on both sides of the vessel,
 * other walls do not. */
#ifndef PORTAFLOW_SEGMENT_MOTION_BLUR_H
#define PORTAFLOW_SEGMENT_MOTION_BLUR_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <stdbool.h>

typedef struct {
    bool seen;
    /* Widths of edges in voxels, from 80 % to 20 % of the contrast of the wall. In each direction, the vessel has an
     * edge on either side. widest: the narrower of both edges, maximum over all directions. narrowest: the wider of
     * both edges, minimum over all directions. NaN: the vessel is too narrow, or too few walls face a direction. */
    double widest, narrowest;
} motion_blur;

/* Measures, for each direction, the median profile of the image along the wall's normals. Widths are in voxels, so that
 * any voxel shape is allowed. `seen` is true if the edges on both sides are 2.2 voxels wide or more, and 1.6 times as
 * wide as the narrowest. On phantoms, sharp images reach 1.7 voxels and a ratio of 1.8; a shift of five voxels gives
 * 2.4 and 1.9. Motion along the vessel is not detected. radius_mm: radius of the vessel. Slices more than three times
 * as thick as the voxels are wide are not checked. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_wall_uncertainty.c */
MUST_CHECK int motion_blur_find(const volume *image, const surface *wall, double radius_mm, motion_blur *out);
#endif
