/* SPDX-License-Identifier: Apache-2.0 */
/* Weighted least-squares polynomials in three coordinates (moving least squares; Lancaster and Salkauskas 1981).
 *
 * A fit is set up for a point from the positions of its samples. It gives weights, result = sum_j weight[j] f_j, that
 * hold for every field f, or the polynomial of one field. It reproduces polynomials of its own order exactly, so the
 * error is of the next order in the spacing. */
#ifndef PORTAFLOW_POST_SAMPLE_FIT_H
#define PORTAFLOW_POST_SAMPLE_FIT_H

enum { FIT_CONSTANT = 1, FIT_LINEAR = 4, FIT_QUADRATIC = 10 }; /* number of terms of the polynomial */
/* FIT_LANES: samples processed together; FIT_MAX: largest number of samples */
enum { FIT_LANES = 4, FIT_MAX = 224 };

/* Samples of a fit: positions relative to the point, dimensionless and of order 1, and weights > 0. */
typedef struct {
    _Alignas(32) double x[FIT_MAX];
    double y[FIT_MAX], z[FIT_MAX], weight[FIT_MAX];
    int n;
} fit_samples;

typedef struct {
    int terms;
    /* factors L D L^T of the normal equations: L below the diagonal, 1 / D on the diagonal */
    double m[FIT_QUADRATIC][FIT_QUADRATIC];
} fit;

/* Set up the fit. value [p->n rounded up to whole FIT_LANES] out: weights for the value of the polynomial at the
 * origin. *p is padded to whole FIT_LANES with weights 0. Returns 1; 0 if the samples do not determine the polynomial,
 * or if extrapolation would amplify errors too much (sum |value| > 4). */
int fit_make(int terms, fit_samples *p, fit *f, double *value);

/* Compute weights for a derivative at the origin: 1 to 3 x y z, 4 to 9 xx yy zz xy xz yz; 0: the value. weight [p->n
 * rounded up to whole FIT_LANES] out: zeros if the polynomial has no such term. */
void fit_weights(const fit *f, const fit_samples *p, int derivative, double *weight);

/* Computes the polynomial of one field. sample [p->n]: values of the field. derivative out: value of the polynomial at
 * the origin and all its derivatives, in the order of fit_weights. */
void fit_polynomial(const fit *f, const fit_samples *p, const double *sample, double derivative[FIT_QUADRATIC]);
#endif
