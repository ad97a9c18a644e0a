/* A picture with curves: a CSV file of the points and, by `post plot`, a PNG of them. */
#ifndef PORTAFLOW_PLOT_H
#define PORTAFLOW_PLOT_H
#include "pipeline/reproduce/results.h"

typedef struct {
    const char *name;              /* of the files: <item>-<name>.csv and .png */
    const char *title;             /* also the caption */
    const char *x_label, *y_label; /* with units */
    int log, log_x;                /* 1: both axes logarithmic; the x axis alone */
    int plane;                     /* 1: curves in a plane, like streamlines */
    int colour;                    /* of the curves that follow, 1 to 8; 0: each its own */
    char *csv;                     /* owned */
    size_t length;
    int error; /* first status that was not OK; later calls do nothing */
} plot;

enum plot_style { PLOT_LINE, PLOT_POINTS };

/* Reference as a line, ours as points, or the other way round: what has more points is the line.
 *   x, y  [n] */
void plot_curve(plot *p, const char *series, enum plot_style style, int n, const double *x, const double *y);

/* Write both files into the results' folder and show the picture there. Where `post` is not in this build the results
 * say so and only the CSV is written. Frees the curves. */
void plot_write(plot *p, results *r);

void plot_free(plot *p); /* the curves, unwritten */
#endif
