/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/monitors.h"
#include "common/base/csv.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 4 };
static const size_t FILE_BYTES = (size_t)1 << 30;

enum {
    STEP,
    TIME,
    CHANGE,
    OPENINGS = 4
}; /* columns of the file: step, time_s, residual, flow_balance; then flow and pressure of each opening; then values
    * of heat */

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

/* Append the current row of the file. rows: number of values for which each opening has memory. */
static int read_row(const csv *c, int columns, size_t rows, monitors *m) {
    double time_s, value[2];
    int rc = OK;
    if (!c->whole || c->n != columns)
        GIVE_UP(fail(ERR_INPUT, "%s:%d: the row is incomplete or has %d columns, not %d; run solve again", c->path,
                     c->line, c->n, columns));
    TRY(csv_finite(c, TIME, &time_s));
    while (m->n > 0 && m->time_s[m->n - 1] >= time_s)
        m->n--;
    TRY(csv_number(c, STEP, &m->step[m->n]));
    TRY(csv_number(c, CHANGE, &m->change[m->n]));
    for (int k = 0; k < m->n_opening; k++) {
        for (int a = 0; a < 2; a++)
            TRY(csv_number(c, OPENINGS + 2 * k + a, &value[a]));
        m->flow_ml_s[(size_t)k * rows + (size_t)m->n] = value[0];
        m->pressure_pa[(size_t)k * rows + (size_t)m->n] = value[1];
    }
    m->time_s[m->n++] = time_s;
cleanup:
    return rc;
}

int monitors_read(const char *path, const lattice *l, monitors *m) {
    csv c = {0};
    size_t rows = 1;
    const size_t n_opening = (size_t)l->n_opening;
    int rc;
    *m = (monitors){.n_opening = l->n_opening};
    TRY(csv_open(&c, path, FILE_BYTES));
    for (const char *text = c.text; *text; text++)
        rows += *text == '\n';
    if (!csv_next(&c) || !is_header(&c, l))
        GIVE_UP(fail(ERR_INPUT, "'%s' does not have the columns of this lattice's openings; run solve again", path));
    const int columns = c.n;
    m->step = calloc(3 * rows, sizeof *m->step);
    m->flow_ml_s = malloc(2 * rows * (n_opening + 1) * sizeof *m->flow_ml_s);
    if (!m->step || !m->flow_ml_s)
        GIVE_UP(fail_memory("the monitors", 8.0 * (double)rows * (2 * l->n_opening + 5)));
    m->time_s = m->step + rows;
    m->change = m->time_s + rows;
    m->pressure_pa = m->flow_ml_s + rows * n_opening;
    while (csv_next(&c))
        TRY(read_row(&c, columns, rows, m));
    for (size_t k = 0; k < 2 * n_opening; k++) /* each opening has room for `rows` values; moves the values that were
                                                * read together */
        memmove(m->flow_ml_s + k * (size_t)m->n, m->flow_ml_s + k * rows, (size_t)m->n * sizeof *m->flow_ml_s);
    m->pressure_pa = m->flow_ml_s + n_opening * (size_t)m->n;
cleanup:
    csv_close(&c);
    if (rc != OK)
        monitors_free(m);
    return rc;
}

void monitors_free(monitors *m) {
    free(m->step);
    free(m->flow_ml_s);
    memset(m, 0, sizeof *m);
}

/* Weight of node j of n in the Lagrange interpolation at t. */
static double lagrange_weight(const double *node, int n, int j, double t) {
    double w = 1;
    for (int k = 0; k < n; k++)
        if (k != j)
            w *= (t - node[k]) / (node[j] - node[k]);
    return w;
}

void monitors_at(const monitors *m, double before_end_s, double *flow_ml_s, double *pressure_pa) {
    const int n = m->n < NODES ? m->n : NODES;
    const double t = m->n > 0 ? m->time_s[m->n - 1] - before_end_s : NAN;
    const double slack = m->n > 1 ? 0.01 * (m->time_s[m->n - 1] - m->time_s[m->n - 2]) : 0;
    const bool known = m->n > 0 && t >= m->time_s[0] - slack && before_end_s >= 0;
    int first = 0;
    while (known && first + n < m->n && m->time_s[first + n / 2] < t)
        first++;
    for (int o = 0; o < m->n_opening; o++) {
        const double *const value[2] = {m->flow_ml_s + (size_t)o * (size_t)m->n + first,
                                        m->pressure_pa + (size_t)o * (size_t)m->n + first};
        double sum[2] = {0, 0};
        for (int j = 0; j < n && known; j++)
            for (int a = 0; a < 2; a++)
                sum[a] += lagrange_weight(m->time_s + first, n, j, t) * value[a][j];
        flow_ml_s[o] = known ? sum[0] : NAN;
        pressure_pa[o] = known ? sum[1] : NAN;
    }
}
