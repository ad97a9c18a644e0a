/* SPDX-License-Identifier: Apache-2.0 */
/* Graph of a thinned lumen: nodes (ends and bifurcations) and edges (lists of voxels), without spurs and tiny loops. */
#ifndef PORTAFLOW_SKELETON_GRAPH_H
#define PORTAFLOW_SKELETON_GRAPH_H
#include "common/base/must_check.h"
#include "common/centerline/lumen_grid.h"
#include <stdbool.h>

/* A voxel of the skeleton. Its position is in the frame of the grid (continuous index of phi times spacing), mm. */
typedef struct {
    double at[3], depth_mm;
} skeleton_point;

typedef struct {
    skeleton_point p;
    int degree; /* number of edges; an edge from the node to itself counts twice; 0: the node is removed */
    bool fixed; /* true: a given end, which is never removed */
} skeleton_node;

typedef struct {
    int node[2]; /* nodes at start and end; equal for a closed edge */
    int n;
    skeleton_point *point; /* [n] from node[0] to node[1], both included; owned */
    bool removed;
    double significance; /* terminal edge: its visible length over the limit of this length (skeleton_prune.c); NAN:
                          * not computed */
} skeleton_edge;

typedef struct {
    int n_node, n_edge, room_node, room_edge;
    skeleton_node *node;
    skeleton_edge *edge;
} skeleton_graph;

/* Builds the graph of the voxels g->voxel (thinning.h), then
 * 1. removes spurs, the least significant first: terminal edges whose length beyond the vessel at their node is below
 *    1.2 radii of this vessel, twice their own median radius, or two voxels; given ends are never removed;
 * 2. removes loops shorter than 8 radii, whose hole is narrower than the vessel around it, and the spurs that remain;
 * 3. joins bifurcations closer than half the larger radius, or than a voxel, then repeats step 2.
 *   n, fixed  voxels of given ends
 * Errors: ERR_INPUT (thousands of branches: no vessel), ERR_RESOURCE. */
MUST_CHECK int skeleton_graph_build(const lumen_grid *g, int n, const size_t *fixed, skeleton_graph *out);
void skeleton_graph_free(skeleton_graph *s);
/* Length of an edge, mm. */
double skeleton_graph_length_mm(const skeleton_edge *e);
#endif
