/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of waveform.h: reading the CSV file. */
#include "common/base/csv.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_MAX = 100000 };
static const double flow_limit_ml_s = 100e3 / 60;      /* Upper limit of a flow, 100 L/min, as for the key `flow` */
static const double period_limits_s[2] = {1e-3, 1000}; /* Limits of the period, as for the key `period` */
static const double like_others = 1.6;                 /* Upper limit of the last time step, in median time steps */
/* Upper limit of the rounding of the stated mean, as a fraction of the mean and of the half-width of its interval; and
 * of the rounding of the rows, as a fraction of the peak */
static const double mean_limit = 0.01, mean_limit_of_interval = 0.25, row_rounding = 1e-5;
static const size_t file_limit = 8000000;

typedef struct {
    const char *path;
    int n;
    double *time_s, *flow_ml_s; /* [SAMPLE_MAX] times and flows of the rows */
    const char *first;          /* first flow as text, as in the file */
    /* number of decimals of the flows read so far; -1: they have different numbers */
    int decimals;
    double stated_mean_ml_s, mean_error_ml_s; /* stated mean flow, half-width of its interval; 0: none */
    bool unreliable;                          /* true: a comment states that the flow is unreliable */
    int stated_rows; /* number of rows according to a comment "# rows: 21"; 0: no such comment */
} samples;

static bool is_header(const csv *c) {
    return c->n == 2 && strcmp(c->field[0], "t_s") == 0 && strcmp(c->field[1], "flow_ml_s") == 0;
}

static int take_row(samples *s, const csv *c) {
    if (c->n != 2)
        return fail(ERR_INPUT, "%s:%d: two numbers with one ',' between them are needed (t_s,flow_ml_s)", s->path,
                    c->line);
    if (s->n == SAMPLE_MAX)
        return fail(ERR_INPUT, "%s:%d: the waveform has too many rows; the limit is %d; keep every second row", s->path,
                    c->line, SAMPLE_MAX);
    int rc = csv_finite(c, 0, &s->time_s[s->n]);
    if (rc == OK)
        rc = csv_finite(c, 1, &s->flow_ml_s[s->n]);
    if (rc != OK)
        return rc;
    double t = s->time_s[s->n];
    if (s->n == 0 ? t != 0 : !(t > s->time_s[s->n - 1]))
        return fail(ERR_INPUT, "%s:%d: t_s is %g, %s %g", s->path, c->line, t,
                    s->n == 0 ? "the first must be" : "it must be above the previous value,",
                    s->n == 0 ? 0 : s->time_s[s->n - 1]);
    s->n++;
    return OK;
}

/* Detects a truncated number, such as "0.8,1" from "0.8,10". A last line without a line break is accepted only if its
 * flow has the same number of decimals as all others, or equals the first flow. */
static int check_end(samples *s, const csv *c) {
    const int decimals = c->n == 2 ? csv_decimals(c, 1) : -1;
    const bool alike = s->n > 0 && decimals > 0 && decimals == s->decimals;
    const bool closed = s->n > 0 && c->n == 2 && strlen(s->first) > 1 && strcmp(s->first, c->field[1]) == 0;
    if (!c->whole && !alike && !closed)
        return fail(
            ERR_INPUT,
            "%s:%d: the last line has no line break, so it may be truncated; check its number and add a line break",
            s->path, c->line);
    if (s->n == 0 && c->n == 2)
        s->first = c->field[1];
    s->decimals = s->n == 0 || s->decimals == decimals ? decimals : -1;
    return OK;
}

static int take_rows(samples *s, csv *c) {
    bool header = false;
    while (csv_next(c)) {
        if (c->n == 0) {
            sscanf(c->field[0], "rows: %d", &s->stated_rows);
            sscanf(c->field[0], "mean flow %lf mL/s, 95 %% interval +- %lf", &s->stated_mean_ml_s, &s->mean_error_ml_s);
            s->unreliable = s->unreliable || strncmp(c->field[0], "unreliable:", 11) == 0;
            continue;
        }
        if (!header && !is_header(c))
            return fail(ERR_INPUT, "%s:%d: the first line must be the header 't_s,flow_ml_s'; insert it", s->path,
                        c->line);
        int rc = header || !c->whole ? check_end(s, c) : OK;
        if (rc == OK && header)
            rc = take_row(s, c);
        if (rc != OK)
            return rc;
        header = true;
    }
    return OK;
}

/* If no row closes the cycle, the cycle ends one step after the last row. This is valid only if the last step is
 * similar to the others. */
static int check_last_step(const samples *s) {
    const int n = s->n - 1;
    const double last = s->time_s[n] - s->time_s[n - 1];
    double *step = malloc((size_t)n * sizeof *step);
    if (!step)
        return fail_memory("a waveform", (double)n * sizeof *step);
    for (int i = 0; i < n; i++)
        step[i] = s->time_s[i + 1] - s->time_s[i];
    const double usual = order_median(step, n);
    free(step);
    if (last <= like_others * usual && usual <= like_others * last)
        return OK;
    return fail(ERR_INPUT,
                "%s: its last time step is %.4g s, the others are about %.4g s, so the end of the cycle is unknown; "
                "let the last row have the time of the end of the period and the flow of the first row",
                s->path, last, usual);
}

/* Takes the stated interval if the stated mean is the mean of the rows, except for rounding. */
static void take_interval(const samples *s, waveform *w) {
    const double mean = waveform_mean_m3_s(w);
    double peak = 0;
    if (!(s->mean_error_ml_s > 0))
        return;
    for (int i = 0; i < w->n; i++)
        peak = fmax(peak, fabs(w->flow_m3_s[i]));
    w->stated_mean_m3_s = 1e-6 * s->stated_mean_ml_s;
    const double rounding = fmax(mean_limit * fabs(mean), 1e-6 * mean_limit_of_interval * s->mean_error_ml_s);
    w->wrong_mean = !(fabs(w->stated_mean_m3_s - mean) <= rounding + row_rounding * peak);
    w->mean_error_m3_s = w->wrong_mean ? 0 : 1e-6 * s->mean_error_ml_s;
}

static int build_waveform(samples *s, waveform *w) {
    if (s->stated_rows != 0 && s->stated_rows != s->n)
        return fail(
            ERR_INPUT,
            "%s: its comment '# rows:' states %d rows, but it has %d; add the missing rows or correct the comment",
            s->path, s->stated_rows, s->n);
    if (s->n < 3)
        return fail(ERR_INPUT, "%s: a waveform needs at least 3 rows, but this one has %d; add rows", s->path, s->n);
    double peak = 0, last = s->time_s[s->n - 1];
    for (int i = 0; i < s->n; i++)
        peak = fmax(peak, fabs(s->flow_ml_s[i]));
    bool closed = fabs(s->flow_ml_s[s->n - 1] - s->flow_ml_s[0]) <= 1e-9 * peak;
    const int rc = closed ? OK : check_last_step(s);
    if (rc != OK)
        return rc;
    double period = closed ? last : last + (last - s->time_s[s->n - 2]);
    if (peak > flow_limit_ml_s)
        return fail(ERR_INPUT, "%s: a flow of %.4g mL/s is above %.0f mL/s (100 L/min); check its unit (mL/s)", s->path,
                    peak, flow_limit_ml_s);
    if (period < period_limits_s[0] || period > period_limits_s[1])
        return fail(ERR_INPUT, "%s: its period of %.4g s is outside %g to %g s; check its unit (s)", s->path, period,
                    period_limits_s[0], period_limits_s[1]);
    for (int i = 0; i < s->n; i++)
        s->flow_ml_s[i] *= 1e-6;
    const int made = waveform_create(w, s->n - closed, s->time_s, s->flow_ml_s, period);
    if (made == OK)
        take_interval(s, w);
    w->unreliable = made == OK && s->unreliable;
    return made;
}

int waveform_read(const char *path, waveform *w) {
    samples s = {.path = path};
    csv c = {0};
    int rc;
    memset(w, 0, sizeof *w);
    TRY(csv_open(&c, path, file_limit));
    s.time_s = malloc(SAMPLE_MAX * sizeof *s.time_s);
    s.flow_ml_s = malloc(SAMPLE_MAX * sizeof *s.flow_ml_s);
    if (!s.time_s || !s.flow_ml_s) {
        rc = fail_memory("a waveform", 16.0 * SAMPLE_MAX);
        goto cleanup;
    }
    TRY(take_rows(&s, &c));
    TRY(build_waveform(&s, w));
cleanup:
    csv_close(&c);
    free(s.time_s);
    free(s.flow_ml_s);
    return rc;
}
