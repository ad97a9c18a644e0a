/* How far a readout may be off: what the lattice, the image and the given flows leave open, as half-widths of 95 %
 * intervals.
 *
 * Lattice: the same number from three lattices of spacings h1 < h2 < h3. The scheme is of second order with an error in
 * even powers, f(h) = f + a h^2 + b h^4, so
 *   e1 = f1 + (f1 - f2) / ((h2/h1)^2 - 1), e2 the same of f2, f3     without h^2 (Richardson 1911)
 *   e  = e1 + (e1 - e2) h1^2 h2^2 / (h2^2 h3^2 - h1^2 h2^2)          without h^4 either
 * An observed order p below 1.5 or above 5 is none of this series (the coarsest lattice says nothing); the value is
 *   v = e1 + (1 - s) (1 - t) (e - e1),    s = 1 up to p = 1.5, 0 from 2 on; t = 0 up to 4, 1 from 5 on; between linear
 * and its interval a grid convergence index (Roache 1994; asme2009) of the last correction,
 *   U = max((1 - t) 1.25 min(|e - e1|, |e - f1|) + t 3 |e1 - f1|, 1.25 (1 + s) |v - f1| / 3, 2 % of v)
 * (2 %: 1.25 times what the flow in straight and elliptic pipes, 16 to 24 cells across, keeps that no power of the
 * spacing explains). Where the three do not approach each other (|f1 - f2| not below 0.8 |f2 - f3|, or not to one side)
 * it is 3 max |fi - fj| round f1 (Eca and Hoekstra 2014), and refused where that difference is above 10 %.
 * With two lattices the value is e1 and U = 3 |e1 - f1|. The observed order p solves
 *   (f3 - f2) / (f2 - f1) = (h3^p - h2^p) / (h2^p - h1^p)
 * A flow that is steady on one lattice and unsteady on the next is two flows: nothing is extrapolated between them.
 * Where the two finest differ in that, the value is f1 and U = 3 |f1 - f2|, however wide; where only the third does, it
 * is left out.
 * The means of an unsteady flow have a standard error s of their own: with q = 1 / ((h2/h1)^2 - 1) the extrapolated
 * value has that of (1 + q) f1 - q f2, twice of which is added, U = sqrt(U^2 + 4 ((1 + q)^2 s1^2 + q^2 s2^2)); q is 0
 * where the value is f1.
 * The coverage that this has on flows whose truth is known: data/verification/verify-uncertainty.md.
 * Test: tests/unit/post/test_uncertainty.c */
#ifndef PORTAFLOW_POST_READOUTS_INTERVAL_H
#define PORTAFLOW_POST_READOUTS_INTERVAL_H
#include <stdbool.h>

enum interval_lattice_kind {
    INTERVAL_EXTRAPOLATED, /* value is e, with two lattices e1 */
    INTERVAL_NOISE,        /* value is f1 */
    INTERVAL_REFUSED,      /* value is f1, lattice NaN */
    INTERVAL_NONE          /* one lattice, or a value that is not known */
};

typedef struct {
    double value;                         /* to be shown */
    double finest;                        /* f1 */
    double order;                         /* observed; NaN: none */
    int kind;                             /* enum interval_lattice_kind */
    double lattice, image, inputs, total; /* in the value's unit, 95 %; NaN: could not be made */
} interval;

/* value, finest, order, kind and lattice of the others' zeroed struct; image, inputs and total become NaN.
 * n: 1 to 4 lattices, finest first; more than three: the finest three. spacing_mm [n] ascending, value [n] (NaN:
 * refused). */
interval interval_of_lattices(int n, const double *spacing_mm, const double *value);

/* Makes u anew where the flow is steady on some lattices alone; error [n] as below. Before interval_of_means. */
void interval_of_two_flows(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* Adds to u->lattice what the means of unsteady flows leave open: error [n] the standard errors, relative to the value
 * (0: steady); n, spacing_mm, value as u was made of. A value that is the same on all lattices is given, not computed,
 * and stays as it is. */
void interval_of_means(int n, const double *spacing_mm, const double *value, const double *error, interval *u);

/* What is known of the total: the parts that could be made together, NaN without that of the lattice; the total where
 * all three were made. */
double interval_known(const interval *u);

/* U of the readout when the wall is moved by its uncertainty either way: half of their difference, in proportion to
 * what the unmoved lumen gave on that lattice. NaN where one is. */
double interval_of_image(const interval *u, double narrower, double unmoved, double wider);

/* total = sqrt(lattice^2 + image^2 + inputs^2), NaN where one of them is (independent causes). */
void interval_add_up(interval *u);

#endif
