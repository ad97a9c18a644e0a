/* SPDX-License-Identifier: Apache-2.0 */
/* Centerlines of a lumen: branches between ends and bifurcations, with inscribed spheres and cross-sections.
 *
 * 1. Tips of the vessel (vessel_tips.h), or the given ends.
 * 2. The lumen is thinned to curves through the tips and round loops (thinning.h).
 * 3. Spurs and tiny loops are removed, near bifurcations joined (skeleton_graph.h).
 * 4. Each branch is moved to the middle between the walls and smoothed (branch_trace.h).
 * The method page is ../CENTERLINES.md. Test: tests/unit/common/test_centerline.c */
#ifndef PORTAFLOW_CENTERLINE_H
#define PORTAFLOW_CENTERLINE_H
#include "common/base/must_check.h"
#include "common/centerline/wall_rays.h"
#include "common/image/volume.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    double at_mm[3];    /* LPS */
    double abscissa_mm; /* arc length from the start of the branch */
    /* largest sphere round the point that fits; within a radius of a closed end the sphere that fits the wall round the
     * vessel */
    double radius_mm;
    double tangent[3]; /* unit vector, towards the end of the branch */
    /* NAN outside the branch's own part; torsion also where the branch is nearly straight */
    double curvature_per_mm, torsion_per_mm;
    wall_section section; /* across the tangent */
    /* in the part of the branch that is no bifurcation and no closed end: outside the spheres of the other branches, a
     * closed cross-section, and a radius away from a closed end */
    bool own;
} centerline_point;

typedef struct {
    double at_mm[3]; /* LPS */
    double radius_mm;
    int degree; /* number of branches; 1: end */
    int given;  /* number of the given end, -1: none */
} centerline_node;

typedef struct {
    int n;
    centerline_point *point; /* [n] owned, from node[0] to node[1] */
    int node[2];             /* equal for a ring */
    int parent;              /* branch that comes before on the way from the root; -1: none */
    int generation;          /* number of bifurcations between the root and the branch */
    int piece;               /* connected piece of the vessel, from 0, the longest first */
    double length_mm;        /* between the nodes */
    bool ring;               /* a closed curve without an end */
} centerline_branch_line;

typedef struct {
    int n_node, n_branch, n_piece;
    centerline_node *node;
    /* of each piece from its root, the widest end, outwards: the first branch, its children by decreasing radius, .. */
    centerline_branch_line *branch;
    int n_small_piece; /* pieces smaller than a hundredth of the largest, without centerlines */
    double small_mm3;  /* their volume */
    double cavity_mm3; /* closed cavities, which count as lumen */
    double lumen_mm3;  /* volume of the pieces with centerlines, by voxels */
} centerline;

/* Find the centerlines of the lumen phi < 0.
 *   phi           signed distance, mm, negative inside; may be cut by the border of the grid; vessels of less than about
 *                 three voxels across and voxels twice as long as wide lose accuracy
 *   n_end, end_mm given ends, LPS: the centerlines connect exactly these; 0: the ends are found
 * Errors: ERR_INPUT (no lumen, no vessel long enough for a centerline), ERR_RESOURCE. */
MUST_CHECK int centerline_find(const volume *phi, int n_end, const double (*end_mm)[3], centerline *out);
void centerline_free(centerline *c); /* safe on a zeroed struct */
#endif
