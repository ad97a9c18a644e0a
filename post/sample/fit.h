/* Weighted least-squares polynomials in three coordinates (moving least squares).
 *
 * A fit is made once for a point, from where its samples lie; then it gives weights, result = sum_j weight[j] f_j, for
 * any field, or the polynomial of one field. The polynomials are reproduced exactly, so the error is of the next order
 * in the distance of the points. Lancaster and Salkauskas 1981. */
#ifndef PORTAFLOW_POST_SAMPLE_FIT_H
#define PORTAFLOW_POST_SAMPLE_FIT_H

enum { FIT_CONSTANT = 1, FIT_LINEAR = 4, FIT_QUADRATIC = 10 }; /* number of terms */
enum { FIT_LANES = 4, FIT_MAX = 224 };                         /* samples taken at a time; most of a fit */

/* Positions about the point, made dimensionless so that they are of order 1, and weights > 0. */
typedef struct {
    _Alignas(32) double x[FIT_MAX];
    double y[FIT_MAX], z[FIT_MAX], weight[FIT_MAX];
    int n;
} fit_samples;

typedef struct {
    int terms;
    double m[FIT_QUADRATIC][FIT_QUADRATIC]; /* L D L^T of the normal equations: L below, 1 / D on the diagonal */
} fit;

/* value [p->n rounded up to whole FIT_LANES] out: weights of the polynomial's value at the origin. *p is filled up to
 * whole FIT_LANES with weights 0. Returns 1, or 0 when the samples do not determine the polynomial or the value would
 * be an extrapolation so far that it multiplies errors (sum |value| > 4). */
int fit_make(int terms, fit_samples *p, fit *f, double *value);

/* weight [as above] out: those of a derivative at the origin: 1 to 3 x y z, 4 to 9 xx yy zz xy xz yz; 0: of the value.
 * Zeros where the polynomial has no such term. */
void fit_weights(const fit *f, const fit_samples *p, int derivative, double *weight);

/* derivative out: value and all derivatives, in that order, of the polynomial through sample [p->n] (a field's values).
 */
void fit_polynomial(const fit *f, const fit_samples *p, const double *sample, double derivative[FIT_QUADRATIC]);
#endif
