/* Sections of a potential flow, and how wide an opening counts as one. */
#ifndef PORTAFLOW_POTENTIAL_SECTION_H
#define PORTAFLOW_POTENTIAL_SECTION_H
#include "common/base/must_check.h"
#include "common/lattice/laplace.h"
#include "common/lattice/potential_flow.h"

typedef struct {
    const lattice *l;
    const laplace *a;
    const double *phi;      /* [n_cell] m2/s */
    const float *speed;     /* [n_cell] m/s, 0 where nothing flows */
    const uint8_t *at_end;  /* [n_cell] 1: at an opening */
    double least_flow_m3_s; /* sections of less are passed over */
} potential_sections;

/* How wide a section counts: as the circle of its area, or, where that is much wider than `flat_mm`, as that: in a
 * narrow gap the profile is the gap's. flat_mm: 4 area / perimeter. */
double potential_section_diameter_mm(double area_mm2, double flat_mm);
/* The same of an opening. */
double potential_section_opening_mm(const lattice_opening *o);

/* The fastest and the narrowest section within the vessel (velocity 0, diameter INFINITY when there is none): flow,
 * velocity, area, diameter and place are set. Errors: ERR_RESOURCE. */
MUST_CHECK int potential_sections_find(const potential_sections *s, potential_flow_section *fastest,
                                       potential_flow_section *narrowest);
#endif
