/* SPDX-License-Identifier: Apache-2.0 */
/* Solver for a network of conductances (discrete Laplace equation on cells): conjugate gradients, preconditioned by
 * multigrid.
 *
 *   sum over the neighbours j of g_ij (x_i - x_j) + ground_i x_i = b_i
 *
 * g_ij is the conductance of the face between two cells: its open area over the distance of the centres, in any unit.
 * ground_i is the conductance between cell i and a node with x = 0. Every connected component needs a ground at one
 * cell or more. */
#ifndef PORTAFLOW_LAPLACE_H
#define PORTAFLOW_LAPLACE_H
#include "common/base/must_check.h"
#include <stdint.h>

typedef struct {
    int64_t n;
    int64_t *first; /* [n + 1] first entry of each cell */
    int32_t *other; /* [first[n]] neighbour cell of each entry */
    float *g;       /* [first[n]] conductance between cell and neighbour, >= 0, symmetric */
    float *ground;  /* [n] conductance to the ground, >= 0 */
    /* [n] diagonal of the matrix, from laplace_diagonal; 0: the cell is excluded and its x becomes 0 */
    float *diagonal;
} laplace;

/* Allocates arrays for n cells and n_entry entries, owned by a; `first` is zeroed. Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_create(laplace *a, int64_t n, int64_t n_entry);
void laplace_free(laplace *a); /* safe on a zeroed struct and twice */
void laplace_diagonal(laplace *a);

typedef struct {
    int steps;
    double residual; /* remaining residual: sqrt(r . D^-1 r) over sqrt(b . D^-1 b) */
} laplace_report;

/* Solves from the first guess x (zeros are allowed). The iteration ends at the tolerance or after `most` steps; the
 * caller checks report->residual.
 * at         [n][3] box coordinates of the cells, >= 0: connected cells with equal at / 2 form one coarse cell
 * b, x       [n]
 * tolerance  for report->residual
 *
 * The result is bitwise independent of the number of threads. Method: Hestenes and Stiefel 1952; coarse levels by
 * aggregation with halved conductances (Braess 1995), W-cycle, Chebyshev polynomial of degree 2 as smoother. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int laplace_solve(const laplace *a, const int32_t *at, const double *b, double *x, double tolerance,
                             int most, laplace_report *report);
#endif
