/* SPDX-License-Identifier: Apache-2.0 */
/* Readouts of the wall shear stress tau over one cycle T.
 *
 *   TAWSS = 1/T int |tau| dt                                                   time-averaged wall shear stress
 *   OSI   = 1/2 (1 - |1/T int tau dt| / TAWSS)                                 oscillatory shear index, 0 .. 0.5
 *   RRT   = 1 / ((1 - 2 OSI) TAWSS)                                            relative residence time, 1/Pa
 *
 * OSI: Ku et al. 1985, He and Ku 1996; RRT: Himburg et al. 2004. */
#ifndef PORTAFLOW_POST_WALL_CYCLE_H
#define PORTAFLOW_POST_WALL_CYCLE_H
#include "common/base/must_check.h"
#include <stdint.h>

typedef struct {
    int64_t n;
    double weight;     /* sum of the weights so far */
    double *vector;    /* [n][3] weighted sum of the stress vectors */
    double *magnitude; /* [n] weighted sum of the stress magnitudes */
} cycle;

MUST_CHECK int cycle_create(cycle *c, int64_t n); /* creates sums for n points, all 0. Errors: ERR_RESOURCE */
void cycle_free(cycle *c);                        /* safe on a zeroed struct */

/* Computes the weights of the instants of one period. The weight of an instant is half the time between its two
 * neighbours, over the period; the sum is 1. Weights are equal if the period is unknown (NaN) or the times do not
 * ascend within one period. */
void cycle_weights(int n, const double *time_s, double period_s, double *weight);
void cycle_add(cycle *c, double weight, const double *wss_pa); /* adds wss_pa [n][3] times weight */

/* Compute the averages. mean_pa [n][3], tawss_pa [n], osi [n], rrt_per_pa [n] out. OSI and RRT are NaN where there is
 * no stress. RRT is also NaN for a purely oscillating stress (OSI 0.5), where it is unbounded. */
void cycle_finish(const cycle *c, double *mean_pa, double *tawss_pa, double *osi, double *rrt_per_pa);
#endif
