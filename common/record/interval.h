/* SPDX-License-Identifier: Apache-2.0 */
/* The uncertainty of a readout: half-widths of 95 % intervals from the discretization error, the segmentation
 * uncertainty and the input uncertainty. Method, equations and limits: post/readouts/INTERVALS.md. Test:
 * tests/unit/post/test_interval.c */
#ifndef PORTAFLOW_INTERVAL_H
#define PORTAFLOW_INTERVAL_H
#include <stdbool.h>

enum interval_lattice_kind {
    INTERVAL_EXTRAPOLATED, /* the value is extrapolated by eq. (4) of INTERVALS.md, with two lattices by (1) or (1c) */
    INTERVAL_NOISE,        /* the differences between the lattices are noise; the value is from the finest lattice */
    INTERVAL_REFUSED,      /* the value is from the finest lattice, and `lattice` is NaN */
    INTERVAL_INPUTS,       /* there is one lattice; a formula gives the input uncertainty */
    INTERVAL_NONE          /* there is one lattice, or the value is unknown */
};

typedef struct {
    double value;    /* best value, shown in the report */
    double finest;   /* value on the finest lattice */
    double order;    /* observed order of convergence, eq. (3) of INTERVALS.md; NaN: none */
    int kind;        /* enum interval_lattice_kind */
    bool cumulants;  /* argument of interval_of_lattices */
    double measured; /* value of `lattice` before its lower limit (2 % of the value, with cumulants 1.25 %) is applied;
                      * NaN: unknown */
    /* half-widths of the 95 % intervals from lattice, image, inputs and blood model, and of the total, in the unit of
     * the value; NaN: unknown. blood: difference from shear-thinning blood; 0 if the case states the model. */
    double lattice, image, inputs, blood, total;
} interval;

/* Discretization part of the interval from n lattices, 1 to 4, finest first; only the finest three are used. spacing_mm
 * [n] ascending, value [n] (a NaN: refused). cumulants: the flow is computed with cumulants on D3Q27, whose error has
 * another order and another lower limit. Sets value, finest, order, kind, cumulants and lattice; image, inputs and
 * total are NaN, blood is 0. */
interval interval_of_lattices(int n, const double *spacing_mm, const double *value, bool cumulants);

/* Recompute u if the flow is steady on some lattices only; error [n] as in interval_of_means. Call it before
 * interval_of_means. */
void interval_of_two_flows(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* Add the standard errors of time averages to u->lattice (eq. 7 of INTERVALS.md). error [n]: standard errors relative
 * to the value (0: steady); n, spacing_mm and value as for u. A prescribed value, equal on all lattices, stays
 * unchanged. */
void interval_of_means(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* The known parts of the interval combined: sqrt of the sum of their squares. NaN without the discretization part,
 * except with INTERVAL_INPUTS. Equals the total if all parts are known. */
double interval_known(const interval *u);

/* Segmentation uncertainty, eq. (8) of INTERVALS.md: half the difference of the readout between the wall moved inwards
 * (`narrower`) and outwards (`wider`). It is scaled from `unmoved`, the readout of the unmoved lumen on the same
 * lattice, to u->value. NaN if any argument is NaN. */
double interval_of_image(const interval *u, double narrower, double unmoved, double wider);

/* Half-width of the 95 % interval of the readout from one uncertain prescribed quantity, with the sign of changed -
 * unmoved. The effect is assumed proportional to the change of the quantity. NaN if any argument is NaN.
 *   unmoved  readout of the run with the prescribed quantity, on the same lattice as `changed`
 *   changed  readout of a run in which only this quantity differs, by `change`
 *   change   in the unit of the quantity
 *   error    half-width of the 95 % interval of the quantity, in its unit */
double interval_of_input(double changed, double unmoved, double change, double error);

/* Root of the sum of squares of all known parts of the interval except the discretization error; 0 if none of them is
 * known. */
double interval_rest(const interval *u);

/* Largest discretization error that needs no finer lattice, in the unit of the value: `accuracy` times the value.
 * accuracy NaN (auto): a third of interval_rest or 1 % of the value, whichever is larger. An error below a third of
 * interval_rest widens the total by less than 6 %. */
double interval_lattice_limit(const interval *u, double accuracy);

/* Set total = sqrt(lattice^2 + image^2 + inputs^2 + blood^2), for independent causes; NaN if one of them is NaN. */
void interval_add_up(interval *u);

#endif
