/* See monitors.h. */
#include "post/flow/monitors.h"
#include "common/base/csv.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 3, NODES = 4 };
static const size_t FILE_BYTES = (size_t)1 << 30;

enum {
    TIME = 1,
    OPENINGS = 4
}; /* columns: step, time_s, change, flow_balance, flow and pressure of each opening, then others */

static bool is_column(const csv *c, int k, const char *name, const char *what) {
    char expected[LATTICE_NAME_MAX + 16];
    snprintf(expected, sizeof expected, "%s%s", name, what);
    return strcmp(c->field[k], expected) == 0;
}

static bool is_header(const csv *c, const lattice *l) {
    bool same = c->n >= OPENINGS + 2 * l->n_opening && is_column(c, TIME, "time_s", "");
    for (int k = 0; k < l->n_opening && same; k++)
        same = is_column(c, OPENINGS + 2 * k, l->opening[k].name, "_flow_ml_s") &&
               is_column(c, OPENINGS + 2 * k + 1, l->opening[k].name, "_pressure_pa");
    return same;
}

/* time_s and the openings' columns of a row */
static int take_row(const csv *c, int columns, int n, double *time_s, double *value) {
    int rc = OK;
    if (!c->whole || c->n != columns)
        GIVE_UP(fail(ERR_INPUT, "%s:%d: the row is cut short or has %d columns, not %d; run solve again", c->path,
                     c->line, c->n, columns));
    TRY(csv_finite(c, TIME, time_s));
    for (int k = 0; k < n; k++)
        TRY(csv_number(c, OPENINGS + k, &value[k]));
cleanup:
    return rc;
}

/* The rows of the end only: what lies earlier is dropped. */
static void keep_end(monitors *m, double span_s) {
    int first = 0, wide = 2 * m->n_opening;
    if (m->n_row == 0)
        return;
    while (first < m->n_row && m->time_s[first] < m->time_s[m->n_row - 1] - span_s)
        first++;
    first = first > BEFORE ? first - BEFORE : 0;
    m->n_row -= first;
    memmove(m->time_s, m->time_s + first, (size_t)m->n_row * sizeof *m->time_s);
    memmove(m->value, m->value + (size_t)first * (size_t)wide, (size_t)m->n_row * (size_t)wide * sizeof *m->value);
}

int monitors_read(const char *path, const lattice *l, double span_s, monitors *m) {
    csv c = {0};
    size_t rows = 1;
    int rc, wide = 2 * l->n_opening;
    *m = (monitors){.n_opening = l->n_opening};
    TRY(csv_open(&c, path, FILE_BYTES));
    for (const char *text = c.text; *text; text++)
        rows += *text == '\n';
    if (!csv_next(&c) || !is_header(&c, l))
        GIVE_UP(fail(ERR_INPUT, "'%s' does not have the columns of this lattice's openings; run solve again", path));
    const int columns = c.n; /* those of heat come behind the openings' */
    m->time_s = calloc(rows, sizeof *m->time_s);
    m->value = malloc(rows * ((size_t)wide + 1) * sizeof *m->value);
    if (!m->time_s || !m->value) {
        rc = fail_memory("the monitors", (double)rows * (wide + 1) * sizeof *m->value);
        goto cleanup;
    }
    while (csv_next(&c)) {
        double time_s, *row = m->value + (size_t)m->n_row * (size_t)wide;
        TRY(take_row(&c, columns, wide, &time_s, row));
        while (m->n_row > 0 && m->time_s[m->n_row - 1] >= time_s)
            m->n_row--;
        memmove(m->value + (size_t)m->n_row * (size_t)wide, row, (size_t)wide * sizeof *row);
        m->time_s[m->n_row++] = time_s;
    }
    keep_end(m, span_s);
cleanup:
    csv_close(&c);
    if (rc != OK)
        monitors_free(m);
    return rc;
}

void monitors_free(monitors *m) {
    free(m->time_s);
    free(m->value);
    memset(m, 0, sizeof *m);
}

/* Lagrange's weight of node j of n at t */
static double lagrange(const double *node, int n, int j, double t) {
    double w = 1;
    for (int k = 0; k < n; k++)
        if (k != j)
            w *= (t - node[k]) / (node[j] - node[k]);
    return w;
}

void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa) {
    const int wide = 2 * m->n_opening, n = m->n_row < NODES ? m->n_row : NODES;
    const double t = m->n_row > 0 ? m->time_s[m->n_row - 1] - before_end_s : NAN;
    const double slack = m->n_row > 1 ? 0.01 * (m->time_s[m->n_row - 1] - m->time_s[m->n_row - 2]) : 0;
    const bool known = m->n_row > 0 && t >= m->time_s[0] - slack && before_end_s >= 0;
    int first = 0;
    while (known && first + n < m->n_row && m->time_s[first + n / 2] < t)
        first++;
    for (int o = 0; o < m->n_opening; o++) {
        double sum[2] = {0, 0};
        for (int j = 0; j < n && known; j++)
            for (int a = 0; a < 2; a++)
                sum[a] += lagrange(m->time_s + first, n, j, t) * m->value[(first + j) * (int64_t)wide + 2 * o + a];
        flow_ml_s[o] = known ? sum[0] : NAN;
        pressure_pa[o] = known ? sum[1] : NAN;
    }
}
