/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of verify:uncertainty: cases (uncertainty_study.c), cases drawn later (uncertainty_drawn.c),
 * straight vessels of both (uncertainty_exact.c), table of readouts (uncertainty_show.c). */
#ifndef PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#define PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_case.h"

enum { UNCERTAINTY_MOST = 2000, UNCERTAINTY_EACH = 24, UNCERTAINTY_NAME = 48, UNCERTAINTY_DRAWN = 62 };
/* Ratio of the spacings of a grid sequence and the finer grid sequence that gives its reference */
#define UNCERTAINTY_FINER      1.6
#define UNCERTAINTY_COMPARED   0.7  /* Below this scale the study has only exact flows and one bend */
#define UNCERTAINTY_MU         4e-3 /* viscosity, Pa s */
#define UNCERTAINTY_NU         4e-6 /* kinematic viscosity, m2/s */
#define UNCERTAINTY_RADIUS_MM  3.   /* radius of the pipes */
#define UNCERTAINTY_BETWEEN_MM 10.  /* distance between sections A and B of uncertainty_place() */

/* One readout of one case. */
typedef struct {
    char of[UNCERTAINTY_NAME], what[UNCERTAINTY_NAME];
    /* truth NaN: unknown; value: as reported; finest: on the finest lattice; half: half-width of the interval, NaN if
     * there is none; order: observed order of convergence */
    double truth, value, finest, half, order;
    bool drawn;
} reading;

typedef struct {
    int n, at, only; /* n: number of readouts; at: number of cases counted so far; only: index of the only case that
                      * this process computes, -1: it computes all cases */
    bool drawing;    /* true while the drawn cases are recorded */
    reading r[UNCERTAINTY_MOST];
} readings;

/* Counts a case; returns true if another process computes it. */
bool uncertainty_skipped(readings *all);

/* Formats the point shift + s axis, mm, as "[x, y, z]". */
void uncertainty_along(const double axis[3], const double shift[3], double s, char text[96]);
/* Sets openings and sections of a straight vessel along a unit axis through `shift`. */
void uncertainty_place(study_case *t, const double axis[3], const double shift[3]);

/* Solves a straight vessel and records its readouts in `all`. The truth: drop_pa, pressure drop between its sections;
 * wss_pa and p99_pa, mean and 99th percentile of the wall shear stress, Pa (NaN: unknown). Errors: as run_patient; a
 * flow that does not settle is reported on the page instead. */
MUST_CHECK int uncertainty_straight(const study_context *x, results *out, study_case *t, const char *name,
                                    double drop_pa, double wss_pa, double p99_pa, readings *all);
/* uncertainty_pipe solves a pipe along the unit vector `axis`, uncertainty_ellipse an elliptic pipe along z. The axis
 * passes through the point `shift`, mm. Pressure drop and wall shear stress are exact; with_p99: the 99th percentile of
 * the wall shear stress is compared, too. Errors: as uncertainty_straight. */
MUST_CHECK int uncertainty_pipe(const study_context *x, results *out, study_case *t, const char *name,
                                const double axis[3], const double shift[3], double flow_ml_s, readings *all);
MUST_CHECK int uncertainty_ellipse(const study_context *x, results *out, study_case *t, const char *name,
                                   const double shift[3], const double half_axes_mm[2], double flow_ml_s, bool with_p99,
                                   readings *all);
/* Solves a vessel with two grid sequences; the finer sequence is solved first and gives the truth. `source`: folder of
 * the case. set(t, data) changes the case; NULL: no change. cells: cells per diameter of the coarser sequence. */
MUST_CHECK int uncertainty_compared(const study_context *x, results *out, const char *source, const char *name,
                                    double cells, void (*set)(study_case *t, const void *data), const void *data,
                                    readings *all);

/* Computes the cases that were not used to set the constants of the intervals. Errors: as uncertainty_straight. */
MUST_CHECK int uncertainty_drawn(const study_context *x, results *out, double cells, readings *all);
/* Writes table and criteria. whole: true for the criteria of the full study, which apply to the cases drawn later. */
void uncertainty_show(const readings *all, bool whole, results *out);
#endif
