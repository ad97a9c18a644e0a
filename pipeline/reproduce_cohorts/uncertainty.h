/* What the parts of verify:uncertainty share: the cases (uncertainty_study.c), those drawn later (uncertainty_drawn.c),
 * straight vessels of both (uncertainty_exact.c), and the table of their readouts (uncertainty_show.c). */
#ifndef PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#define PORTAFLOW_REPRODUCE_UNCERTAINTY_H
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/trial.h"

enum { UNCERTAINTY_MOST = 2000, UNCERTAINTY_EACH = 24, UNCERTAINTY_NAME = 48, UNCERTAINTY_DRAWN = 62 };
#define UNCERTAINTY_FINER 1.6 /* spacing over that of the finer ladder */
#define UNCERTAINTY_COMPARED   0.7  /* below this scale: one bend, else exact flows alone */
#define UNCERTAINTY_MU         4e-3 /* Pa s, viscosity */
#define UNCERTAINTY_NU         4e-6 /* m2/s */
#define UNCERTAINTY_RADIUS_MM  3.   /* of pipes */
#define UNCERTAINTY_BETWEEN_MM 10.  /* from section A to section B of uncertainty_place() */

/* One readout of one case. */
typedef struct {
    char of[UNCERTAINTY_NAME], what[UNCERTAINTY_NAME];
    double truth, value, finest, half, order; /* truth NaN: not known; half NaN: no interval */
    bool drawn;
} reading;

typedef struct {
    int n, at, only; /* readouts; cases so far, and the one of them that is wanted, -1: all */
    bool drawing;    /* what is kept now is of a case drawn later */
    reading r[UNCERTAINTY_MOST];
} readings;

/* Counts a case; whether it is another process's. */
bool uncertainty_skipped(readings *all);

/* "[x, y, z]" of shift + s axis, mm. */
void uncertainty_along(const double axis[3], const double shift[3], double s, char text[96]);
/* Openings and sections of a straight vessel along a unit axis through `shift`. */
void uncertainty_place(trial *t, const double axis[3], const double shift[3]);

/* A straight vessel, solved. Truth of the drop between its sections and of the wall shear stress, its mean and its 99th
 * percentile, Pa (NaN: not known). Errors of both: those of run_patient, but for a flow that does not settle, which
 * becomes a line of the page. */
MUST_CHECK int uncertainty_straight(const item_context *x, results *out, trial *t, const char *name, double drop_pa,
                                    double wss_pa, double p99_pa, readings *all);
/* A pipe along a unit axis, or an elliptic one along z, by uncertainty_straight(): with the exact drop and wall shear
 * stress. with_p99: of the ellipse its 99th percentile, too. Errors: those of uncertainty_straight. */
MUST_CHECK int uncertainty_pipe(const item_context *x, results *out, trial *t, const char *name, const double axis[3],
                                const double shift[3], double flow_ml_s, readings *all);
MUST_CHECK int uncertainty_ellipse(const item_context *x, results *out, trial *t, const char *name,
                                   const double shift[3], const double half_axes_mm[2], double flow_ml_s, bool with_p99,
                                   readings *all);
/* A vessel on two ladders, the finer one first, whose values are the truth; set(t, data) makes the case, NULL: it is
 * the one in `source`. */
MUST_CHECK int uncertainty_compared(const item_context *x, results *out, const char *source, const char *name,
                                    double cells, void (*set)(trial *t, const void *data), const void *data,
                                    readings *all);

/* The cases that had no part in setting the constants of the intervals. Errors: as uncertainty_straight. */
MUST_CHECK int uncertainty_drawn(const item_context *x, results *out, double cells, readings *all);
/* Table and criteria; whole: those of the whole study, by what was drawn. */
void uncertainty_show(const readings *all, bool whole, results *out);
#endif
