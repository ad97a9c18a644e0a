/* Whether the image is smeared or doubled along one direction: edges of the wall that faces it are wide on both sides,
 * those across it are not. */
#ifndef PORTAFLOW_SEGMENT_MOTION_BLUR_H
#define PORTAFLOW_SEGMENT_MOTION_BLUR_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "common/surface/surface.h"
#include <stdbool.h>

typedef struct {
    bool seen;
    double widest, least; /* voxels, from a fifth to four fifths of the wall's contrast: in the direction where the
                             edge is widest to both sides, and where it is least; NaN: the vessel is too narrow, or too
                             few of its walls face a direction */
} motion_blur;

/* Median profile of the image along the wall's normals, per direction, widths counted in voxels along it, so that
 * voxels may have any shape. Seen: on both sides 2.2 voxels wide or more, and 1.6 times what it is where it is
 * least. Sharp phantoms have at most 1.7 and 1.8, a shift of five voxels while the image was taken 2.4 and 1.9.
 * Motion along the vessel does not show. radius_mm: of the vessel. Not in slices more than three times as thick as
 * voxels are wide. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_wall_uncertainty.c */
MUST_CHECK int motion_blur_find(const volume *image, const surface *wall, double radius_mm, motion_blur *out);
#endif
