/* SPDX-License-Identifier: Apache-2.0 */
/* A CSV file of words and numbers with named columns: reference values, or published.csv and measured.csv of the
 * papers' speeds. Lines starting with '#' are notes: "# card: NVIDIA H200, 4916 GB/s" is the note "card"; a note may
 * have no key. The first other line names the columns. */
#ifndef PORTAFLOW_STUDY_TABLE_H
#define PORTAFLOW_STUDY_TABLE_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { STUDY_TABLE_ROWS = 512, STUDY_TABLE_COLUMNS = 32, STUDY_TABLE_NOTES = 16 };

typedef struct {
    char *text; /* whole text, owned; all pointers below point into it */
    int n_row, n_column, n_note;
    const char *column[STUDY_TABLE_COLUMNS];
    const char *cell[STUDY_TABLE_ROWS][STUDY_TABLE_COLUMNS];
    const char *note[STUDY_TABLE_NOTES];
    double value[STUDY_TABLE_COLUMNS][STUDY_TABLE_ROWS]; /* [column][row] finite decimal number in the cell, else NaN */
} study_table;

/* Read <folder>/<name>. Errors: ERR_INPUT with file:line, errors of file_read. */
MUST_CHECK int study_table_read(const char *folder, const char *name, study_table *t);
/* Read <folder>/<name> with exactly n_column columns and two rows or more, where every cell is a number or empty. Only
 * `value`, n_row and n_column are kept, so that nothing needs to be freed. Errors: as study_table_read. */
MUST_CHECK int study_table_read_numbers(const char *folder, const char *name, int n_column, study_table *t);
void study_table_free(study_table *t); /* safe on a zeroed struct */

/* Text of the cell in a row and in the column with this name; "" if there is no such column or the cell is empty. */
const char *study_table_word(const study_table *t, int row, const char *column);
/* Number in the cell; NaN if the cell is not a number. */
double study_table_number(const study_table *t, int row, const char *column);
/* Number in the column `column` of the row that has this word in the column `key`; NaN: none. */
double study_table_lookup(const study_table *t, const char *key, const char *word, const char *column);
/* Row with this box and scheme, -1: none. */
int study_table_find(const study_table *t, const char *box, const char *scheme);
/* Text of the note "<key>: .."; "" without such a note. */
const char *study_table_note(const study_table *t, const char *key);
/* Last number before "GB/s" in a note; NaN: none. */
double study_table_bandwidth(const char *note);
#endif
