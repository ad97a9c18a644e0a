/* SPDX-License-Identifier: Apache-2.0 */
/* Points and errors that several studies compute. */
#ifndef PORTAFLOW_NUMBERS_H
#define PORTAFLOW_NUMBERS_H
#include <math.h>

/* Position k of n from low to high, n > 1, with both ends. Exact in the middle of a symmetric range. */
static inline double numbers_between(int k, int n, double low, double high) {
    return 0.5 * (low + high) + 0.5 * (high - low) * (2.0 * k / (n - 1) - 1);
}

/* Middle of part k of n equal parts from low to high. */
static inline double numbers_middle(int k, int n, double low, double high) {
    return low + (high - low) * (k + 0.5) / n;
}

/* Point k of n evenly distributed points of the unit disc, on a spiral with the golden angle; k >= n lies outside. */
static inline void numbers_disc(int k, int n, double *x, double *y) {
    const double r = sqrt((k + 0.5) / n), turn = 2.399963229728653 * k;
    *x = r * cos(turn);
    *y = r * sin(turn);
}

/* Linear interpolation of y over ascending x [n], n > 1; beyond the ends the first and last line go on. */
static inline double numbers_interpolate(int n, const double *x, const double *y, double at) {
    int k = 1;
    while (k < n - 1 && x[k] < at)
        k++;
    return y[k - 1] + (y[k] - y[k - 1]) * (at - x[k - 1]) / (x[k] - x[k - 1]);
}

/* Order of accuracy from two errors; ratio: spacing of the coarser over spacing of the finer lattice. */
static inline double numbers_order(double coarse, double fine, double ratio) {
    return log(coarse / fine) / log(ratio);
}

/* Relative L2 error, sqrt(sum (value - exact)^2 / sum exact^2): add each point to a zeroed sum. */
typedef struct {
    double error, exact;
} numbers_l2;

static inline void numbers_l2_add(numbers_l2 *s, double value, double exact) {
    s->error += (value - exact) * (value - exact);
    s->exact += exact * exact;
}

static inline double numbers_l2_error(const numbers_l2 *s) {
    return sqrt(s->error / s->exact);
}
#endif
