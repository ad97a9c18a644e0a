/* Stress and pressure at a point of the wall, from the samples there (wall_samples.h); the formulas are in wall.h. */
#ifndef PORTAFLOW_POST_WALL_WALL_STRESS_H
#define PORTAFLOW_POST_WALL_WALL_STRESS_H
#include "post/wall/wall_samples.h"

/* Of one cell in what is said of a point. */
typedef struct {
    int32_t cell;
    float stress, pressure; /* weight of the traction, and of the pressure in the pressure at the wall */
    float slope[3];         /* of the pressure in the traction: minus reach times gradient */
} wall_weight;

/* Of a point: its normal (unit, into the fluid), and what the curvature and the body force make of the traction. */
typedef struct {
    double normal[3];
    double turn[9], lift_m;
} wall_frame;

/* What the samples make of any field. */
typedef struct {
    wall_frame frame;
    int n;
    wall_weight weight[(WALL_SAMPLES + 2) * SAMPLER_MAX]; /* by ascending cell, each cell once */
} wall_weights;
void wall_stress_weights(const wall_samples *p, double spacing_mm, wall_weights *out);

/* What the weights give of one field, without forming them. */
typedef struct {
    wall_frame frame;
    double traction_pa[3], pressure_pa; /* before the frame's turn and lift */
} wall_value;
void wall_stress_value(const wall_samples *p, double spacing_mm, const fields *f, wall_value *out);

/* Weights of the traction 1..n cells from the wall (n 1 to 3) in its value at the wall. `slope_known`: the polynomial
 * has this slope at the wall, value = sum_k weight[k] t(k + 1) - reach * slope; otherwise a least-squares line, reach
 * 0. Returns reach (cells). */
double wall_stress_line(int n, int slope_known, double weight[WALL_SAMPLES]);
#endif
