/* The weights of one point of the wall; part of wall.c (see wall.h). */
#ifndef PORTAFLOW_POST_WALL_WALL_POINT_H
#define PORTAFLOW_POST_WALL_WALL_POINT_H
#include "post/wall/wall.h"

enum { WALL_SAMPLES = 3, WALL_POINT_MAX = (WALL_SAMPLES + 2) * SAMPLER_MAX };

enum wall_point_status {
    WALL_POINT_OK,
    WALL_POINT_AWAY, /* not at the wall of the lattice: a cap, or beyond an opening */
    WALL_POINT_LOST  /* at the wall, but no cell with flow is near enough */
};

/* Of a point: its normal (unit, into the fluid), and what the curvature and the body force make of the traction. */
typedef struct {
    double normal[3];
    double turn[9], lift_m;
} wall_frame;

typedef struct {
    wall_frame frame;
    int n;
    wall_weight weight[WALL_POINT_MAX]; /* by ascending cell, each cell once */
} wall_point;

/* `outward`: the surface's own normal at the point, unit. */
enum wall_point_status wall_point_find(const sampler *s, const double point_mm[3], const double outward[3],
                                       wall_point *out);

/* What the weights give of one field, without forming them. */
typedef struct {
    wall_frame frame;
    double traction_pa[3], pressure_pa; /* before the frame's turn and lift */
} wall_value;
enum wall_point_status wall_point_value(const sampler *s, const fields *f, const double point_mm[3],
                                        const double outward[3], wall_value *out);

/* Weights of the traction 1..n cells from the wall (n 1 to 3) in its value at the wall. `slope_known`: the polynomial
 * has this slope at the wall, value = sum_k weight[k] t(k + 1) - reach * slope; otherwise a least-squares line, reach
 * 0. Returns reach (cells). */
double wall_point_line(int n, int slope_known, double weight[WALL_SAMPLES]);
#endif
