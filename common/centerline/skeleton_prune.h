/* SPDX-License-Identifier: Apache-2.0 */
/* Removes spurs and short loops, and merges bifurcations that are close together; part of skeleton_graph.c. */
#ifndef PORTAFLOW_SKELETON_PRUNE_H
#define PORTAFLOW_SKELETON_PRUNE_H
#include "common/base/must_check.h"
#include "common/centerline/skeleton_graph.h"

/* Steps 1 to 3 of skeleton_graph_build. thinnest_mm: smallest edge of a voxel. Errors: ERR_INPUT (thousands of
 * branches: no vessel), ERR_RESOURCE. */
MUST_CHECK int skeleton_prune(skeleton_graph *s, double thinnest_mm);
#endif
