/* SPDX-License-Identifier: Apache-2.0 */
/* Order-independent sum: fixed point in three integers, so that any number of threads, GPUs or ranks gives the same
 * bits (similar to Kulisch's accumulator).
 *   sum = 2^-30 part[0] + 2^-60 part[1] + 2^-90 part[2], each x truncated below 2^-90
 * Exact for |x| < 2^24 and sums below 2^33. Larger or non-finite values are skipped; the monitor reports them. */
#ifndef PORTAFLOW_EXACT_SUM_H
#define PORTAFLOW_EXACT_SUM_H
#include "solve/kernels/kernel.h"

typedef struct {
    int64_t part[3];
} exact_sum;

KERNEL_FN void exact_sum_add(exact_sum *s, double x) {
    const double unit = 1073741824.0, most = 16777216.0; /* 2^30, and the limit 2^24 of |x| */
    if (!(x < most && x > -most))
        return;
    for (int k = 0; k < 3; k++) {
        const double scaled = x * unit;
        const int64_t whole = (int64_t)scaled;
        s->part[k] += whole;
        x = scaled - (double)whole; /* exact: the integer part of scaled has no more digits than scaled */
    }
}

KERNEL_FN void exact_sum_join(exact_sum *s, const exact_sum *more) {
    for (int k = 0; k < 3; k++)
        s->part[k] += more->part[k];
}

KERNEL_FN double exact_sum_value(const exact_sum *s) {
    const double down = 1.0 / 1073741824.0;
    return ((double)s->part[0] + ((double)s->part[1] + (double)s->part[2] * down) * down) * down;
}
#endif
