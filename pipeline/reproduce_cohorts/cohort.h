/* What the parts of verify:cohort share: vessels are computed in cohort.c, shown and judged in cohort_show.c. */
#ifndef PORTAFLOW_REPRODUCE_COHORT_H
#define PORTAFLOW_REPRODUCE_COHORT_H
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/drops.h"
#include "pipeline/reproduce/outcome.h"

enum { COHORT_VESSELS = 60, COHORT_ENDS = 8 };
#define COHORT_REFERRED 0.3 /* below this scale the runs are looked at alone: simple vessels, a wider tolerance */
#define COHORT_FINER    1.4 /* by which the spacing of the second run is finer */
#define COHORT_ACROSS   24. /* cells across the narrowest opening at scale 1 */

/* What the outlets of the finest lattice, the readouts and the wall say. */
typedef struct {
    int n;
    double share[COHORT_ENDS]; /* [n] of the outflow, percent */
    drops drop;
    double wss_pa; /* mean, finest lattice; NaN: not computed */
} cohort_reading;

typedef struct {
    int seed;
    double junctions, stenosis, aneurysms, reynolds; /* as drawn */
    outcome usual, fine;
    cohort_reading at;
    double drop_pa;                  /* the largest of the readouts, as shown */
    double drop, finest, split, wss; /* errors in percent (split: of the outflow, points), NaN: unknown */
    int without, known, inside;      /* intervals of the lattice: none, some, and of these those with the truth */
    double half[DROPS_MAX];          /* [known] their half-widths, percent of the truth */
} cohort_vessel;

/* What is compared, before the first vessel is. */
void cohort_introduce(const item_context *x, results *r, int n, double across);
/* A row for each of n vessels, pictures, criteria; errors and intervals only from COHORT_REFERRED on. */
void cohort_show(const item_context *x, results *r, int n, double across, const cohort_vessel *v);
#endif
