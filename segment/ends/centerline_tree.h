/* SPDX-License-Identifier: Apache-2.0 */
/* Centerline tree of a vessel mask. */
#ifndef PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#define PORTAFLOW_SEGMENT_CENTERLINE_TREE_H
#include "common/base/must_check.h"
#include "common/image/volume.h"

typedef struct {
    int n;
    double (*at_mm)[3]; /* [n] LPS, from the end to the junction with the tree; for the first branch from end to end */
    double *radius_mm;  /* [n] radius of the largest inscribed sphere */
} centerline_branch;

typedef struct {
    int n;
    centerline_branch *branch; /* branches, owned */
    double length_mm;          /* length of all branches */
    double radius_mm;          /* median of the radii on all branches */
} centerline_tree;

/* Find the centerlines of a mask (> 0.5 inside) with common/centerline, and order them as a tree: the first branch
 * runs from end to end, each further branch from an end to the tree. Round a loop the tree takes the wider way; the
 * other one is left out. Of several pieces the one with the longest centerlines is used. A branch is kept if it reaches
 * farther from the vessel that it joins than twice its own radius and than the radius of that vessel. A mask that is no
 * vessel has a tree without branches. Errors: ERR_RESOURCE, ERR_INPUT (empty mask). Test:
 * tests/unit/segment/test_segment_centerline_tree.c */
MUST_CHECK int centerline_tree_find(const volume *mask, centerline_tree *out);
void centerline_tree_free(centerline_tree *t);
#endif
