/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline table DIR..`: one row per patient; `pipeline compare A B`: differences between two patients. */
#ifndef PORTAFLOW_STUDY_TABLE_H
#define PORTAFLOW_STUDY_TABLE_H
#include "common/base/must_check.h"
#include "pipeline/study/results_row.h"

/* Prints the main numbers and their statistics on stdout and writes all numbers as CSV into csv_path (NULL: none), a
 * row per patient. groups: two groups for a paired test (statistics_pair), NULL: none. An unreadable folder is a row
 * with that state. Errors: the worst error of the folders, ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_show(int n, const char *const *dir, const char *csv_path, const char *groups);

/* Print and write rows of a study.
 *   first_name, first  heading and text of the first column, one text per row; NULL: the patient's name
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_print(int n, const results_row *row, const char *first_name, const char *const *first);
MUST_CHECK int table_write(int n, const results_row *row, const char *first_name, const char *const *first,
                           const char *path);

/* Prints the numbers that both patients have, with the difference B - A and its interval (intervals of A and B in
 * quadrature); a larger difference is marked. html_path: also a page with both reports side by side, NULL: none.
 * Errors: ERR_INPUT (a folder without results), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_compare(const char *dir_a, const char *dir_b, const char *html_path);
#endif
