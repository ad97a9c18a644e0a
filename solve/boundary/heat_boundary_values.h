/* SPDX-License-Identifier: Apache-2.0 */
/* Boundary conditions of heat: converts the conditions of the case, in degC and SI, to heat_settings (lattice
 * units). */
#ifndef PORTAFLOW_HEAT_BOUNDARY_VALUES_H
#define PORTAFLOW_HEAT_BOUNDARY_VALUES_H
#include "common/base/must_check.h"
#include "common/case/case.h"
#include "common/lattice/lattice.h"
#include "solve/core/heat_links.h"
#include "solve/core/scale.h"

typedef struct {
    bool on;
    double reference_c, unit_k; /* T = reference_c + theta unit_k */
    double difference_k;        /* temperature difference between the warmest and the coldest wall or opening */
    double velocity_m_s;        /* expected largest velocity of natural convection; 0: no buoyancy */
    double rayleigh, prandtl;   /* rayleigh: based on the diameter of the widest cross-section */
    double heat_scale;          /* value of one lattice unit of heat flux, K m3/s (heat flux over density and heat
                                 * capacity) */
    double steps;               /* number of steps in which heat crosses the radius of the widest cross-section */
    heat_settings h;
} heat_boundary_values;

/* Sets temperatures, sides and the expected velocity of buoyancy, which is the smaller of two estimates. The first is
 * 0.5 sqrt(g beta dT H), with the height H of the lattice: twice the velocity of heated cavities (de Vahl Davis 1983).
 * The second is 1.5 times the velocity in a tall slot as wide as the widest cross-section (Batchelor 1954). Errors:
 * ERR_INPUT (the lattice lacks the walls of the case). */
MUST_CHECK int heat_boundary_values_create(const case_file *c, const lattice *l, double radius_m,
                                           heat_boundary_values *g);
/* Sets rates and buoyancy for the time step of s. */
void heat_boundary_values_scale(const case_file *c, const scale *s, double radius_cells, heat_boundary_values *g);
/* Name of side `side`: a wall of the case or an opening. */
const char *heat_boundary_values_name(const case_file *c, const lattice *l, int side);
#endif
