/* See reference.h. */
#include "pipeline/trial/reference.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_row(const char *path, int line, char *row, reference *r) {
    char *field;
    int n = 0;
    if (r->n_row == REFERENCE_ROWS)
        return fail(ERR_INPUT, "%s:%d: more than %d rows", path, line, REFERENCE_ROWS);
    while ((field = strsep(&row, ","))) {
        char *end;
        double value = strtod(field, &end);
        if (n == r->n_column || *end)
            return fail(ERR_INPUT, "%s:%d: '%s' is not a number of one of %d columns", path, line, field, r->n_column);
        r->value[n++][r->n_row] = end == field ? NAN : value;
    }
    r->n_row++;
    return n == r->n_column ? OK : fail(ERR_INPUT, "%s:%d: %d of %d columns", path, line, n, r->n_column);
}

int reference_read(const char *folder, const char *name, reference *r) {
    char path[FILE_PATH_MAX], *text = NULL, *rest, *row;
    int rc = OK, line = 0;
    memset(r, 0, sizeof *r);
    if (file_path(path, sizeof path, "%s/%s", folder, name) != OK)
        return ERR_INPUT;
    TRY(file_read(path, 1000000, &text, NULL));
    rest = text;
    while ((row = strsep(&rest, "\n"))) {
        line++;
        if (!*row || *row == '#')
            continue;
        if (r->n_column > 0) {
            TRY(take_row(path, line, row, r));
            continue;
        }
        r->n_column = 1;
        for (const char *c = row; *c; c++)
            r->n_column += *c == ',';
        if (r->n_column > REFERENCE_COLUMNS)
            TRY(fail(ERR_INPUT, "%s:%d: more than %d columns", path, line, REFERENCE_COLUMNS));
    }
    if (r->n_row == 0)
        rc = fail(ERR_INPUT, "'%s' holds no row", path);
cleanup:
    free(text);
    return rc;
}
