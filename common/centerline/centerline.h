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

enum { CENTERLINE_WHY = 200 };

typedef struct {
    double at_mm[3];    /* LPS */
    double abscissa_mm; /* arc length from the start of the branch */
    /* radius of the largest inscribed sphere at the point, mm. Within a radius of a closed end: radius of the sphere
     * that touches the wall around the vessel, because the wall of the end is nearer */
    double radius_mm;
    double tangent[3]; /* unit vector, towards the end of the branch */
    /* NAN outside the own part of the branch; torsion also where the branch is nearly straight */
    double curvature_per_mm, torsion_per_mm;
    wall_section section; /* cross-section in the plane across the tangent */
    /* true in the part of the branch that is neither bifurcation nor closed end: outside the spheres of other branches,
     * with a closed cross-section, and a radius away from a closed end */
    bool own;
} centerline_point;

typedef struct {
    double at_mm[3];  /* LPS; of a bifurcation: the place where the axes of its branches meet */
    double radius_mm; /* of a bifurcation: radius of its largest sphere, whose centre may lie beside the place */
    int degree;       /* number of branches; 1: end */
    int given;        /* number of the given end, -1: none */
    /* Covariances of the place of a bifurcation, LPS, xx yy zz xy xz yz; 0 at an end, NAN: unknown. */
    double cov_axes[6];     /* if the points of the branches have a standard deviation of 1 mm across */
    double cov_bend_mm2[6]; /* because curved axes are continued into the bifurcation */
} centerline_node;

typedef struct {
    int n;
    centerline_point *point; /* [n] owned, from node[0] to node[1] */
    int node[2];             /* nodes at start and end; equal for a ring */
    int parent;              /* preceding branch on the way from the root; -1: none */
    int generation;          /* number of bifurcations between the root and the branch */
    int piece;               /* connected piece of the vessel, from 0, the longest first */
    double length_mm;        /* between the nodes */
    bool ring;               /* a closed curve without an end */
} centerline_branch_line;

typedef struct {
    int n_node, n_branch, n_piece;
    centerline_node *node;
    /* Sorted by piece. Within a piece from the root (its widest end) outwards: the first branch, its children by
     * decreasing radius, and so on. */
    centerline_branch_line *branch;
    int n_small_piece; /* number of pieces without centerlines, because they are smaller than a hundredth of the
                        * largest piece */
    double small_mm3;  /* total volume of these small pieces */
    double cavity_mm3; /* volume of closed cavities; they count as lumen */
    double lumen_mm3;  /* volume of the pieces with centerlines, by voxels */
    char why_none[CENTERLINE_WHY]; /* n_branch 0: why the lumen has no centerline, a sentence for the user */
} centerline;

/* Finds the centerlines of the lumen phi < 0.
 *   phi           signed distance, mm, negative inside; may be cut by the border of the grid. Accuracy falls below
 *                 about three voxels per diameter, and with voxels twice as long as wide
 *   n_end, end_mm given ends, LPS: the centerlines connect exactly these ends; 0: the program finds the ends
 * out has no branch (why_none) without a lumen, without a part that is long enough, and with thousands of branches.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int centerline_find(const volume *phi, int n_end, const double (*end_mm)[3], centerline *out);
void centerline_free(centerline *c); /* safe on a zeroed struct */
#endif
