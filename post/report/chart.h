/* Curves as SVG within the report: axes with nice numbers, a legend with units. */
#ifndef PORTAFLOW_POST_REPORT_CHART_H
#define PORTAFLOW_POST_REPORT_CHART_H
#include "post/report/html.h"
#include <stdbool.h>

enum { CHART_CURVES = 12 };

typedef struct {
    const char *title, *x_label, *y_label; /* with units; plain text */
    bool log_y;                            /* values <= 0 are left out */
    int n;
    struct {
        const char *name; /* of a user: escaped */
        int n;
        const double *x, *y; /* [n]; what is not finite breaks the curve */
    } curve[CHART_CURVES];
} chart;

/* Nothing when no curve has two points. */
void chart_add(html *h, const chart *c);
#endif
