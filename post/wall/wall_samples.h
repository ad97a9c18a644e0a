/* What the sampler gives at a point of the wall: where the wall is, and the fits from which its stress is formed. */
#ifndef PORTAFLOW_POST_WALL_WALL_SAMPLES_H
#define PORTAFLOW_POST_WALL_WALL_SAMPLES_H
#include "post/sample/sampler.h"

enum { WALL_SAMPLES = 3 };

enum wall_samples_status {
    WALL_SAMPLES_OK,
    WALL_SAMPLES_AWAY, /* not at the wall of the lattice: a cap, or beyond an opening */
    WALL_SAMPLES_LOST  /* at the wall, but no cell with flow is near enough */
};

typedef struct {
    double mm[3], inward[3]; /* of the lattice's wall; the normal into the fluid */
    double curvature[6];     /* 1/mm, second derivatives of the distance; positive round the inside of a tube */
    int n;                   /* samples at 1, 2 .. spacings from the wall along the normal, 1 to WALL_SAMPLES */
    sampler_stencil sample[WALL_SAMPLES];
    bool slope_known;      /* the fit of the pressure has a gradient */
    sampler_stencil slope; /* of the pressure inside the vessel, or .. */
    sampler_form slope_of; /* .. of the given field there */
} wall_samples;

/* `outward`: the surface's own normal at the point, unit. pressure_pa: the field whose slope_of is formed; NULL: slope.
 * What is found is whole where the status is WALL_SAMPLES_OK. */
enum wall_samples_status wall_samples_find(const sampler *s, const double point_mm[3], const double outward[3],
                                           const float *pressure_pa, wall_samples *out);
#endif
