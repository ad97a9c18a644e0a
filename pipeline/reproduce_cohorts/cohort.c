/* SPDX-License-Identifier: Apache-2.0 */
/* verify:cohort. 60 random patients (`phantom --kind random --seed 1` to 60). Each runs through mesh, solve and post
 * twice: with three grid levels, which are the default for a lumen from an image, and again with a finer spacing. The
 * truth is extrapolated from the finest lattices that the two runs solved, with the order of the walls, 3: finer +
 * (finer - usual) / (ratio^3 - 1), ratio: of their spacings. */
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/readings.h"
#include "pipeline/reproduce/run_outcome.h"
#include "pipeline/reproduce/saved_result.h"
#include "pipeline/reproduce/study_plot.h"
#include "pipeline/reproduce/workers.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { VESSELS = 60, ENDS = 8, LEAST = 4, KINDS = 4 };
/* referred: scale below which vessels are simple, the tolerance is larger, and there is no reference; finer: ratio of
 * the spacings of the two runs; usual_across: cells per diameter at the smallest opening, for scale 1 */
static const double referred = 0.3, finer = 1.5, usual_across = 12;
static const double most_cells = 4e6, least_across = 8, viscosity_mpa_s = 3.5, least_for_intervals = 12;

/* Results of one run: flows of the outlets, pressure drops, wall shear stress. */
typedef struct {
    int n;
    double dx_mm;       /* spacing of the finest lattice that was solved */
    double share[ENDS]; /* [n] flow of each outlet, in percent of the outflow */
    readings of;
    double wss_pa; /* mean wall shear stress on the finest lattice; NaN: not computed */
} lattice_result;

typedef struct {
    int seed;
    double junctions, stenosis, aneurysms, reynolds; /* properties of the vessel as drawn */
    run_outcome usual, fine;
    lattice_result at;
    double drop_pa; /* largest reported pressure drop */
    /* errors in percent: of the reported pressure drop, of the pressure drop on the finest lattice, of the flow split
     * (percentage points of the outflow), of the wall shear stress; NaN: unknown */
    double drop, finest, split, wss;
    double truth_pa[READINGS_MAX]; /* [n_truth] true pressure drops */
    int n_truth;
} vessel;

/* ------------------------------------------------------------------------------------------- one vessel */

static void read_results(const study_case *t, lattice_result *r) {
    cJSON *solve = study_case_json(t, "solve/solve.json"), *one;
    double sum = 0;
    *r = (lattice_result){.wss_pa = NAN, .dx_mm = json_get_number(json_find(solve, "result"), "dx_mm")};
    cJSON_ArrayForEach(one, json_find(solve, "result/openings")) {
        const char *role = json_get_text(one, "role");
        if (r->n < ENDS && role && strcmp(role, "inlet") != 0)
            sum += r->share[r->n++] = json_get_number(one, "flow_ml_s");
    }
    for (int k = 0; k < r->n; k++)
        r->share[k] *= 100 / sum;
    readings_read(t, &r->of);
    for (int k = 0; k < r->of.n; k++)
        if (r->of.r[k].kind == READING_WSS_MEAN)
            r->wss_pa = r->of.r[k].finest;
    cJSON_Delete(solve);
}

/* Value extrapolated from the finest lattices of the two runs, third order. ratio: of their spacings. */
static double extrapolate(double ratio, double usual, double fine) {
    return fine + (fine - usual) / (pow(ratio, 3) - 1);
}

/* Error on the finest lattice of the run with the default settings, % of the truth. */
static double finest_off(double ratio, double usual, double fine) {
    return 100 * fabs(usual / extrapolate(ratio, usual, fine) - 1);
}

static void compare(const lattice_result *fine, vessel *v) {
    const lattice_result *r = &v->at;
    const double ratio = r->dx_mm / fine->dx_mm;
    const int most = readings_largest_drop(&fine->of);
    for (int k = 0; k < r->of.n_drop && k < fine->of.n_drop; k++) {
        const double usual = r->of.r[k].finest, fine_pa = fine->of.r[k].finest;
        const double truth = extrapolate(ratio, usual, fine_pa);
        v->truth_pa[v->n_truth++] = truth;
        if (k == most) {
            v->drop = 100 * fabs(r->of.r[k].value / truth - 1);
            v->finest = finest_off(ratio, usual, fine_pa);
        }
    }
    v->wss = finest_off(ratio, r->wss_pa, fine->wss_pa);
    v->split = 0;
    for (int k = 0; k < r->n && k < fine->n; k++)
        v->split = fmax(v->split, fabs(r->share[k] - extrapolate(ratio, r->share[k], fine->share[k])));
}

/* Runs one vessel with one spacing. spacing_mm 0: default settings, except the limit of cells, because the default
 * limit depends on the GPU. */
static void run_lattice(const study_context *x, const char *patient, const char *name, double spacing_mm, double across,
                        run_outcome *end, lattice_result *r) {
    study_case t;
    study_case_open(&t, x, patient, "%s", name);
    study_case_set(&t, "solve.checkpoint", "0 s");
    if (x->scale >= referred)
        study_case_set(&t, "mesh.grid_levels", "3");
    if (spacing_mm > 0)
        study_case_set(&t, "mesh.spacing", "%.9g mm", spacing_mm);
    else if (across < usual_across)
        study_case_set(&t, "mesh.cells_per_diameter", "%g", across);
    else
        study_case_set(&t, "mesh.max_cells", "%g", most_cells);
    if (x->scale < 1)
        study_case_set(&t, "blood.viscosity", "%.9g mPa s", viscosity_mpa_s / x->scale);
    if (x->scale < referred)
        study_case_set(&t, "solve.tolerance", "1e-4");
    run_outcome_clear(end);
    const bool kept = x->page->error == OK && saved_result_exists(&t);
    if (kept)
        run_outcome_read(&t, end);
    else
        run_outcome_compute(&t, STAGE_POST, end);
    if (run_outcome_is_good(end)) {
        read_results(&t, r);
        if (!kept && x->page->error == OK)
            results_fail(x->page, saved_result_write(&t));
    }
    study_case_close(&t);
}

/* Returns false if the vessel is not part of the study at this scale. */
static bool run_vessel(const study_context *x, int seed, double across, vessel *v) {
    static const char *const drawn[] = {"junctions", "stenosis", "aneurysms", "throat_reynolds"};
    const char *patient = draw_random(x, seed);
    char word[2][32];
    double value[4];
    lattice_result fine = {0};
    results *r = x->page;
    draw_read_truth(x, patient, 4, drawn, value);
    *v = (vessel){.seed = seed,
                  .junctions = value[0],
                  .stenosis = value[1],
                  .aneurysms = value[2],
                  .reynolds = value[3],
                  .drop_pa = NAN,
                  .drop = NAN,
                  .finest = NAN,
                  .split = NAN,
                  .wss = NAN};
    if (x->scale < referred && v->junctions != 1 && r->error == OK)
        return false;
    run_lattice(x, patient, results_format(r, "%02d", seed), 0, across, &v->usual, &v->at);
    if (v->at.of.n_drop > 0)
        v->drop_pa = v->at.of.r[readings_largest_drop(&v->at.of)].value;
    if (isnan(v->usual.dx_mm) || x->scale < referred || (v->usual.exit != OK && !run_outcome_is_good(&v->usual)))
        run_outcome_clear(&v->fine);
    else
        run_lattice(x, patient, results_format(r, "%02d-fine", seed), v->usual.dx_mm / finer, across, &v->fine, &fine);
    if (v->at.of.n_drop > 0 && fine.of.n_drop > 0)
        compare(&fine, v);
    if (r->error == OK)
        message_info("seed %d: %s; finer: %s; error of the drop: %s", seed, run_outcome_word(&v->usual, word[0]),
                     run_outcome_word(&v->fine, word[1]),
                     isnan(v->drop) ? "not known" : results_format(r, "%.2g %%", v->drop));
    return true;
}

typedef struct {
    const study_context *x;
    double across;
} work_list;

static int work_vessel(void *data, int k) {
    const work_list *w = data;
    vessel v;
    run_vessel(w->x, k + 1, w->across, &v);
    return study_take_error(w->x);
}

/* ------------------------------------------------------------------------------------------------- the page */

/* Adds the lattice intervals of the pressure drops of a vessel. */
static void add_intervals(const vessel *v, readings_tally *t) {
    for (int k = 0; k < v->n_truth; k++)
        readings_tally_add(t, v->at.of.r[k].value, v->truth_pa[k], v->at.of.r[k].lattice);
}

static void table(results *r, int n, const vessel *v) {
    char word[2][32];
    results_table(
        r, "vessels",
        "seed|junctions|stenosis (% of the area)|aneurysms|throat Re, drawn|Re, solve|cells|ended|swing (%)|exit|steps|"
        "seconds|spacing (mm)|drop (Pa)|error of drop (%)|on the finest lattice (%)|of split (points)|of wall shear "
        "stress (%)|"
        "intervals with the truth|finer: cells|ended|"
        "steps|seconds");
    r->no_value = "";
    for (int k = 0; k < n; k++) {
        const run_outcome *u = &v[k].usual, *f = &v[k].fine;
        readings_tally t = {0};
        add_intervals(&v[k], &t);
        results_row(
            r,
            "%d|%.0f|%.0f|%.0f|%.0f|%.0f|%.0f|%s|%.1f|%d|%.0f|%.0f|%.3f|%.4g|%.2f|%.2f|%.2f|%.2f|%s|%.0f|%s|%.0f|"
            "%.0f",
            v[k].seed, v[k].junctions, v[k].stenosis, v[k].aneurysms, v[k].reynolds, u->reynolds, u->cells,
            run_outcome_word(u, word[0]), u->swing_percent, u->exit, u->steps, u->seconds, v[k].at.dx_mm, v[k].drop_pa,
            v[k].drop, v[k].finest, v[k].split, v[k].wss,
            v[k].n_truth > 0 ? results_format(r, "%d of %d", t.inside, v[k].n_truth) : "", f->cells,
            run_outcome_word(f, word[1]), f->steps, f->seconds);
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
    size_t place; /* offset of the error in vessel */
} kinds[KINDS] = {{"pressure drop (%)", offsetof(vessel, drop)},
                  {"pressure drop on the finest lattice (%)", offsetof(vessel, finest)},
                  {"split (points)", offsetof(vessel, split)},
                  {"wall shear stress (%)", offsetof(vessel, wss)}};

/* True if the run with the default spacing is valid, but there is no run with the finer spacing. */
static bool without_reference(const vessel *v) {
    return run_outcome_is_good(&v->usual) && !v->fine.solved && v->fine.exit == OK;
}

/* Lists the errors of one kind in ascending order, for all vessels with a reference; an unknown error counts as
 * infinite. Returns the number of errors. */
static int sorted(int n, const vessel *v, int kind, double *error) {
    int known = 0;
    for (int k = 0; k < n; k++) {
        if (without_reference(&v[k]))
            continue;
        const double value = *(const double *)((const char *)&v[k] + kinds[kind].place);
        error[known++] = isnan(value) ? INFINITY : value;
    }
    qsort(error, (size_t)known, sizeof *error, order_double);
    return known;
}

/* Quantile `part` (0 to 1) of n sorted errors, rounded up to the next error of the list; INFINITY without errors. */
static double quantile(int n, const double *error, double part) {
    return n > 0 ? error[(int)fmin(n - 1, ceil(part * n) - 1)] : INFINITY;
}

static void draw(results *r, int n, const vessel *v) {
    double error[VESSELS], part[VESSELS], reynolds[VESSELS];
    plot p = plot_new(r, "errors", "Errors of the vessels in ascending order", "share of the vessels (%)", "error");
    plot q = plot_new(r, "drop", "Error of the pressure drop", "throat Reynolds number, as drawn", "error (%)");
    q.log_x = 1;
    int known = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        const int judged = sorted(n, v, kind, error);
        known = 0;
        for (int k = 0; k < judged && isfinite(error[k]); k++, known++)
            part[k] = 100.0 * (k + 1) / judged;
        if (known > 0)
            plot_curve(&p, PLOT_POINTS, known, part, error, "%s", kinds[kind].name);
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
    plot_curve(&q, PLOT_POINTS, known, reynolds, error, "vessels");
    plot_write(&p);
    plot_write(&q);
}

static void summarize(results *r, int n, const vessel *v) {
    double error[VESSELS];
    results_table(r, "summary", "error of|median|95th percentile|largest");
    for (int kind = 0; kind < KINDS; kind++) {
        const int judged = sorted(n, v, kind, error);
        results_row(r, "%s|%.2f|%.2f|%.2f", kinds[kind].name, quantile(judged, error, 0.5),
                    quantile(judged, error, 0.95), quantile(judged, error, 1));
    }
}

static void judge_ends(results *r, int n, const vessel *v) {
    int good = 0;
    for (int k = 0; k < n; k++)
        good += run_outcome_is_good(&v[k].usual);
    results_at_least(r, results_format(r, "vessels that settle or are reported as unsteady, of %d", n), good, n);
}

static void judge_errors(results *r, int n, double across, const vessel *v) {
    double error[VESSELS];
    const double coarser = pow(usual_across / across, 3);
    const int judged = sorted(n, v, 0, error);
    int computed = 0;
    for (int k = 0; k < n; k++)
        computed += run_outcome_is_good(&v[k].fine);
    results_at_least(r, results_format(r, "vessels whose finer lattice was computed, of %d", n), computed, n);
    results_at_most(r, "median error of the pressure drop (%); limit 1 % times (12 / cells across)^3",
                    quantile(judged, error, 0.5), coarser);
    results_at_most(r, "95th percentile of the error of the pressure drop (%); limit 4 % times (12 / cells across)^3",
                    quantile(judged, error, 0.95), 4 * coarser);
    const int wss = sorted(n, v, KINDS - 1, error);
    results_at_most(r, "median error of the wall shear stress (%); limit 1 % times (12 / cells across)^3",
                    quantile(wss, error, 0.5), coarser);
    results_at_most(r,
                    "95th percentile of the error of the wall shear stress (%); limit 4 % times (12 / cells across)^3",
                    quantile(wss, error, 0.95), 4 * coarser);
}

/* Counts how often the intervals contain the true pressure drop, over all drops of all vessels, and reports it. */
static void judge_intervals(results *r, int n, double across, const vessel *v) {
    const double coarser = pow(usual_across / across, 3);
    readings_tally t = {0};
    for (int k = 0; k < n; k++)
        add_intervals(&v[k], &t);
    results_text(r,
                 "Lattice intervals: %d drops have one, %d have none. %d of them contain the truth; their median "
                 "half-width is %.1f %%.",
                 t.known, t.without, t.inside, readings_tally_median(&t));
    results_at_least(r, "part of the intervals that contain the truth (%)", readings_tally_inside(&t), 93);
    results_at_most(r, "median half-width (%); limit 1.5 % times (12 / cells across)^3",
                    t.known ? readings_tally_median(&t) : INFINITY, 1.5 * coarser);
}

static void introduce(const study_context *x, results *r, int n, double across) {
    results_text(r, "Vessels of `phantom --kind random --seed N`: 1.5 to 8 mm radius, one to three branches, bends, "
                    "taper, stenoses of up to 90 %% of the area, aneurysms. Prescribed inflows, outlet pressure 0, "
                    "throat Reynolds numbers 50 to 1500.");
    if (x->scale < 1)
        results_text(
            r,
            "At this scale: %d vessels%s, %g cells per diameter at the smallest opening, Reynolds numbers times %g%s.",
            n, x->scale < referred ? " with one junction" : "", across, x->scale,
            x->scale < referred ? ", tolerance 1e-4; no finer lattice" : "");
    if (x->scale >= referred)
        results_text(r,
                     "Three grid levels, the default for a lumen from an image; pressure drops are extrapolated. "
                     "Truth: extrapolated, third order, from the finest lattice and a lattice %.1f times finer. Drop: "
                     "largest readout; split: largest error of an outlet's share; wall shear stress: mean. A failed "
                     "case is an infinite error.",
                     finer);
    if (x->scale >= 1)
        results_text(
            r, "Default settings (cumulants, 12 cells per diameter) except `mesh.max_cells`: 4 million, the default "
               "without a GPU.");
}

static void show(const study_context *x, results *r, int n, double across, const vessel *v) {
    table(r, n, v);
    judge_ends(r, n, v);
    if (x->scale < referred)
        return;
    summarize(r, n, v);
    draw(r, n, v);
    judge_errors(r, n, across, v);
    if (across >= least_for_intervals)
        judge_intervals(r, n, across, v);
}

int study_cohort(const study_context *x, results *r) {
    static vessel v[VESSELS];
    const int n = (int)fmax(LEAST, round(VESSELS * x->scale * x->scale));
    const double across = fmax(least_across, round(usual_across * x->scale));
    introduce(x, r, n, across);
    if (x->jobs > 1)
        results_fail(r, workers_run(x->jobs, n, work_vessel, &(work_list){x, across}, x->work));
    for (int k = 0, seed = 1; k < n && r->error == OK; seed++)
        k += run_vessel(x, seed, across, &v[k]);
    show(x, r, n, across, v);
    return r->error;
}
