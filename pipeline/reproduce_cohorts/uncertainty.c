/* SPDX-License-Identifier: Apache-2.0 */
/* verify:uncertainty. How many of the 95 % lattice intervals contain the truth, and how wide are they? Cases: pipes and
 * elliptic pipes with exact flow; bends and random vessels, whose truth is the extrapolated value of a grid sequence
 * with 1.6 times finer spacings. The constants of common/record/interval.c were set with the first cases; the cases
 * called `drawn` were not used for this. */
#include "common/base/status.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/readings.h"
#include "pipeline/reproduce/workers.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <string.h>

enum { MOST = 2000, CASES_MAX = 128 };
static const double across = 24, least_across = 16, finer = 1.6;
/* few: scale below which only a few exact cases are computed, to test the study itself; most_cells: upper limit of the
 * number of cells of the finest lattice in the finer grid sequence, applied if the scale is below 1 */
static const double few = 0.5, whole = 0.7, most_cells = 4e6;

/* One readout of one case. */
typedef struct {
    const char *of, *what;
    reading found;
    double truth;
    bool drawn;
} compared;

typedef struct {
    int n;
    compared r[MOST];
} comparison;

typedef struct {
    const uncertainty_kind *kind;
    const char *name;
    int k;
} case_of;

/* ---------------------------------------------------------------------------------------------------- one case */

/* Records a readout with its truth; a readout without a number or a truth is left out. */
static void record(comparison *all, results *out, const case_of *c, const reading *r, double truth) {
    static const char *const name[] = {[READING_DROP] = "drop %s (Pa)",
                                       [READING_WSS_MEAN] = "mean wall shear stress (Pa)%s",
                                       [READING_WSS_P99] = "99th percentile of the wall shear stress (Pa)%s",
                                       [READING_FLOW] = "flow of %s (mL/s)"};
    if (!isnan(r->value) && isfinite(truth) && all->n < MOST)
        all->r[all->n++] = (compared){c->name, results_format(out, name[r->kind], r->what), *r, truth, c->kind->drawn};
}

/* Runs a case up to a stage. A vessel that does not settle is reported on the page and does not end the study; then the
 * result is false. */
static bool run_or_say(study_case *t, const char *name, int to, bool say) {
    results *out = t->x->page;
    if (out->error != OK)
        return false;
    const int rc = study_case_try(t, t->x->run, to);
    if (rc != ERR_NUMERIC && rc != ERR_INPUT) {
        results_fail(out, rc);
        return rc == OK;
    }
    if (say)
        results_text(out, "%s: no result: %s", name, status_message());
    status_clear();
    return false;
}

static void solve_exact(const study_context *x, const case_of *c, double cells, comparison *all) {
    uncertainty_truth truth = {NAN, NAN, NAN};
    readings found = {0};
    study_case t;
    study_case_open(&t, x, x->source, "%s", c->name);
    study_case_set(&t, "mesh.cells_per_diameter", "%g", cells);
    c->kind->set(&t, c->k, &truth);
    if (run_or_say(&t, c->name, STAGE_POST, true))
        readings_read(&t, &found);
    for (int k = 0; k < found.n; k++) {
        const reading *r = &found.r[k];
        if (r->kind == READING_WSS_MEAN || r->kind == READING_WSS_P99)
            record(all, x->page, c, r, r->kind == READING_WSS_MEAN ? truth.wss_pa : truth.p99_pa);
        else if (r->kind == READING_DROP && strcmp(r->what, "A to B") == 0)
            record(all, x->page, c, r, truth.drop_pa);
    }
    study_case_close(&t);
}

/* False if the lattice has more than most_cells cells and the scale is below 1; the vessel is then skipped. */
static bool is_small(study_case *t, const char *name) {
    if (t->x->scale >= 1 || !run_or_say(t, name, STAGE_MESH, false)) /* a failure is reported by the run itself */
        return true;
    const double cells = study_case_number(t, "mesh/mesh.json", "result/cells");
    if (cells > most_cells)
        results_text(t->x->page, "%s: left out at this scale, %.3g million cells", name, 1e-6 * cells);
    return !(cells > most_cells);
}

/* Solves a vessel with two grid sequences; the finer sequence is solved first and gives the truth. */
static void solve_compared(const study_context *x, const case_of *c, double cells, comparison *all) {
    const char *source = c->kind->set ? x->source : draw_random(x, c->k);
    readings r[2] = {{0}};
    bool solved = true;
    for (int fine = 1; fine >= 0 && solved; fine--) {
        const char *name = results_format(x->page, "%s%s", c->name, fine ? "-fine" : "");
        study_case t;
        study_case_open(&t, x, source, "%s", name);
        study_case_set(&t, "solve.collision", "trt");
        study_case_set(&t, "mesh.cells_per_diameter", "%g", fine ? finer * cells : cells);
        study_case_set(&t, "mesh.grid_levels", "3");
        if (c->kind->set)
            c->kind->set(&t, c->k, NULL);
        solved = (!fine || is_small(&t, c->name)) && run_or_say(&t, name, STAGE_POST, true);
        if (solved)
            readings_read(&t, &r[fine]);
        study_case_close(&t);
    }
    for (int i = 0; i < r[0].n; i++)
        for (int j = 0; j < r[1].n; j++)
            if (r[0].r[i].kind == r[1].r[j].kind && strcmp(r[0].r[i].what, r[1].r[j].what) == 0)
                record(all, x->page, c, &r[0].r[i], r[1].r[j].value);
}

/* ----------------------------------------------------------------------------------------------------- the page */

static void row(const compared *c, results *out, readings_tally *t) {
    const reading *r = &c->found;
    const double off = r->value - c->truth, size = fabs(c->truth);
    const bool in = readings_tally_add(t, r->value, c->truth, r->lattice);
    if (!isfinite(r->lattice))
        results_row(out, "%s|%s|%.5g|%.5g|||no interval|%.2f|", c->of, c->what, c->truth, r->value, 100 * off / size);
    else
        results_row(out, "%s|%s|%.5g|%.5g|%.2f|%.2f|%s|%.2f|%.2f", c->of, c->what, c->truth, r->value,
                    100 * r->lattice / size, 100 * off / size, in ? "yes" : "no", 100 * (r->finest - c->truth) / size,
                    r->order);
}

static void say(results *out, const char *which, readings_tally *t) {
    if (t->known + t->without > 0)
        results_text(out,
                     "%s: %d readouts with an interval, %d without one. %d of the intervals contain the truth (%.1f "
                     "%%); their median half-width is %.2f %%.",
                     which, t->known, t->without, t->inside, readings_tally_inside(t), readings_tally_median(t));
}

/* Writes table and criteria. In full, the criteria apply to the cases drawn later. Otherwise there are few exact flows,
 * on coarse lattices, which only test that the study works, so the limits are wide. */
static void show(const comparison *all, bool full, results *out) {
    static readings_tally of[2];
    results_table(out, "readouts",
                  "case|readout|truth|value|half-width (%)|off by (%)|inside|finest lattice off by (%)|order");
    memset(of, 0, sizeof of);
    for (int k = 0; k < all->n; k++)
        row(&all->r[k], out, &of[all->r[k].drawn]);
    say(out, "The first cases", &of[0]);
    say(out, "Drawn afterwards", &of[1]);
    readings_tally *t = &of[full];
    results_at_least(out, "readouts with an interval", t->known, full ? 100 : 3);
    results_at_least(out, "part of the intervals that contain the truth (%)", readings_tally_inside(t), full ? 90 : 50);
    results_at_most(out, "median half-width (%)", t->known ? readings_tally_median(t) : INFINITY, full ? 3 : 10);
}

/* ---------------------------------------------------------------------------------------------------- all cases */

typedef struct {
    const study_context *x;
    double cells; /* cells per diameter */
    int n;
    case_of list[CASES_MAX];
    comparison all;
} work_list;

static int solve_case(void *data, int k) {
    work_list *w = data;
    const case_of *c = &w->list[k];
    (c->kind->compared ? solve_compared : solve_exact)(w->x, c, w->cells, &w->all);
    return w->x->page->error;
}

static int work_case(void *data, int k) {
    work_list *w = data;
    w->all.n = 0;
    return solve_case(w, k) == OK ? OK : study_take_error(w->x);
}

static void list_cases(work_list *w) {
    const int part = w->x->scale < few ? 0 : w->x->scale < whole ? 1 : 2;
    for (int i = 0; i < uncertainty_kinds_count; i++) {
        const uncertainty_kind *kind = &uncertainty_kinds[i];
        for (int j = 0; j < kind->n[part] && w->n < CASES_MAX; j++) {
            const int k = kind->first + j;
            const char *name = kind->digits > 0
                                   ? results_format(w->x->page, "%s%0*d", kind->name, kind->digits, kind->number + j)
                                   : results_format(w->x->page, "%s%d-%d-%d", kind->name, k % 3, k / 3 % 3, k / 9);
            w->list[w->n++] = (case_of){kind, name, k};
        }
    }
}

int study_uncertainty(const study_context *x, results *out) {
    static work_list w; /* static, because it is too large for the stack */
    w = (work_list){.x = x, .cells = fmax(least_across, across * x->scale)};
    list_cases(&w);
    if (x->jobs > 1)
        results_fail(out, workers_run(x->jobs, w.n, work_case, &w, x->work));
    results_text(out,
                 "Half-widths of `uncertainty.lattice` (readouts.json): %g cells per diameter at the minimum "
                 "cross-section, three grid levels. Truth: exact solution, or a grid sequence %g times finer (random: "
                 "`phantom --kind random --exact`). Constants of the intervals were set with the first cases and 116 "
                 "earlier draws; the criteria apply to the later cases called `drawn`.",
                 w.cells, finer);
    for (int k = 0; k < w.n && out->error == OK; k++)
        results_fail(out, solve_case(&w, k));
    show(&w.all, x->scale >= few, out);
    return out->error;
}
