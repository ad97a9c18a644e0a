/* Curves as SVG within the report: axes with nice numbers, a legend with units. */
#ifndef PORTAFLOW_SVG_CHART_H
#define PORTAFLOW_SVG_CHART_H
#include "common/draw/html.h"
#include <stdbool.h>

enum { SVG_CHART_CURVES = 12 };

typedef struct {
    const char *title, *x_label, *y_label; /* with units; plain text */
    bool log_y;                            /* values <= 0 are left out */
    int n;
    struct {
        const char *name; /* of a user: escaped */
        int n;
        const double *x, *y; /* [n]; what is not finite breaks the curve */
    } curve[SVG_CHART_CURVES];
} svg_chart;

/* Nothing when no curve has two points. */
void svg_chart_add(html *h, const svg_chart *c);
#endif
