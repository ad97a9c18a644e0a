/* Where a vessel ends. */
#ifndef PORTAFLOW_SEGMENT_CENTERLINE_ENDS_H
#define PORTAFLOW_SEGMENT_CENTERLINE_ENDS_H
#include "segment/ends/centerline_tree.h"

/* Where the vessel ends, as an opening wants it: across the vessel, far enough inside for a whole cross-section. */
typedef struct {
    double point_mm[3], normal[3]; /* LPS; unit, out of the vessel */
    double radius_mm;
    double tip_mm[3]; /* where the branch ends */
    int branch;       /* of the centerline_tree */
    bool border;      /* at the image's border */
    bool flat;        /* in a corner of a flat vessel */
    bool vague;       /* the normal is a guess: slices thicker than the vessel's radius show too little of its branch */
} centerline_end;

/* end [2 + t->n - 1] out: of the first branch both, of the others one. `mask` as above. Returns how many. */
int centerline_ends_find(const centerline_tree *t, const volume *mask, centerline_end *end);

/* Length of the branches that lead to these ends, in steps as long as the vessel is wide: a path goes from voxel to
 * voxel, and edges of a flat vessel are branches, too. */
double centerline_ends_length_mm(const centerline_tree *t, int n, const centerline_end *end);
#endif
