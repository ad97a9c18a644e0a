/* Cross-sections of a potential flow, and the effective diameter of a cross-section. */
#ifndef PORTAFLOW_POTENTIAL_SECTION_H
#define PORTAFLOW_POTENTIAL_SECTION_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/potential_flow.h"

typedef struct {
    const lattice *l;
    const laplace *a;
    const double *phi;      /* [n_cell] m2/s */
    const float *speed;     /* [n_cell] m/s, 0 without flow */
    const uint8_t *at_end;  /* [n_cell] 1: at an opening */
    double least_flow_m3_s; /* cross-sections with less flow are skipped */
} potential_sections;

/* Effective diameter: of the circle with this area, or flat_mm (hydraulic diameter, 4 area / perimeter) if that is much
 * smaller, because the profile in a gap depends on the gap. */
double potential_section_diameter_mm(double area_mm2, double flat_mm);
/* Effective diameter of an opening. */
double potential_section_opening_mm(const lattice_opening *o);

/* Finds the cross-sections with the largest velocity and with the smallest diameter (velocity 0, diameter INFINITY:
 * none). Sets flow, velocity, area, diameter and place. Errors: ERR_RESOURCE. */
MUST_CHECK int potential_sections_find(const potential_sections *s, potential_flow_section *fastest,
                                       potential_flow_section *narrowest);
#endif
