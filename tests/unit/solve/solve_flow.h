/* SPDX-License-Identifier: Apache-2.0 */
/* What the solver's tests share: lattices from shapes, a backend that can be filled at random, populations back. */
#ifndef PORTAFLOW_TESTS_SOLVE_FLOW_H
#define PORTAFLOW_TESTS_SOLVE_FLOW_H
#include "common/surface/shape.h"
#include "solve/core/backend.h"

/* Periodic lattice of a shape in a box of dims cells, `spacing_mm` wide, cell 0,0,0 at the origin.
 * Aborts on failure. */
lattice flow_lattice(const shape *s, const int dims[3], const bool periodic[3], double spacing_mm);

/* Random solid counts in a closed or periodic box: about a third of the cells partly solid, some missing. */
lattice flow_random_solids(const int dims[3], bool periodic, unsigned seed);

/* A slab between two planes n.x = low and n.x = high, periodic along it, or an annulus round an axis along z. */
typedef struct {
    int along[2];            /* n is this direction over its length; {0, 0}: an annulus */
    int size[3];             /* of the box in cells; the slab's images are further apart than it is wide */
    double low, high, shift; /* distances; of the annulus the radii; shift of n.x, or of the axis */
} flow_walls;

/* n of a slab; its length as given. */
double flow_walls_normal(const flow_walls *c, double n[2]);
/* Where p lies between the two walls; of a slab the nearest of its images. */
double flow_walls_place(const flow_walls *c, const double p[3]);
/* Periodic; link_wall 0: low, 1: high. flow_walls_corners: with links for D3Q27. Abort on failure. */
lattice flow_walls_lattice(const flow_walls *c);
lattice flow_walls_corners(const flow_walls *c);

backend_settings flow_settings(double tau, bool bgk, int precision, double force_z);

/* Deviations of about `size`, the same for every precision. */
void flow_randomise(const backend_table *table, backend *b, const domain *d, int precision, double size, unsigned seed);
#endif
