/* Streamlines for the eye: velocity between the cells linear, zero where no cell is. Numbers are read elsewhere. */
#ifndef PORTAFLOW_POST_FLOW_STREAMLINES_H
#define PORTAFLOW_POST_FLOW_STREAMLINES_H
#include "common/base/must_check.h"
#include "post/sample/sampler.h"
#include <stdbool.h>

typedef struct {
    int n, n_point;
    int32_t *first;                /* [n + 1] first point of each */
    float *point_mm;               /* [n_point][3] LPS */
    float *speed_m_s, *time_s;     /* [n_point]; time from the line's first point */
    double fastest_m_s, longest_s; /* of all */
} streamlines;

/* Up to `wanted` lines through cells that lie evenly in memory, both ways to the wall, an opening, or still blood;
 * those shorter than ten spacings are left out. Errors: ERR_RESOURCE. */
MUST_CHECK int streamlines_make(const sampler *s, const fields *f, int wanted, streamlines *out);
/* The velocity, m/s, that they follow, at a place in LPS mm; false where too few cells are round it. */
bool streamlines_velocity(const sampler *s, const fields *f, const double mm[3], double u[3]);
void streamlines_free(streamlines *l); /* safe on a zeroed struct */
#endif
