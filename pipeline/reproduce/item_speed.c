/* The papers' tables of speed: published.csv beside measured.csv, the latter made by `solve bench --schemes --paper` on
 * a machine of its own. Both cards and the ratio of their bandwidths are named, and every speed is also shown against
 * the first scheme of its box and as a share of its card's bandwidth: what is the scheme and what the card. */
#include "common/file.h"
#include "common/status.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/reproduce/plot.h"
#include "pipeline/reproduce/speed_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    speed_table published, measured;
    double published_GB_s, measured_GB_s; /* of the cards, as their data sheets count them */
    const char *speed;                    /* MLUPS, or box_MLUPS where the paper counts every cell of the box */
} comparison;

static void number(char text[32], const char *format, double value) {
    snprintf(text, 32, "-");
    if (isfinite(value))
        snprintf(text, 32, format, value);
}

/* Speed against the first scheme of the box. */
static double against_first(const speed_table *t, int row, const char *speed) {
    const double printed = speed_table_number(t, row, "against_first");
    if (isfinite(printed))
        return printed;
    for (int k = 0; k <= row; k++)
        if (strcmp(speed_table_word(t, k, "box"), speed_table_word(t, row, "box")) == 0)
            return speed_table_number(t, row, speed) / speed_table_number(t, k, speed);
    return NAN;
}

/* Share of the card's bandwidth, by the bytes that ours counts for this scheme. */
static double share(const comparison *c, int measured, double mlups, double card_GB_s) {
    const double q = speed_table_number(&c->measured, measured, "q");
    const double cells = strcmp(c->speed, "box_MLUPS") == 0 ? mlups * q : mlups;
    return cells * 1e-3 * speed_table_number(&c->measured, measured, "bytes_per_update") / card_GB_s;
}

static void say_cards(const comparison *c, results *r) {
    const speed_table *m = &c->measured;
    results_text(
        r,
        "Published on: %s. Measured on: %s (copy %s), %s, by `%s`. The ratio of the cards' bandwidths, measured "
        "over published, is %.2f: a scheme that is limited by memory gains that much from the card alone.",
        speed_table_note(&c->published, "card"), speed_table_note(m, "card"), speed_table_note(m, "copy"),
        speed_table_note(m, "date"), speed_table_note(m, "command"), c->measured_GB_s / c->published_GB_s);
}

static void add_row(const comparison *c, int k, results *r) {
    const speed_table *p = &c->published, *m = &c->measured;
    const char *box = speed_table_word(m, k, "box"), *scheme = speed_table_word(m, k, "scheme");
    const int at = speed_table_find(p, box, scheme);
    const double ratio = c->measured_GB_s / c->published_GB_s, ours = speed_table_number(m, k, c->speed);
    const double theirs = at >= 0 ? speed_table_number(p, at, c->speed) : NAN;
    char cell[9][32];
    number(cell[0], "%.5g", theirs);
    number(cell[1], "%.0f", ours);
    number(cell[2], "%.1f", ours / theirs);
    number(cell[3], "%.2f", ours / theirs / ratio);
    number(cell[4], "%.2f", at >= 0 ? against_first(p, at, c->speed) : NAN);
    number(cell[5], "%.2f", against_first(m, k, c->speed));
    number(cell[6], "%.0f", 100 * share(c, k, theirs, c->published_GB_s));
    number(cell[7], "%.0f", 100 * share(c, k, ours, c->measured_GB_s));
    number(cell[8], "%.0f", 100 * speed_table_number(m, k, "share_of_copy"));
    results_row(r, "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", box, speed_table_word(m, k, "q"), scheme,
                speed_table_word(m, k, "precision"), cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6],
                cell[7], cell[8], speed_table_word(m, k, "field"));
}

/* Memory, where the paper prints it. */
static void add_memory(const comparison *c, const char *name, const char *published, const char *measured, double unit,
                       results *r) {
    char head[128], cell[4][32];
    int n = 0;
    for (int k = 0; k < c->measured.n_row; k++) {
        const char *box = speed_table_word(&c->measured, k, "box"),
                   *scheme = speed_table_word(&c->measured, k, "scheme");
        const int at = speed_table_find(&c->published, box, scheme);
        const double theirs = at >= 0 ? speed_table_number(&c->published, at, published) : NAN;
        const double ours = unit * speed_table_number(&c->measured, k, measured);
        if (!isfinite(theirs))
            continue;
        snprintf(head, sizeof head, "box|scheme|%s (GB), published|measured|measured / published", name);
        if (n++ == 0)
            results_table(r, "memory", head);
        number(cell[0], "%.3f", theirs * (strcmp(published, "addressing_MB") == 0 ? 1e-3 : 1));
        number(cell[1], "%.3f", ours * (strcmp(published, "addressing_MB") == 0 ? 1e-3 : 1));
        number(cell[2], "%.2f", ours / theirs);
        results_row(r, "%s|%s|%s|%s|%s", box, scheme, cell[0], cell[1], cell[2]);
    }
}

/* The axis is labelled at the points. */
static double three_digits(double x) {
    const double unit = pow(10, floor(log10(x)) - 2);
    return round(x / unit) * unit;
}

/* In ascending order of x. */
static void add_point(double *x, double *y, int *n, double new_x, double new_y) {
    int k = (*n)++;
    for (; k > 0 && x[k - 1] > new_x; k--) {
        x[k] = x[k - 1];
        y[k] = y[k - 1];
    }
    x[k] = new_x;
    y[k] = new_y;
}

/* Share of the card's bandwidth over the number of fluid cells, a pair of curves for each scheme. */
static void draw(const comparison *c, results *r) {
    const speed_table *m = &c->measured;
    char title[160], series[96];
    plot p = {.name = "share",
              .title = title,
              .x_label = "million fluid cells",
              .y_label = "share of the card's bandwidth (%)",
              .log = 1};
    snprintf(title, sizeof title, "%.*s (%.0f GB/s) and %.*s (%.0f GB/s), ratio %.2f",
             (int)strcspn(speed_table_note(&c->published, "card"), ","), speed_table_note(&c->published, "card"),
             c->published_GB_s, (int)strcspn(speed_table_note(m, "card"), ","), speed_table_note(m, "card"),
             c->measured_GB_s, c->measured_GB_s / c->published_GB_s);
    for (int first = 0; first < m->n_row; first++) {
        const char *scheme = speed_table_word(m, first, "scheme");
        double x[2][SPEED_ROWS], y[2][SPEED_ROWS];
        int n[2] = {0, 0};
        if (speed_table_find(m, speed_table_word(m, 0, "box"), scheme) != first)
            continue; /* the schemes of the first box, once each */
        for (int k = 0; k < m->n_row; k++) {
            const int at = speed_table_find(&c->published, speed_table_word(m, k, "box"), scheme);
            const double both[2] = {at >= 0 ? speed_table_number(&c->published, at, c->speed) : NAN,
                                    speed_table_number(m, k, c->speed)};
            for (int i = 0; i < 2 && strcmp(speed_table_word(m, k, "scheme"), scheme) == 0; i++) {
                if (!isfinite(both[i]))
                    continue;
                add_point(x[i], y[i], &n[i], three_digits(1e-6 * speed_table_number(m, k, "cells")),
                          100 * share(c, k, both[i], i == 0 ? c->published_GB_s : c->measured_GB_s));
            }
        }
        snprintf(series, sizeof series, "%s: published", scheme);
        if (n[0] > 0)
            plot_curve(&p, series, PLOT_POINTS, n[0], x[0], y[0]);
        snprintf(series, sizeof series, "%s: measured", scheme);
        if (n[1] > 0)
            plot_curve(&p, series, n[1] > 1 && n[0] == 0 ? PLOT_LINE : PLOT_POINTS, n[1], x[1], y[1]);
    }
    plot_write(&p, r);
}

static bool has_column(const speed_table *t, const char *name) {
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->column[k], name) == 0)
            return true;
    return false;
}

static void add_speeds(const comparison *c, results *r) {
    results_text(r, "Speed in %s. The schemes and how they are counted: `solve/bench/README.md`.",
                 strcmp(c->speed, "MLUPS") == 0 ? "million fluid cells a second"
                                                : "million cells of the whole box a second, as the paper gives it");
    results_table(
        r, "speed",
        "box|q|scheme|precision|published|measured|measured / published|the same / ratio of bandwidths|"
        "published: times the box's first scheme|measured: the same|published: share of the card's bandwidth "
        "(%)|measured: the same (%)|measured: share of the copy rate (%)|field against the textbook solution");
    for (int k = 0; k < c->measured.n_row; k++)
        add_row(c, k, r);
}

static void compare(comparison *c, results *r) {
    c->speed = has_column(&c->published, "box_MLUPS") ? "box_MLUPS" : "MLUPS";
    c->published_GB_s = speed_table_bandwidth(speed_table_note(&c->published, "card"));
    c->measured_GB_s = speed_table_bandwidth(speed_table_note(&c->measured, "card"));
    if (isnan(c->measured_GB_s)) /* a processor's is not known, but what it copies is */
        c->measured_GB_s = speed_table_bandwidth(speed_table_note(&c->measured, "copy"));
    say_cards(c, r);
    if (!has_column(&c->published, "addressing_MB"))
        add_speeds(c, r);
    add_memory(c, "device memory", "memory_GB", "memory_MB", 1e-3, r);
    add_memory(c, "memory for addressing", "addressing_MB", "addressing_MB", 1, r);
    if (c->measured.n_row > 0 && strcmp(speed_table_word(&c->measured, 0, "box"),
                                        speed_table_word(&c->measured, c->measured.n_row - 1, "box")) != 0)
        draw(c, r); /* more than one box */
}

/* One core of a processor with the same schemes, where the paper has a serial program too. */
static int show_serial(const char *folder, const comparison *c, results *r) {
    static speed_table t;
    const int rc = speed_table_read(folder, "measured-cpu.csv", &t);
    if (rc != OK)
        return rc;
    results_text(r, "One core of %s, by `%s`:", speed_table_note(&t, "card"), speed_table_note(&t, "command"));
    results_table(r, "serial",
                  "box|scheme|measured (MLUPS)|of the whole box (million cells a second)|GPU over one core");
    for (int k = 0; k < t.n_row; k++) {
        const char *box = speed_table_word(&t, k, "box"), *scheme = speed_table_word(&t, k, "scheme");
        const int at = speed_table_find(&c->measured, box, scheme);
        char ratio[32];
        number(ratio, "%.0f",
               at >= 0 ? speed_table_number(&c->measured, at, "MLUPS") / speed_table_number(&t, k, "MLUPS") : NAN);
        results_row(r, "%s|%s|%s|%s|%s", box, scheme, speed_table_word(&t, k, "MLUPS"),
                    speed_table_word(&t, k, "box_MLUPS"), ratio);
    }
    speed_table_free(&t);
    return OK;
}

static bool there(const char *folder, const char *name) {
    char path[FILE_PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && file_exists(path);
}

int item_speed(const item_context *x, results *r) {
    static comparison c; /* two tables are large for a stack */
    int rc = OK;
    memset(&c, 0, sizeof c);
    TRY(speed_table_read(x->source, "published.csv", &c.published));
    for (int k = 0; k < c.published.n_note; k++)
        if (strncmp(c.published.note[k], "card: ", 6) != 0)
            results_text(r, "%s", c.published.note[k]);
    if (!there(x->source, "measured.csv")) {
        results_text(r, "Not measured yet: there is no `measured.csv` beside the published numbers.");
        goto cleanup;
    }
    TRY(speed_table_read(x->source, "measured.csv", &c.measured));
    compare(&c, r);
    if (there(x->source, "measured-cpu.csv"))
        TRY(show_serial(x->source, &c, r));
cleanup:
    speed_table_free(&c.published);
    speed_table_free(&c.measured);
    return rc;
}
