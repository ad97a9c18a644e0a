/* SPDX-License-Identifier: Apache-2.0 */
/* Order and direction of the branches, from the root of each piece outwards; part of centerline.c. */
#ifndef PORTAFLOW_BRANCH_ORDER_H
#define PORTAFLOW_BRANCH_ORDER_H
#include "common/base/must_check.h"
#include "common/centerline/centerline.h"

/* Sort the branches as centerline.h states, reverse those that run towards the root, and set parent, generation, piece
 * and n_piece. The root of a piece is its widest end; without an end, its widest node. Errors: ERR_RESOURCE. */
MUST_CHECK int branch_order_sort(centerline *c);

/* Median radius of the own part of a branch; of all its points without an own part. */
double branch_order_radius_mm(const centerline_branch_line *b);
#endif
