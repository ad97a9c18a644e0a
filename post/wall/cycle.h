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
    double *vector;    /* [n][3] weighted sum of tau */
    double *magnitude; /* [n] of |tau| */
} cycle;

MUST_CHECK int cycle_create(cycle *c, int64_t n); /* Errors: ERR_RESOURCE */
void cycle_free(cycle *c);                        /* safe on a zeroed struct */

/* Weights of instants of one period: half the distance to the neighbours, round the period. They sum up to 1; equal
 * when the period is not known (NaN) or the times do not ascend within one period. */
void cycle_weights(int n, const double *time_s, double period_s, double *weight);
void cycle_add(cycle *c, double weight, const double *wss_pa); /* wss_pa [n][3] */

/* mean_pa [n][3], tawss_pa [n], osi [n], rrt_per_pa [n] out. Where there is no stress at all OSI and RRT are NaN; RRT
 * is NaN too where the stress only oscillates (OSI 0.5: it has no bound there). */
void cycle_finish(const cycle *c, double *mean_pa, double *tawss_pa, double *osi, double *rrt_per_pa);
#endif
