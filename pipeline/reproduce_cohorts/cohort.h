/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of verify:cohort: cohort.c computes, cohort_show.c writes the page and its criteria. */
#ifndef PORTAFLOW_REPRODUCE_COHORT_H
#define PORTAFLOW_REPRODUCE_COHORT_H
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/pressure_drops.h"
#include "pipeline/reproduce/run_outcome.h"

enum { COHORT_VESSELS = 60, COHORT_ENDS = 8 };
/* Scale below which vessels are simple, the tolerance is larger, and there is no reference */
#define COHORT_REFERRED 0.3
#define COHORT_FINER    1.4 /* Ratio of the spacings of the two runs */
#define COHORT_ACROSS   24. /* Cells per diameter at the smallest opening, for scale 1 */

/* Results of one run: flows of the outlets, pressure drops, wall shear stress. */
typedef struct {
    int n;
    double share[COHORT_ENDS]; /* [n] flow of each outlet, in percent of the outflow */
    pressure_drops drop;
    double wss_pa; /* mean wall shear stress on the finest lattice; NaN: not computed */
} cohort_reading;

typedef struct {
    int seed;
    double junctions, stenosis, aneurysms, reynolds; /* properties of the vessel as drawn */
    run_outcome usual, fine;
    cohort_reading at;
    double drop_pa; /* largest reported pressure drop */
    /* errors in percent: of the reported pressure drop, of the pressure drop on the finest lattice, of the flow split
     * (percentage points of the outflow), of the wall shear stress; NaN: unknown */
    double drop, finest, split, wss;
    /* numbers of pressure drops: `without` a lattice interval; `known`: with a lattice interval; `inside`: with a
     * lattice interval that contains the truth */
    int without, known, inside;
    double half[PRESSURE_DROPS_MAX]; /* [known] half-widths of the intervals, in percent of the true pressure drop */
} cohort_vessel;

/* Writes the introduction, before the first vessel is computed. */
void cohort_introduce(const study_context *x, results *r, int n, double across);
/* Writes a row per vessel, pictures and criteria; errors and intervals only from COHORT_REFERRED on. */
void cohort_show(const study_context *x, results *r, int n, double across, const cohort_vessel *v);
#endif
