/* SPDX-License-Identifier: Apache-2.0 */
/* A plot: a CSV file of the points and a PNG drawn by `post plot`. */
#ifndef PORTAFLOW_PLOT_H
#define PORTAFLOW_PLOT_H
#include "pipeline/reproduce/results.h"

typedef struct {
    const char *name;              /* file name: <study>-<name>.csv and .png */
    const char *title;             /* title of the plot and caption on the page */
    const char *x_label, *y_label; /* labels with units */
    int log, log_x;                /* log 1: both axes are logarithmic; log_x 1: only the x axis is */
    /* 1: curves in a plane, such as streamlines: both axes have the same scale, and there is no legend */
    int plane;
    int colour; /* colour of the curves that follow, 1 to 8; 0: automatic */
    char *csv;  /* points so far, as CSV; owned */
    size_t length;
    int error; /* first status other than OK; after it all calls do nothing */
} plot;

enum plot_style { PLOT_LINE, PLOT_POINTS };

/* Adds a curve x, y [n]. Of reference and result, the curve with more points is drawn as a line and the other as points
 * (style). */
void plot_curve(plot *p, const char *series, enum plot_style style, int n, const double *x, const double *y);

/* Writes both files into the results folder and shows the picture there. Without `post` only the CSV is written, and
 * the page says so. Frees the curves. */
void plot_write(plot *p, results *r);

void plot_free(plot *p); /* frees the curves without writing them */
#endif
