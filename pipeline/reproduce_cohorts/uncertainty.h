/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of verify:uncertainty: uncertainty.c computes the cases that uncertainty_shapes.c lists. */
#ifndef PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#define PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#include "pipeline/reproduce/study_case.h"

/* True readouts of a straight vessel: pressure drop between its sections, mean and 99th percentile of the wall shear
 * stress, Pa; NaN: unknown. */
typedef struct {
    double drop_pa, wss_pa, p99_pa;
} uncertainty_truth;

/* Cases of one kind, called <name><number>, or with `digits` 0 <name>a-b-c for k = a + 3 b + 9 c. */
typedef struct {
    const char *name;
    int digits, number; /* of the number: fewest digits, value of the first case */
    int n[3];           /* numbers of cases at scales below 0.5, below 0.7, and from 0.7 on */
    int first;          /* index k of the first case */
    /* sets case k and, for an exact flow, its truth; NULL: random vessels drawn by phantom with seed k */
    void (*set)(study_case *t, int k, uncertainty_truth *truth);
    bool compared; /* true: the truth comes from a finer grid sequence */
    bool drawn;    /* true: the case was not used to set the constants of the intervals */
} uncertainty_kind;

extern const uncertainty_kind uncertainty_kinds[];
extern const int uncertainty_kinds_count;
#endif
