/* SPDX-License-Identifier: Apache-2.0 */
/* A CSV file of words and numbers with named columns, such as published.csv and measured.csv of the papers' speeds.
 * Lines starting with '#' are notes: "# card: NVIDIA H200, 4916 GB/s" is the note "card"; a note may have no key. The
 * first other line names the columns. */
#ifndef PORTAFLOW_SPEED_TABLE_H
#define PORTAFLOW_SPEED_TABLE_H
#include "common/base/must_check.h"
#include <stdbool.h>

enum { SPEED_ROWS = 256, SPEED_COLUMNS = 32, SPEED_NOTES = 16 };

typedef struct {
    char *text; /* whole text, owned; all pointers below point into it */
    int n_row, n_column, n_note;
    const char *column[SPEED_COLUMNS];
    const char *cell[SPEED_ROWS][SPEED_COLUMNS];
    const char *note[SPEED_NOTES];
} speed_table;

/* Read <folder>/<name>. Errors: ERR_INPUT with file:line, errors of file_read. */
MUST_CHECK int speed_table_read(const char *folder, const char *name, speed_table *t);
void speed_table_free(speed_table *t); /* safe on a zeroed struct */

/* Text of the cell in a row and in the column with this name; "" if there is no such column or the cell is empty. */
const char *speed_table_word(const speed_table *t, int row, const char *column);
/* Number in the cell; NaN if the cell is not a number. */
double speed_table_number(const speed_table *t, int row, const char *column);
/* Row with this box and scheme, -1: none. */
int speed_table_find(const speed_table *t, const char *box, const char *scheme);
/* Text of the note "<key>: .."; "" without such a note. */
const char *speed_table_note(const speed_table *t, const char *key);
/* Last number before "GB/s" in a note; NaN: none. */
double speed_table_bandwidth(const char *note);
#endif
