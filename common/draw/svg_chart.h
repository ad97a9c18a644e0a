/* Curves as SVG in the report: axes with round numbers, and a legend. */
#ifndef PORTAFLOW_SVG_CHART_H
#define PORTAFLOW_SVG_CHART_H
#include "common/draw/html.h"
#include <stdbool.h>

enum { SVG_CHART_CURVES = 12 };

typedef struct {
    const char *title, *x_label, *y_label; /* labels with units; plain text */
    bool log_y;                            /* values <= 0 are omitted */
    int n;
    struct {
        const char *name; /* text of the user, which svg_chart_add escapes */
        int n;
        const double *x, *y; /* [n]; non-finite values interrupt the curve */
    } curve[SVG_CHART_CURVES];
} svg_chart;

/* Adds the chart; nothing if there are fewer than two points. */
void svg_chart_add(html *h, const svg_chart *c);
#endif
