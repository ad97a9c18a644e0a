/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/study_plot.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/numbers.h"
#include "pipeline/run/process.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

plot plot_new(results *page, const char *name, const char *title, const char *x_label, const char *y_label) {
    return (plot){.page = page, .name = name, .title = title, .x_label = x_label, .y_label = y_label};
}

void plot_curve(plot *p, enum plot_style style, int n, const double *x, const double *y, const char *format, ...) {
    char series[160], kind[16];
    va_list args;
    va_start(args, format);
    vsnprintf(series, sizeof series, format, args);
    va_end(args);
    if (!p->to) {
        p->to = open_memstream(&p->csv, &p->length);
        if (!p->to) {
            results_fail(p->page, fail_memory("a plot", 0));
            return;
        }
        fprintf(p->to, "series,style,x,y\n");
    }
    const char *quote = strchr(series, ',') ? "\"" : "";
    snprintf(kind, sizeof kind, p->colour ? "%s %d" : "%s", style == PLOT_LINE ? "line" : "points", p->colour);
    for (int k = 0; k < n; k++)
        fprintf(p->to, "%s%s%s,%s,%.9g,%.9g\n", quote, series, quote, kind, x[k], y[k]);
}

void plot_function(plot *p, const char *series, enum plot_style style, int n, double low, double high,
                   double (*f)(double, const void *), const void *data) {
    double *x = malloc(2 * (size_t)n * sizeof *x);
    if (!x) {
        results_fail(p->page, fail_memory("a plot", 2.0 * n * sizeof *x));
        return;
    }
    for (int k = 0; k < n; k++) {
        x[k] = numbers_between(k, n, low, high);
        x[n + k] = f(x[k], data);
    }
    plot_curve(p, style, n, x, x + n, "%s", series);
    free(x);
}

/* Draws the picture. *drawn: false if this build has no `post`. */
static int make_picture(const plot *p, const char *data, const char *picture, bool *drawn) {
    static const char *const square[] = {"--plane", "--width", "760", "--height", "760", NULL};
    const char *argument[20] = {"plot",     "--data", data,       "--title", p->title, "--x",
                                p->x_label, "--y",    p->y_label, "--out",   picture};
    enum { MORE = 11 };
    char program[FILE_PATH_MAX];
    process_result r;
    int rc = OK;
    if (p->log || p->log_x)
        argument[MORE] = p->log ? "--log" : "--log-x";
    else if (p->plane)
        memcpy(argument + MORE, square, sizeof square);
    TRY(process_program("post", program, sizeof program));
    *drawn = file_exists(program);
    if (!*drawn)
        goto cleanup;
    TRY(process_run_program("post", argument, &r));
    TRY(process_check("post plot", &r));
cleanup:
    return rc;
}

void plot_write(plot *p) {
    results *r = p->page;
    const char *stem = results_format(r, "%s/%s-%s", r->folder, r->study, p->name);
    const char *data = results_format(r, "%s.csv", stem), *picture = results_format(r, "%s.png", stem);
    bool drawn = false;
    if (p->to && (fflush(p->to) != 0 || ferror(p->to)))
        results_fail(r, fail_memory("a plot", (double)p->length));
    if (r->error == OK)
        results_fail(r, file_write(data, p->csv, p->length));
    if (r->error == OK)
        results_fail(r, make_picture(p, data, picture, &drawn));
    if (drawn)
        results_picture(r, picture, p->title);
    else
        results_text(r, "(%s: no picture, `post` is not in this build; the points are in `%s`)", p->title,
                     file_name(data));
    plot_free(p);
}

void plot_free(plot *p) {
    if (p->to)
        fclose(p->to);
    free(p->csv);
    p->to = NULL;
    p->csv = NULL;
}
