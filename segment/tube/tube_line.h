/* SPDX-License-Identifier: Apache-2.0 */
/* Polylines from which the pieces of a tube are built. Only for tube.c and side_branches.c. */
#ifndef PORTAFLOW_TUBE_LINE_H
#define PORTAFLOW_TUBE_LINE_H
#include "common/base/must_check.h"
#include "segment/tube/tube_paths.h"
#include <stdbool.h>

typedef struct {
    int n, end[2];   /* n: number of points; end: opening at each end, -1 for none */
    bool leaf[2];    /* [end] true: nothing continues at this end */
    double (*at)[3]; /* [n] points, LPS mm, owned */
} tube_line;

/* Append n points. Errors of all functions here: ERR_RESOURCE. */
MUST_CHECK int tube_line_append(tube_line *l, const double (*at)[3], int n, bool backwards);

/* Reverse the line. */
void tube_line_reverse(tube_line *l);

/* Joins paths into lines l [p->n]. A path is continued by the path that starts at its end; two paths that end in the
 * root become one line. A line merged into another has n = 0. */
MUST_CHECK int tube_line_join(const paths *p, tube_line *l);

/* Smooths the line by a moving average over +- reach points, repeated `times` times; the ends stay fixed. */
MUST_CHECK int tube_line_smooth(tube_line *l, int reach, int times);

/* Resample in equal steps of about `step` mm. */
MUST_CHECK int tube_line_resample(tube_line *l, double step);

/* Extend an end straight by n steps. The direction is `normal` if it is near the direction of the last back_steps
 * points. Otherwise, or if its x is NAN, the direction is taken from these points. */
MUST_CHECK int tube_line_extend(tube_line *l, int end, int n, double step, int back_steps, const double normal[3]);
#endif
