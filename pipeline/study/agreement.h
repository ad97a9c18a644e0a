/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of computed with measured values over a cohort. All arrays are [n] and finite.
 * Test: tests/unit/pipeline/test_agreement.c */
#ifndef PORTAFLOW_STUDY_AGREEMENT_H
#define PORTAFLOW_STUDY_AGREEMENT_H

enum { AGREEMENT_LEAST = 3 }; /* smallest n: the interval of the correlation needs n > 3, the other numbers n >= 3 */

typedef struct {
    int n;
    double correlation, correlation_low, correlation_high; /* Pearson's r; 95 % interval by Fisher's z; n = 3: NaN */
    double bias, deviation; /* mean and standard deviation (n - 1) of computed - measured */
    /* limits of agreement: bias -+ 1.96 standard deviations (Bland and Altman 1986) */
    double limit_low, limit_high;
    double icc;  /* intraclass correlation for absolute agreement of single values, two-way random: ICC(2,1) of Shrout
                  * and Fleiss 1979 */
    double rmse; /* root mean square of computed - measured */
} agreement;

/* NaN for a number that the data do not define, such as the correlation of equal values. */
agreement agreement_of(int n, const double *computed, const double *measured);

/* Area under the ROC curve of `computed` as a test for measured >= threshold: probability that a case has the larger
 * computed value than a case below the threshold; equal values count half. positive: number of cases. NaN: all values
 * are on one side. */
double agreement_auc(int n, const double *computed, const double *measured, double threshold, int *positive);

/* Number of measured values inside computed +- half. half_measured: half-widths of the intervals of the measured
 * values, NULL: exact. A measured value with an uncertainty is inside if the difference does not exceed the root sum of
 * squares of both half-widths. */
int agreement_covered(int n, const double *computed, const double *half, const double *measured,
                      const double *half_measured);
/* 95 % interval of a proportion k / n, n >= 1 (Wilson 1927). */
void agreement_proportion(int k, int n, double *low, double *high);
#endif
