/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of a vessel from its centerline tree. */
#ifndef PORTAFLOW_SEGMENT_CENTERLINE_ENDS_H
#define PORTAFLOW_SEGMENT_CENTERLINE_ENDS_H
#include "segment/ends/centerline_tree.h"

/* An end in the form of an opening: a plane across the vessel, far enough inside for a complete cross-section. */
typedef struct {
    double point_mm[3], normal[3]; /* centre of the end, and unit normal out of the vessel, LPS */
    double radius_mm;
    double tip_mm[3]; /* last point of the branch, LPS */
    int branch;       /* index of the branch in centerline_tree.branch */
    bool border;      /* true: the end is on the image border */
    bool flat;        /* true: the end is at the edge or in a corner of a flat vessel */
    /* true: the normal is unreliable, since slices are thicker than the radius and show too little of the branch */
    bool vague;
} centerline_end;

/* Find the ends: both ends of the first branch, one end of each other branch. mask: as given to centerline_tree_find.
 * end [t->n + 1] out. Returns the number of ends. */
int centerline_ends_find(const centerline_tree *t, const volume *mask, centerline_end *end);

/* Total length of the branches with an end, measured in steps of one vessel diameter. Shorter steps would add the
 * zigzag from voxel to voxel; branches without an end are edges of a flat vessel. */
double centerline_ends_length_mm(const centerline_tree *t, int n, const centerline_end *end);
#endif
