/* See monitors.h. */
#include "post/flow/monitors.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE = 3, NODES = 4 };
static const size_t FILE_BYTES = (size_t)1 << 30;

/* "step,time_s,change,flow_balance,IN_flow_ml_s,IN_pressure_pa,.." */
static int check_header(const char *path, const char *text, const lattice *l) {
    char expected[2 * LATTICE_NAME_MAX + 64] = "step,time_s,change,flow_balance";
    for (int k = -1; k < l->n_opening; k++) {
        if (k >= 0)
            snprintf(expected, sizeof expected, ",%s_flow_ml_s,%s_pressure_pa", l->opening[k].name, l->opening[k].name);
        size_t n = strlen(expected);
        if (strncmp(text, expected, n) != 0)
            return fail(ERR_INPUT, "'%s' does not have the columns of this lattice's openings; run solve again", path);
        text += n;
    }
    return OK;
}

/* time_s and the openings' columns of a row; 0 when it is cut off */
static int parse_row(const char *row, int n, double *time_s, double *value) {
    char *end;
    strtol(row, &end, 10);
    for (int k = -3; k < n; k++) { /* time_s, change and flow_balance come first */
        if (*end != ',')
            return 0;
        const char *from = end + 1;
        double x = strtod(from, &end);
        if (end == from)
            return 0;
        if (k == -3)
            *time_s = x;
        else if (k >= 0)
            value[k] = x;
    }
    return *end == '\n';
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
    char *text = NULL;
    size_t rows = 1;
    int rc, wide = 2 * l->n_opening;
    *m = (monitors){.n_opening = l->n_opening};
    TRY(file_read(path, FILE_BYTES, &text, NULL));
    TRY(check_header(path, text, l));
    for (const char *c = text; *c; c++)
        rows += *c == '\n';
    m->time_s = calloc(rows, sizeof *m->time_s);
    m->value = malloc(rows * ((size_t)wide + 1) * sizeof *m->value);
    if (!m->time_s || !m->value) {
        rc = fail_memory("the monitors", (double)rows * (wide + 1) * sizeof *m->value);
        goto cleanup;
    }
    for (const char *row = strchr(text, '\n'); row && row[1]; row = strchr(row + 1, '\n')) {
        double *time_s = m->time_s + m->n_row;
        if (parse_row(row + 1, wide, time_s, m->value + (size_t)m->n_row * (size_t)wide) &&
            (m->n_row == 0 || time_s[0] > time_s[-1]))
            m->n_row++;
    }
    keep_end(m, span_s);
cleanup:
    free(text);
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
