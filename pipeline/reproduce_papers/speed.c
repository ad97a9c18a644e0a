/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' tables of speed: published.csv compared with measured.csv by `solve bench --schemes --paper`. With the
 * device cuda or cpu the speed is measured now (the GPU's table, or one core), otherwise read from data/reproduce;
 * existing results are not measured again. Both cards and the ratio of their bandwidths are given. Every speed is also
 * shown relative to the first scheme of its box and as a share of its card's bandwidth, which separates scheme and
 * card. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce_papers/speed_cards.h"
#include "pipeline/run/process.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    study_table published, measured;
    /* nominal memory bandwidth of the paper's card and of this one; for a processor its measured copy rate */
    double published_GB_s, measured_GB_s;
    const char *speed; /* column with the speed: MLUPS, or box_MLUPS if the paper counts every cell of the box */
} speed_comparison;

/* Speed of a row relative to the first scheme of its box, as printed or from the table; NaN: none. */
static double against_first(const study_table *t, int row, const char *speed) {
    const double printed = study_table_number(t, row, "against_first");
    if (isfinite(printed))
        return printed;
    for (int k = 0; k <= row; k++)
        if (strcmp(study_table_word(t, k, "box"), study_table_word(t, row, "box")) == 0)
            return study_table_number(t, row, speed) / study_table_number(t, k, speed);
    return NAN;
}

/* Share of the card's bandwidth that this speed uses, from the bytes per update of the scheme in row `measured`. */
static double share_of_card(const speed_comparison *c, int measured, double mlups, double card_GB_s) {
    const double q = study_table_number(&c->measured, measured, "q");
    const double cells = strcmp(c->speed, "box_MLUPS") == 0 ? mlups * q : mlups;
    return cells * 1e-3 * study_table_number(&c->measured, measured, "bytes_per_update") / card_GB_s;
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
    const double mlups = !theirs          ? study_table_number(&c->measured, measured, c->speed)
                         : published >= 0 ? study_table_number(&c->published, published, c->speed)
                                          : NAN;
    return 100 * share_of_card(c, measured, mlups, theirs ? c->published_GB_s : c->measured_GB_s);
}

static double shown_ratio(const speed_comparison *c, int measured, int published, bool theirs) {
    if (theirs)
        return published >= 0 ? against_first(&c->published, published, c->speed) : NAN;
    return against_first(&c->measured, measured, c->speed);
}

/* Curves of one scheme over the number of fluid cells, published and measured; returns the number of published
 * points. */
static int draw_scheme(const speed_comparison *c, const char *scheme, shown value, plot *p) {
    const study_table *m = &c->measured;
    double x[2][STUDY_TABLE_ROWS], y[2][STUDY_TABLE_ROWS];
    int n[2] = {0, 0};
    for (int k = 0; k < m->n_row; k++) {
        if (strcmp(study_table_word(m, k, "scheme"), scheme) != 0)
            continue;
        const int at = study_table_find(&c->published, study_table_word(m, k, "box"), scheme);
        for (int i = 0; i < 2; i++) {
            const double v = value(c, k, at, i == 0);
            if (isfinite(v))
                add_point(x[i], y[i], &n[i], three_digits(1e-6 * study_table_number(m, k, "cells")), v);
        }
    }
    p->colour = p->colour % 8 + 1;
    for (int i = 0; i < 2; i++) {
        /* the name of the card, without its bandwidth: "NVIDIA H200, 4814 GB/s" */
        const char *card = study_table_note(i ? m : &c->published, "card");
        if (n[i] > 0)
            plot_curve(p, PLOT_POINTS, n[i], x[i], y[i], "%s, %s (%.*s)", scheme, i ? "measured" : "published",
                       (int)strcspn(card, ","), card);
    }
    return n[0];
}

/* Plots a value of the schemes over the number of cells, for the schemes of the first box. but_first: leaves out the
 * first scheme. Plots nothing if the paper does not print this value. */
static void draw(const speed_comparison *c, plot p, shown value, bool but_first) {
    const study_table *m = &c->measured;
    int published = 0;
    p.log_x = true;
    for (int k = but_first; k < m->n_row; k++)
        if (study_table_find(m, study_table_word(m, 0, "box"), study_table_word(m, k, "scheme")) == k)
            published += draw_scheme(c, study_table_word(m, k, "scheme"), value, &p);
    if (published > 0)
        plot_write(&p);
    else
        plot_free(&p);
}

/* Draws, over several box sizes, the share of the card's memory bandwidth, and the schemes relative to each other on
 * the same card. */
static void draw_plots(const speed_comparison *c, results *r) {
    static const char *const x_label = "million fluid cells";
    const study_table *m = &c->measured;
    if (!(fabs(study_table_number(m, 0, "cells") - study_table_number(m, m->n_row - 1, "cells")) > 0))
        return;
    draw(c,
         plot_new(r, "share", "Share of the card's memory bandwidth that each scheme uses", x_label,
                  "share of the card's bandwidth (%)"),
         shown_share, false);
    draw(c,
         plot_new(r, "ratio", "One scheme against another on the same card", x_label,
                  results_format(r, "speed / speed of '%s' in the same box", study_table_word(m, 0, "scheme"))),
         shown_ratio, true);
}

static void say_cards(const speed_comparison *c, results *r) {
    const study_table *m = &c->measured;
    const char *const copy = study_table_note(m, "copy"); /* text such as "4286 GB/s, measured in the same run" */
    results_text(r, "Published: %s. Measured: %s (copy rate %.*s), %s.", study_table_note(&c->published, "card"),
                 study_table_note(m, "card"), (int)strcspn(copy, ","), copy, study_table_note(m, "date"));
}

/* Number in a row of the published table; NaN for row -1. */
static double published_number(const speed_comparison *c, int row, const char *column) {
    return row < 0 ? NAN : study_table_number(&c->published, row, column);
}

static void add_row(const speed_comparison *c, int k, results *r) {
    const study_table *p = &c->published, *m = &c->measured;
    const char *box = study_table_word(m, k, "box"), *scheme = study_table_word(m, k, "scheme");
    const int at = study_table_find(p, box, scheme);
    const double ratio = c->measured_GB_s / c->published_GB_s, ours = study_table_number(m, k, c->speed);
    const double theirs = published_number(c, at, c->speed);
    results_row(r, "%s|%s|%s|%s|%.5g|%.0f|%.1f|%.2f|%.2f|%.2f|%.0f|%.0f|%.0f|%s", box, study_table_word(m, k, "q"),
                scheme, study_table_word(m, k, "precision"), theirs, ours, ours / theirs, ours / theirs / ratio,
                at >= 0 ? against_first(p, at, c->speed) : NAN, against_first(m, k, c->speed),
                100 * share_of_card(c, k, theirs, c->published_GB_s), 100 * share_of_card(c, k, ours, c->measured_GB_s),
                100 * study_table_number(m, k, "share_of_copy"), study_table_word(m, k, "field"));
}

/* Adds a table of the memory, if the paper prints it. unit and published_unit: GB in the units of the two values. */
static void add_memory(const speed_comparison *c, const char *name, const char *published, double published_unit,
                       const char *measured, double unit, results *r) {
    int n = 0;
    for (int k = 0; k < c->measured.n_row; k++) {
        const char *box = study_table_word(&c->measured, k, "box"),
                   *scheme = study_table_word(&c->measured, k, "scheme");
        const double theirs =
            published_unit * published_number(c, study_table_find(&c->published, box, scheme), published);
        const double ours = unit * study_table_number(&c->measured, k, measured);
        if (!isfinite(theirs))
            continue;
        if (n++ == 0)
            results_table(r, "memory",
                          results_format(r, "box|scheme|%s (GB), published|measured|measured / published", name));
        results_row(r, "%s|%s|%.3f|%.3f|%.2f", box, scheme, theirs, ours, ours / theirs);
    }
}

static bool has_column(const study_table *t, const char *name) {
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->column[k], name) == 0)
            return true;
    return false;
}

static void add_speeds(const speed_comparison *c, results *r) {
    results_text(r, "%s a second; q: fluid fraction; schemes: `solve/bench/README.md`.",
                 strcmp(c->speed, "MLUPS") == 0 ? "Million fluid cells" : "Million cells of the box");
    results_table(
        r, "speed",
        "box|q|scheme|precision|published|measured|measured / published|the same over the ratio of bandwidths|"
        "published: over the first scheme of the box|measured: over the first scheme of the box|published: share of "
        "the card's bandwidth (%)|measured: share of the card's bandwidth (%)|measured: share of the copy rate "
        "(%)|populations after 6 steps, and those of the textbook solution");
    for (int k = 0; k < c->measured.n_row; k++)
        add_row(c, k, r);
}

/* Writes the criteria that hold on any card: every scheme gives the reference solution, and ours is memory-bound. */
static void judge(const speed_comparison *c, results *r) {
    const study_table *m = &c->measured;
    int timed = 0, wrong = 0;
    double most_cells = 0, of_copy = NAN;
    for (int k = 0; k < m->n_row; k++) {
        const double cells = study_table_number(m, k, "cells");
        if (!(study_table_number(m, k, "MLUPS") > 0))
            continue; /* the run did not fit into the card's memory */
        timed++;
        wrong += strcmp(study_table_word(m, k, "field"), "same") != 0;
        if (strcmp(study_table_word(m, k, "scheme"), "ours") == 0 && cells > most_cells) {
            most_cells = cells;
            of_copy = study_table_number(m, k, "share_of_copy");
        }
    }
    results_at_least(r, "schemes that were timed", timed, 2);
    results_at_most(r, "timed schemes whose populations differ from the reference", wrong, 0);
    results_at_least(r, "`ours` in float, its largest case: share of the copy rate", of_copy, 0.6);
}

static void compare(speed_comparison *c, results *r) {
    c->speed = has_column(&c->published, "box_MLUPS") ? "box_MLUPS" : "MLUPS";
    c->published_GB_s = study_table_bandwidth(study_table_note(&c->published, "card"));
    c->measured_GB_s = study_table_bandwidth(study_table_note(&c->measured, "card"));
    if (isnan(c->measured_GB_s)) /* without a measured memory bandwidth: bandwidth of a copy */
        c->measured_GB_s = study_table_bandwidth(study_table_note(&c->measured, "copy"));
    say_cards(c, r);
    if (!has_column(&c->published, "addressing_MB"))
        add_speeds(c, r);
    add_memory(c, "device memory", "memory_GB", 1, "memory_MB", 1e-3, r);
    add_memory(c, "memory for addressing", "addressing_MB", 1e-3, "addressing_MB", 1e-3, r);
    judge(c, r);
    draw_plots(c, r);
}

/* Shows the speed of the same schemes on one core, if the paper has a serial program. published: the paper's speed on
 * one core, NULL: none. */
static void show_serial(const study_table *t, const study_table *published, const speed_comparison *c, results *r) {
    results_text(r, "One core of %s:", study_table_note(t, "card"));
    results_table(r, "serial",
                  results_format(r,
                                 "box|scheme|measured (MLUPS)|of the whole box (million cells a second)|GPU over one "
                                 "core%s",
                                 !published ? ""
                                 : strcmp(c->speed, "box_MLUPS") == 0
                                     ? "|published, one core (million cells of the box a second)|published: GPU over it"
                                     : "|published, one core (MLUPS)|published: GPU over it"));
    for (int k = 0; k < t->n_row; k++) {
        const char *box = study_table_word(t, k, "box"), *scheme = study_table_word(t, k, "scheme");
        const int at = study_table_find(&c->measured, box, scheme);
        const char *theirs = published ? "|-|-" : "";
        for (int n = published ? published->n_row - 1 : -1; n >= 0; n--)
            if (strcmp(study_table_word(published, n, "box"), box) == 0)
                theirs = results_format(r, "|%s|%s", study_table_word(published, n, c->speed),
                                        study_table_word(published, n, "gpu_over_cpu"));
        results_row(
            r, "%s|%s|%s|%s|%.0f%s", box, scheme, study_table_word(t, k, "MLUPS"), study_table_word(t, k, "box_MLUPS"),
            at >= 0 ? study_table_number(&c->measured, at, "MLUPS") / study_table_number(t, k, "MLUPS") : NAN, theirs);
    }
}

/* Shows the run times of wang2015 in seconds, for 5000 steps (its table 1) and for a cycle of 31,705 steps (its text):
 * measured on the GPU and on one core, and published. */
static void show_times(const study_table *serial, const study_table *published_serial, const speed_comparison *c,
                       results *r) {
    static const double steps[] = {5000, 31705};
    const study_table *const t[2] = {&c->measured, serial}, *const p[2] = {&c->published, published_serial};
    results_text(r, "Run times of %.0f steps (table 1) and of a cycle (%.0f):", steps[0], steps[1]);
    results_table(r, "times",
                  "box|scheme|5000 steps, GPU (s)|5000 steps, one core (s)|cycle, GPU (s)|cycle, one core "
                  "(s)|published: cycle, GPU (s)|published: cycle, one core (s)");
    for (int k = 0; k < serial->n_row; k++) {
        const char *box = study_table_word(serial, k, "box"), *scheme = study_table_word(serial, k, "scheme");
        double cell[6], n[3];
        if (sscanf(box, "%lfx%lfx%lf", &n[0], &n[1], &n[2]) != 3)
            continue;
        for (int i = 0; i < 2; i++) {
            const int at = study_table_find(t[i], box, scheme), theirs = study_table_find(p[i], box, scheme);
            const double rate = at < 0 ? NAN : 1e6 * study_table_number(t[i], at, "box_MLUPS") / n[0] / n[1] / n[2];
            for (int s = 0; s < 2; s++)
                cell[2 * s + i] = steps[s] / rate;
            cell[4 + i] = theirs < 0 ? NAN : study_table_number(p[i], theirs, "cycle_s");
        }
        results_row(r, "%s|%s|%.3g|%.3g|%.3g|%.3g|%.0f|%.0f", box, scheme, cell[0], cell[1], cell[2], cell[3], cell[4],
                    cell[5]);
    }
}

static bool there(const char *folder, const char *name) {
    char path[FILE_PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && file_exists(path);
}

/* Schemes measured on one core: the paper's and ours. NULL: the paper has none. */
static const char *serial_schemes(const char *name) {
    static const char *const of[][2] = {{"shang2023:table2", "dense,sparse,ours"},
                                        {"shang2023:table4", "dense,sparse,ours"},
                                        {"wang2015:table1", "dense-two-kernels,ours"},
                                        {"rinaldi2012:table2", "dense,ours"}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        if (strcmp(of[k][0], name) == 0)
            return of[k][1];
    return NULL;
}

/* Measures the speed on this machine and writes it into x->work, unless a result exists. */
static int measure(const study_context *x, const char *device, const char *only, const char *name) {
    char program[FILE_PATH_MAX], csv[FILE_PATH_MAX];
    const bool memory = strcmp(x->name, "cyclic2020:table6") == 0; /* table 6 gives the memory of the runs of table 5 */
    const char *argv[] = {
        program,     "bench", "--schemes", "--device", device, "--paper", memory ? "cyclic2020:table5" : x->name,
        "--seconds", "0.4",   "--csv",     csv,        NULL,   NULL,      NULL,
        NULL,        NULL};
    enum { MORE = sizeof argv / sizeof *argv - 5 };
    process_result result;
    int rc = OK;
    if (there(x->work, name))
        return OK;
    TRY(process_program("solve", program, sizeof program));
    if (file_path(csv, sizeof csv, "%s/%s", x->work, name) != OK)
        return ERR_INPUT;
    if (only) {
        const char *const more[] = {"--only", only, "--threads", "1"};
        memcpy(argv + MORE, more, sizeof more);
    }
    TRY(process_run(argv, NULL, NULL, 1, &result));
    TRY(process_check("solve bench", &result));
cleanup:
    return rc;
}

/* Measures if a device is given; otherwise reads earlier results, or those stored with the case files. */
static int read_measured(const study_context *x, const char *device, const char *only, const char *name,
                         study_table *t) {
    const int rc = strcmp(x->run->device, device) == 0 ? measure(x, device, only, name) : OK;
    const char *folder = there(x->work, name) ? x->work : x->source;
    return rc != OK || !there(folder, name) ? rc : study_table_read(folder, name, t);
}

/* Writes the notes of the published table, except card and source: text before our numbers, reasons for differences
 * after them. */
static void say_notes(const study_table *t, bool why, results *r) {
    for (int k = 0; k < t->n_note; k++) {
        const bool is_why = strncmp(t->note[k], "why: ", 5) == 0;
        if (is_why == why && strncmp(t->note[k], "card: ", 6) != 0 && strncmp(t->note[k], "source: ", 8) != 0)
            results_text(r, "%s", t->note[k] + (why ? 5 : 0));
    }
}

/* Shows several cards, if the paper has them (solve/bench/papers.sh measures ours). */
static int show_cards(const study_context *x, results *r) {
    static study_table published, measured; /* static, because they are too large for the stack */
    int rc = OK;
    if (!there(x->source, "published-cards.csv") || !there(x->source, "measured-cards.csv"))
        return OK;
    TRY(study_table_read(x->source, "published-cards.csv", &published));
    TRY(study_table_read(x->source, "measured-cards.csv", &measured));
    speed_cards_show(&published, &measured, r);
cleanup:
    study_table_free(&published);
    study_table_free(&measured);
    return rc;
}

int study_speed(const study_context *x, results *r) {
    static speed_comparison c; /* static, because it is too large for the stack */
    static study_table serial, published_serial;
    const char *only = serial_schemes(x->name);
    int rc = OK;
    memset(&c, 0, sizeof c);
    memset(&serial, 0, sizeof serial);
    memset(&published_serial, 0, sizeof published_serial);
    TRY(study_table_read(x->source, "published.csv", &c.published));
    say_notes(&c.published, false, r);
    TRY(read_measured(x, "cuda", NULL, "measured.csv", &c.measured));
    if (c.measured.n_row == 0) {
        results_text(r, "Not measured yet: the case folder has no `measured.csv`.");
        goto cleanup;
    }
    compare(&c, r);
    if (only)
        TRY(read_measured(x, "cpu", only, "measured-cpu.csv", &serial));
    if (there(x->source, "published-cpu.csv"))
        TRY(study_table_read(x->source, "published-cpu.csv", &published_serial));
    if (serial.n_row > 0)
        show_serial(&serial, published_serial.n_row > 0 ? &published_serial : NULL, &c, r);
    if (serial.n_row > 0 && has_column(&c.published, "cycle_s"))
        show_times(&serial, &published_serial, &c, r);
    TRY(show_cards(x, r));
    if (there(x->work, "measured.csv"))
        results_text(r,
                     "Measured anew: the next paragraph refers to the stored numbers in data/reproduce, not to these.");
    say_notes(&c.published, true, r);
cleanup:
    study_table_free(&c.published);
    study_table_free(&c.measured);
    study_table_free(&serial);
    study_table_free(&published_serial);
    return rc;
}
