/* SPDX-License-Identifier: Apache-2.0 */
/* Vessels from a few nodes: smooth centrelines, divided into short tapered segments. */
#ifndef PORTAFLOW_LIMB_H
#define PORTAFLOW_LIMB_H
#include "common/base/must_check.h"
#include "data/phantom/phantom.h"

enum { VESSEL_CURVE_MAX_NODES = 320 };

typedef struct {
    double point_mm[3], radius_mm;
    const char *branch; /* name of a branch that starts at this node; NULL: the branch continues */
} vessel_curve_node;

typedef struct {
    const char *name;
    bool inlet;
    double flow_l_min;
} vessel_curve_end;

/* Add the vessel through node[0..n-1], n >= 2, as a cubic of continuous direction, in segments no longer than `step`
 * radii. start, end: openings at its ends, NULL: none; beyond an opening the vessel continues straight for `beyond`
 * radii. The last node's branch is ignored. Errors: ERR_INTERNAL (an array of the phantom is full). */
MUST_CHECK int vessel_curve_add(phantom *p, int n, const vessel_curve_node *node, double step, double beyond,
                                const vessel_curve_end *start, const vessel_curve_end *end);

/* Set low_mm and high_mm to the bounding box of all segments and ellipsoids. */
void vessel_curve_bounds(phantom *p);
#endif
