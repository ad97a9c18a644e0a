/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_cohorts/sobol.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

double sobol_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int sobol_estimate(int n_parameter, int n, uint64_t seed, sobol_model model, const void *data, sobol_indices *out) {
    const size_t d = (size_t)n_parameter, rows = (size_t)n;
    double *a = malloc(2 * rows * (d + 1) * sizeof *a); /* two samples of n sets, then their results */
    if (!a)
        return fail_memory("parameter sets", 2 * rows * (d + 1) * sizeof *a);
    double *b = a + rows * d, *of_a = b + rows * d, *of_b = of_a + rows, sum = 0, square = 0;
    memset(out, 0, sizeof *out);
    for (size_t k = 0; k < 2 * rows * d; k++)
        a[k] = sobol_random(&seed);
    for (size_t k = 0; k < rows; k++) {
        of_a[k] = model(data, a + k * d);
        of_b[k] = model(data, b + k * d);
        sum += of_a[k] + of_b[k];
    }
    out->mean = sum / (2 * (double)rows);
    for (size_t k = 0; k < 2 * rows; k++)
        square += (of_a[k] - out->mean) * (of_a[k] - out->mean); /* of_b follows of_a */
    out->variance = square / (2 * (double)rows);
    for (size_t i = 0; i < d; i++) {
        double alone = 0, all = 0;
        for (size_t k = 0; k < rows; k++) { /* set k of the first sample, with parameter i of the second */
            double set[SOBOL_PARAMETERS];
            memcpy(set, a + k * d, d * sizeof *set);
            set[i] = b[k * d + i];
            const double mixed = model(data, set);
            alone += (of_b[k] - mixed) * (of_b[k] - mixed);
            all += (of_a[k] - mixed) * (of_a[k] - mixed);
        }
        out->first[i] = 1 - alone / (2 * (double)rows * out->variance);
        out->total[i] = all / (2 * (double)rows * out->variance);
    }
    free(a);
    return OK;
}
