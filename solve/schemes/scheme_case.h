/* SPDX-License-Identifier: Apache-2.0 */
/* A closed box of cells for the schemes: fluid cells and their solid fraction, without openings.
 *   name: a phantom, or a shape of geometry.h (pipe, cube), or
 *   cavity  n x n x n, all fluid                                                                   (rinaldi2012)
 *   sphere  n x n x n with a solid sphere of radius n/8 in the middle                              (gallagher2022)
 *   eye     n x n x n 120/384, a spherical cap as the anterior chamber, 44 % fluid                 (cyclic2020) */
#ifndef PORTAFLOW_BENCH_SCHEME_CASE_H
#define PORTAFLOW_BENCH_SCHEME_CASE_H
#include "common/base/must_check.h"
#include "common/lattice/lattice.h"

typedef struct {
    char name[64];
    lattice l;      /* cells, x fastest, without links and openings; with SCHEME_BOUNCE `solid` is 0 */
    int64_t n_box;  /* number of cells in the box */
    int32_t *index; /* [n_box] cell at each place of the box, x fastest; -1: none */
    float *solid;   /* [n_cell] solid fraction P of each cell */
} scheme_case;

/* Builds the box of cells. longest: cells along the longest side of the box; 0: about `cells` fluid cells. dims:
 * size of the box of a phantom; NULL: chosen from longest or cells. wall: enum scheme_wall. The faces of the box are
 * walls. Errors: ERR_USAGE (name), ERR_INPUT (2^31 cells or more in the box), ERR_RESOURCE, and the errors of
 * geometry_make. */
MUST_CHECK int scheme_case_make(const char *name, double cells, int longest, const int *dims, int wall, scheme_case *c);
void scheme_case_free(scheme_case *c); /* safe on a zeroed struct */

/* Cell at x, y, z of the box; -1: solid or outside. */
static inline int32_t scheme_case_cell(const scheme_case *c, int x, int y, int z) {
    const int *n = c->l.dims;
    if (x < 0 || y < 0 || z < 0 || x >= n[0] || y >= n[1] || z >= n[2])
        return -1;
    return c->index[((int64_t)z * n[1] + y) * n[0] + x];
}
#endif
