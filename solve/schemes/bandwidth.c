/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/schemes/bandwidth.h"
#include "common/base/clock.h"
#include <math.h>
#include <stdlib.h>

/* Copies an array. `noinline` and the explicit loop prevent a call of memcpy, which would bypass the caches when it
 * stores. */
__attribute__((noinline)) static void copy_array(float *restrict to, const float *restrict from, long n, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long k = 0; k < n; k++) {
        to[k] = from[k];
        __asm__ volatile("");
    }
}

double bandwidth_copy(int threads) {
    const long n = 64L << 20;
    double best = 0;
    float *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    if (a && b) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (long k = 0; k < n; k++) {
            a[k] = (float)k;
            b[k] = 0;
        }
        for (int repeat = 0; repeat < 7; repeat++) {
            const double start = clock_s();
            copy_array(b, a, n, threads);
            best = fmax(best, 8.0 * (double)n / (clock_s() - start));
        }
    }
    free(a);
    free(b);
    return best;
}
