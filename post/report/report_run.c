/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: the course of the run, and a pulsatile flow over its cycle. */
#include "common/draw/svg_chart.h"
#include "post/readouts/extremes.h"
#include "post/report/report_parts.h"
#include <math.h>
#include <stdlib.h>

static void add_curve(svg_chart *c, const char *name, int n, const double *x, const double *y) {
    c->curve[c->n].name = name;
    c->curve[c->n].n = n;
    c->curve[c->n].x = x;
    c->curve[c->n++].y = y;
}

static svg_chart of_openings(const report_input *in, const double *x, int first, int n, bool pressure) {
    const monitors *y = in->monitors;
    svg_chart c = {.n = 0};
    for (int k = 0; k < y->n_opening && c.n < SVG_CHART_CURVES; k++) {
        if (in->l->opening[k].role == LATTICE_MOVING_WALL)
            continue;
        add_curve(&c, in->l->opening[k].name, n, x,
                  (pressure ? y->pressure_pa : y->flow_ml_s) + (size_t)k * (size_t)y->n + first);
    }
    return c;
}

void report_add_run(html *h, const report_input *in) {
    const monitors *y = in->monitors;
    if (y->n < 2)
        return;
    html_add(h, "<h3>How the computation went</h3>\n<div class=\"two\">");
    if (!in->r->pulsatile) {
        svg_chart residual = {.title = isfinite(in->r->solution->unsteady_s)
                                           ? "Residual of the flow, which stays unsteady"
                                           : "Residual of the flow, down to the tolerance",
                              .x_label = "time steps",
                              .y_label = "residual",
                              .log_y = true};
        add_curve(&residual, "residual", y->n, y->step, y->change);
        svg_chart_add(h, &residual);
    }
    svg_chart flow = of_openings(in, in->r->pulsatile ? y->time_s : y->step, 0, y->n, false);
    flow.title = "Flow through the openings from the start of the computation";
    flow.x_label = in->r->pulsatile ? "time, s" : "time steps";
    flow.y_label = "flow, mL/s";
    svg_chart_add(h, &flow);
    html_add(h, "</div>\n");
}

/* Draw the wall shear stress at the stored instants. */
static void add_wall(html *h, const report_input *in) {
    const solution *s = in->r->solution;
    double *x = malloc((3 * (size_t)s->n_instant + 1) * sizeof *x);
    if (!x || !in->wss_instant || s->n_instant < 2) {
        free(x);
        return;
    }
    double *mean = x + s->n_instant, *p99 = mean + s->n_instant;
    for (int k = 0; k < s->n_instant; k++) {
        x[k] = s->instant[k].time_s;
        mean[k] = in->wss_instant[k].mean;
        p99[k] = in->wss_instant[k].p99;
    }
    svg_chart c = {
        .title = "Wall shear stress over the cycle", .x_label = "time in the cycle, s", .y_label = "WSS, Pa"};
    add_curve(&c, "mean over the wall", s->n_instant, x, mean);
    add_curve(&c, "99th percentile", s->n_instant, x, p99);
    svg_chart_add(h, &c);
    free(x);
}

/* Draws the largest pressure difference between two openings of the same piece of lumen, which drives the flow. */
static void add_drop(html *h, const report_input *in, const double *x, int first, int n) {
    const monitors *y = in->monitors;
    double *drop = malloc(((size_t)n + 1) * sizeof *drop);
    for (int i = 0; drop && i < n; i++)
        drop[i] = extremes_row_drop(y->n_opening, in->r->place, y, first + i).value_pa;
    svg_chart c = {.title = "Largest pressure difference between two openings over the cycle",
                   .x_label = "time in the cycle, s",
                   .y_label = "Pa"};
    add_curve(&c, "drop", drop ? n : 0, x, drop);
    svg_chart_add(h, &c);
    free(drop);
}

void report_add_cycle(html *h, const report_input *in) {
    const monitors *y = in->monitors;
    const double period = in->r->solution->cycle_period_s;
    if (!in->r->pulsatile)
        return;
    html_add(h, "<h2>Over the cycle</h2>\n<div class=\"two\">");
    int first = y->n > 0 ? y->n - 1 : 0;
    while (first > 0 && y->time_s[first - 1] >= y->time_s[y->n - 1] - period)
        first--;
    const int n = y->n - first;
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    for (int i = 0; x && i < n; i++)
        x[i] = y->time_s[first + i] - (y->time_s[y->n - 1] - period);
    if (x && n > 2) {
        svg_chart flow = of_openings(in, x, first, n, false), pressure = of_openings(in, x, first, n, true);
        flow.title = "Flow through the openings over the last cycle";
        pressure.title = "Pressure at the openings over the last cycle";
        flow.x_label = pressure.x_label = "time in the cycle, s";
        flow.y_label = "flow, mL/s";
        pressure.y_label = "pressure, Pa";
        svg_chart_add(h, &flow);
        svg_chart_add(h, &pressure);
        add_drop(h, in, x, first, n);
    }
    add_wall(h, in);
    html_add(h, "</div>\n");
    free(x);
}
