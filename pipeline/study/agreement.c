/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/agreement.h"
#include <math.h>
#include <stdbool.h>

static const double NORMAL_95 = 1.959963984540054; /* 97.5 % quantile of the normal distribution */

static double mean_of(int n, const double *x) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += x[k];
    return sum / n;
}

/* Sum of the products of the deviations from the means. */
static double products_of(int n, const double *x, const double *y) {
    const double mean_x = mean_of(n, x), mean_y = mean_of(n, y);
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (x[k] - mean_x) * (y[k] - mean_y);
    return sum;
}

/* Intraclass correlation of two raters, from the mean squares between subjects, between raters and of the residual
 * (Shrout and Fleiss 1979, table 3). */
static double icc_of(int n, const double *x, const double *y) {
    const double difference = mean_of(n, x) - mean_of(n, y);
    const double xx = products_of(n, x, x), yy = products_of(n, y, y), xy = products_of(n, x, y);
    const double subjects = (xx + yy + 2 * xy) / (2 * (n - 1)), raters = n * difference * difference / 2,
                 residual = (xx + yy - 2 * xy) / (2 * (n - 1));
    return (subjects - residual) / (subjects + residual + 2 * (raters - residual) / n);
}

static bool is_constant(int n, const double *x) {
    for (int k = 1; k < n; k++)
        if (x[k] != x[0])
            return false;
    return true;
}

agreement agreement_of(int n, const double *computed, const double *measured) {
    agreement a = {.n = n,
                   .correlation = products_of(n, computed, measured) /
                                  sqrt(products_of(n, computed, computed) * products_of(n, measured, measured)),
                   .bias = mean_of(n, computed) - mean_of(n, measured),
                   .icc = icc_of(n, computed, measured),
                   .correlation_low = NAN,
                   .correlation_high = NAN};
    double square = 0, around = 0;
    if (is_constant(n, computed) || is_constant(n, measured)) /* with constant values, rounding errors of the mean
                                                               * would give a meaningless number */
        a.correlation = NAN;
    for (int k = 0; k < n; k++) {
        const double difference = computed[k] - measured[k];
        square += difference * difference;
        around += (difference - a.bias) * (difference - a.bias);
    }
    a.rmse = sqrt(square / n);
    a.deviation = sqrt(around / (n - 1));
    a.limit_low = a.bias - NORMAL_95 * a.deviation;
    a.limit_high = a.bias + NORMAL_95 * a.deviation;
    if (n > 3 && isfinite(a.correlation)) {
        const double z = atanh(a.correlation), half = NORMAL_95 / sqrt(n - 3);
        a.correlation_low = tanh(z - half);
        a.correlation_high = tanh(z + half);
    }
    return a;
}

double agreement_auc(int n, const double *computed, const double *measured, double threshold, int *positive) {
    double sum = 0;
    int cases = 0;
    for (int k = 0; k < n; k++) {
        if (!(measured[k] >= threshold))
            continue;
        cases++;
        for (int j = 0; j < n; j++)
            if (measured[j] < threshold)
                sum += computed[k] > computed[j] ? 1 : computed[k] == computed[j] ? 0.5 : 0;
    }
    *positive = cases;
    return cases > 0 && cases < n ? sum / ((double)cases * (n - cases)) : NAN;
}

int agreement_covered(int n, const double *computed, const double *half, const double *measured,
                      const double *half_measured) {
    int covered = 0;
    for (int k = 0; k < n; k++)
        covered += fabs(computed[k] - measured[k]) <= hypot(half[k], half_measured ? half_measured[k] : 0);
    return covered;
}

void agreement_proportion(int k, int n, double *low, double *high) {
    const double z = NORMAL_95, p = (double)k / n, centre = (p + z * z / (2 * n)) / (1 + z * z / n),
                 half = z * sqrt(p * (1 - p) / n + z * z / (4.0 * n * n)) / (1 + z * z / n);
    *low = centre - half;
    *high = centre + half;
}
