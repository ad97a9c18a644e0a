/* SPDX-License-Identifier: Apache-2.0 */
/* The sampled data at a point of the wall: its position, and the fits for stress and pressure. */
#ifndef PORTAFLOW_POST_WALL_WALL_SAMPLES_H
#define PORTAFLOW_POST_WALL_WALL_SAMPLES_H
#include "post/sample/sampler.h"

enum { WALL_SAMPLES = 3 };

enum wall_samples_status {
    WALL_SAMPLES_OK,
    WALL_SAMPLES_AWAY, /* the point is on a cap, beyond an opening, or 0.8 cells or more from the wall of the lattice */
    WALL_SAMPLES_LOST  /* the point is at the wall, but no cell with flow is close enough */
};

typedef struct {
    double mm[3], inward[3]; /* mm: point on the wall of the lattice; inward: unit normal into the fluid there */
    double curvature[6];     /* second derivatives xx yy zz xy xz yz of the wall distance, 1/mm; positive in a tube */
    int n;                   /* number of samples along the normal, 1 to WALL_SAMPLES, at 1, 2 .. spacings */
    sampler_stencil sample[WALL_SAMPLES];
    bool slope_known; /* true: the fit of the pressure has a gradient */
    /* Gradient of the pressure inside the vessel. slope_of: polynomial fitted to pressure_pa of wall_samples_find;
     * slope: weights of such a fit, if pressure_pa is NULL */
    sampler_stencil slope;
    sampler_form slope_of;
} wall_samples;

/* Finds the samples of a point. outward: unit normal of the surface at the point. pressure_pa: field for slope_of;
 * NULL: `slope` is set instead. The result is complete if the status is WALL_SAMPLES_OK. */
enum wall_samples_status wall_samples_find(const sampler *s, const double point_mm[3], const double outward[3],
                                           const float *pressure_pa, wall_samples *out);
#endif
