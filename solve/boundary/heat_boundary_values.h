/* What the case says of heat, for the solver: from degC and SI to heat_settings. */
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
    double difference_k;        /* between the warmest and the coldest wall or opening */
    double velocity_m_s;        /* largest to expect of the buoyancy; 0: it drives nothing */
    double rayleigh, prandtl;   /* of the diameter of the widest passage */
    double heat_scale;          /* K m3/s (heat over density and capacity) a lattice unit of flux */
    double steps;               /* in which heat crosses the radius of the widest passage */
    heat_settings h;
} heat_boundary_values;

/* Temperatures, sides, expected velocity. Of buoyancy: half of that of free fall through the height H of the lattice,
 * sqrt(g beta dT H), twice what heated cavities reach (de Vahl Davis 1983), or where viscosity is stronger that of a
 * tall slot as wide as the widest passage and half as much again (Batchelor 1954). Errors: ERR_INPUT (the lattice has
 * no walls of the case). */
MUST_CHECK int heat_boundary_values_create(const case_file *c, const lattice *l, double radius_m,
                                           heat_boundary_values *g);
/* Rates and buoyancy for a step. */
void heat_boundary_values_scale(const case_file *c, const scale *s, double radius_cells, heat_boundary_values *g);
/* Name of a side: a wall of the case or an opening. */
const char *heat_boundary_values_name(const case_file *c, const lattice *l, int side);
#endif
