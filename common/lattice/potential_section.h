/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a potential flow: fastest section, minimum cross-section, and the diameter of a section or an opening. */
#ifndef PORTAFLOW_POTENTIAL_SECTION_H
#define PORTAFLOW_POTENTIAL_SECTION_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/potential_flow.h"

typedef struct {
    const lattice *l;
    const laplace *a;
    const double *phi;      /* [n_cell] potential, m2/s */
    const float *speed;     /* [n_cell] speed, m/s; 0 without flow */
    const uint8_t *at_end;  /* [n_cell] 1: a link of the cell along an axis passes through an opening */
    double least_flow_m3_s; /* sections with less flow than this are omitted */
} potential_sections;

/* Diameter of a section: the diameter of the circle of its area, or flat_mm = 4 area / perimeter where the section is
 * much flatter than a circle. In a narrow gap the velocity profile depends on the gap width. */
double potential_section_diameter_mm(double area_mm2, double flat_mm);
/* Diameter of an opening by the same rule. */
double potential_section_opening_mm(const lattice_opening *o);

/* Finds the fastest and the narrowest section inside the vessel (velocity 0, diameter INFINITY: none). Sets flow,
 * velocity, area, diameter and place. Errors: ERR_RESOURCE. */
MUST_CHECK int potential_sections_find(const potential_sections *s, potential_flow_section *fastest,
                                       potential_flow_section *narrowest);
#endif
