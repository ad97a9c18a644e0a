/* SPDX-License-Identifier: Apache-2.0 */
/* Streamlines for display only: trilinear velocity between cells, zero where no cell is. */
#ifndef PORTAFLOW_POST_FLOW_STREAMLINES_H
#define PORTAFLOW_POST_FLOW_STREAMLINES_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"
#include <stdbool.h>

typedef struct {
    int n, n_point;
    int32_t *first;                /* [n + 1] first point of each line */
    float *point_mm;               /* [n_point][3] points of all lines, LPS */
    float *speed_m_s, *time_s;     /* [n_point] time_s: time since the first point of the line */
    double fastest_m_s, longest_s; /* highest speed of all points; longest time of a line */
} streamlines;

/* Computes up to `wanted` lines, which start at cells evenly spaced in memory. Each line extends in both directions to
 * the wall, to an opening, or to blood that hardly moves. Lines shorter than ten spacings are omitted. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int streamlines_make(const sampler *s, const fields *f, int wanted, streamlines *out);
/* The velocity of the streamlines, m/s, at a point in LPS mm; false: too few cells around it. */
bool streamlines_velocity(const sampler *s, const fields *f, const double mm[3], double u[3]);
void streamlines_free(streamlines *l); /* safe on a zeroed struct */
#endif
