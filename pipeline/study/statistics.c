/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/statistics.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values count as equal if their relative spread is below this limit, which allows for rounding. An example is a flow
 * that all cases prescribe. */
static const double rounding = 1e-6;
static const double least_p = 1e-12; /* statistics_student_p rounds smaller values */

statistics_sample statistics_of(int n, const double *value) {
    statistics_sample s = {.mean = NAN, .deviation = NAN};
    double sum = 0, square = 0;
    for (int k = 0; k < n; k++)
        if (isfinite(value[k])) {
            sum += value[k];
            s.n++;
        }
    if (s.n > 0)
        s.mean = sum / s.n;
    for (int k = 0; k < n; k++)
        if (isfinite(value[k]))
            square += (value[k] - s.mean) * (value[k] - s.mean);
    if (s.n > 1)
        s.deviation = sqrt(square / (s.n - 1));
    if (s.deviation < 1e-12 * fabs(s.mean)) /* equal values */
        s.deviation = 0;
    return s;
}

double statistics_student_p(double t, int freedom) {
    const double angle = atan(fabs(t) / sqrt(freedom)), c = cos(angle);
    const bool odd = freedom % 2 == 1;
    double term = odd ? c : 1, sum = freedom > 1 ? term : 0;
    for (int k = odd ? 3 : 2; k < freedom; k += 2) {
        term *= c * c * (k - 1) / k;
        sum += term;
    }
    const double within = odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
    return fmax(1 - within, 0);
}

double statistics_difference(double before, double after) {
    const double difference = after - before;
    return fabs(difference) <= rounding * fabs(before) ? 0 : difference;
}

/* ------------------------------------------------------------------------------------------------ groups */

int statistics_read_words(const char *groups, char word[2][STATISTICS_WORD]) {
    const char *comma = strchr(groups, ',');
    const size_t first = comma ? (size_t)(comma - groups) : 0, second = comma ? strlen(comma + 1) : 0;
    if (first == 0 || second == 0 || first >= STATISTICS_WORD || second >= STATISTICS_WORD || strchr(comma + 1, ','))
        return fail(ERR_USAGE,
                    "--groups %.80s: give two words, separated by a comma, of which each folder's path contains one, "
                    "such as --groups before,after",
                    groups);
    snprintf(word[0], STATISTICS_WORD, "%.*s", (int)first, groups);
    snprintf(word[1], STATISTICS_WORD, "%s", comma + 1);
    return OK;
}

/* Finds the group of a path by the group's word. key: the path without this word and without '/' at its end. */
static int read_group(const char *dir, char word[2][STATISTICS_WORD], int *group, char *key) {
    const char *at[2] = {strstr(dir, word[0]), strstr(dir, word[1])};
    if ((at[0] != NULL) == (at[1] != NULL))
        return fail(ERR_USAGE,
                    "--groups: '%s' contains %s of the words '%s' and '%s'; the path of a folder must contain exactly "
                    "one of them",
                    dir, at[0] ? "both" : "neither", word[0], word[1]);
    *group = at[1] != NULL;
    snprintf(key, FILE_PATH_MAX, "%.*s%s", (int)(at[*group] - dir), dir, at[*group] + strlen(word[*group]));
    for (size_t k = strlen(key); k > 0 && key[k - 1] == '/'; k--)
        key[k - 1] = '\0';
    return OK;
}

int statistics_pair(int n, const char *const *dir, const char *groups, int *group, int *partner) {
    char word[2][STATISTICS_WORD], (*key)[FILE_PATH_MAX] = calloc((size_t)n, sizeof *key);
    int rc = key ? OK : fail_memory("the groups", (double)n * sizeof *key), pairs = 0;
    TRY(rc);
    TRY(statistics_read_words(groups, word));
    for (int k = 0; k < n; k++) {
        TRY(read_group(dir[k], word, &group[k], key[k]));
        partner[k] = -1;
        for (int i = 0; i < k; i++) {
            if (strcmp(key[i], key[k]) != 0)
                continue;
            if (group[i] == group[k] || partner[i] >= 0)
                GIVE_UP(fail(ERR_USAGE,
                             "--groups: '%s' and '%s' are the same patient in the same group; give only one of them",
                             dir[i], dir[k]));
            partner[i] = k;
            partner[k] = i;
            pairs++;
        }
    }
    if (pairs == 0)
        rc = fail(ERR_USAGE,
                  "--groups: no folder of '%s' has a partner in '%s': the paths must differ in this word only", word[0],
                  word[1]);
cleanup:
    free(key);
    return rc;
}

/* ------------------------------------------------------------------------------------------------- table */

static bool counts(const results_row *row) {
    return row->n > 0 && !row->unusable[0] && strcmp(row->state, "done") == 0;
}

/* Value with this name of one patient; NaN: the patient is not done or not usable, or has no such value. */
static double value_of(const results_row *row, const char *name) {
    const row_number *at = counts(row) ? results_row_find(row, name) : NULL;
    return at ? at->value : NAN;
}

/* Prints one number over the patients of group `which`; group NULL: over all patients. */
static void print_number(const row_number *number, int n, const results_row *row, const int *group, int which,
                         double *value) {
    char head[ROW_NAME + 32];
    for (int k = 0; k < n; k++)
        value[k] = group && group[k] != which ? NAN : value_of(&row[k], number->name);
    const statistics_sample s = statistics_of(n, value);
    snprintf(head, sizeof head, "%s, %s", number->name, number->unit);
    if (s.n > 1)
        printf("%-34s  %10.4g  %10.3g  %4d\n", head, s.mean, s.deviation, s.n);
}

/* Prints the differences of all pairs, second group minus first group. */
static void print_pairs(const row_number *number, int n, const results_row *row, const int *group, const int *partner,
                        double *value) {
    char head[ROW_NAME + 32];
    for (int k = 0; k < n; k++)
        value[k] = group[k] == 0 && partner[k] >= 0 ? statistics_difference(value_of(&row[k], number->name),
                                                                            value_of(&row[partner[k]], number->name))
                                                    : NAN;
    const statistics_sample s = statistics_of(n, value);
    snprintf(head, sizeof head, "%s, %s", number->name, number->unit);
    if (s.n < 2)
        return;
    printf("%-34s  %10.4g  %10.3g  %4d", head, s.mean, s.deviation, s.n);
    if (s.deviation > rounding * fabs(s.mean)) {
        const double t = s.mean / (s.deviation / sqrt(s.n));
        const double p = statistics_student_p(t, s.n - 1);
        if (p < least_p)
            printf("  %8.3g  %8s\n", t, "<1e-12");
        else
            printf("  %8.3g  %8.2g\n", t, p);
    } else {
        printf("  %8s  %8s\n", "-", "-");
    }
}

static void print_means(int n, const results_row *row, const results_row *names, const int *group, int which,
                        const char *of, double *value) {
    char head[STATISTICS_WORD + 40];
    snprintf(head, sizeof head, "%s%s", of, *of ? ": done and usable" : "patients that are done and usable");
    printf("\n%-34s  %10s  %10s  %4s\n", head, "mean", "SD", "n");
    for (int j = 0; j < names->n; j++)
        if (names->number[j].main)
            print_number(&names->number[j], n, row, group, which, value);
}

int statistics_print(int n, const results_row *row, const int *group, const int *partner,
                     const char (*word)[STATISTICS_WORD]) {
    double *value = calloc((size_t)n + 1, sizeof *value);
    const results_row *names = NULL; /* the patient with most numbers; gives the names of the rows */
    int used = 0;
    if (!value)
        return fail_memory("the statistics", 8.0 * n);
    for (int k = 0; k < n; k++) {
        used += counts(&row[k]);
        if (counts(&row[k]) && (!names || row[k].n > names->n))
            names = &row[k];
    }
    if (used > 1 && !group)
        print_means(n, row, names, NULL, 0, "", value);
    for (int which = 0; which < 2 && used > 1 && group; which++)
        print_means(n, row, names, group, which, word[which], value);
    if (used < n && n > 1)
        printf("%d of %d patients are not done or not usable and do not count\n", n - used, n);
    if (group && names) {
        char head[2 * STATISTICS_WORD + 24];
        snprintf(head, sizeof head, "paired, %s - %s", word[1], word[0]);
        printf("\n%-34s  %10s  %10s  %4s  %8s  %8s\n", head, "mean", "SD", "n", "t", "p");
        for (int j = 0; j < names->n; j++)
            if (names->number[j].main)
                print_pairs(&names->number[j], n, row, group, partner, value);
        printf("p: two-sided, Student's t, not corrected for several tests\n");
    }
    free(value);
    return OK;
}
