/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of cohort.h. */
#include "pipeline/reproduce_cohorts/cohort.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study_plot.h"
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4 };
static const double least_for_intervals = 16;

static const char *cell(char text[32], const char *format, double value) {
    text[0] = '\0';
    if (isfinite(value))
        snprintf(text, 32, format, value);
    return text;
}

static void table(results *r, int n, const cohort_vessel *v) {
    char a[8][32], word[2][32], in[32];
    results_table(
        r, "vessels",
        "seed|junctions|stenosis (% of the area)|aneurysms|throat Re, drawn|Re, solve|cells|ended|swing (%)|exit|steps|"
        "seconds|drop (Pa)|error of drop (%)|on the finest lattice (%)|of split (points)|of wall shear stress (%)|"
        "intervals with the truth|finer: cells|ended|"
        "steps|seconds");
    for (int k = 0; k < n; k++) {
        const run_outcome *u = &v[k].usual, *f = &v[k].fine;
        in[0] = '\0';
        if (v[k].known + v[k].without > 0)
            snprintf(in, sizeof in, "%d of %d", v[k].inside, v[k].known + v[k].without);
        results_row(r, "%d|%.0f|%.0f|%.0f|%.0f|%s|%s|%s|%s|%d|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", v[k].seed,
                    v[k].junctions, v[k].stenosis, v[k].aneurysms, v[k].reynolds,
                    cell((char[32]){0}, "%.0f", u->reynolds), cell((char[32]){0}, "%.0f", u->cells),
                    run_outcome_word(u, word[0]), cell((char[32]){0}, "%.1f", u->swing_percent), u->exit,
                    cell((char[32]){0}, "%.0f", u->steps), cell((char[32]){0}, "%.0f", u->seconds),
                    cell(a[0], "%.4g", v[k].drop_pa), cell(a[1], "%.2f", v[k].drop), cell(a[7], "%.2f", v[k].finest),
                    cell(a[2], "%.2f", v[k].split), cell(a[3], "%.2f", v[k].wss), in, cell(a[4], "%.0f", f->cells),
                    run_outcome_word(f, word[1]), cell(a[5], "%.0f", f->steps), cell(a[6], "%.0f", f->seconds));
    }
    for (int k = 0; k < n; k++) {
        if (!run_outcome_is_good(&v[k].usual) && v[k].usual.sentence[0])
            results_text(r, "Seed %d: %s", v[k].seed, v[k].usual.sentence);
        if (!run_outcome_is_good(&v[k].fine) && v[k].fine.exit != OK)
            results_text(r, "Seed %d, finer: %s", v[k].seed, v[k].fine.sentence);
    }
}

static const struct {
    const char *name;
    size_t place; /* offset of the error in cohort_vessel */
} kinds[KINDS] = {{"pressure drop (%)", offsetof(cohort_vessel, drop)},
                  {"pressure drop on the finest lattice (%)", offsetof(cohort_vessel, finest)},
                  {"split (points)", offsetof(cohort_vessel, split)},
                  {"wall shear stress (%)", offsetof(cohort_vessel, wss)}};

/* True if the run with the default spacing is valid, but there is no run with the finer spacing. */
static bool without_reference(const cohort_vessel *v) {
    return run_outcome_is_good(&v->usual) && !v->fine.solved && v->fine.exit == OK;
}

/* Lists the errors of one kind in ascending order, for all vessels with a reference; an unknown error counts as
 * infinite. Returns the number of errors. */
static int sorted(int n, const cohort_vessel *v, int kind, double *error) {
    int known = 0;
    for (int k = 0; k < n; k++) {
        if (without_reference(&v[k]))
            continue;
        error[known] = *(const double *)((const char *)&v[k] + kinds[kind].place);
        if (isnan(error[known]))
            error[known] = 1e30;
        known++;
    }
    qsort(error, (size_t)known, sizeof *error, order_double);
    for (int k = 0; k < known; k++)
        if (error[k] > 1e29)
            error[k] = INFINITY;
    return known;
}

/* Quantile `part` (0 to 1) of n sorted errors, rounded up to the next error of the list; INFINITY without errors. */
static double quantile(int n, const double *error, double part) {
    return n > 0 ? error[(int)fmin(n - 1, ceil(part * n) - 1)] : INFINITY;
}

static void draw(results *r, int n, const cohort_vessel *v) {
    double error[COHORT_VESSELS], part[COHORT_VESSELS], reynolds[COHORT_VESSELS];
    plot p = {.name = "errors",
              .title = "Errors of the vessels in ascending order",
              .x_label = "share of the vessels (%)",
              .y_label = "error"};
    plot q = {.name = "drop",
              .title = "Error of the pressure drop",
              .x_label = "throat Reynolds number, as drawn",
              .y_label = "error (%)",
              .log_x = 1};
    int known = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const int judged = sorted(n, v, kind, error);
        known = 0;
        for (int k = 0; k < judged && isfinite(error[k]); k++, known++)
            part[k] = 100.0 * (k + 1) / judged;
        if (known > 0)
            plot_curve(&p, kinds[kind].name, PLOT_POINTS, known, part, error);
    }
    known = 0;
    for (int k = 0; k < n; k++)
        if (isfinite(v[k].drop)) {
            reynolds[known] = v[k].reynolds;
            error[known++] = v[k].drop;
        }
    if (known == 0) {
        results_text(r, "No vessel has an answer on both lattices: no picture.");
        plot_free(&p);
        return;
    }
    plot_curve(&q, "vessels", PLOT_POINTS, known, reynolds, error);
    plot_write(&p, r);
    plot_write(&q, r);
}

static void summarize(results *r, int n, const cohort_vessel *v) {
    double error[COHORT_VESSELS];
    results_table(r, "summary", "error of|median|95th percentile|largest");
    for (int kind = 0; kind < KINDS; kind++) {
        const int judged = sorted(n, v, kind, error);
        results_row(r, "%s|%.2f|%.2f|%.2f", kinds[kind].name, quantile(judged, error, 0.5),
                    quantile(judged, error, 0.95), quantile(judged, error, 1));
    }
}

static void judge_ends(results *r, int n, const cohort_vessel *v) {
    char what[96];
    int good = 0;
    for (int k = 0; k < n; k++)
        good += run_outcome_is_good(&v[k].usual);
    snprintf(what, sizeof what, "vessels that settle or are reported as unsteady, of %d", n);
    results_at_least(r, what, good, n);
}

static void judge_errors(results *r, int n, double across, const cohort_vessel *v) {
    double error[COHORT_VESSELS];
    char what[96];
    const double coarser = COHORT_ACROSS / across;
    const int judged = sorted(n, v, 0, error);
    snprintf(what, sizeof what, "vessels whose finer lattice was computed, of %d", n);
    results_at_least(r, what, judged, n);
    results_at_most(r, "median error of the pressure drop (%); limit 2 % times (24 / cells across)^2",
                    quantile(judged, error, 0.5), 2 * coarser * coarser);
    results_at_most(r, "95th percentile of the error of the pressure drop (%); limit 6 % times (24 / cells across)^2",
                    quantile(judged, error, 0.95), 6 * coarser * coarser);
}

/* Counts how often the intervals contain the true pressure drop, over all drops of all vessels, and reports it. */
static void judge_intervals(results *r, int n, double across, const cohort_vessel *v) {
    double half[COHORT_VESSELS * PRESSURE_DROPS_MAX];
    const double coarser = COHORT_ACROSS / across;
    int known = 0, inside = 0, without = 0;
    for (int k = 0; k < n; k++) {
        memcpy(half + known, v[k].half, (size_t)v[k].known * sizeof *half);
        known += v[k].known;
        inside += v[k].inside;
        without += v[k].without;
    }
    qsort(half, (size_t)known, sizeof *half, order_double);
    results_text(r,
                 "Lattice intervals: %d drops have one, %d have none. %d of them contain the truth; their median "
                 "half-width is %.1f %%.",
                 known, without, inside, known ? half[known / 2] : NAN);
    results_at_least(r, "part of the intervals that contain the truth (%)", known ? 100.0 * inside / known : 0, 90);
    results_at_most(r, "median half-width (%); limit 3 % times (24 / cells across)^2",
                    known ? half[known / 2] : INFINITY, 3 * coarser * coarser);
}

void cohort_introduce(const study_context *x, results *r, int n, double across) {
    results_text(r, "Vessels of `phantom --kind random --seed N`: 1.5 to 8 mm radius, one to three branches, bends, "
                    "taper, stenoses of up to 90 %% of the area, aneurysms. Prescribed inflows, outlet pressure 0, "
                    "throat Reynolds numbers 50 to 1500.");
    if (x->scale < 1)
        results_text(
            r,
            "At this scale: %d vessels%s, %g cells per diameter at the smallest opening, Reynolds numbers times %g%s.",
            n, x->scale < COHORT_REFERRED ? " with one junction" : "", across, x->scale,
            x->scale < COHORT_REFERRED ? ", tolerance 1e-4; no finer lattice" : "");
    if (x->scale >= COHORT_REFERRED)
        results_text(r,
                     "Three grid levels, the default for a lumen from an image; pressure drops are extrapolated. "
                     "Truth: extrapolated, second order, from the finest lattice and a lattice %.1f times finer. Drop: "
                     "largest readout; split: largest error of an outlet's share; wall shear stress: mean. A failed "
                     "case is an infinite error.",
                     COHORT_FINER);
    if (x->scale >= 1)
        results_text(
            r, "Default settings except `solve.collision: trt` and `mesh.max_cells`: 4 million, the default without "
               "a GPU.");
}

void cohort_show(const study_context *x, results *r, int n, double across, const cohort_vessel *v) {
    table(r, n, v);
    judge_ends(r, n, v);
    if (x->scale < COHORT_REFERRED)
        return;
    summarize(r, n, v);
    draw(r, n, v);
    judge_errors(r, n, across, v);
    if (across >= least_for_intervals)
        judge_intervals(r, n, across, v);
}
