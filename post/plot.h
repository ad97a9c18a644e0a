/* SPDX-License-Identifier: Apache-2.0 */
/* `post plot`: curves from a CSV file as a PNG; `pipeline reproduce` uses it. */
#ifndef PORTAFLOW_POST_PLOT_H
#define PORTAFLOW_POST_PLOT_H
#include "common/base/must_check.h"

/* Runs `post plot`; argv[0] is "plot". Errors: ERR_USAGE, ERR_INPUT (with file:line), ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int plot_main(int argc, char **argv);

/* Curves of a CSV file with the header "series,style,x,y"; each series is drawn in the order of its rows. A series name
 * with a comma is quoted. style: line or points; "points 2" sets the second colour, otherwise each series has its own
 * colour. */
typedef struct {
    int n_curve;
    struct plot_curve {
        char *name;
        int points; /* 1: marks; 0: a line */
        int colour; /* colour of the curve, 1 to 8; 0: the next colour */
        int n;
        double *x, *y; /* [n] points of the curve */
    } * curve;
} plot_data;

/* reads a CSV for `post plot`. Errors: ERR_INPUT with file:line, ERR_RESOURCE */
MUST_CHECK int plot_read(const char *path, plot_data *d);
void plot_free(plot_data *d);
#endif
