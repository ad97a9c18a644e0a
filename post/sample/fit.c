/* SPDX-License-Identifier: Apache-2.0 */
#include "post/sample/fit.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MAX = FIT_QUADRATIC, MOMENTS = 35 };
/* The system is singular if a pivot is below this fraction of its diagonal entry before elimination */
static const double PIVOT_LIMIT = 1e-7;
static const double AMPLIFICATION_LIMIT = 4; /* a fit is rejected if the sum of the |weights| of its value exceeds this
                                              * limit, because such a fit amplifies errors too much */

/* Vectors for processing FIT_LANES samples at a time. Sums are formed lane by lane, so they do not depend on the
 * machine. */
typedef double lanes __attribute__((vector_size(8 * FIT_LANES)));
typedef int64_t lanes_bits __attribute__((vector_size(8 * FIT_LANES)));

static double sum_lanes(const lanes *v) {
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

static const lanes *lanes_at(const double *array, int j) {
    return (const lanes *)(const void *)(array + j);
}

/* Sums of weight x^i y^j z^k in the order 1, x y z, xx yy zz xy xz yz, then third and fourth order as listed in the
 * code below. */
static void sum_moments(int terms, const fit_samples *p, double out[MOMENTS]) {
    const int n = terms == FIT_CONSTANT ? 1 : (terms == FIT_LINEAR ? 10 : MOMENTS);
    lanes s[MOMENTS];
    memset(s, 0, sizeof s);
    for (int j = 0; j < p->n; j += FIT_LANES) {
        const lanes x = *lanes_at(p->x, j), y = *lanes_at(p->y, j), z = *lanes_at(p->z, j), w = *lanes_at(p->weight, j);
        const lanes wx = w * x, wy = w * y, wz = w * z;
        const lanes q[6] = {wx * x, wy * y, wz * z, wx * y, wx * z, wy * z};
        s[0] += w;
        s[1] += wx, s[2] += wy, s[3] += wz;
        for (int k = 0; k < 6; k++)
            s[4 + k] += q[k];
        if (terms != FIT_QUADRATIC)
            continue;
        const lanes xx = x * x, yy = y * y, zz = z * z, xy = x * y, xz = x * z, yz = y * z;
        s[10] += q[0] * x, s[11] += q[0] * y, s[12] += q[0] * z; /* moments xxx, xxy, xxz */
        s[13] += q[1] * x, s[14] += q[1] * y, s[15] += q[1] * z; /* moments yyx, yyy, yyz */
        s[16] += q[2] * x, s[17] += q[2] * y, s[18] += q[2] * z; /* moments zzx, zzy, zzz */
        s[19] += q[3] * z;                                       /* moment xyz */
        s[20] += q[0] * xx, s[21] += q[1] * yy, s[22] += q[2] * zz;
        s[23] += q[0] * yy, s[24] += q[0] * zz, s[25] += q[1] * zz;
        s[26] += q[0] * xy, s[27] += q[0] * xz; /* moments xxxy, xxxz */
        s[28] += q[1] * xy, s[29] += q[1] * yz; /* moments yyyx, yyyz */
        s[30] += q[2] * xz, s[31] += q[2] * yz; /* moments zzzx, zzzy */
        s[32] += q[0] * yz, s[33] += q[1] * xz, s[34] += q[2] * xy;
    }
    for (int k = 0; k < n; k++)
        out[k] = sum_lanes(&s[k]);
}

/* For each entry of the normal equations (lower triangle): index of its moment. */
static const uint8_t moment_of[MAX][MAX] = {
    {0},
    {1, 4},
    {2, 7, 5},
    {3, 8, 9, 6},
    {4, 10, 11, 12, 20},
    {5, 13, 14, 15, 23, 21},
    {6, 16, 17, 18, 24, 25, 22},
    {7, 11, 13, 19, 26, 28, 34, 23},
    {8, 12, 19, 16, 27, 33, 30, 32, 24},
    {9, 19, 15, 17, 32, 29, 31, 33, 34, 25},
};

/* Factorize m = L D L^T in place, with 1 / D on the diagonal; 0: not positive definite to working accuracy. */
static int factorize(int n, double m[MAX][MAX]) {
    double column[MAX], limit[MAX];
    for (int i = 0; i < n; i++)
        limit[i] = PIVOT_LIMIT * m[i][i];
    for (int k = 0; k < n; k++) {
        if (!(m[k][k] > limit[k]))
            return 0;
        const double inverse = m[k][k] = 1 / m[k][k];
        for (int i = k + 1; i < n; i++)
            column[i] = m[i][k];
        for (int i = k + 1; i < n; i++) {
            const double l = m[i][k] = column[i] * inverse;
            for (int j = k + 1; j <= i; j++)
                m[i][j] -= l * column[j];
        }
    }
    return 1;
}

/* Solve: x := (L D L^T)^-1 x. */
static void solve_factorized(const fit *f, double x[MAX]) {
    const int n = f->terms;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            x[i] -= f->m[i][k] * x[k];
    for (int k = 0; k < n; k++)
        x[k] *= f->m[k][k];
    for (int k = n - 1; k > 0; k--)
        for (int i = 0; i < k; i++)
            x[i] -= f->m[k][i] * x[k];
}

/* Sets the weight of each sample in one result. It is the product of the sample's weight in the fit and the polynomial
 * with coefficients `row`, evaluated at the position of the sample. */
static void row_weights(int terms, const double row[MAX], const fit_samples *p, double *weight) {
    for (int j = 0; j < p->n; j += FIT_LANES) {
        const lanes x = *lanes_at(p->x, j), y = *lanes_at(p->y, j), z = *lanes_at(p->z, j);
        lanes sum = row[0] + (row[1] * x + (row[2] * y + row[3] * z));
        if (terms == FIT_QUADRATIC)
            sum += (row[4] * x + (row[7] * y + row[8] * z)) * x + (row[5] * y + row[9] * z) * y + row[6] * z * z;
        sum *= *lanes_at(p->weight, j);
        memcpy(weight + j, &sum, sizeof sum);
    }
}

static double sum_of_sizes(int n, const double *weight) {
    lanes sum = {0};
    for (int j = 0; j < n; j += FIT_LANES) {
        lanes_bits bits;
        memcpy(&bits, weight + j, sizeof bits);
        bits &= INT64_MAX;
        sum += (lanes)bits;
    }
    return sum_lanes(&sum);
}

static void fill_up(fit_samples *p) {
    for (int j = p->n; j % FIT_LANES != 0; j++)
        p->x[j] = p->y[j] = p->z[j] = p->weight[j] = 0;
}

void fit_weights(const fit *f, const fit_samples *p, int derivative, double *weight) {
    double row[MAX] = {0};
    if (derivative < f->terms) {
        row[derivative] = derivative >= 4 && derivative < 7 ? 2 : 1; /* the second derivative of x^2 is 2 */
        solve_factorized(f, row);
    }
    row_weights(f->terms, row, p, weight);
}

int fit_make(int terms, fit_samples *p, fit *f, double *value) {
    double moment[MOMENTS];
    if (p->n < terms)
        return 0;
    fill_up(p);
    sum_moments(terms, p, moment);
    for (int i = 0; i < terms; i++)
        for (int j = 0; j <= i; j++)
            f->m[i][j] = moment[moment_of[i][j]];
    f->terms = terms;
    if (!factorize(terms, f->m))
        return 0;
    fit_weights(f, p, 0, value);
    return terms == FIT_CONSTANT || sum_of_sizes(p->n, value) <= AMPLIFICATION_LIMIT;
}

void fit_polynomial(const fit *f, const fit_samples *p, const double *sample, double derivative[FIT_QUADRATIC]) {
    lanes s[MAX];
    memset(s, 0, sizeof s);
    for (int j = 0; j < p->n; j += FIT_LANES) {
        const lanes x = *lanes_at(p->x, j), y = *lanes_at(p->y, j), z = *lanes_at(p->z, j);
        lanes w = {0};
        for (int k = 0; k < FIT_LANES && j + k < p->n; k++)
            w[k] = p->weight[j + k] * sample[j + k];
        const lanes wx = w * x, wy = w * y, wz = w * z;
        s[0] += w;
        s[1] += wx, s[2] += wy, s[3] += wz;
        s[4] += wx * x, s[5] += wy * y, s[6] += wz * z;
        s[7] += wx * y, s[8] += wx * z, s[9] += wy * z;
    }
    for (int k = 0; k < MAX; k++)
        derivative[k] = k < f->terms ? sum_lanes(&s[k]) : 0;
    solve_factorized(f, derivative);
    for (int k = 4; k < 7; k++)
        derivative[k] *= 2;
}
