/* SPDX-License-Identifier: Apache-2.0 */
/* Finds side branches of the vessel between seeds and openings, in the image, before there is a lumen. */
#ifndef PORTAFLOW_SIDE_BRANCHES_H
#define PORTAFLOW_SIDE_BRANCHES_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

enum { SIDES_MAX = 32 };

typedef struct {
    /* origin of the branch, just beyond the vessel's wall; unit normal away from the vessel; LPS */
    double point_mm[3], normal[3];
    double radius_mm; /* median radius along the branch */
    double length_mm; /* length over which the branch was followed, from the vessel's wall */
    /* 1: the branch leaves the vessel between seeds and openings; 2: it leaves a branch of order 1; .. */
    int order;
    bool taken; /* true: the branch was added to the tube; false: it is cut at its origin */
    /* true: the lumen is narrow where the branch joins, as where another vessel touches (narrow_contact.h) */
    bool touches;
} side_branch;

typedef struct {
    int wanted; /* in: highest order of branches that are added to the tube; 0: none */
    int n;
    side_branch branch[SIDES_MAX];
} side_list;

/* Finds side branches. Minimal paths run from the centerline (between the openings) through places that look like the
 * middle of a bright tube. The path with the farthest tip is evaluated first, then the farthest remaining path (TEASAR,
 * Sato et al. 2000). A tube is measured along each path. It is a branch up to where
 *
 * - two thirds of the rays see its wall, with gaps up to 1.5 radii;
 * - its radius is 1/2 to 1.4 times its median, and no larger than the parent's.
 *
 * The branch must be four radii long, with a radius of at least a voxel of `cost` (0.29 times the vessel's radius at
 * the seeds, at least 0.8 image voxels). A vessel that continues straight behind the contact, next to the parent, only
 * touches it and is skipped. Of two branches from one place the longer has the lower order. image: as for tube_measure.
 * cost: 1 / (floor + score^2) per mm on cubes, score 0 to 1 (vessel_paths.c). t: branches up to the wanted order are
 * added as pieces. list: in and out; branches of the next order are listed only. Errors: ERR_RESOURCE. Test:
 * tests/unit/segment/test_segment_side.c */
MUST_CHECK int side_branches_find(const volume *image, const volume *cost, const tube_guess *guess, tube *t,
                                  side_list *list);
#endif
