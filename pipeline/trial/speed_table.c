/* See speed_table.h. */
#include "pipeline/trial/speed_table.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_row(const char *path, int line, char *text, speed_table *t) {
    const bool head = t->n_column == 0;
    char *field;
    int n = 0;
    if (!head && t->n_row == SPEED_ROWS)
        return fail(ERR_INPUT, "%s:%d: more than %d rows", path, line, SPEED_ROWS);
    while ((field = strsep(&text, ","))) {
        if (n == (head ? SPEED_COLUMNS : t->n_column))
            return fail(ERR_INPUT, "%s:%d: more than %d columns", path, line, n);
        if (head)
            t->column[n++] = field;
        else
            t->cell[t->n_row][n++] = field;
    }
    if (!head && n != t->n_column)
        return fail(ERR_INPUT, "%s:%d: %d of %d columns", path, line, n, t->n_column);
    if (head)
        t->n_column = n;
    else
        t->n_row++;
    return OK;
}

int speed_table_read(const char *folder, const char *name, speed_table *t) {
    char path[FILE_PATH_MAX], *rest, *row;
    int rc = OK, line = 0;
    memset(t, 0, sizeof *t);
    if (file_path(path, sizeof path, "%s/%s", folder, name) != OK)
        return ERR_INPUT;
    TRY(file_read(path, 1000000, &t->text, NULL));
    rest = t->text;
    while ((row = strsep(&rest, "\n"))) {
        line++;
        if (*row == '#' && t->n_note < SPEED_NOTES)
            t->note[t->n_note++] = row + 1 + strspn(row + 1, " ");
        else if (*row && *row != '#')
            TRY(take_row(path, line, row, t));
    }
    if (t->n_row == 0)
        rc = fail(ERR_INPUT, "'%s' holds no row", path);
cleanup:
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
