/* See points.h. */
#include "post/sample/points.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t POINTS_BYTES = (size_t)1 << 30;

static int add_point(points *p, const double mm[3]) {
    if (p->n == p->max) {
        size_t larger = 2 * p->max + 1024;
        double *array = realloc(p->mm, 3 * larger * sizeof *array);
        if (!array)
            return fail_memory("the points", 24.0 * (double)larger);
        p->mm = array;
        p->max = larger;
    }
    memcpy(p->mm + 3 * p->n++, mm, 3 * sizeof *mm);
    return OK;
}

static const char *skip_blank(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

/* x, y, z of a line; 0 when it is not three numbers */
static int parse_line(const char *line, double mm[3]) {
    for (int a = 0; a < 3; a++) {
        char *end;
        line = skip_blank(line);
        if (isalpha((unsigned char)*line)) /* no inf, nan or 0x */
            return 0;
        mm[a] = strtod(line, &end);
        if (end == line || !isfinite(mm[a]))
            return 0;
        line = skip_blank(end);
        if (*line != (a < 2 ? ',' : '\0'))
            return 0;
        line++;
    }
    return 1;
}

int points_read(const char *path, points *p) {
    char *text = NULL, *line, *next;
    int rc, number = 0, seen = 0;
    TRY(file_read(path, POINTS_BYTES, &text, NULL));
    line = text && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* UTF-8 as spreadsheets start it */
    for (; line && *line; line = next) {
        double mm[3];
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        size_t n = strlen(line);
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (n == 0 || line[0] == '#')
            continue;
        int header = !seen && isalpha((unsigned char)*skip_blank(line));
        seen = 1;
        if (header)
            continue;
        if (!parse_line(line, mm)) {
            rc = fail(ERR_INPUT, "%s:%d: '%.40s' is not a point: three numbers x,y,z in mm are expected", path, number,
                      line);
            goto cleanup;
        }
        TRY(add_point(p, mm));
    }
    if (p->n == 0)
        rc = fail(ERR_INPUT, "'%s' holds no point: lines of x,y,z in mm are expected", path);
cleanup:
    free(text);
    return rc;
}

void points_free(points *p) {
    free(p->mm);
    *p = (points){0};
}
