/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of `pipeline table`: mean and standard deviation over patients, paired t test of two groups. */
#ifndef PORTAFLOW_STUDY_STATISTICS_H
#define PORTAFLOW_STUDY_STATISTICS_H
#include "common/base/must_check.h"
#include "pipeline/study/results_row.h"

/* Mean and standard deviation (n - 1) of the finite values. n < 2: the standard deviation is NaN. */
typedef struct {
    int n;
    double mean, deviation;
} statistics_sample;
statistics_sample statistics_of(int n, const double *value);

/* Two-sided p of Student's t with `freedom` >= 1 degrees of freedom (Abramowitz and Stegun 1964, 26.7.3, 26.7.4).
 * Absolute error 1e-14. */
double statistics_student_p(double t, int freedom);

/* Difference after - before of a pair. 0 if it is only rounding of the values, as of a flow that both cases prescribe:
 * a test would find such a difference significant by chance. NaN: a value is missing. */
double statistics_difference(double before, double after);

/* Finds the group of each patient, and partner[k], the index of its partner in the other group; -1: no partner. groups:
 * two words, "before,after". A patient belongs to the group whose word is in its path. Partners have the same path
 * without the word. group [n]: 0 or 1. Errors: ERR_USAGE (not two words, a path with neither or both words, two equal
 * paths, no pair), ERR_RESOURCE. */
MUST_CHECK int statistics_pair(int n, const char *const *dir, const char *groups, int *group, int *partner);

/* The two words of "before,after". Errors: ERR_USAGE. */
enum { STATISTICS_WORD = 64 };
MUST_CHECK int statistics_read_words(const char *groups, char word[2][STATISTICS_WORD]);

/* Prints mean, standard deviation and number of the main values over the patients that are done and usable. With group,
 * partner and the words of the groups (else NULL): prints them for each group, and the paired test. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int statistics_print(int n, const results_row *row, const int *group, const int *partner,
                                const char (*word)[STATISTICS_WORD]);
#endif
