/* SPDX-License-Identifier: Apache-2.0 */
/* Weights that give traction and pressure at a point of the wall, from its samples (wall_samples.h); equations in
 * WALL_STRESS.md. The wall shear stress itself: apply_point in wall.c. */
#ifndef PORTAFLOW_POST_WALL_WALL_STRESS_H
#define PORTAFLOW_POST_WALL_WALL_STRESS_H
#include "post/wall/wall_samples.h"

/* Weights of one cell at a point of the wall. */
typedef struct {
    int32_t cell;
    /* stress: weight of the stress of the cell in the traction; pressure: weight of its pressure in the wall
     * pressure */
    float stress, pressure;
    /* weight of the pressure of the cell in the traction. The pressure gradient gives the slope of the traction at the
     * wall, so the weight is -reach (wall_stress_line) times the weight of the cell in the pressure gradient */
    float slope[3];
} wall_weight;

/* Frame of a point of the wall: unit normal into the fluid, curvature matrix, weight of the body force. */
typedef struct {
    double normal[3];
    double turn[9], lift_m;
} wall_frame;

/* Weights that give traction and pressure at one point of the wall from any field */
typedef struct {
    wall_frame frame;
    int n;
    wall_weight weight[(WALL_SAMPLES + 2) * SAMPLER_MAX]; /* sorted by cell; each cell appears once */
} wall_weights;
void wall_stress_weights(const wall_samples *p, double spacing_mm, wall_weights *out);

/* Traction and pressure at one point of the wall, for one field */
typedef struct {
    wall_frame frame;
    double traction_pa[3], pressure_pa; /* traction before curvature matrix and body force; wall pressure */
} wall_value;
void wall_stress_value(const wall_samples *p, double spacing_mm, const fields *f, wall_value *out);

/* Computes the weights that extrapolate the traction t to the wall. t(1) .. t(n) are the values at 1 .. n cells from
 * the wall, n 1 to 3.
 *   slope_known 1: polynomial of order n through the n values, with a given slope (1/cells) at the wall:
 *                  t(0) = sum_k weight[k] t(k + 1) - reach * slope
 *   slope_known 0: least-squares line; the slope is not used
 * Returns reach = sum_k (k + 1) weight[k], in cells; 0 if slope_known is 0. WALL_STRESS.md, eq. 3. */
double wall_stress_line(int n, int slope_known, double weight[WALL_SAMPLES]);
#endif
