/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/study_plot.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LENGTH = RESULTS_PATH_MAX + 160 };

void plot_curve(plot *p, const char *series, enum plot_style style, int n, const double *x, const double *y) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = p->error == OK ? open_memstream(&text, &size) : NULL;
    if (!f)
        return;
    const char *quote = strchr(series, ',') ? "\"" : "";
    char kind[16];
    snprintf(kind, sizeof kind, p->colour ? "%s %d" : "%s", style == PLOT_LINE ? "line" : "points", p->colour);
    fprintf(f, "%s", p->csv ? p->csv : "series,style,x,y\n");
    for (int k = 0; k < n; k++)
        fprintf(f, "%s%s%s,%s,%.9g,%.9g\n", quote, series, quote, kind, x[k], y[k]);
    if (fclose(f) != 0)
        p->error = fail_memory("a plot", (double)size);
    free(p->csv);
    p->csv = text;
    p->length = size;
}

/* Draws the picture and returns 1. Returns 0 if this build cannot draw, or after an error; *error is then its
 * status. */
static int make_picture(const plot *p, const char *data, const char *picture, int *error) {
    static const char *const square[] = {"--plane", "--width", "760", "--height", "760"};
    char bin[PATH_LENGTH], program[PATH_LENGTH + 8];
    const char *argv[] = {program,    "plot",  "--data", data, "--title", p->title, "--x", p->x_label, "--y",
                          p->y_label, "--out", picture,  NULL, NULL,      NULL,     NULL,  NULL,       NULL};
    enum { MORE = sizeof argv / sizeof *argv - 6 };
    process_result r;
    if (p->log || p->log_x)
        argv[MORE] = p->log ? "--log" : "--log-x";
    else if (p->plane)
        for (int k = 0; k < 5; k++)
            argv[MORE + k] = square[k];
    *error = process_bin_folder(bin, sizeof bin);
    snprintf(program, sizeof program, "%s/post", bin);
    if (*error != OK || access(program, X_OK) != 0)
        return 0;
    *error = process_run(argv, NULL, NULL, 1, &r);
    if (*error == OK)
        *error = process_check("post plot", &r);
    return *error == OK;
}

void plot_write(plot *p, results *r) {
    char data[PATH_LENGTH], picture[PATH_LENGTH];
    int error = p->error;
    snprintf(data, sizeof data, "%s/%s-%s.csv", r->folder, r->study, p->name);
    snprintf(picture, sizeof picture, "%s/%s-%s.png", r->folder, r->study, p->name);
    if (error == OK && r->error == OK)
        error = file_write(data, p->csv ? p->csv : "", p->length);
    if (error == OK && r->error == OK) {
        if (make_picture(p, data, picture, &error))
            results_picture(r, picture, p->title);
        else if (error == OK)
            results_text(r, "(%s: no picture, `post` is not in this build; the points are in `%s`)", p->title,
                         file_name(data));
    }
    if (r->error == OK)
        r->error = error;
    plot_free(p);
}

void plot_free(plot *p) {
    free(p->csv);
    p->csv = NULL;
}
