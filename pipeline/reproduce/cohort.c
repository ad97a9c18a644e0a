/* verify:cohort. Vessels that nobody drew: 60 random patients (`phantom --kind random --seed 1` to 60), each through
 * mesh, solve and post with a ladder of three lattices, which is what a lumen from an image gets with nothing set, and
 * again with a finer spacing. Does every one of them end with an answer, and how far is it from the truth? That follows
 * from the finest lattices of both for a scheme of second order: finer + (finer - usual) / (ratio^2 - 1). */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/run/stages.h"
#include "pipeline/trial/draw.h"
#include "pipeline/trial/drops.h"
#include "pipeline/trial/outcome.h"
#include "pipeline/trial/plot.h"
#include "pipeline/trial/speed_table.h"
#include "pipeline/trial/trial.h"
#include "pipeline/trial/workers.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VESSELS = 60, LEAST = 4, ENDS = 8, KINDS = 4 };
/* Below the scale `referred` the runs are looked at alone: simple vessels, a wider tolerance, no finer lattice. */
static const double referred = 0.3, finer = 1.4, usual_across = 24, least_across = 8, least_for_intervals = 16,
                    viscosity_mpa_s = 3.5;

/* What the outlets of the finest lattice, the readouts and the wall say. */
typedef struct {
    int n;
    double share[ENDS]; /* [n] of the outflow, percent */
    drops drop;
    double wss_pa; /* mean, finest lattice; NaN: not computed */
} reading;

typedef struct {
    int seed;
    double junctions, stenosis, aneurysms, reynolds; /* as drawn */
    outcome usual, fine;
    reading at;
    double drop_pa;                  /* the largest of the readouts, as shown */
    double drop, finest, split, wss; /* errors in percent (split: of the outflow, points), NaN: unknown */
    int without, known, inside;      /* intervals of the lattice: none, some, and of these those with the truth */
    double half[DROPS_MAX];          /* [known] their half-widths, percent of the truth */
} vessel;

/* ------------------------------------------------------------------------------------------- one vessel */

static int read_drawn(const char *folder, vessel *v) {
    const struct {
        const char *name;
        double *value;
    } wanted[] = {{"junctions", &v->junctions},
                  {"stenosis", &v->stenosis},
                  {"aneurysms", &v->aneurysms},
                  {"throat_reynolds", &v->reynolds}};
    char truth[FILE_PATH_MAX + 16];
    speed_table t = {0};
    snprintf(truth, sizeof truth, "%s/truth", folder);
    const int rc = speed_table_read(truth, "truth.csv", &t);
    for (int k = 0; k < 4; k++) {
        *wanted[k].value = NAN;
        for (int row = 0; rc == OK && row < t.n_row; row++)
            if (strcmp(speed_table_word(&t, row, "name"), wanted[k].name) == 0)
                *wanted[k].value = speed_table_number(&t, row, "value");
    }
    speed_table_free(&t);
    return rc;
}

static int read_results(const trial *t, reading *r) {
    cJSON *solve = NULL, *post = NULL, *one;
    double sum = 0;
    int rc;
    *r = (reading){.wss_pa = NAN};
    TRY(trial_result(t, "solve/solve.json", &solve));
    cJSON_ArrayForEach(
        one, cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(solve, "result"), "openings")) {
        const char *role = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "role"));
        if (r->n < ENDS && role && strcmp(role, "inlet") != 0)
            sum += r->share[r->n++] = json_get(one, "flow_ml_s");
    }
    for (int k = 0; k < r->n; k++)
        r->share[k] *= 100 / sum;
    TRY(drops_read(t, &r->drop));
    TRY(trial_result(t, "post/readouts.json", &post));
    const cJSON *wss = cJSON_GetObjectItemCaseSensitive(post, "wss");
    r->wss_pa =
        json_get(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(wss, "uncertainty"), "mean_pa"),
                 "finest_lattice");
    if (isnan(r->wss_pa))
        r->wss_pa = json_get(wss, "mean_pa");
cleanup:
    cJSON_Delete(solve);
    cJSON_Delete(post);
    return rc;
}

/* By how much the finest lattice is off, in percent. */
static double finest_off(double usual, double fine) {
    const double truth = fine + (fine - usual) / (finer * finer - 1);
    return 100 * fabs(usual / truth - 1);
}

static void compare(const reading *fine, vessel *v) {
    const reading *r = &v->at;
    const int most = drops_largest(&fine->drop);
    for (int k = 0; k < r->drop.n && k < fine->drop.n; k++) {
        const double usual = r->drop.finest_pa[k], fine_pa = fine->drop.finest_pa[k];
        const double truth = fine_pa + (fine_pa - usual) / (finer * finer - 1);
        const double off = fabs(r->drop.value_pa[k] - truth), half = r->drop.lattice_pa[k];
        if (k == most) {
            v->drop = 100 * off / fabs(truth);
            v->finest = finest_off(usual, fine_pa);
        }
        if (isnan(half)) {
            v->without++;
            continue;
        }
        v->inside += off <= half;
        v->half[v->known++] = 100 * half / fabs(truth);
    }
    v->wss = finest_off(r->wss_pa, fine->wss_pa);
    v->split = 0;
    for (int k = 0; k < r->n && k < fine->n; k++)
        v->split = fmax(v->split, finer * finer / (finer * finer - 1) * fabs(r->share[k] - fine->share[k]));
}

/* One lattice. spacing_mm 0: nothing is set. */
static int run_lattice(const item_context *x, const char *patient, const char *name, double spacing_mm, double across,
                       outcome *end, reading *r) {
    trial t = {0};
    int rc;
    trial_create(&t, patient, x->work, name);
    trial_set(&t, "solve.checkpoint", "0 s");
    if (x->scale >= referred)
        trial_set(&t, "mesh.ladder", "3");
    if (spacing_mm > 0)
        trial_set(&t, "mesh.spacing", "%.9g mm", spacing_mm);
    else if (across < usual_across)
        trial_set(&t, "mesh.cells_across", "%g", across);
    if (x->scale < 1)
        trial_set(&t, "blood.viscosity", "%.9g mPa s", viscosity_mpa_s / x->scale);
    if (x->scale < referred)
        trial_set(&t, "solve.tolerance", "1e-4");
    TRY(outcome_run(&t, x->run, STAGE_POST, end));
    if (outcome_good(end) && end->exit == OK)
        TRY(read_results(&t, r));
cleanup:
    trial_free(&t);
    return rc;
}

static int run_vessel(const item_context *x, int seed, double across, vessel *v, bool *wanted) {
    char patient[FILE_PATH_MAX], name[32], word[2][32];
    reading fine = {0};
    int rc = OK;
    *v = (vessel){.seed = seed, .drop_pa = NAN, .drop = NAN, .finest = NAN, .split = NAN, .wss = NAN};
    TRY(draw_random(x->work, seed, patient));
    TRY(read_drawn(patient, v));
    *wanted = x->scale >= referred || v->junctions == 1;
    if (!*wanted)
        goto cleanup;
    snprintf(name, sizeof name, "%02d", seed);
    TRY(run_lattice(x, patient, name, 0, across, &v->usual, &v->at));
    if (v->at.drop.n > 0)
        v->drop_pa = v->at.drop.value_pa[drops_largest(&v->at.drop)];
    snprintf(name, sizeof name, "%02d-fine", seed);
    if (isnan(v->usual.dx_mm) || x->scale < referred || (v->usual.exit != OK && !outcome_good(&v->usual)))
        outcome_clear(&v->fine);
    else
        TRY(run_lattice(x, patient, name, v->usual.dx_mm / finer, across, &v->fine, &fine));
    if (v->at.drop.n > 0 && fine.drop.n > 0)
        compare(&fine, v);
    snprintf(name, sizeof name, isnan(v->drop) ? "not known" : "%.2g %%", v->drop);
    message_info("seed %d: %s; finer: %s; error of the drop: %s", seed, outcome_word(&v->usual, word[0]),
                 outcome_word(&v->fine, word[1]), name);
cleanup:
    return rc;
}

/* ---------------------------------------------------------------------------------------- what is shown */

static const char *cell(char text[32], const char *format, double value) {
    text[0] = '\0';
    if (isfinite(value))
        snprintf(text, 32, format, value);
    return text;
}

static void table(results *r, int n, const vessel *v) {
    char a[8][32], word[2][32], in[32];
    results_table(
        r, "vessels",
        "seed|junctions|stenosis (% of the area)|aneurysms|throat Re, drawn|Re, solve|cells|ended|swing (%)|exit|steps|"
        "seconds|drop (Pa)|error of drop (%)|on the finest lattice (%)|of split (points)|of wall shear stress (%)|"
        "intervals with the truth|finer: cells|ended|"
        "steps|seconds");
    for (int k = 0; k < n; k++) {
        const outcome *u = &v[k].usual, *f = &v[k].fine;
        in[0] = '\0';
        if (v[k].known + v[k].without > 0)
            snprintf(in, sizeof in, "%d of %d", v[k].inside, v[k].known + v[k].without);
        results_row(r, "%d|%.0f|%.0f|%.0f|%.0f|%s|%s|%s|%s|%d|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", v[k].seed,
                    v[k].junctions, v[k].stenosis, v[k].aneurysms, v[k].reynolds,
                    cell((char[32]){0}, "%.0f", u->reynolds), cell((char[32]){0}, "%.0f", u->cells),
                    outcome_word(u, word[0]), cell((char[32]){0}, "%.1f", u->swing_percent), u->exit,
                    cell((char[32]){0}, "%.0f", u->steps), cell((char[32]){0}, "%.0f", u->seconds),
                    cell(a[0], "%.4g", v[k].drop_pa), cell(a[1], "%.2f", v[k].drop), cell(a[7], "%.2f", v[k].finest),
                    cell(a[2], "%.2f", v[k].split), cell(a[3], "%.2f", v[k].wss), in, cell(a[4], "%.0f", f->cells),
                    outcome_word(f, word[1]), cell(a[5], "%.0f", f->steps), cell(a[6], "%.0f", f->seconds));
    }
    for (int k = 0; k < n; k++) {
        if (!outcome_good(&v[k].usual) && v[k].usual.sentence[0])
            results_text(r, "Seed %d: %s", v[k].seed, v[k].usual.sentence);
        if (!outcome_good(&v[k].fine) && v[k].fine.exit != OK)
            results_text(r, "Seed %d, finer: %s", v[k].seed, v[k].fine.sentence);
    }
}

static const struct {
    const char *name;
    size_t place; /* in a vessel */
} kinds[KINDS] = {{"pressure drop (%)", offsetof(vessel, drop)},
                  {"pressure drop on the finest lattice (%)", offsetof(vessel, finest)},
                  {"split (points)", offsetof(vessel, split)},
                  {"wall shear stress (%)", offsetof(vessel, wss)}};

/* Errors of a kind in ascending order; what is not known counts as infinite. */
static void sorted(int n, const vessel *v, int kind, double *error) {
    for (int k = 0; k < n; k++) {
        error[k] = *(const double *)((const char *)&v[k] + kinds[kind].place);
        if (isnan(error[k]))
            error[k] = 1e30;
    }
    qsort(error, (size_t)n, sizeof *error, order_double);
    for (int k = 0; k < n; k++)
        if (error[k] > 1e29)
            error[k] = INFINITY;
}

/* The value that a share of the vessels does not pass, the next larger one of the list. */
static double quantile(int n, const double *error, double part) {
    return error[(int)fmin(n - 1, ceil(part * n) - 1)];
}

static void draw(results *r, int n, const vessel *v) {
    double error[VESSELS], part[VESSELS], reynolds[VESSELS];
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
        sorted(n, v, kind, error);
        known = 0;
        for (int k = 0; k < n && isfinite(error[k]); k++, known++)
            part[k] = 100.0 * (k + 1) / n;
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

static void summarize(results *r, int n, const vessel *v) {
    double error[VESSELS];
    results_table(r, "summary", "error of|median|95th percentile|largest");
    for (int kind = 0; kind < KINDS; kind++) {
        sorted(n, v, kind, error);
        results_row(r, "%s|%.2f|%.2f|%.2f", kinds[kind].name, quantile(n, error, 0.5), quantile(n, error, 0.95),
                    error[n - 1]);
    }
}

static void judge_ends(results *r, int n, const vessel *v) {
    char what[96];
    int good = 0;
    for (int k = 0; k < n; k++)
        good += outcome_good(&v[k].usual);
    snprintf(what, sizeof what, "vessels that settle or are said to be unsteady, of %d", n);
    results_at_least(r, what, good, n);
}

static void judge_errors(results *r, int n, double across, const vessel *v) {
    double error[VESSELS];
    const double coarser = usual_across / across;
    sorted(n, v, 0, error);
    results_at_most(r, "median error of the pressure drop (%); limit 2 % times (24 / cells across)^2",
                    quantile(n, error, 0.5), 2 * coarser * coarser);
    results_at_most(r, "95th percentile of it (%); limit 6 % times (24 / cells across)^2", quantile(n, error, 0.95),
                    6 * coarser * coarser);
}

/* Of the intervals of all drops of all vessels. */
static void judge_intervals(results *r, int n, double across, const vessel *v) {
    double half[VESSELS * DROPS_MAX];
    const double coarser = usual_across / across;
    int known = 0, inside = 0, without = 0;
    for (int k = 0; k < n; k++) {
        memcpy(half + known, v[k].half, (size_t)v[k].known * sizeof *half);
        known += v[k].known;
        inside += v[k].inside;
        without += v[k].without;
    }
    qsort(half, (size_t)known, sizeof *half, order_double);
    results_text(r,
                 "Intervals of the lattice: %d drops have one, %d have none. Of the intervals %d hold the truth; their "
                 "median half-width is %.1f %%.",
                 known, without, inside, known ? half[known / 2] : NAN);
    results_at_least(r, "part of the intervals that hold the truth (%)", known ? 100.0 * inside / known : 0, 90);
    results_at_most(r, "median half-width (%); limit 3 % times (24 / cells across)^2",
                    known ? half[known / 2] : INFINITY, 3 * coarser * coarser);
}

static void introduce(const item_context *x, results *r, int n, double across) {
    results_text(
        r,
        "Patients of `phantom --kind random --seed N`: vessels of 1.5 to 8 mm radius in any direction with one to "
        "three branches that leave or join them, bends, taper, eccentric stenoses of up to 90 %% of the area with or "
        "without a widening behind, aneurysms; flows given at the inlets, pressure 0 at the outlets; throat Reynolds "
        "numbers, with flows by the cube law, of 50 to 1500. A case that fails is a row. Limits were set before the "
        "first run.");
    if (x->scale < 1)
        results_text(r,
                     "At this scale: %d vessels%s, %g cells across the narrowest opening, Reynolds numbers times %g%s.",
                     n, x->scale < referred ? " with one junction" : "", across, x->scale,
                     x->scale < referred ? ", tolerance 1e-4; no finer lattice" : "");
    if (x->scale >= referred)
        results_text(
            r,
            "Three lattices each, as a lumen from an image gets by itself; drops are shown extrapolated from them. The "
            "truth is extrapolated from the finest lattice and that of a second run with a spacing %.1f times finer, "
            "for a scheme of second order. Drop: the largest of the readouts; split: largest error of an outlet's "
            "share; wall shear stress: mean; both on the finest lattice. Intervals are those of the lattice, of all "
            "drops of a vessel. What has no answer counts as infinitely wrong.",
            finer);
}

typedef struct {
    const item_context *x;
    double across;
    int seed[VESSELS]; /* the largest first */
} cohort_work;

static int work_vessel(void *data, int k) {
    const cohort_work *w = data;
    bool wanted;
    vessel v;
    return run_vessel(w->x, w->seed[k], w->across, &v, &wanted);
}

int item_cohort(const item_context *x, results *r) {
    static vessel v[VESSELS];
    const int n = (int)fmax(LEAST, round(VESSELS * x->scale * x->scale));
    const double across = fmax(least_across, round(usual_across * x->scale));
    int rc = OK;
    introduce(x, r, n, across);
    if (x->jobs > 1) {
        cohort_work w = {x, across, {0}};
        TRY(draw_by_size(x->work, n, w.seed));
        TRY(workers_run(x->jobs, n, work_vessel, &w, x->work));
    }
    for (int k = 0, seed = 1; k < n; seed++) {
        bool wanted;
        TRY(run_vessel(x, seed, across, &v[k], &wanted));
        k += wanted;
    }
    table(r, n, v);
    judge_ends(r, n, v);
    if (x->scale < referred)
        goto cleanup;
    summarize(r, n, v);
    draw(r, n, v);
    judge_errors(r, n, across, v);
    if (across >= least_for_intervals)
        judge_intervals(r, n, across, v);
cleanup:
    return rc;
}
