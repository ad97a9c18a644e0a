/* See history.h. */
#include "post/flow/history.h"
#include "common/base/csv.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 200000000, FIRST = 4 }; /* step, time_s, change, flow_balance */

static int check_columns(const csv *c, const lattice *l) {
    char name[LATTICE_NAME_MAX + 32];
    bool good = c->n >= FIRST + 2 * l->n_opening || c->n > CSV_FIELDS_MAX;
    for (int k = 0; k < l->n_opening && good && FIRST + 2 * k + 1 < CSV_FIELDS_MAX; k++) {
        snprintf(name, sizeof name, "%s_flow_ml_s", l->opening[k].name);
        good = strcmp(c->field[FIRST + 2 * k], name) == 0;
    }
    return good ? OK : fail(ERR_INPUT, "'%s' does not have the columns of this lattice's openings", c->path);
}

/* One more row; each quantity of its own grows by doubling. */
static int grow(history *h, int room) {
    double **array[] = {&h->step, &h->time_s, &h->change};
    for (int k = 0; k < 3; k++) {
        double *larger = realloc(*array[k], (size_t)room * sizeof *larger);
        if (!larger)
            return fail_memory("the curves of the run", 8.0 * room);
        *array[k] = larger;
    }
    for (int which = 0; which < 2; which++) {
        double **to = which ? &h->pressure_pa : &h->flow_ml_s;
        double *larger = realloc(*to, (size_t)room * (size_t)(h->n_opening + 1) * sizeof *larger);
        if (!larger)
            return fail_memory("the curves of the run", 8.0 * room * h->n_opening);
        *to = larger;
    }
    return OK;
}

/* The values are read a row at a time, [n][n_opening], and turned at the end. */
static int turn(double **of, int n, int n_opening) {
    double *turned = malloc(((size_t)n * (size_t)n_opening + 1) * sizeof *turned);
    if (!turned)
        return fail_memory("the curves of the run", 8.0 * n * n_opening);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n_opening; k++)
            turned[(size_t)k * (size_t)n + (size_t)i] = (*of)[(size_t)i * (size_t)n_opening + (size_t)k];
    free(*of);
    *of = turned;
    return OK;
}

static int take_row(const csv *c, const lattice *l, history *h) {
    const size_t at = (size_t)h->n;
    int rc = OK;
    if (c->n < FIRST + 2 * (l->n_opening < 30 ? l->n_opening : 30))
        return OK; /* cut off: the run was stopped while it wrote */
    TRY(csv_number(c, 0, &h->step[at]));
    TRY(csv_number(c, 1, &h->time_s[at]));
    TRY(csv_number(c, 2, &h->change[at]));
    for (int k = 0; k < h->n_opening; k++) {
        TRY(csv_number(c, FIRST + 2 * k, &h->flow_ml_s[at * (size_t)h->n_opening + (size_t)k]));
        TRY(csv_number(c, FIRST + 2 * k + 1, &h->pressure_pa[at * (size_t)h->n_opening + (size_t)k]));
    }
    h->n++;
cleanup:
    return rc;
}

int history_read(const char *path, const lattice *l, history *h) {
    csv c = {0};
    int rc = OK, room = 0;
    *h = (history){.n_opening = l->n_opening < 30 ? l->n_opening : 30};
    TRY(csv_open(&c, path, FILE_BYTES));
    for (bool first = true; csv_next(&c); first = false) {
        if (first) {
            TRY(check_columns(&c, l));
            continue;
        }
        if (h->n == room) {
            room = room ? 2 * room : 256;
            TRY(grow(h, room));
        }
        TRY(take_row(&c, l, h));
    }
    if (h->n > 0) {
        TRY(turn(&h->flow_ml_s, h->n, h->n_opening));
        TRY(turn(&h->pressure_pa, h->n, h->n_opening));
    }
cleanup:
    csv_close(&c);
    return rc;
}

void history_free(history *h) {
    free(h->step);
    free(h->time_s);
    free(h->change);
    free(h->flow_ml_s);
    free(h->pressure_pa);
    *h = (history){0};
}
