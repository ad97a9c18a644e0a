/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the voxels of a branch to a smooth centerline; part of centerline.c. Frame of the points: wall_rays.h. */
#ifndef PORTAFLOW_BRANCH_TRACE_H
#define PORTAFLOW_BRANCH_TRACE_H
#include "common/base/must_check.h"
#include "common/centerline/skeleton_graph.h"
#include "common/centerline/wall_rays.h"

typedef struct {
    double at[3], tangent[3], s_mm, radius_mm;
    double curvature, torsion; /* 1/mm, NAN: unknown */
    wall_section section;
    bool own; /* as in centerline_point (centerline.h) */
} trace_point;

typedef struct {
    int n;
    trace_point *point; /* owned */
    bool free_end[2];   /* true: the program found this end (it was not given), and the line is extended to the wall */
    bool ring;
    double radius_mm; /* median radius of the branch */
} branch_trace;

/* How a branch ends, by side. */
typedef struct {
    bool found[2];     /* true: the program found this end (it was not given); the voxel path then turns into a
                        * corner of the lumen */
    double ball_mm[2]; /* radius of the sphere of the bifurcation at this end; 0 at a given end, or if there is no
                        * bifurcation */
    bool ring;
} branch_ends;

/* Traces one branch, with about four points per radius. Moves the points to the middle between the walls and smooths
 * them over 1.5 radii. The last 2.3 radii of the path before a found end lead into a corner of the lumen.
 * There the line follows the middle by up to 4 radii, up to an oblique end or the wall, then a parabola to the wall,
 * also by up to 4 radii: in a wide sac the line may end inside the lumen. Straight vessels cut at up to 55 degrees end
 * within 0.1 radii of the axis. A lumen that widens again before its end has a stenosis there and no oblique end; one
 * within a radius of a free end is not measured. Masks under six voxels across, bends of 5 radii cut at 50 degrees and
 * arms of 2 radii after an elbow may end up to a radius beside it. Errors: ERR_RESOURCE. */
MUST_CHECK int branch_trace_run(const volume *phi, const skeleton_edge *e, const branch_ends *ends, branch_trace *out);

/* Sets `own` to false from the end `side` of branch t up to the last point near this end that lies inside another
 * branch or has an open cross-section.
 *   n, other, at_start  the other branches at the node of this end, and whether each begins there */
void branch_trace_leave(branch_trace *t, int side, int n, const branch_trace *const *other, const bool *at_start);

/* Smooths the own part (centerline_point.own) without the rest of the branch, then computes tangents, curvature,
 * torsion, radii and sections. Errors: ERR_RESOURCE. */
MUST_CHECK int branch_trace_measure(const volume *phi, branch_trace *t);
void branch_trace_set_abscissas(branch_trace *t); /* sets the arc lengths of all points */
void branch_trace_free(branch_trace *t);
#endif
