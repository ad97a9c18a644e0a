/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/reference.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <string.h>

static int take_row(const csv *c, reference *r) {
    int rc = OK;
    if (r->n_row == REFERENCE_ROWS)
        return fail(ERR_INPUT, "%s:%d: the reference has more than %d rows; remove rows", c->path, c->line,
                    REFERENCE_ROWS);
    if (c->n != r->n_column)
        return fail(ERR_INPUT, "%s:%d: the row has %d columns, the header has %d; correct the row", c->path, c->line,
                    c->n, r->n_column);
    for (int k = 0; k < c->n; k++)
        TRY(csv_number(c, k, &r->value[k][r->n_row]));
    r->n_row++;
cleanup:
    return rc;
}

int reference_read(const char *folder, const char *name, reference *r) {
    char path[FILE_PATH_MAX];
    csv c = {0};
    int rc = OK;
    memset(r, 0, sizeof *r);
    TRY(file_path(path, sizeof path, "%s/%s", folder, name));
    TRY(csv_open(&c, path, 1000000));
    while (csv_next(&c)) {
        if (c.n > 0 && r->n_column > 0)
            TRY(take_row(&c, r));
        else if (c.n > REFERENCE_COLUMNS)
            GIVE_UP(fail(ERR_INPUT, "%s:%d: the reference has more than %d columns; remove columns", path, c.line,
                         REFERENCE_COLUMNS));
        else if (c.n > 0)
            r->n_column = c.n; /* row 0 has the names of the columns */
    }
    if (r->n_row == 0)
        rc = fail(ERR_INPUT, "the reference '%s' has no rows; restore the file", path);
cleanup:
    csv_close(&c);
    return rc;
}
