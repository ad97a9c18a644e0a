/* The papers' tables of speed: published.csv beside measured.csv, the latter made by `solve bench` on a machine of its
 * own (its first line says which). A comment line (#) becomes a paragraph, the rest a table. */
#include "common/file.h"
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show(const char *folder, const char *name, const char *table, results *r) {
    char path[FILE_PATH_MAX], *text = NULL, *rest, *row;
    int rc = OK, head = 1;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return fail(ERR_INPUT, "the path '%.60s...' is too long", folder);
    TRY(file_read(path, 1000000, &text, NULL));
    rest = text;
    while ((row = strsep(&rest, "\n"))) {
        if (*row == '#')
            results_text(r, "%s", row + 1 + strspn(row + 1, " "));
        if (!*row || *row == '#')
            continue;
        for (char *c = row; *c; c++)
            if (*c == ',')
                *c = '|';
        if (head)
            results_table(r, table, row);
        else
            results_row(r, "%s", row);
        head = 0;
    }
cleanup:
    free(text);
    return rc;
}

int item_speed(const item_context *x, results *r) {
    char path[FILE_PATH_MAX];
    int rc = show(x->source, "published.csv", "published", r);
    snprintf(path, sizeof path, "%s/measured.csv", x->source);
    if (rc != OK)
        return rc;
    if (!file_exists(path)) {
        results_text(r, "Not measured yet: there is no `measured.csv` beside the published numbers.");
        return OK;
    }
    results_text(r, "Ours:");
    return show(x->source, "measured.csv", "measured", r);
}
