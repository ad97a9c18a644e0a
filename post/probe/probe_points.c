/* SPDX-License-Identifier: Apache-2.0 */
#include "post/probe/probe_points.h"
#include "common/base/csv.h"
#include "common/base/status.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const size_t POINTS_BYTES = (size_t)1 << 30;

static int add_point(probe_points *p, const double mm[3]) {
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

int probe_points_read(const char *path, probe_points *p) {
    csv c = {0};
    bool first = true;
    int rc, decimals = -2; /* number of decimals of all numbers read; -1: the numbers differ in their decimals, -2:
                            * none read yet */
    TRY(csv_open(&c, path, POINTS_BYTES));
    while (csv_next(&c)) {
        double mm[3];
        const bool header = first && c.n > 0 && isalpha((unsigned char)*c.field[0]);
        first = first && c.n == 0;
        if (c.n == 0 || header)
            continue;
        if (c.n != 3)
            GIVE_UP(fail(ERR_INPUT, "%s:%d: a point is three numbers x,y,z in mm, this line has %d field%s", path,
                         c.line, c.n, c.n == 1 ? "" : "s"));
        for (int a = 0; a < 3; a++) {
            TRY(csv_finite(&c, a, &mm[a]));
            const int its = csv_decimals(&c, a);
            decimals = decimals == -2 || decimals == its ? its : -1;
        }
        TRY(add_point(p, mm));
        if (!c.whole && decimals < 1)
            GIVE_UP(fail(ERR_INPUT,
                         "%s:%d: the last line has no line break, so it may be incomplete; check its numbers and add a "
                         "line break",
                         path, c.line));
    }
    if (p->n == 0)
        rc = fail(ERR_INPUT, "'%s' holds no point; lines of x,y,z in mm are expected", path);
cleanup:
    csv_close(&c);
    return rc;
}

void probe_points_free(probe_points *p) {
    free(p->mm);
    *p = (probe_points){0};
}
