/* SPDX-License-Identifier: Apache-2.0 */
/* Sobol indices: the part of a result's variance that comes from each of its independent parameters. */
#ifndef PORTAFLOW_SOBOL_H
#define PORTAFLOW_SOBOL_H
#include "common/base/must_check.h"
#include <stdint.h>

enum { SOBOL_PARAMETERS = 16 };

/* Result for one set of parameters. place: [number of parameters] place of each parameter in its range, uniformly
 * distributed in 0 <= place < 1. */
typedef double (*sobol_model)(const void *data, const double *place);

typedef struct {
    double mean, variance;
    double first[SOBOL_PARAMETERS]; /* part of the variance that the parameter causes alone */
    double total[SOBOL_PARAMETERS]; /* the same with its interactions: part that remains if all others are fixed */
} sobol_indices;

/* Next pseudo-random number, uniform in 0 <= x < 1 (splitmix64, Steele, Lea and Flood 2014). */
double sobol_random(uint64_t *state);

/* Estimates the indices of n_parameter (up to SOBOL_PARAMETERS) parameters from n (n_parameter + 2) results, by the
 * formulas of Jansen 1999 on two independent samples of n sets (Saltelli et al. 2010, table 2, rows c and f). The error
 * of an index is about 1 / sqrt(n). The same `seed` gives the same indices. Errors: ERR_RESOURCE. */
MUST_CHECK int sobol_estimate(int n_parameter, int n, uint64_t seed, sobol_model model, const void *data,
                              sobol_indices *out);
#endif
