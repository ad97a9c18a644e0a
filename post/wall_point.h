/* The weights of one point of the wall; part of wall.c (see wall.h). */
#ifndef POST_WALL_POINT_H
#define POST_WALL_POINT_H
#include "post/wall.h"

enum { WALL_SAMPLES = 3, WALL_POINT_MAX = (2 * WALL_SAMPLES + 1) * SAMPLER_MAX };

typedef struct {
    int32_t cell;
    float velocity, stress, pressure;
} wall_weight;

enum wall_point_status {
    WALL_POINT_OK,
    WALL_POINT_AWAY, /* not at the wall of the lattice: a cap, or beyond an opening */
    WALL_POINT_LOST  /* at the wall, but no cell with flow is near enough */
};

typedef struct {
    double normal[3]; /* unit, into the fluid */
    int n;
    wall_weight weight[WALL_POINT_MAX]; /* by ascending cell, each cell once */
} wall_point;

/* `outward`: the surface's own normal at the point, unit. */
enum wall_point_status wall_point_find(const sampler *s, const double point_mm[3], const double outward[3],
                                       double viscosity_pa_s, enum wall_method method, wall_point *out);

/* Weights of velocity and traction at n = 1..3 distances of 1..n (units of h) in the derivative at 0:
 *   h u'(0) = sum_k velocity[k] u(k + 1) + h sum_k traction[k] u'(k + 1)
 * with u(0) = 0. The traction is t = mu (u' + c y + ..): c, from the curvature of the wall, is left free. */
void wall_point_line(enum wall_method method, int n, double velocity[WALL_SAMPLES], double traction[WALL_SAMPLES]);
#endif
