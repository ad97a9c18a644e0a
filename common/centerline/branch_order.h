/* SPDX-License-Identifier: Apache-2.0 */
/* Order and direction of the branches, from the root of each piece outwards; part of centerline.c. */
#ifndef PORTAFLOW_BRANCH_ORDER_H
#define PORTAFLOW_BRANCH_ORDER_H
#include "common/base/must_check.h"
#include "common/centerline/centerline.h"

/* Sorts the branches in the order that centerline.h states. Reverses the branches that run towards the root. Sets
 * parent, generation, piece and n_piece. The root of a piece is its widest end, or its widest node if it has no end.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int branch_order_sort(centerline *c);

/* Median radius of the own part of a branch (centerline_point.own). Without an own part: median radius of all its
 * points. */
double branch_order_radius_mm(const centerline_branch_line *b);
#endif
