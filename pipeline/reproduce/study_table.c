/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/study_table.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in a cell; NaN if there is none, as for "inf", "nan" and "0x10". */
static double number_in(const char *word) {
    char reason[UNITS_REASON_MAX];
    double value;
    return units_check(word, UNIT_NONE, &value, reason) == OK ? value : NAN;
}

static int take_row(const csv *c, study_table *t) {
    const bool head = t->n_column == 0;
    if (t->n_row == STUDY_TABLE_ROWS || (head && c->n > STUDY_TABLE_COLUMNS))
        return fail(ERR_INPUT, "%s:%d: the table has more than %d rows or %d columns; shorten it", c->path, c->line,
                    STUDY_TABLE_ROWS, STUDY_TABLE_COLUMNS);
    if (!head && c->n != t->n_column)
        return fail(ERR_INPUT, "%s:%d: the row has %d columns, the header has %d; correct the row", c->path, c->line,
                    c->n, t->n_column);
    memcpy(head ? t->column : t->cell[t->n_row], c->field, (size_t)c->n * sizeof *c->field);
    for (int k = 0; !head && k < c->n; k++)
        t->value[k][t->n_row] = number_in(c->field[k]);
    if (head)
        t->n_column = c->n;
    else
        t->n_row++;
    return OK;
}

int study_table_read(const char *folder, const char *name, study_table *t) {
    char path[FILE_PATH_MAX];
    csv c = {0};
    int rc = OK;
    memset(t, 0, sizeof *t);
    TRY(file_path(path, sizeof path, "%s/%s", folder, name));
    TRY(csv_open(&c, path, 1000000));
    t->text = c.text; /* cells and notes of *t point into this text */
    c.text = NULL;
    while (csv_next(&c)) {
        if (c.n > 0)
            TRY(take_row(&c, t));
        else if (t->n_note < STUDY_TABLE_NOTES)
            t->note[t->n_note++] = c.field[0];
    }
    if (t->n_row == 0)
        rc = fail(ERR_INPUT, "the table '%s' has no rows; restore the file or measure it again", path);
cleanup:
    csv_close(&c);
    if (rc != OK)
        study_table_free(t);
    return rc;
}

int study_table_read_numbers(const char *folder, const char *name, int n_column, study_table *t) {
    int rc = OK;
    TRY(study_table_read(folder, name, t));
    if (t->n_column != n_column || t->n_row < 2)
        GIVE_UP(fail(ERR_INPUT,
                     "'%s/%s' has %d columns and %d rows, but needs %d columns and 2 rows or more; restore it", folder,
                     name, t->n_column, t->n_row, n_column));
    for (int k = 0; k < t->n_row * n_column; k++) {
        const char *word = t->cell[k / n_column][k % n_column];
        if (*word && isnan(number_in(word)))
            GIVE_UP(fail(ERR_INPUT, "'%s/%s' has '%s' in row %d, where a number is needed; restore the file", folder,
                         name, word, k / n_column + 1));
    }
    free(t->text);
    t->text = NULL;
    t->n_note = 0;
    memset(t->column, 0, sizeof t->column);
    memset(t->cell, 0, sizeof t->cell);
    memset(t->note, 0, sizeof t->note);
cleanup:
    if (rc != OK)
        study_table_free(t);
    return rc;
}

void study_table_free(study_table *t) {
    free(t->text);
    memset(t, 0, sizeof *t);
}

const char *study_table_word(const study_table *t, int row, const char *column) {
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->column[k], column) == 0)
            return t->cell[row][k];
    return "";
}

double study_table_number(const study_table *t, int row, const char *column) {
    return number_in(study_table_word(t, row, column));
}

double study_table_lookup(const study_table *t, const char *key, const char *word, const char *column) {
    for (int k = 0; k < t->n_row; k++)
        if (strcmp(study_table_word(t, k, key), word) == 0)
            return study_table_number(t, k, column);
    return NAN;
}

int study_table_find(const study_table *t, const char *box, const char *scheme) {
    for (int k = 0; k < t->n_row; k++)
        if (strcmp(study_table_word(t, k, "box"), box) == 0 && strcmp(study_table_word(t, k, "scheme"), scheme) == 0)
            return k;
    return -1;
}

const char *study_table_note(const study_table *t, const char *key) {
    const size_t n = strlen(key);
    for (int k = 0; k < t->n_note; k++)
        if (strncmp(t->note[k], key, n) == 0 && strncmp(t->note[k] + n, ": ", 2) == 0)
            return t->note[k] + n + 2;
    return "";
}

double study_table_bandwidth(const char *note) {
    const char *unit = strstr(note, " GB/s"), *start = unit;
    while (start && start > note && strchr("0123456789.", start[-1]))
        start--;
    return start && start < unit ? strtod(start, NULL) : NAN;
}
