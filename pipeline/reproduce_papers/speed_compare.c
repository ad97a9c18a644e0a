/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_papers/speed_compare.h"
#include "pipeline/reproduce/study_plot.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

double speed_against_first(const speed_table *t, int row, const char *speed) {
    const double printed = speed_table_number(t, row, "against_first");
    if (isfinite(printed))
        return printed;
    for (int k = 0; k <= row; k++)
        if (strcmp(speed_table_word(t, k, "box"), speed_table_word(t, row, "box")) == 0)
            return speed_table_number(t, row, speed) / speed_table_number(t, k, speed);
    return NAN;
}

double speed_share(const speed_comparison *c, int measured, double mlups, double card_GB_s) {
    const double q = speed_table_number(&c->measured, measured, "q");
    const double cells = strcmp(c->speed, "box_MLUPS") == 0 ? mlups * q : mlups;
    return cells * 1e-3 * speed_table_number(&c->measured, measured, "bytes_per_update") / card_GB_s;
}

/* Rounds x to three digits, because the axis is labelled at the points. */
static double three_digits(double x) {
    const double unit = pow(10, floor(log10(x)) - 2);
    return round(x / unit) * unit;
}

/* Inserts a point in ascending order of x. */
static void add_point(double *x, double *y, int *n, double new_x, double new_y) {
    int k = (*n)++;
    for (; k > 0 && x[k - 1] > new_x; k--) {
        x[k] = x[k - 1];
        y[k] = y[k - 1];
    }
    x[k] = new_x;
    y[k] = new_y;
}

/* Value of a row that a plot shows. theirs: true for the paper's table, false for our runs. NAN: none. */
typedef double (*shown)(const speed_comparison *c, int measured, int published, bool theirs);

static double shown_share(const speed_comparison *c, int measured, int published, bool theirs) {
    const double mlups = !theirs          ? speed_table_number(&c->measured, measured, c->speed)
                         : published >= 0 ? speed_table_number(&c->published, published, c->speed)
                                          : NAN;
    return 100 * speed_share(c, measured, mlups, theirs ? c->published_GB_s : c->measured_GB_s);
}

static double shown_ratio(const speed_comparison *c, int measured, int published, bool theirs) {
    if (theirs)
        return published >= 0 ? speed_against_first(&c->published, published, c->speed) : NAN;
    return speed_against_first(&c->measured, measured, c->speed);
}

/* First words of a note: "NVIDIA H200, 4814 GB/s" without the bandwidth. */
static void card_name(const speed_table *t, char name[64]) {
    const char *note = speed_table_note(t, "card");
    snprintf(name, 64, "%.*s", (int)strcspn(note, ","), note);
}

/* Curves of one scheme over the number of fluid cells, published and measured; returns the number of published
 * points. */
static int draw_scheme(const speed_comparison *c, const char *scheme, shown value, plot *p) {
    const speed_table *m = &c->measured;
    double x[2][SPEED_ROWS], y[2][SPEED_ROWS];
    char series[160], card[2][64];
    int n[2] = {0, 0};
    card_name(&c->published, card[0]);
    card_name(m, card[1]);
    for (int k = 0; k < m->n_row; k++) {
        if (strcmp(speed_table_word(m, k, "scheme"), scheme) != 0)
            continue;
        const int at = speed_table_find(&c->published, speed_table_word(m, k, "box"), scheme);
        for (int i = 0; i < 2; i++) {
            const double v = value(c, k, at, i == 0);
            if (isfinite(v))
                add_point(x[i], y[i], &n[i], three_digits(1e-6 * speed_table_number(m, k, "cells")), v);
        }
    }
    p->colour = p->colour % 8 + 1;
    snprintf(series, sizeof series, "%s, published (%s)", scheme, card[0]);
    if (n[0] > 0)
        plot_curve(p, series, PLOT_POINTS, n[0], x[0], y[0]);
    snprintf(series, sizeof series, "%s, measured (%s)", scheme, card[1]);
    if (n[1] > 0)
        plot_curve(p, series, PLOT_POINTS, n[1], x[1], y[1]);
    return n[0];
}

/* Plots a value of the schemes over the number of cells, for the schemes of the first box. but_first: leaves out the
 * first scheme. Plots nothing if the paper does not print this value. */
static void draw(const speed_comparison *c, plot p, shown value, bool but_first, results *r) {
    const speed_table *m = &c->measured;
    int published = 0;
    p.x_label = "million fluid cells";
    p.log_x = 1;
    for (int k = but_first; k < m->n_row; k++)
        if (speed_table_find(m, speed_table_word(m, 0, "box"), speed_table_word(m, k, "scheme")) == k)
            published += draw_scheme(c, speed_table_word(m, k, "scheme"), value, &p);
    if (published > 0)
        plot_write(&p, r);
    else
        plot_free(&p);
}

/* Draws, over several box sizes, the share of the card's memory bandwidth, and the schemes relative to each other on
 * the same card. */
void speed_draw(const speed_comparison *c, results *r) {
    const speed_table *m = &c->measured;
    char ratio[96];
    if (!(fabs(speed_table_number(m, 0, "cells") - speed_table_number(m, m->n_row - 1, "cells")) > 0))
        return;
    snprintf(ratio, sizeof ratio, "speed / speed of '%s' in the same box", speed_table_word(m, 0, "scheme"));
    draw(c,
         (plot){.name = "share",
                .title = "Share of the card's memory bandwidth that each scheme uses",
                .y_label = "share of the card's bandwidth (%)"},
         shown_share, false, r);
    draw(c, (plot){.name = "ratio", .title = "One scheme against another on the same card", .y_label = ratio},
         shown_ratio, true, r);
}
