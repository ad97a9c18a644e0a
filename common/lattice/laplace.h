/* Laplace equation on cells as a network of conductances, solved by conjugate gradients with a multigrid
 * preconditioner:
 *   sum over the neighbours j of g_ij (x_i - x_j) + ground_i x_i = b_i
 * g_ij: conductance of the face between two cells (open area over distance of the centres, any unit). ground_i:
 * conductance from cell i to a place with x = 0. Every connected part needs a ground. */
#ifndef PORTAFLOW_LAPLACE_H
#define PORTAFLOW_LAPLACE_H
#include "common/base/must_check.h"
#include <stdint.h>

typedef struct {
    int64_t n;
    int64_t *first;  /* [n + 1] first entry of each cell */
    int32_t *other;  /* [first[n]] index of the neighbour */
    float *g;        /* [first[n]] conductance >= 0, symmetric */
    float *ground;   /* [n] conductance to ground >= 0 */
    float *diagonal; /* [n] from laplace_diagonal; 0: the cell is excluded and its x becomes 0 */
} laplace;

/* Allocates arrays for n cells and n_entry entries, owned by a; `first` is zeroed. Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_create(laplace *a, int64_t n, int64_t n_entry);
void laplace_free(laplace *a); /* safe on a zeroed struct, may be called twice */
void laplace_diagonal(laplace *a);

typedef struct {
    int steps;
    double residual; /* sqrt(r . D^-1 r) relative to the same norm of b */
} laplace_report;

/* Solves from the initial guess x, with up to `most` iterations; the caller checks report.residual.
 *   at         [n][3] box coordinates of the cells, >= 0: connected cells with equal coordinates / 2 form one cell of the
 *              next coarser level
 *   b, x       [n]
 *   tolerance  of the residual
 * Bitwise equal for any number of threads. Hestenes and Stiefel 1952; coarse levels by aggregation with halved
 * conductances (Braess 1995), W-cycle, Chebyshev smoother of degree 2. Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_solve(const laplace *a, const int32_t *at, const double *b, double *x, double tolerance,
                             int most, laplace_report *report);
#endif
