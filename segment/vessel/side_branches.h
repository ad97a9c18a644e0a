/* Side branches of the vessel that lies between seeds and openings. */
#ifndef PORTAFLOW_SIDE_BRANCHES_H
#define PORTAFLOW_SIDE_BRANCHES_H
#include "common/base/must_check.h"
#include "common/image/volume.h"
#include "segment/tube/tube.h"

enum { SIDES_MAX = 32 };

typedef struct {
    double point_mm[3], normal[3]; /* LPS: where it leaves, just beyond the vessel's wall; unit, away from the vessel */
    double radius_mm;              /* median along it */
    double length_mm;              /* how far it was followed from that wall */
    int order;                     /* 1: leaves the vessel between seeds and openings; 2: leaves one of those; .. */
    bool taken;                    /* it is part of the tube now; else it is cut where it leaves */
} side_branch;

typedef struct {
    int wanted; /* in: branches up to this order are taken, 0: none */
    int n;
    side_branch branch[SIDES_MAX];
} side_list;

/* Everything that minimal paths reach from the middle of the tube (between its openings) through places that look like
 * the middle of a bright tube; the farthest first, what is left after it next (as the branches of a skeleton: Sato et
 * al. 2000, TEASAR). Along each path a tube is measured as between the openings. It is a branch as far as two thirds of
 * the rays see its wall (gaps of 1.5 radii apart) and it is between half and 1.4 times its median and no wider than the
 * vessel it leaves, when that is for four of its radii at least and it has a cell of `cost` in radius. What goes on
 * straight behind the place where it meets the vessel, beside that vessel, only touches it and is left out. Of two that
 * leave one place the longer is the one of lower order.
 *
 * image: as for tube_measure. cost: 1 / (floor + score^2) per mm on cubes, score 0 to 1 (bound.c). t: the tube;
 * branches of the wanted orders are added to it as pieces. list: in and out; branches of the next order are listed
 * alone. Errors: ERR_RESOURCE. Test: tests/unit/segment/test_segment_side.c */
MUST_CHECK int side_branches_find(const volume *image, const volume *cost, const tube_guess *guess, tube *t, side_list *list);
#endif
