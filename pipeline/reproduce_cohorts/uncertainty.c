/* SPDX-License-Identifier: Apache-2.0 */
/* verify:uncertainty. How many of the 95 % lattice intervals contain the truth, and how wide are they? Cases: pipes and
 * elliptic pipes with exact flow; bends and random vessels, whose truth is the extrapolated value of a grid sequence
 * with 1.6 times finer spacings. The constants of common/record/interval.c were set with the first cases; the cases
 * called `drawn` were not used for this. */
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/workers.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, EACH = 24, NAME = 48, CASES_MAX = 128 };
static const double across = 24, least_across = 16, finer = 1.6;
/* few: scale below which only a few exact cases are computed, to test the study itself; most_cells: upper limit of the
 * number of cells of the finest lattice in the finer grid sequence, applied if the scale is below 1 */
static const double few = 0.5, whole = 0.7, most_cells = 4e6;

/* One readout of one case. */
typedef struct {
    const char *of;
    char what[NAME];
    /* truth NaN: unknown; value: as reported; finest: on the finest lattice; half: half-width of the interval, NaN if
     * there is none; order: observed order of convergence */
    double truth, value, finest, half, order;
    bool drawn;
} reading;

typedef struct {
    int n;
    reading r[MOST];
} readings;

typedef struct {
    const uncertainty_kind *kind;
    const char *name;
    int k;
} case_of;

/* ------------------------------------------------------------------------------------------ computed readouts */

static void take(const cJSON *value, const cJSON *u, const char *what, int *n, reading *r) {
    if (*n == EACH || !cJSON_IsNumber(value))
        return;
    r[*n] = (reading){.value = value->valuedouble,
                      .truth = NAN,
                      .finest = json_get_number(u, "finest_lattice"),
                      .half = json_get_number(u, "lattice"),
                      .order = json_get_number(u, "order")};
    snprintf(r[(*n)++].what, NAME, "%s", what);
}

static bool is_outlet(const cJSON *opening) {
    const char *role = json_get_text(opening, "role");
    return role && strcmp(role, "outlet") == 0;
}

/* Reads pressure drops, wall shear stress and, if there are two outlets or more, their flows. Returns their number. */
static int read_case(const study_case *t, reading *r) {
    cJSON *all = study_case_json(t, "post/readouts.json");
    const cJSON *one, *openings = json_find(all, "openings");
    char what[NAME];
    int outlets = 0, n = 0;
    cJSON_ArrayForEach(one, json_find(all, "pressure_drops")) {
        const char *from = json_get_text(one, "from"), *to = json_get_text(one, "to");
        snprintf(what, sizeof what, "drop %.16s to %.16s (Pa)", from ? from : "", to ? to : "");
        take(json_find(one, "value_pa"), json_find(one, "uncertainty"), what, &n, r);
    }
    take(json_find(all, "wss/mean_pa"), json_find(all, "wss/uncertainty/mean_pa"), "mean wall shear stress (Pa)", &n,
         r);
    take(json_find(all, "wss/p99_pa"), json_find(all, "wss/uncertainty/p99_pa"),
         "99th percentile of the wall shear stress (Pa)", &n, r);
    cJSON_ArrayForEach(one, openings) {
        outlets += is_outlet(one);
    }
    cJSON_ArrayForEach(one, openings) {
        snprintf(what, sizeof what, "flow of %.24s (mL/s)", one->string);
        if (outlets > 1 && is_outlet(one))
            take(json_find(one, "flow_ml_s"), json_find(one, "uncertainty/flow_ml_s"), what, &n, r);
    }
    cJSON_Delete(all);
    return n;
}

static void keep(readings *all, const case_of *c, int n, const reading *r) {
    for (int k = 0; k < n && all->n < MOST; k++) {
        all->r[all->n] = r[k];
        all->r[all->n].drawn = c->kind->drawn;
        all->r[all->n++].of = c->name;
    }
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

static void solve_exact(const study_context *x, const case_of *c, double cells, readings *all) {
    uncertainty_truth truth = {NAN, NAN, NAN};
    reading r[EACH];
    study_case t;
    study_case_open(&t, x, x->source, "%s", c->name);
    study_case_set(&t, "mesh.cells_per_diameter", "%g", cells);
    c->kind->set(&t, c->k, &truth);
    if (run_or_say(&t, c->name, STAGE_POST, true)) {
        const int n = read_case(&t, r);
        for (int k = 0; k < n; k++)
            r[k].truth = strncmp(r[k].what, "drop A", 6) == 0 ? truth.drop_pa
                         : strncmp(r[k].what, "mean", 4) == 0 ? truth.wss_pa
                         : strncmp(r[k].what, "99th", 4) == 0 ? truth.p99_pa
                                                              : NAN;
        keep(all, c, n, r);
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
static void solve_compared(const study_context *x, const case_of *c, double cells, readings *all) {
    const char *source = c->kind->set ? x->source : draw_random(x, c->k);
    reading r[2][EACH];
    int n[2] = {0, 0};
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
            n[fine] = read_case(&t, r[fine]);
        study_case_close(&t);
    }
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < n[1]; j++)
            if (strcmp(r[0][i].what, r[1][j].what) == 0)
                r[0][i].truth = r[1][j].value;
    keep(all, c, n[0], r[0]);
}

/* ----------------------------------------------------------------------------------------------------- the page */

typedef struct {
    int known, inside, without;
    double width[MOST]; /* [known] half-widths of the intervals, in percent of the truth */
} tally;

static void row(const reading *r, results *out, tally *t) {
    const double off = r->value - r->truth, size = fabs(r->truth);
    if (!isfinite(r->half)) {
        t->without++;
        results_row(out, "%s|%s|%.5g|%.5g|||no interval|%.2f|", r->of, r->what, r->truth, r->value, 100 * off / size);
        return;
    }
    const bool in = fabs(off) <= r->half;
    t->inside += in;
    t->width[t->known++] = 100 * r->half / size;
    results_row(out, "%s|%s|%.5g|%.5g|%.2f|%.2f|%s|%.2f|%.2f", r->of, r->what, r->truth, r->value, 100 * r->half / size,
                100 * off / size, in ? "yes" : "no", 100 * (r->finest - r->truth) / size, r->order);
}

static double median(tally *t) {
    qsort(t->width, (size_t)t->known, sizeof *t->width, order_double);
    return t->known ? t->width[t->known / 2] : NAN;
}

static double inside_percent(const tally *t) {
    return t->known ? 100.0 * t->inside / t->known : 0;
}

static void say(results *out, const char *which, tally *t) {
    if (t->known + t->without > 0)
        results_text(out,
                     "%s: %d readouts with an interval, %d without one. %d of the intervals contain the truth (%.1f "
                     "%%); their median half-width is %.2f %%.",
                     which, t->known, t->without, t->inside, inside_percent(t), median(t));
}

/* Writes table and criteria. In full, the criteria apply to the cases drawn later. Otherwise there are few exact flows,
 * on coarse lattices, which only test that the study works, so the limits are wide. */
static void show(const readings *all, bool full, results *out) {
    static tally of[2];
    results_table(out, "readouts",
                  "case|readout|truth|value|half-width (%)|off by (%)|inside|finest lattice off by (%)|order");
    memset(of, 0, sizeof of);
    for (int k = 0; k < all->n; k++)
        if (isfinite(all->r[k].truth))
            row(&all->r[k], out, &of[all->r[k].drawn]);
    say(out, "The first cases", &of[0]);
    say(out, "Drawn afterwards", &of[1]);
    tally *t = &of[full];
    results_at_least(out, "readouts with an interval", t->known, full ? 100 : 3);
    results_at_least(out, "part of the intervals that contain the truth (%)", inside_percent(t), full ? 90 : 50);
    results_at_most(out, "median half-width (%)", t->known ? median(t) : INFINITY, full ? 3 : 10);
}

/* ---------------------------------------------------------------------------------------------------- all cases */

typedef struct {
    const study_context *x;
    double cells; /* cells per diameter */
    int n;
    case_of list[CASES_MAX];
    readings all;
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
                 "Half-widths of `uncertainty.lattice` (readouts.json), %g cells per diameter at the minimum "
                 "cross-section, three grid levels. Truth without an exact solution (random: `phantom --kind random "
                 "--exact`): a grid sequence %g times finer. Constants of the intervals were set with the first cases "
                 "and 116 earlier draws; the criteria apply to the later cases called `drawn`.",
                 w.cells, finer);
    for (int k = 0; k < w.n && out->error == OK; k++)
        results_fail(out, solve_case(&w, k));
    show(&w.all, x->scale >= few, out);
    return out->error;
}
