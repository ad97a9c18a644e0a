/* The uncertainty of a readout: half-widths of 95 % intervals from the discretization error, the segmentation
 * uncertainty and the input uncertainty. Method, equations and limits: INTERVALS.md. Test:
 * tests/unit/post/test_uncertainty.c */
#ifndef PORTAFLOW_POST_READOUTS_INTERVAL_H
#define PORTAFLOW_POST_READOUTS_INTERVAL_H
#include <stdbool.h>

enum interval_lattice_kind {
    INTERVAL_EXTRAPOLATED, /* value extrapolated by eq. 4, with two lattices by eq. 1 */
    INTERVAL_NOISE,        /* value from the finest lattice */
    INTERVAL_REFUSED,      /* value from the finest lattice, `lattice` is NaN */
    INTERVAL_INPUTS,       /* one lattice; the input part follows from a formula */
    INTERVAL_NONE          /* one lattice, or an unknown value */
};

typedef struct {
    double value;                         /* best value, for the report */
    double finest;                        /* value on the finest lattice */
    double order;                         /* observed order, eq. 3; NaN: none */
    int kind;                             /* enum interval_lattice_kind */
    double lattice, image, inputs, total; /* half-widths in the unit of the value, 95 %; NaN: unknown */
} interval;

/* Discretization part from n lattices, 1 to 4, finest first; only the finest three are used. spacing_mm [n] ascending,
 * value [n] (NaN: refused). Sets value, finest, order, kind and lattice; image, inputs and total are NaN. */
interval interval_of_lattices(int n, const double *spacing_mm, const double *value);

/* Recompute u if the flow is steady on some lattices only; error [n] as in interval_of_means. Call it before
 * interval_of_means. */
void interval_of_two_flows(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* Add the standard errors of time averages to u->lattice (eq. 7). error [n]: standard errors relative to the value (0:
 * steady); n, spacing_mm and value as for u. A prescribed value, equal on all lattices, stays unchanged. */
void interval_of_means(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* The known parts of the interval combined: sqrt of the sum of their squares. NaN without the discretization part,
 * except with INTERVAL_INPUTS. Equals the total if all three parts are known. */
double interval_known(const interval *u);

/* Segmentation part: half the difference of the readout between the wall moved inwards and outwards, scaled from the
 * unmoved lumen on that lattice to the value (eq. 8). NaN if any argument is NaN. */
double interval_of_image(const interval *u, double narrower, double unmoved, double wider);

/* Set total = sqrt(lattice^2 + image^2 + inputs^2), for independent causes; NaN if one of them is NaN. */
void interval_add_up(interval *u);

#endif
