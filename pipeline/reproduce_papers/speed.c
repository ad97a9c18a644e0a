/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' tables of speed: published.csv compared with measured.csv by `solve bench --schemes --paper`. With the
 * device cuda or cpu the speed is measured now (the GPU's table, or one core), otherwise read from data/reproduce;
 * existing results are not measured again. Both cards and the ratio of their bandwidths are given. Every speed is also
 * shown relative to the first scheme of its box and as a share of its card's bandwidth, which separates scheme and
 * card. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/reproduce_papers/speed_cards.h"
#include "pipeline/reproduce_papers/speed_compare.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void number(char text[32], const char *format, double value) {
    snprintf(text, 32, "-");
    if (isfinite(value))
        snprintf(text, 32, format, value);
}

static void say_cards(const speed_comparison *c, results *r) {
    const speed_table *m = &c->measured;
    const char *const copy = speed_table_note(m, "copy"); /* text such as "4286 GB/s, measured in the same run" */
    results_text(r, "Published: %s. Measured: %s (copy rate %.*s), %s.", speed_table_note(&c->published, "card"),
                 speed_table_note(m, "card"), (int)strcspn(copy, ","), copy, speed_table_note(m, "date"));
}

static void add_row(const speed_comparison *c, int k, results *r) {
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
    number(cell[4], "%.2f", at >= 0 ? speed_against_first(p, at, c->speed) : NAN);
    number(cell[5], "%.2f", speed_against_first(m, k, c->speed));
    number(cell[6], "%.0f", 100 * speed_share(c, k, theirs, c->published_GB_s));
    number(cell[7], "%.0f", 100 * speed_share(c, k, ours, c->measured_GB_s));
    number(cell[8], "%.0f", 100 * speed_table_number(m, k, "share_of_copy"));
    results_row(r, "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", box, speed_table_word(m, k, "q"), scheme,
                speed_table_word(m, k, "precision"), cell[0], cell[1], cell[2], cell[3], cell[4], cell[5], cell[6],
                cell[7], cell[8], speed_table_word(m, k, "field"));
}

/* Adds a table of the memory, if the paper prints it. */
static void add_memory(const speed_comparison *c, const char *name, const char *published, const char *measured,
                       double unit, results *r) {
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

static bool has_column(const speed_table *t, const char *name) {
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
    const speed_table *m = &c->measured;
    int timed = 0, wrong = 0;
    double most_cells = 0, of_copy = NAN;
    for (int k = 0; k < m->n_row; k++) {
        const double cells = speed_table_number(m, k, "cells");
        if (!(speed_table_number(m, k, "MLUPS") > 0))
            continue; /* the run did not fit into the card's memory */
        timed++;
        wrong += strcmp(speed_table_word(m, k, "field"), "same") != 0;
        if (strcmp(speed_table_word(m, k, "scheme"), "ours") == 0 && cells > most_cells) {
            most_cells = cells;
            of_copy = speed_table_number(m, k, "share_of_copy");
        }
    }
    results_at_least(r, "schemes that were timed", timed, 2);
    results_at_most(r, "timed schemes whose populations differ from the reference", wrong, 0);
    results_at_least(r, "`ours` in float, its largest case: share of the copy rate", of_copy, 0.6);
}

static void compare(speed_comparison *c, results *r) {
    c->speed = has_column(&c->published, "box_MLUPS") ? "box_MLUPS" : "MLUPS";
    c->published_GB_s = speed_table_bandwidth(speed_table_note(&c->published, "card"));
    c->measured_GB_s = speed_table_bandwidth(speed_table_note(&c->measured, "card"));
    if (isnan(c->measured_GB_s)) /* without a measured memory bandwidth: bandwidth of a copy */
        c->measured_GB_s = speed_table_bandwidth(speed_table_note(&c->measured, "copy"));
    say_cards(c, r);
    if (!has_column(&c->published, "addressing_MB"))
        add_speeds(c, r);
    add_memory(c, "device memory", "memory_GB", "memory_MB", 1e-3, r);
    add_memory(c, "memory for addressing", "addressing_MB", "addressing_MB", 1, r);
    judge(c, r);
    speed_draw(c, r);
}

/* Shows the speed of the same schemes on one core, if the paper has a serial program. published: the paper's speed on
 * one core, NULL: none. */
static void show_serial(const speed_table *t, const speed_table *published, const speed_comparison *c, results *r) {
    char head[256];
    results_text(r, "One core of %s:", speed_table_note(t, "card"));
    snprintf(head, sizeof head,
             "box|scheme|measured (MLUPS)|of the whole box (million cells a second)|GPU over one core%s",
             !published ? ""
             : strcmp(c->speed, "box_MLUPS") == 0
                 ? "|published, one core (million cells of the box a second)|published: GPU over it"
                 : "|published, one core (MLUPS)|published: GPU over it");
    results_table(r, "serial", head);
    for (int k = 0; k < t->n_row; k++) {
        const char *box = speed_table_word(t, k, "box"), *scheme = speed_table_word(t, k, "scheme");
        const int at = speed_table_find(&c->measured, box, scheme);
        char ratio[32], theirs[96] = "";
        number(ratio, "%.0f",
               at >= 0 ? speed_table_number(&c->measured, at, "MLUPS") / speed_table_number(t, k, "MLUPS") : NAN);
        for (int n = 0; published && n < published->n_row && !theirs[0]; n++)
            if (strcmp(speed_table_word(published, n, "box"), box) == 0)
                snprintf(theirs, sizeof theirs, "|%s|%s", speed_table_word(published, n, c->speed),
                         speed_table_word(published, n, "gpu_over_cpu"));
        results_row(r, "%s|%s|%s|%s|%s%s", box, scheme, speed_table_word(t, k, "MLUPS"),
                    speed_table_word(t, k, "box_MLUPS"), ratio, published && !theirs[0] ? "|-|-" : theirs);
    }
}

/* Shows the run times of wang2015 in seconds, for 5000 steps (its table 1) and for a cycle of 31,705 steps (its text):
 * measured on the GPU and on one core, and published. */
static void show_times(const speed_table *serial, const speed_table *published_serial, const speed_comparison *c,
                       results *r) {
    static const double steps[] = {5000, 31705};
    const speed_table *const t[2] = {&c->measured, serial}, *const p[2] = {&c->published, published_serial};
    results_text(r, "Run times of %.0f steps (table 1) and of a cycle (%.0f):", steps[0], steps[1]);
    results_table(r, "times",
                  "box|scheme|5000 steps, GPU (s)|5000 steps, one core (s)|cycle, GPU (s)|cycle, one core "
                  "(s)|published: cycle, GPU (s)|published: cycle, one core (s)");
    for (int k = 0; k < serial->n_row; k++) {
        const char *box = speed_table_word(serial, k, "box"), *scheme = speed_table_word(serial, k, "scheme");
        int n[3] = {1, 1, 1};
        char cell[6][32];
        if (sscanf(box, "%dx%dx%d", &n[0], &n[1], &n[2]) != 3)
            continue;
        for (int i = 0; i < 2; i++) {
            const int at = speed_table_find(t[i], box, scheme);
            const double rate = at < 0 ? NAN : 1e6 * speed_table_number(t[i], at, "box_MLUPS") / n[0] / n[1] / n[2];
            for (int s = 0; s < 2; s++)
                number(cell[2 * s + i], "%.3g", steps[s] / rate);
            const int theirs = speed_table_find(p[i], box, scheme);
            number(cell[4 + i], "%.0f", theirs < 0 ? NAN : speed_table_number(p[i], theirs, "cycle_s"));
        }
        results_row(r, "%s|%s|%s|%s|%s|%s|%s|%s", box, scheme, cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]);
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
                         speed_table *t) {
    const int rc = strcmp(x->run->device, device) == 0 ? measure(x, device, only, name) : OK;
    const char *folder = there(x->work, name) ? x->work : x->source;
    return rc != OK || !there(folder, name) ? rc : speed_table_read(folder, name, t);
}

/* Writes the notes of the published table, except card and source: text before our numbers, reasons for differences
 * after them. */
static void say_notes(const speed_table *t, bool why, results *r) {
    for (int k = 0; k < t->n_note; k++) {
        const bool is_why = strncmp(t->note[k], "why: ", 5) == 0;
        if (is_why == why && strncmp(t->note[k], "card: ", 6) != 0 && strncmp(t->note[k], "source: ", 8) != 0)
            results_text(r, "%s", t->note[k] + (why ? 5 : 0));
    }
}

/* Shows several cards, if the paper has them (solve/bench/papers.sh measures ours). */
static int show_cards(const study_context *x, results *r) {
    static speed_table published, measured; /* static, because they are too large for the stack */
    int rc = OK;
    if (!there(x->source, "published-cards.csv") || !there(x->source, "measured-cards.csv"))
        return OK;
    TRY(speed_table_read(x->source, "published-cards.csv", &published));
    TRY(speed_table_read(x->source, "measured-cards.csv", &measured));
    speed_cards_show(&published, &measured, r);
cleanup:
    speed_table_free(&published);
    speed_table_free(&measured);
    return rc;
}

int study_speed(const study_context *x, results *r) {
    static speed_comparison c; /* static, because it is too large for the stack */
    static speed_table serial, published_serial;
    const char *only = serial_schemes(x->name);
    int rc = OK;
    memset(&c, 0, sizeof c);
    memset(&serial, 0, sizeof serial);
    memset(&published_serial, 0, sizeof published_serial);
    TRY(speed_table_read(x->source, "published.csv", &c.published));
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
        TRY(speed_table_read(x->source, "published-cpu.csv", &published_serial));
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
    speed_table_free(&c.published);
    speed_table_free(&c.measured);
    speed_table_free(&serial);
    speed_table_free(&published_serial);
    return rc;
}
