/* SPDX-License-Identifier: Apache-2.0 */
/* Viscosity of shear-thinning blood in lattice units, as tables for kernels/shear_viscosity.h. */
#ifndef PORTAFLOW_VISCOSITY_TABLE_H
#define PORTAFLOW_VISCOSITY_TABLE_H
#include "common/blood/viscosity_law.h"
#include <stdbool.h>

enum { VISCOSITY_TABLE_SEGMENTS = 1024 }; /* equals SHEAR_SEGMENTS (kernels/shear_viscosity.h) */

/* Upper limit of tau. Below the shear rate at which tau reaches this limit, the viscosity is constant. tau at the wall
 * is 1 or less, so blood at rest is still at least 9 times as viscous as blood at the wall. In the pipes of
 * test_shear_pipe the limit changes the flow by less than 0.01 %. */
#define VISCOSITY_TABLE_TAU_MOST 5.0

/* 3 nu = constant + slope * argument in one segment. */
typedef struct {
    double constant, slope;
} viscosity_segment;

/* Two tables of 3 nu in lattice units. Argument of `flux`: P:P of kernels/shear_viscosity.h, eq. 1. Argument of
 * `stress`: sum of the squared components of the traceless viscous stress, lattice units. */
typedef struct {
    viscosity_segment flux[VISCOSITY_TABLE_SEGMENTS], stress[VISCOSITY_TABLE_SEGMENTS];
} viscosity_table;

/* Fills a table. dx_m, dt_s: spacing and time step. */
void viscosity_table_fill(const viscosity_law *law, double density_kg_m3, double dx_m, double dt_s, viscosity_table *t);
/* Copies `flux` to [VISCOSITY_TABLE_SEGMENTS][2] values, constant and slope, as double (wide) or float. */
void viscosity_table_copy(const viscosity_table *t, bool wide, void *to);
/* 3 nu at `argument`; s: the array `flux` or `stress` of a table. */
double viscosity_table_three_nu(const viscosity_segment *s, double argument);
#endif
