/* See fit.h. */
#include "post/sample/fit.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MAX = FIT_MAX_UNKNOWN };
static const double PIVOT_LIMIT = 1e-7;      /* of the diagonal before elimination: below it the system is singular */
static const double AMPLIFICATION_LIMIT = 4; /* sum of |weights| */

static void basis(int terms, const double p[3], double b[MAX]) {
    double x = p[0], y = p[1], z = p[2];
    double all[MAX] = {1, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z};
    memcpy(b, all, (size_t)terms * sizeof *b);
}

/* lower triangle of m becomes its Cholesky factor; 0: not positive definite to working accuracy */
static int factor(int n, double m[MAX][MAX]) {
    for (int i = 0; i < n; i++) {
        double limit = PIVOT_LIMIT * m[i][i];
        for (int j = 0; j < i; j++) {
            double sum = m[i][j];
            for (int k = 0; k < j; k++)
                sum -= m[i][k] * m[j][k];
            m[i][j] = sum / m[j][j];
        }
        double pivot = m[i][i];
        for (int k = 0; k < i; k++)
            pivot -= m[i][k] * m[i][k];
        if (!(pivot > limit))
            return 0;
        m[i][i] = sqrt(pivot);
    }
    return 1;
}

/* x := (L L^T)^-1 right */
static void substitute(int n, double m[MAX][MAX], const double right[MAX], double x[MAX]) {
    for (int i = 0; i < n; i++) {
        double sum = right[i];
        for (int j = 0; j < i; j++)
            sum -= m[i][j] * x[j];
        x[i] = sum / m[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int j = i + 1; j < n; j++)
            sum -= m[j][i] * x[j];
        x[i] = sum / m[i][i];
    }
}

static void solve_unit(int n, double m[MAX][MAX], int k, double x[MAX]) {
    double right[MAX] = {0};
    right[k] = 1;
    substitute(n, m, right, x);
}

int fit_solve(int n, double m[MAX][MAX], const double right[MAX], double x[MAX]) {
    if (!factor(n, m))
        return 0;
    substitute(n, m, right, x);
    return 1;
}

void fit_add(int n, const double b[MAX], double weight, double m[MAX][MAX]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            m[i][j] += weight * b[i] * b[j];
}

static double dot(int n, const double a[MAX], const double b[MAX]) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* weights of one sample: value, gradient, second derivatives */
static void sample_weights(int terms, const double b[MAX], double weight, double row[MAX][MAX], double *value,
                           double gradient[3], double hessian[6]) {
    *value = weight * dot(terms, b, row[0]);
    for (int a = 0; gradient && a < 3; a++)
        gradient[a] = terms >= FIT_LINEAR ? weight * dot(terms, b, row[a + 1]) : 0;
    for (int a = 0; hessian && a < 6; a++) /* x^2 has the second derivative 2 */
        hessian[a] = terms == FIT_QUADRATIC ? (a < 3 ? 2 : 1) * weight * dot(terms, b, row[a + 4]) : 0;
}

int fit_weights(int terms, int n, const double (*offset)[3], const double *weight, double *value, double (*gradient)[3],
                double (*hessian)[6]) {
    double m[MAX][MAX] = {{0}}, b[MAX], row[MAX][MAX] = {{0}}, amplification = 0;
    if (n < terms)
        return 0;
    for (int j = 0; j < n; j++) {
        basis(terms, offset[j], b);
        fit_add(terms, b, weight[j], m);
    }
    if (!factor(terms, m))
        return 0;
    int rows = hessian ? MAX : (gradient ? FIT_LINEAR : 1);
    for (int k = 0; k < rows && k < terms; k++)
        solve_unit(terms, m, k, row[k]);
    for (int j = 0; j < n; j++) {
        basis(terms, offset[j], b);
        sample_weights(terms, b, weight[j], row, &value[j], gradient ? gradient[j] : NULL, hessian ? hessian[j] : NULL);
        amplification += fabs(value[j]);
    }
    return terms == FIT_CONSTANT || amplification <= AMPLIFICATION_LIMIT;
}
