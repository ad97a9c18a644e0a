/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int csv_open(csv *c, const char *path, size_t limit) {
    size_t size;
    memset(c, 0, sizeof *c);
    c->path = path;
    const int rc = file_read(path, limit, &c->text, &size);
    if (rc != OK)
        return rc;
    if (strlen(c->text) != size)
        return fail(ERR_INPUT, "%s: this is not a text file; save it as CSV text", path);
    c->rest = strncmp(c->text, "\xef\xbb\xbf", 3) == 0 ? c->text + 3 : c->text;
    return OK;
}

void csv_close(csv *c) {
    free(c->text);
    memset(c, 0, sizeof *c);
}

static char *trim_blanks(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

/* Return the next field and terminate it in place. *row is NULL after the last field. */
static char *take_field(char **row) {
    char *field = *row + strspn(*row, " \t"), *end = *field == '"' ? strchr(field + 1, '"') : NULL;
    char *after = end ? end + 1 + strspn(end + 1, " \t") : NULL;
    if (!after || (*after && *after != ','))
        return trim_blanks(strsep(row, ","));
    *row = *after ? after + 1 : NULL;
    *end = '\0';
    return field + 1;
}

bool csv_next(csv *c) {
    char *row;
    while ((row = strsep(&c->rest, "\n"))) {
        c->whole = c->rest != NULL;
        c->line++;
        c->n = 0;
        row = trim_blanks(row);
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

int csv_finite(const csv *c, int k, double *value) {
    char reason[UNITS_REASON_MAX];
    if (units_check(c->field[k], UNIT_NONE, value, reason) == OK)
        return OK;
    return fail(ERR_INPUT, "%s:%d: '%.60s' is not a number (the decimal sign is '.'); correct this field", c->path,
                c->line, c->field[k]);
}

int csv_decimals(const csv *c, int k) {
    const char *text = c->field[k], *point = strchr(text, '.');
    return strpbrk(text, "eE") ? -1 : point ? (int)strlen(point + 1) : 0;
}

int csv_number(const csv *c, int k, double *value) {
    const char *text = c->field[k];
    *value = NAN;
    return !*text || strcmp(text, "nan") == 0 || strcmp(text, "-nan") == 0 ? OK : csv_finite(c, k, value);
}
