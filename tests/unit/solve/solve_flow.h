/* What the solver's tests share: lattices from shapes, a backend that can be filled at random, populations back. */
#ifndef SOLVE_FLOW_H
#define SOLVE_FLOW_H
#include "common/surface/shape.h"
#include "solve/core/backend.h"

/* Periodic lattice of a shape in a box of dims cells, `spacing_mm` wide, cell 0,0,0 at the origin.
 * Aborts on failure. */
lattice flow_lattice(const shape *s, const int dims[3], const bool periodic[3], double spacing_mm);

/* Random solid counts in a closed or periodic box: about a third of the cells partly solid, some missing. */
lattice flow_random_solids(const int dims[3], bool periodic, unsigned seed);

backend_settings flow_settings(double tau, bool bgk, int precision, double force_z);

/* Deviations of about `size`, the same for every precision. */
void flow_randomise(const backend_table *table, backend *b, const domain *d, int precision, double size, unsigned seed);
#endif
