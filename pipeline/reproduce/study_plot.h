/* SPDX-License-Identifier: Apache-2.0 */
/* A plot of a page: a CSV file of the points and a PNG drawn by `post plot`. Errors are recorded on the page. */
#ifndef PORTAFLOW_PLOT_H
#define PORTAFLOW_PLOT_H
#include "pipeline/reproduce/results.h"
#include <stdio.h>

typedef struct {
    results *page;
    const char *name;              /* file name: <study>-<name>.csv and .png */
    const char *title;             /* title of the plot and caption on the page */
    const char *x_label, *y_label; /* labels with units */
    bool log, log_x;               /* log: both axes are logarithmic; log_x: only the x axis is */
    /* true: curves in a plane, such as streamlines: both axes have the same scale, and there is no legend */
    bool plane;
    int colour; /* colour of the curves that follow, 1 to 8; 0: automatic */
    FILE *to;   /* stream into csv; NULL: no curve yet */
    char *csv;  /* points so far, as CSV; owned */
    size_t length;
} plot;

enum plot_style { PLOT_LINE, PLOT_POINTS };

plot plot_new(results *page, const char *name, const char *title, const char *x_label, const char *y_label);

/* Adds a curve x, y [n]; `format`: its name in the legend. Of reference and result, the curve with more points is drawn
 * as a line and the other as points (style). */
void plot_curve(plot *p, enum plot_style style, int n, const double *x, const double *y, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Adds f(x, data) at n points from low to high. */
void plot_function(plot *p, const char *series, enum plot_style style, int n, double low, double high,
                   double (*f)(double, const void *), const void *data);

/* Writes both files into the folder of the page and shows the picture there. Without `post` only the CSV is written,
 * and the page says so. Frees the curves. */
void plot_write(plot *p);

void plot_free(plot *p); /* frees the curves without writing them */
#endif
