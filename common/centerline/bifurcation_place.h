/* SPDX-License-Identifier: Apache-2.0 */
/* Places a bifurcation where the axes of its branches meet; part of centerline.c. Frame of the points: wall_rays.h.
 *
 * The centre of the largest inscribed sphere is off the axes: in a fork of a wide and a narrow branch it lies in the
 * wide branch. Lengths between bifurcations therefore start at the point x nearest to all axes,
 *   min over x:  sum_k w_k |(1 - d_k d_k^T) (x - p_k)|^2 + SPHERE_WEIGHT |x - c|^2,
 * with a point p_k and the direction d_k of each axis at the bifurcation, and the centre c of the sphere. The axes are
 * parabolas through the own parts of the branches. The weight w_k of an axis is 1 if it is straight, and less if it is
 * curved. */
#ifndef PORTAFLOW_BIFURCATION_PLACE_H
#define PORTAFLOW_BIFURCATION_PLACE_H
#include "common/base/must_check.h"
#include "common/centerline/branch_trace.h"

enum { BIFURCATION_BRANCHES = 64 };

/* The branches at a bifurcation. A branch that returns to its bifurcation counts twice. */
typedef struct {
    int n;
    branch_trace *trace[BIFURCATION_BRANCHES];
    int side[BIFURCATION_BRANCHES]; /* 0: the branch starts at the bifurcation, 1: it ends there */
} bifurcation_branches;

typedef struct {
    double at[3];
    /* covariances of the place, xx yy zz xy xz yz; NAN: fewer than two axes */
    double cov_axes[6];     /* if the points of the own parts have a standard deviation of 1 mm across the axes */
    double cov_bend_mm2[6]; /* because curved axes are continued into the bifurcation */
} bifurcation_place;

/* Finds the place of a bifurcation within its largest sphere (centre, radius ball_mm). The branches must be measured
 * (branch_trace_measure). With fewer than two axes the place is the centre. Errors: ERR_RESOURCE. */
MUST_CHECK int bifurcation_place_find(const bifurcation_branches *b, double ball_mm, const double centre[3],
                                      bifurcation_place *place);

/* Extends the own parts of the branches (centerline_point.own) by parabolas to the bifurcation at `at`, and
 * measures the new points. */
void bifurcation_place_join(const volume *phi, const bifurcation_branches *b, double ball_mm, const double at[3]);
#endif
