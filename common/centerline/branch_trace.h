/* SPDX-License-Identifier: Apache-2.0 */
/* From the voxels of a branch to its smooth centerline; part of centerline.c. Frame: wall_rays.h. */
#ifndef PORTAFLOW_BRANCH_TRACE_H
#define PORTAFLOW_BRANCH_TRACE_H
#include "common/base/must_check.h"
#include "common/centerline/skeleton_graph.h"
#include "common/centerline/wall_rays.h"

typedef struct {
    double at[3], tangent[3], s_mm, radius_mm;
    double curvature, torsion; /* 1/mm, NAN: unknown */
    wall_section section;
    bool own;
} trace_point;

typedef struct {
    int n;
    trace_point *point; /* owned */
    bool free_end[2];   /* the end was found: the line is extended straight to the wall */
    bool ring;
    double radius_mm; /* median */
} branch_trace;

/* How a branch ends. */
typedef struct {
    bool found[2];     /* a found end: the voxels lead into a corner of the lumen */
    double ball_mm[2]; /* radius of the sphere of the bifurcation there; 0: a given end, or none */
    bool ring;
} branch_ends;

/* Trace one branch: about four points a radius, moved to the middle between the walls and smoothed over 1.5 radii. The
 * last 1.8 radii before a found end are replaced by a straight line to the wall. Errors: ERR_RESOURCE. */
MUST_CHECK int branch_trace_run(const volume *phi, const skeleton_edge *e, const branch_ends *ends, branch_trace *out);

/* Set `own` of the first points: the branch t leaves the other branches at its end `side`.
 *   n, other, at_start  the other branches at that node, and whether they begin there */
void branch_trace_leave(branch_trace *t, int side, int n, const branch_trace *const *other, const bool *at_start);

/* Smooth the own part by itself, then compute tangents, curvature, torsion, radii and sections. Errors: ERR_RESOURCE. */
MUST_CHECK int branch_trace_measure(const volume *phi, branch_trace *t);
void branch_trace_free(branch_trace *t);
#endif
