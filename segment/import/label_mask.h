/* A mask of whole voxels to a smooth level set whose lumen holds the same volume. */
#ifndef PORTAFLOW_SEGMENT_LABEL_MASK_H
#define PORTAFLOW_SEGMENT_LABEL_MASK_H
#include "common/base/must_check.h"
#include "common/image_file/labels_select.h"

typedef struct {
    double blur_voxels; /* smoothing, in voxels of the mask */
    int parts[3];       /* pieces each voxel was cut into */
    double mask_ml;     /* volume of the mask's voxels */
    int pieces;         /* connected pieces of the mask */
} label_mask_report;

/* mask: 1 inside, 0 outside. level: out, negative inside, mm, on a refined grid round the vessel.
 *
 * u starts as the distance to the mask's border, blurred by 1.3 voxels: the staircase goes, and thin vessels get
 * thinner. Where slices are more than 1.8 times as thick as the pixels are wide the distance runs within each slice and
 * cubics lead from slice to slice (shape-based interpolation, Raya, Udupa 1990), so that there are no terraces; where
 * the next slice holds nothing of a vessel it ends half-way, with the section of its last slice. Then the volume that
 * is missing is fed back at a scale of 2 voxels (G a Gaussian of that width), ten times at most:
 *
 *   u <- u - c G (mask - part of each voxel inside u),   c = 0.7 sqrt(2 pi) 2 voxels: nearly a Newton step on a plane
 *
 * so that the lumen holds the volume of the mask everywhere at that scale. At the end u is shifted by the few
 * hundredths of a voxel that the triangles of its surface still lack.
 *
 * Errors: ERR_INPUT (empty), ERR_RESOURCE. Test: tests/unit/segment/test_segment_label_mask.c */
MUST_CHECK int label_mask_to_level_set(const volume *mask, volume *level, label_mask_report *report);
#endif
