/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison functions for qsort, ascending, quantiles and medians. */
#ifndef PORTAFLOW_ORDER_H
#define PORTAFLOW_ORDER_H
#include <stdlib.h>

static inline int order_float(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}
static inline int order_double(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts x[n], n > 0, and returns its quantile q, 0..1: the element nearest to q (n - 1). */
static inline double order_quantile(double *x, int n, double q) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[(int)(q * (n - 1) + 0.5)];
}

/* Median of x[n], n > 0: the element that sorting would put at index n / 2. Reorders x; takes time in proportion to n
 * (Hoare 1961, quickselect). */
static inline double order_median(double *x, int n) {
    for (int low = 0, high = n - 1, middle = n / 2; low < high;) {
        const double pivot = x[middle];
        int i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j) {
                const double swap = x[i];
                x[i++] = x[j];
                x[j--] = swap;
            }
        }
        if (j < middle)
            low = i;
        if (middle < i)
            high = j;
    }
    return x[n / 2];
}
#endif
