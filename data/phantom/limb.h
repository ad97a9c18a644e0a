/* Vessels from a few drawn nodes: smooth centrelines cut into the short tapered segments of a shape. */
#ifndef PORTAFLOW_LIMB_H
#define PORTAFLOW_LIMB_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"

enum { LIMB_MAX_NODES = 320 };

typedef struct {
    double point_mm[3], radius_mm;
    const char *branch; /* a branch of this name begins here; NULL: the last one goes on */
} limb_node;

typedef struct {
    const char *name;
    bool inlet;
    double flow_l_min;
} limb_end;

/* Add the vessel through node[0..n-1], n >= 2, downstream or upstream as drawn: a cubic with continuous direction, in
 * segments no longer than `step` radii. An end that is not NULL becomes an opening, with the vessel running straight
 * on for `beyond` radii. The last node's branch is ignored. Errors: ERR_INTERNAL when an array of the
 * phantom is full. */
MUST_CHECK int limb_add(phantom *p, int n, const limb_node *node, double step, double beyond, const limb_end *start,
                        const limb_end *end);

/* Bounding box of all segments and ellipsoids into low_mm, high_mm. */
void limb_bounds(phantom *p);
#endif
