/* SPDX-License-Identifier: Apache-2.0 */
/* Calibration of a cohort's liver resistance to measured gradients on one half of the patients, tested on the other.
 *
 * One factor multiplies the liver's part of every computed gradient; the rest of the gradient and all flows stay.
 * Resistance and permeability of the lobule law are inverse, so the factor divides the permeability.
 * Test: tests/unit/pipeline/test_calibration.c */
#ifndef PORTAFLOW_STUDY_CALIBRATION_H
#define PORTAFLOW_STUDY_CALIBRATION_H
#include "common/base/must_check.h"
#include "pipeline/study/agreement.h"

enum { CALIBRATION_LEAST = 6 }; /* patients in each half: the median of 5 values has no 95 % interval */

typedef struct {
    int n_fit, n_test; /* patients 0, 2, 4.. are fitted, patients 1, 3, 5.. are tested */
    /* Median over the fitted patients of (measured - rest) / liver, with rest = computed - liver. The median, because
     * one wrong catheter value does not move it and because a ratio below 0 is allowed, unlike in a logarithm. low,
     * high: its 95 % interval from order statistics (binomial, no assumption on the distribution). */
    double factor, low, high;
    /* Agreement of the tested patients with the measured gradients. before: computed; after: rest + factor * liver */
    agreement before, after;
    /* n_interval: tested patients with an interval. covered: patients whose interval holds the measured gradient;
     * half-width of `after`: half-width of `before` times the factor */
    int n_interval, covered_before, covered_after;
} calibration;

/* Arrays are [n], mmHg; n >= 2 CALIBRATION_LEAST. liver: the liver's part of computed, above 0. half: half-widths of
 * the 95 % intervals, NaN: none. half_measured: 0: exact. Errors: ERR_RESOURCE. */
MUST_CHECK int calibration_of(int n, const double *computed, const double *liver, const double *half,
                              const double *measured, const double *half_measured, calibration *to);
#endif
