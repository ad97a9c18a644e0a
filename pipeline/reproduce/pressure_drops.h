/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure drops of a computed case, with their intervals. */
#ifndef PORTAFLOW_PRESSURE_DROPS_H
#define PORTAFLOW_PRESSURE_DROPS_H
#include "pipeline/reproduce/study_case.h"

enum { PRESSURE_DROPS_MAX = 12, PRESSURE_DROPS_NAME = 48 };

/* Pressure drops in the order of the case's readouts. */
typedef struct {
    int n;
    char what[PRESSURE_DROPS_MAX][PRESSURE_DROPS_NAME]; /* names of the two openings, "IN to OUT" */
    /* value in the report; extrapolated if there are several grid levels */
    double value_pa[PRESSURE_DROPS_MAX];
    double finest_pa[PRESSURE_DROPS_MAX]; /* value on the finest lattice */
    /* half-widths of the 95 % intervals: total, from the lattice, from the image; NaN: no interval */
    double total_pa[PRESSURE_DROPS_MAX];
    double lattice_pa[PRESSURE_DROPS_MAX], image_pa[PRESSURE_DROPS_MAX];
} pressure_drops;

/* Reads the first PRESSURE_DROPS_MAX pressure drops from out/post/readouts.json. */
void pressure_drops_read(const study_case *t, pressure_drops *d);

/* Index of the largest pressure drop, 0 if there is none. */
int pressure_drops_largest(const pressure_drops *d);
#endif
