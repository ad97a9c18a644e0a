/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/speed_table.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_row(const csv *c, speed_table *t) {
    const bool head = t->n_column == 0;
    if (!head && t->n_row == SPEED_ROWS)
        return fail(ERR_INPUT, "%s:%d: the table of speeds has more than %d rows; remove rows", c->path, c->line,
                    SPEED_ROWS);
    if (c->n > (head ? SPEED_COLUMNS : t->n_column))
        return fail(ERR_INPUT,
                    head ? "%s:%d: the header has more than %d columns; remove columns"
                         : "%s:%d: the row has more columns than the header (%d); correct the row",
                    c->path, c->line, head ? SPEED_COLUMNS : t->n_column);
    if (!head && c->n != t->n_column)
        return fail(ERR_INPUT, "%s:%d: the row has %d columns, the header has %d; correct the row", c->path, c->line,
                    c->n, t->n_column);
    memcpy(head ? t->column : t->cell[t->n_row], c->field, (size_t)c->n * sizeof *c->field);
    if (head)
        t->n_column = c->n;
    else
        t->n_row++;
    return OK;
}

int speed_table_read(const char *folder, const char *name, speed_table *t) {
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
        else if (t->n_note < SPEED_NOTES)
            t->note[t->n_note++] = c.field[0];
    }
    if (t->n_row == 0)
        rc = fail(ERR_INPUT, "the table of speeds '%s' has no rows; restore or measure it again", path);
cleanup:
    csv_close(&c);
    if (rc != OK)
        speed_table_free(t);
    return rc;
}

void speed_table_free(speed_table *t) {
    free(t->text);
    memset(t, 0, sizeof *t);
}

const char *speed_table_word(const speed_table *t, int row, const char *column) {
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->column[k], column) == 0)
            return t->cell[row][k];
    return "";
}

double speed_table_number(const speed_table *t, int row, const char *column) {
    const char *word = speed_table_word(t, row, column);
    char *end;
    const double value = strtod(word, &end);
    return end == word || *end ? NAN : value;
}

int speed_table_find(const speed_table *t, const char *box, const char *scheme) {
    for (int k = 0; k < t->n_row; k++)
        if (strcmp(speed_table_word(t, k, "box"), box) == 0 && strcmp(speed_table_word(t, k, "scheme"), scheme) == 0)
            return k;
    return -1;
}

const char *speed_table_note(const speed_table *t, const char *key) {
    const size_t n = strlen(key);
    for (int k = 0; k < t->n_note; k++)
        if (strncmp(t->note[k], key, n) == 0 && strncmp(t->note[k] + n, ": ", 2) == 0)
            return t->note[k] + n + 2;
    return "";
}

double speed_table_bandwidth(const char *note) {
    const char *unit = strstr(note, " GB/s"), *start = unit;
    while (start && start > note && strchr("0123456789.", start[-1]))
        start--;
    return start && start < unit ? strtod(start, NULL) : NAN;
}
