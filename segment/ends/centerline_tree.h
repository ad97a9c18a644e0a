/* The tree of middle lines of a vessel given as a mask, and the ends it has. */
#ifndef PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#define PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include <stdbool.h>

typedef struct {
    int n;
    double (*at_mm)[3]; /* [n] LPS, from the end to where it joins the rest; the first branch: from end to end */
    double *radius_mm;  /* [n] distance to the nearest voxel outside */
} centerline_branch;

typedef struct {
    int n;
    centerline_branch *branch; /* owned */
    double length_mm;          /* of all, from voxel to voxel */
    double radius_mm;          /* median along it */
} centerline_tree;

/* Of the largest connected piece of a mask (> 0.5 inside; voxels up to 50 times as long as wide). Ends are found by
 * their distance along the vessel, paths by the least sum of (largest over local radius)^2 times length; a branch
 * counts when it is longer than twice its radius, and than that vessel's, beyond the one that it leaves (after Sato et
 * al. 2000, TEASAR).
 * Errors: ERR_RESOURCE, ERR_INPUT (nothing inside). Test: tests/unit/segment/test_segment_centerline_tree.c */
MUST_CHECK int centerline_tree_find(const volume *mask, centerline_tree *out);
void centerline_tree_free(centerline_tree *t);
#endif
