/* SPDX-License-Identifier: Apache-2.0 */
/* Evenly spaced streamlines in a cut for display, from the velocity component in the cut (Jobard and Lefer 1997). In a
 * symmetry plane of the flow they are true streamlines; elsewhere the blood also crosses the cut. */
#ifndef PORTAFLOW_POST_PICTURE_CUT_LINES_H
#define PORTAFLOW_POST_PICTURE_CUT_LINES_H
#include "common/base/must_check.h"
#include "post/sample/cut.h"

/* Lower limit of the speed along a line, as a fraction of the largest speed in the cut; slower fluid gets no lines */
#define CUT_LINES_STILL 1e-3

typedef struct {
    /* n: number of polylines: lines, and one arrow head half-way along each line. n_point: number of points of all
     * polylines */
    int n, n_point;
    int32_t *first;   /* [n + 1] first point of each polyline; owned */
    double *point_mm; /* [n_point][3] points of all polylines, LPS; owned */
} cut_lines;

/* Draws the lines. Each line starts at the distance apart_mm from all other lines. It ends half as far from another
 * line, a quarter of apart_mm from itself, at the wall or in still fluid. Lines that would be shorter than apart_mm are
 * omitted. Errors: ERR_RESOURCE. */
MUST_CHECK int cut_lines_make(const sampler *s, const fields *f, const cut_frame *frame, const surface *cut,
                              double apart_mm, cut_lines *out);
void cut_lines_free(cut_lines *l); /* safe on a zeroed struct */
#endif
