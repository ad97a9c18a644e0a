/* A network of conductances (laplace phi = 0 on cells): conjugate gradients with multigrid as the preconditioner.
 *
 *   sum over the neighbours j of g_ij (x_i - x_j) + ground_i x_i = b_i
 *
 * g_ij is the conductance of the face between two cells (its open area over the distance of the centres, in any unit),
 * ground_i the conductance from cell i to a place where x is 0. Every connected part needs a ground somewhere. */
#ifndef PORTAFLOW_LAPLACE_H
#define PORTAFLOW_LAPLACE_H
#include "common/base/must_check.h"
#include <stdint.h>

typedef struct {
    int64_t n;
    int64_t *first;  /* [n + 1] of the entries of each cell */
    int32_t *other;  /* [first[n]] the neighbour */
    float *g;        /* [first[n]] >= 0, the same from both sides */
    float *ground;   /* [n] >= 0 */
    float *diagonal; /* [n] laplace_diagonal; 0: the cell takes no part, its x becomes 0 */
} laplace;

/* Arrays for n cells and n_entry entries, owned by a; `first` is zero. Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_create(laplace *a, int64_t n, int64_t n_entry);
void laplace_free(laplace *a); /* safe on a zeroed struct and twice */
void laplace_diagonal(laplace *a);

typedef struct {
    int steps;
    double residual; /* sqrt(r . D^-1 r) against the same of b */
} laplace_report;

/* From x (a first guess, 0 will do) to the solution, or as near to it as `most` iterations come: the caller looks at
 * the residual.
 *   at         [n][3] box coordinates of the cells, >= 0: cells with the same coordinates / 2 that touch become one on
 *              the next coarser level
 *   b, x       [n]
 *   tolerance  of the residual
 * The same to the bit for any number of threads. Method: Hestenes and Stiefel 1952; coarse levels by aggregation with
 * halved conductances (Braess 1995), W-cycle, Chebyshev polynomial of degree 2 as smoother.
 * Errors: ERR_RESOURCE. */
MUST_CHECK int laplace_solve(const laplace *a, const int32_t *at, const double *b, double *x, double tolerance,
                             int most, laplace_report *report);
#endif
