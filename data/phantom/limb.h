/* Vessels from a few nodes: smooth centrelines, divided into short tapered segments. */
#ifndef PORTAFLOW_LIMB_H
#define PORTAFLOW_LIMB_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"

enum { LIMB_MAX_NODES = 320 };

typedef struct {
    double point_mm[3], radius_mm;
    const char *branch; /* start of the branch of this name; NULL: the branch continues */
} limb_node;

typedef struct {
    const char *name;
    bool inlet;
    double flow_l_min;
} limb_end;

/* Add the vessel through node[0..n-1], n >= 2, as a cubic of continuous direction, in segments no longer than `step`
 * radii. start, end: openings at its ends, NULL: none; beyond an opening the vessel continues straight for `beyond`
 * radii. The last node's branch is ignored. Errors: ERR_INTERNAL (an array of the phantom is full). */
MUST_CHECK int limb_add(phantom *p, int n, const limb_node *node, double step, double beyond, const limb_end *start,
                        const limb_end *end);

/* Set low_mm and high_mm to the bounding box of all segments and ellipsoids. */
void limb_bounds(phantom *p);
#endif
