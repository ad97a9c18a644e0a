/* See csv.h. */
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int csv_open(csv *c, const char *path, size_t limit) {
    memset(c, 0, sizeof *c);
    c->path = path;
    const int rc = file_read(path, limit, &c->text, NULL);
    if (rc == OK)
        c->rest = strncmp(c->text, "\xef\xbb\xbf", 3) == 0 ? c->text + 3 : c->text;
    return rc;
}

void csv_close(csv *c) {
    free(c->text);
    memset(c, 0, sizeof *c);
}

/* The next field of a row, which is cut there; *row is NULL behind the last one. */
static char *take_field(char **row) {
    char *field = *row, *end = *field == '"' ? strchr(field + 1, '"') : NULL;
    if (!end || (end[1] && end[1] != ','))
        return strsep(row, ",");
    *row = end[1] ? end + 2 : NULL;
    *end = '\0';
    return field + 1;
}

bool csv_next(csv *c) {
    char *row;
    while ((row = strsep(&c->rest, "\n"))) {
        const size_t length = strlen(row);
        c->line++;
        if (length > 0 && row[length - 1] == '\r')
            row[length - 1] = '\0';
        c->n = 0;
        if (*row == '#') {
            c->field[0] = row + 1 + strspn(row + 1, " ");
            return true;
        }
        if (!*row)
            continue;
        for (; row; c->n++) {
            char *field = take_field(&row);
            if (c->n < CSV_FIELDS_MAX)
                c->field[c->n] = field;
        }
        return true;
    }
    return false;
}

int csv_number(const csv *c, int k, double *value) {
    char *end;
    *value = strtod(c->field[k], &end);
    if (*end)
        return fail(ERR_INPUT, "%s:%d: '%.60s' is not a number", c->path, c->line, c->field[k]);
    if (end == c->field[k])
        *value = NAN;
    return OK;
}
