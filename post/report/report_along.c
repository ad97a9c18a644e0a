/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: curves along the branches. */
#include "common/base/status.h"
#include "common/draw/svg_chart.h"
#include "post/report/report_parts.h"
#include <stdio.h>
#include <stdlib.h>

/* Number of stations of a branch. *first: index of its first station. */
static int stations_of(const along_values *a, int branch, int *first) {
    int n = 0;
    for (int k = 0; k < a->n; k++)
        if (a->station[k].branch == branch && n++ == 0)
            *first = k;
    return n;
}

typedef double along_value(const along_station *t);

static double pressure_of(const along_station *t) {
    return t->pressure_pa;
}
static double total_of(const along_station *t) {
    return t->total_pressure_pa;
}
static double velocity_of(const along_station *t) {
    return 100 * t->mean_velocity_m_s;
}
static double wss_of(const along_station *t) {
    return t->wss_mean_pa;
}
static double least_of(const along_station *t) {
    return t->wss_min_pa;
}
static double most_of(const along_station *t) {
    return t->wss_max_pa;
}
static double diameter_of(const along_station *t) {
    return t->diameter_mm;
}

/* Adds a chart with n_value curves per branch. Work space: x [n], y [n_value][n]; n: number of
 * stations of all branches. */
static void add_chart(html *h, const report_input *in, const char *title, const char *label, along_value *const *value,
                      int n_value, double *x, double *y) {
    static const char *const which[] = {"smallest", "largest"};
    char name[SVG_CHART_CURVES][VESSEL_TABLE_NAME + 16];
    svg_chart c = {.title = title, .x_label = "arc length of the branch, mm", .y_label = label};
    const along_values *a = in->along;
    for (int k = 0; k < a->n; k++)
        x[k] = a->station[k].arc_mm;
    for (int branch = 0; branch < in->branches->line.n_branch; branch++) {
        int first = 0;
        const int n = stations_of(a, branch, &first);
        for (int m = 0; m < n_value && n > 0 && c.n < SVG_CHART_CURVES; m++) {
            double *at = y + (size_t)m * (size_t)a->n + first;
            for (int k = 0; k < n; k++)
                at[k] = value[m](&a->station[first + k]);
            snprintf(name[c.n], sizeof name[c.n], "%s%s%s", in->branches->name[branch], n_value > 1 ? ", " : "",
                     n_value > 1 ? which[m] : "");
            c.curve[c.n].name = name[c.n];
            c.curve[c.n].n = n;
            c.curve[c.n].x = x + first;
            c.curve[c.n++].y = at;
        }
    }
    svg_chart_add(h, &c);
}

static int branches_with_values(const report_input *in) {
    int n = 0, first;
    for (int branch = 0; branch < in->branches->line.n_branch; branch++)
        n += stations_of(in->along, branch, &first) > 0;
    return n;
}

void report_add_along(html *h, const report_input *in) {
    static along_value *const pressure[] = {pressure_of}, *const total[] = {total_of},
                              *const velocity[] = {velocity_of}, *const wss[] = {wss_of},
                              *const range[] = {least_of, most_of}, *const diameter[] = {diameter_of};
    const bool pulsatile = in->r->pulsatile;
    if (!in->along || in->along->n == 0)
        return;
    double *x = malloc((size_t)in->along->n * 3 * sizeof *x);
    if (!x) {
        h->rc = fail_memory("the curves along the branches", 24.0 * in->along->n);
        return;
    }
    double *y = x + in->along->n;
    html_add(h,
             "<h2>Along the branches</h2>\n<p class=\"small\">Values on planes across the centerline of each branch, "
             "against the arc length from the start of the branch; branches run from inlets to outlets, and "
             "extensions count. There are no planes in bifurcations and where the plane of an opening would cut "
             "them.%s The numbers are in along.csv.%s</p>\n",
             pulsatile ? " Means over the cycle." : "",
             branches_with_values(in) > SVG_CHART_CURVES / 2
                 ? " A chart shows at most 12 curves: with more branches, the last ones are in along.csv only."
                 : "");
    add_chart(h, in, "Static pressure", "static pressure, Pa", pressure, 1, x, y);
    add_chart(h, in, "Total pressure: static plus the kinetic energy that the flow carries", "total pressure, Pa",
              total, 1, x, y);
    add_chart(h, in, "Mean velocity", "mean velocity, cm/s", velocity, 1, x, y);
    add_chart(h, in,
              pulsatile ? "Time-averaged wall shear stress, mean round the vessel"
                        : "Wall shear stress, mean round the vessel",
              "WSS, Pa", wss, 1, x, y);
    add_chart(h, in, "Wall shear stress, smallest and largest round the vessel", "WSS, Pa", range, 2, x, y);
    add_chart(h, in, "Diameter of the circle with the area of the section", "diameter, mm", diameter, 1, x, y);
    free(x);
}
