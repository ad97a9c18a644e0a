/* SPDX-License-Identifier: Apache-2.0 */
/* verify:uncertainty. How many of the 95 % lattice intervals contain the truth, and how wide are they? Cases: pipes and
 * elliptic pipes with exact flow; bends and random vessels, whose truth is the extrapolated value of a grid sequence
 * with 1.6 times finer spacings. The constants of common/record/interval.c were set with the first cases; the cases of
 * uncertainty_drawn.c were not used for this. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/workers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 14, CASES = 18 + 3 + 3 + SEEDS + UNCERTAINTY_DRAWN };
static const double across = 24, least_across = 16, finer = UNCERTAINTY_FINER;
static const double bend_mm = 18, half_axes_mm[2] = {4, 2.5},
                    flows_ml_s[3] = {0.4, 1.9, 4}; /* flows_ml_s: flows in the pipes, Re 21, 101, 212 */
/* Scale below which only a few exact cases are computed, to test the study itself */
static const double few = 0.5;

/* Computes pipes at several angles to the grid. */
static int pipes(const study_context *x, results *out, double cells, readings *all) {
    static const double axis[3][3] = {{0, 0, 1}, {0, 0.6, 0.8}, {0.48, 0.36, 0.8}},
                        shift[2][3] = {{0, 0, 0}, {0.13, 0.21, 0.07}};
    int rc = OK;
    for (int k = 0; k < 18 && rc == OK; k++) {
        const int a = k % 3, q = k / 3 % 3, s = k / 9;
        char name[UNCERTAINTY_NAME];
        study_case t = {0};
        if (x->scale < few && k != 4)
            continue;
        snprintf(name, sizeof name, "pipe-%d-%d-%d", a, q, s);
        study_case_create(&t, x->source, x->work, name);
        study_case_set(&t, "mesh.cells_per_diameter", "%g", cells);
        rc = uncertainty_pipe(x, out, &t, name, axis[a], shift[s], flows_ml_s[q], all);
        study_case_free(&t);
    }
    return rc;
}

static int ellipses(const study_context *x, results *out, double cells, readings *all) {
    static const double shift[3] = {0.11, 0.05, 0.02};
    int rc = OK;
    for (int k = 0; k < (x->scale < few ? 1 : 3) && rc == OK; k++) {
        char name[UNCERTAINTY_NAME];
        study_case t = {0};
        snprintf(name, sizeof name, "ellipse-%d", k);
        study_case_create(&t, x->source, x->work, name);
        study_case_set(&t, "mesh.cells_per_diameter", "%g", cells);
        rc = uncertainty_ellipse(x, out, &t, name, shift, half_axes_mm, flows_ml_s[k], false, all);
        study_case_free(&t);
    }
    return rc;
}

static void set_bend(study_case *t, const void *flow) {
    const double flow_ml_s = *(const double *)flow;
    study_case_set(t, "mesh.shape", "{type: torus, centre: [0, 0, 0], axis: [0, 0, 1], radius: %g mm, bend: %g mm}",
                   UNCERTAINTY_RADIUS_MM, bend_mm);
    study_case_set(t, "mesh.box", "{low: [-24, -2, -5], high: [24, 24, 5]}");
    study_case_set(t, "openings.IN.point", "[%g, 0, 0]", bend_mm);
    study_case_set(t, "openings.IN.normal", "[0, -1, 0]");
    study_case_set(t, "openings.OUT.point", "[%g, 0, 0]", -bend_mm);
    study_case_set(t, "openings.OUT.normal", "[0, -1, 0]");
    study_case_set(t, "sections.A.point", "[%.9g, %.9g, 0]", bend_mm * cos(0.8), bend_mm * sin(0.8));
    study_case_set(t, "sections.A.normal", "[%.9g, %.9g, 0]", -sin(0.8), cos(0.8));
    study_case_set(t, "sections.B.point", "[%.9g, %.9g, 0]", bend_mm * cos(2.3), bend_mm * sin(2.3));
    study_case_set(t, "sections.B.normal", "[%.9g, %.9g, 0]", -sin(2.3), cos(2.3));
    study_case_set(t, "openings.IN.flow", "%g mL/s", flow_ml_s);
}

static int referred(const study_context *x, results *out, double cells, readings *all) {
    static const double flow_ml_s[3] = {0.6, 1.5, 3};
    int rc = OK;
    const bool drawn = x->scale >= UNCERTAINTY_COMPARED;
    for (int k = 0; k < (drawn ? 3 : 1) && rc == OK; k++) {
        char name[UNCERTAINTY_NAME];
        snprintf(name, sizeof name, "bend-%d", k);
        rc = uncertainty_compared(x, out, x->source, name, cells, set_bend, &flow_ml_s[k], all);
    }
    for (int seed = 1; drawn && seed <= SEEDS && rc == OK; seed++) {
        char folder[FILE_PATH_MAX], name[UNCERTAINTY_NAME];
        if (all->only >= 0 && all->at != all->only) { /* computed by another process */
            all->at++;
            continue;
        }
        TRY(draw_random(x->work, seed, folder));
        snprintf(name, sizeof name, "seed-%02d", seed);
        rc = uncertainty_compared(x, out, folder, name, cells, NULL, NULL, all);
    }
cleanup:
    return rc;
}

static int all_cases(const study_context *x, results *out, double cells, readings *all) {
    int rc;
    TRY(pipes(x, out, cells, all));
    TRY(ellipses(x, out, cells, all));
    if (x->scale >= few)
        TRY(referred(x, out, cells, all));
    all->drawing = true;
    if (x->scale >= few)
        TRY(uncertainty_drawn(x, out, cells, all));
cleanup:
    return rc;
}

typedef struct {
    const study_context *x;
    results *out;
    double cells;
} uncertainty_work;

static int work_case(void *data, int k) {
    const uncertainty_work *w = data;
    readings *all = calloc(1, sizeof *all);
    int rc = all ? OK : fail_memory("the readouts", sizeof *all);
    if (rc == OK) {
        all->only = k;
        rc = all_cases(w->x, w->out, w->cells, all);
    }
    free(all);
    return rc;
}

int study_uncertainty(const study_context *x, results *out) {
    const double cells = fmax(least_across, across * x->scale);
    readings *all = calloc(1, sizeof *all);
    int rc = all ? OK : fail_memory("the readouts", sizeof *all);
    TRY(rc);
    all->only = -1;
    if (x->jobs > 1)
        TRY(workers_run(x->jobs, CASES, work_case, &(uncertainty_work){x, out, cells}, x->work));
    results_text(out,
                 "Half-widths of `uncertainty.lattice` (readouts.json), %g cells per diameter at the minimum "
                 "cross-section, three grid levels. Truth without an exact solution (random: `phantom --kind random "
                 "--exact`): a grid sequence %g times finer. Constants of the intervals were set with the first cases "
                 "and 116 earlier draws; the criteria apply to the later cases called `drawn`.",
                 cells, finer);
    TRY(all_cases(x, out, cells, all));
    uncertainty_show(all, x->scale >= few, out);
cleanup:
    free(all);
    return rc;
}
