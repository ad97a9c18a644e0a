/* SPDX-License-Identifier: Apache-2.0 */
/* Convert a mask to a smooth level set that encloses the same volume. */
#ifndef PORTAFLOW_SEGMENT_LABEL_MASK_H
#define PORTAFLOW_SEGMENT_LABEL_MASK_H
#include "common/base/must_check.h"
#include "common/image_file/labels_select.h"

typedef struct {
    double blur_voxels; /* width of the smoothing, in voxels of the mask */
    int parts[3];       /* number of parts into which a voxel is divided along each axis */
    double mask_ml;     /* volume of all voxels of the mask */
    int pieces;         /* number of connected pieces of the mask */
} label_mask_report;

/* Converts a mask to a level set. mask: 1 inside, 0 outside. level: out, mm, negative inside, on a refined grid round
 * the vessel.
 *
 * 1. u is the distance to the mask's border, blurred by 1.3 voxels, which removes the staircase but thins narrow
 *    vessels. Between slices at least 1.8 times as thick as the pixels are wide, the distance within each slice is
 *    interpolated by cubics (shape-based interpolation, Raya, Udupa 1990). A vessel that is absent from the next slice
 *    ends half-way to it.
 * 2. In up to ten rounds the missing volume is added at a scale of 2 voxels (G: Gaussian), nearly a Newton step for a
 *    plane:
 *      u <- u - c G (mask - part of each voxel inside u),   c = 0.7 sqrt(2 pi) 2 voxels
 * 3. u is shifted by a few hundredths of a voxel, so the triangles of its surface enclose the volume of the mask.
 *
 * Errors: ERR_INPUT (empty), ERR_RESOURCE. Test: tests/unit/segment/test_segment_label_mask.c */
MUST_CHECK int label_mask_to_level_set(const volume *mask, volume *level, label_mask_report *report);

/* Converts a mask to a level set that is fine enough for centerlines, on voxels that are nearly cubes: the distance to
 * the border, and in thick slices steps 1 and 2, because the corners of slices would become branches. Errors: as
 * above. */
MUST_CHECK int label_mask_to_distance(const volume *mask, volume *phi);
#endif
