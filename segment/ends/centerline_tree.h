/* SPDX-License-Identifier: Apache-2.0 */
/* Centerline tree of a vessel mask. */
#ifndef PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#define PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>

typedef struct {
    int n;
    double (*at_mm)[3]; /* [n] LPS, from the end to the junction with the tree; for the first branch from end to end */
    double *radius_mm;  /* [n] distance from each point to the nearest voxel outside */
} centerline_branch;

typedef struct {
    int n;
    centerline_branch *branch; /* branches, owned */
    double length_mm;          /* length of all branches, from voxel to voxel */
    double radius_mm;          /* median of the radii on all branches */
} centerline_tree;

/* Find the centerlines of the largest connected piece of a mask (> 0.5 inside; voxel aspect ratio up to 50). Ends are
 * the points farthest along the vessel. Paths minimize the sum of (largest radius / local radius)^2 times length (after
 * Sato et al. 2000, TEASAR). A branch is kept if it is longer than twice its radius and longer than the radius of the
 * vessel that it joins. Errors: ERR_RESOURCE, ERR_INPUT (empty mask). Test:
 * tests/unit/segment/test_segment_centerline_tree.c */
MUST_CHECK int centerline_tree_find(const volume *mask, centerline_tree *out);
void centerline_tree_free(centerline_tree *t);
#endif
