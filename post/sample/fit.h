/* Weighted least-squares polynomials in three coordinates (moving least squares) and in one.
 *
 * Every result is a set of weights: value = sum_j weight[j] f_j. So a fit is made once for a point and applied to any
 * field. The polynomials are reproduced exactly, so the error is of the next order in the distance of the points.
 * Lancaster and Salkauskas 1981. */
#ifndef PORTAFLOW_POST_SAMPLE_FIT_H
#define PORTAFLOW_POST_SAMPLE_FIT_H

enum { FIT_CONSTANT = 1, FIT_LINEAR = 4, FIT_QUADRATIC = 10 }; /* number of terms */

/* Value and gradient at the origin of a polynomial through n samples.
 *   offset   [n][3] positions, made dimensionless so that they are of order 1
 *   weight   [n] > 0
 *   value    [n] out
 *   gradient [n][3] out, NULL: not wanted (zeros for FIT_CONSTANT)
 *   hessian  [n][6] out, second derivatives xx yy zz xy xz yz, NULL: not wanted (zeros but for FIT_QUADRATIC)
 * Returns 1, or 0 when the samples do not determine the polynomial or the value would be an extrapolation so far that
 * it multiplies errors (sum |value| > 4). */
int fit_weights(int terms, int n, const double (*offset)[3], const double *weight, double *value, double (*gradient)[3],
                double (*hessian)[6]);

enum { FIT_MAX_UNKNOWN = 10 };
/* Add weight * basis basis^T to m (its lower triangle). */
void fit_add(int n, const double basis[FIT_MAX_UNKNOWN], double weight, double m[FIT_MAX_UNKNOWN][FIT_MAX_UNKNOWN]);
/* Solve m x = right for a symmetric positive definite m (lower triangle, destroyed). Returns 0 when it is singular. */
int fit_solve(int n, double m[FIT_MAX_UNKNOWN][FIT_MAX_UNKNOWN], const double right[FIT_MAX_UNKNOWN],
              double x[FIT_MAX_UNKNOWN]);
#endif
