/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/calibration.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>

/* Largest rank j with P(B < j) < 2.5 %, B binomial (n, 1/2). The values of rank j and n + 1 - j bound the 95 %
 * interval of the median. 0: n is below 6. */
static int find_interval_rank(int n) {
    double below = 0;
    for (int j = 0; j < n; j++) {
        below += exp(lgamma(n + 1.0) - lgamma(j + 1.0) - lgamma(n - j + 1.0) - n * M_LN2);
        if (below >= 0.025)
            return j;
    }
    return 0;
}

static void fit_factor(int n, double *ratio, calibration *to) {
    qsort(ratio, (size_t)n, sizeof *ratio, order_double);
    const int rank = find_interval_rank(n);
    to->factor = 0.5 * (ratio[(n - 1) / 2] + ratio[n / 2]);
    to->low = rank > 0 ? ratio[rank - 1] : NAN;
    to->high = rank > 0 ? ratio[n - rank] : NAN;
}

int calibration_of(int n, const double *computed, const double *liver, const double *half, const double *measured,
                   const double *half_measured, calibration *to) {
    const int n_fit = (n + 1) / 2, n_test = n / 2;
    double *ratio = calloc((size_t)n_fit + 3 * (size_t)n_test, sizeof *ratio);
    if (!ratio)
        return fail_memory("the calibration", 16.0 * n);
    double *before = ratio + n_fit, *after = before + n_test, *reference = after + n_test;
    *to = (calibration){.n_fit = n_fit, .n_test = n_test};
    for (int k = 0; k < n; k += 2)
        ratio[k / 2] = (measured[k] - (computed[k] - liver[k])) / liver[k];
    fit_factor(n_fit, ratio, to);
    for (int k = 1; k < n; k += 2) {
        before[k / 2] = computed[k];
        after[k / 2] = computed[k] - liver[k] + to->factor * liver[k];
        reference[k / 2] = measured[k];
        if (!isfinite(half[k]))
            continue;
        const double scaled = to->factor * half[k];
        to->n_interval++;
        to->covered_before += agreement_covered(1, &computed[k], &half[k], &measured[k], &half_measured[k]);
        to->covered_after += agreement_covered(1, &after[k / 2], &scaled, &measured[k], &half_measured[k]);
    }
    to->before = agreement_of(n_test, before, reference);
    to->after = agreement_of(n_test, after, reference);
    free(ratio);
    return OK;
}
