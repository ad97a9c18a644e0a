/* `pipeline table DIR..`: one row a patient; `pipeline compare A B`: what differs between two. */
#ifndef PORTAFLOW_STUDY_TABLE_H
#define PORTAFLOW_STUDY_TABLE_H
#include "common/base/must_check.h"
#include "pipeline/study/results_row.h"

/* Text on stdout (the main numbers), everything as CSV into csv_path unless that is NULL. A folder that cannot be read
 * is a row with the reason; the rest goes on. Errors: that of the worst folder, ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_show(int n, const char *const *dir, const char *csv_path);

/* Rows of a study: first_name and first (one text a row) stand in front, NULL: the patient's name alone.
 * Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_print(int n, const results_row *row, const char *first_name, const char *const *first);
MUST_CHECK int table_write(int n, const results_row *row, const char *first_name, const char *const *first,
                           const char *path);

/* The numbers that both have, with their difference B - A and its interval (that of A and of B in quadrature; a
 * difference larger than it is marked). html_path: also a page with both reports side by side, NULL: none.
 * Errors: ERR_INPUT (a folder without results), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int table_compare(const char *dir_a, const char *dir_b, const char *html_path);
#endif
