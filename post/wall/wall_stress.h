/* Stress and pressure at a point of the wall, from its samples (wall_samples.h); equations in WALL_STRESS.md. */
#ifndef PORTAFLOW_POST_WALL_WALL_STRESS_H
#define PORTAFLOW_POST_WALL_WALL_STRESS_H
#include "post/wall/wall_samples.h"

/* Weights of one cell at a point of the wall. */
typedef struct {
    int32_t cell;
    /* stress: weight of the cell's stress in the traction; pressure: weight of its pressure in the wall pressure */
    float stress, pressure;
    /* weight of the cell's pressure in the traction: -reach times its weight in the pressure gradient */
    float slope[3];
} wall_weight;

/* Frame of a point: its normal (unit, into the fluid), curvature matrix and weight of the body force. */
typedef struct {
    double normal[3];
    double turn[9], lift_m;
} wall_frame;

/* The weights of a point for any field. */
typedef struct {
    wall_frame frame;
    int n;
    wall_weight weight[(WALL_SAMPLES + 2) * SAMPLER_MAX]; /* sorted by cell; each cell appears once */
} wall_weights;
void wall_stress_weights(const wall_samples *p, double spacing_mm, wall_weights *out);

/* The values of one field, without weights. */
typedef struct {
    wall_frame frame;
    double traction_pa[3], pressure_pa; /* traction before curvature matrix and body force; wall pressure */
} wall_value;
void wall_stress_value(const wall_samples *p, double spacing_mm, const fields *f, wall_value *out);

/* Weights of the traction at 1..n cells from the wall (n 1 to 3) in the traction at the wall. `slope_known`: the
 * polynomial has a given slope at the wall, value = sum_k weight[k] t(k + 1) - reach * slope; else a least-squares
 * line, reach 0. Returns reach (cells). */
double wall_stress_line(int n, int slope_known, double weight[WALL_SAMPLES]);
#endif
