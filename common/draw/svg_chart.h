/* SPDX-License-Identifier: Apache-2.0 */
/* Curves as SVG in the report: axes with round numbers, and a legend. */
#ifndef PORTAFLOW_SVG_CHART_H
#define PORTAFLOW_SVG_CHART_H
#include "common/draw/html.h"
#include <stdbool.h>

enum { SVG_CHART_CURVES = 12 };

typedef struct {
    const char *title, *x_label, *y_label; /* labels with units, as plain text */
    bool log_y;                            /* true: the y axis is logarithmic, and values <= 0 are omitted */
    int n;
    struct {
        const char *name; /* text of the user, which svg_chart_add escapes */
        int n;
        const double *x, *y; /* [n] points of the curve; a value that is not finite interrupts it */
    } curve[SVG_CHART_CURVES];
} svg_chart;

/* Adds the chart; nothing if there are fewer than two points. */
void svg_chart_add(html *h, const svg_chart *c);
#endif
