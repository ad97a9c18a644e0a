/* verify:uncertainty. Do the intervals of mesh.ladder hold the truth? Readouts of pipes and elliptic pipes, whose flow
 * is known exactly, and of bends and random vessels, whose truth is the extrapolated value of a ladder that is 1.6
 * times finer: how many of the 95 % intervals of the lattice hold it, and how wide they are. The first of them, whose
 * readouts the constants in uncertainty.c of post were set by, and others, drawn later (uncertainty_drawn.c). */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/trial.h"
#include "pipeline/reproduce/workers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 14, CASES = 18 + 3 + 3 + SEEDS + UNCERTAINTY_DRAWN };
static const double across = 24, least_across = 16, finer = 1.6;
static const double bend_mm = 18, half_axes_mm[2] = {4, 2.5},
                    flows_ml_s[3] = {0.4, 1.9, 4}; /* pipes: Re 21, 101, 212 */
static const double most_cells = 4e6;              /* of the finer ladder's finest lattice, below scale 1 */
static const double few = 0.5; /* below this scale: a few exact cases, for a test of the study itself */

bool uncertainty_skipped(readings *all) {
    return all->at++ != all->only && all->only >= 0;
}

/* ------------------------------------------------------------------------------------------ what was computed */

static void take(const cJSON *value, const cJSON *u, const char *what, int *n, reading *r) {
    if (*n == UNCERTAINTY_EACH || !cJSON_IsNumber(value))
        return;
    r[*n] = (reading){.value = value->valuedouble,
                      .truth = NAN,
                      .finest = json_get(u, "finest_lattice"),
                      .half = json_get(u, "lattice"),
                      .order = json_get(u, "order")};
    snprintf(r[(*n)++].what, UNCERTAINTY_NAME, "%s", what);
}

static const cJSON *key(const cJSON *o, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* Drops, wall shear stress, flows of outlets that share one. */
static int read_case(const trial *t, int *n, reading *r) {
    cJSON *all = NULL;
    const cJSON *one;
    char what[UNCERTAINTY_NAME];
    const int rc = trial_result(t, "post/readouts.json", &all);
    int outlets = 0;
    *n = 0;
    cJSON_ArrayForEach(one, key(all, "pressure_drops")) {
        const char *from = cJSON_GetStringValue(key(one, "from")), *to = cJSON_GetStringValue(key(one, "to"));
        snprintf(what, sizeof what, "drop %.16s to %.16s (Pa)", from ? from : "", to ? to : "");
        take(key(one, "value_pa"), key(one, "uncertainty"), what, n, r);
    }
    const cJSON *wss = key(all, "wss"), *u = key(wss, "uncertainty");
    take(key(wss, "mean_pa"), key(u, "mean_pa"), "mean wall shear stress (Pa)", n, r);
    take(key(wss, "p99_pa"), key(u, "p99_pa"), "99th percentile of it (Pa)", n, r);
    cJSON_ArrayForEach(one, key(all, "openings")) {
        const char *role = cJSON_GetStringValue(key(one, "role"));
        outlets += role && strcmp(role, "outlet") == 0;
    }
    cJSON_ArrayForEach(one, key(all, "openings")) {
        const char *role = cJSON_GetStringValue(key(one, "role"));
        snprintf(what, sizeof what, "flow of %.24s (mL/s)", one->string);
        if (outlets > 1 && role && strcmp(role, "outlet") == 0)
            take(key(one, "flow_ml_s"), key(key(one, "uncertainty"), "flow_ml_s"), what, n, r);
    }
    cJSON_Delete(all);
    return rc;
}

static void keep(readings *all, const char *of, int n, const reading *r) {
    for (int k = 0; k < n && all->n < UNCERTAINTY_MOST; k++) {
        all->r[all->n] = r[k];
        all->r[all->n].drawn = all->drawing;
        snprintf(all->r[all->n++].of, UNCERTAINTY_NAME, "%s", of);
    }
}

/* A vessel that does not settle is a line of the page, not the end of the study. */
static int run_or_say(trial *t, const item_context *x, results *out, const char *name, bool *solved) {
    const int rc = trial_run(t, x->run, STAGE_POST);
    *solved = rc == OK;
    if (rc != ERR_NUMERIC && rc != ERR_INPUT)
        return rc;
    results_text(out, "%s: no result: %s", name, status_message());
    status_clear();
    return OK;
}

/* ------------------------------------------------------------------------------------------------ exact flows */

int uncertainty_straight(const item_context *x, results *out, trial *t, const char *name, double drop_pa, double wss_pa,
                         double p99_pa, readings *all) {
    reading r[UNCERTAINTY_EACH];
    bool solved;
    int n, rc;
    if (uncertainty_skipped(all))
        return OK;
    TRY(run_or_say(t, x, out, name, &solved));
    if (!solved)
        goto cleanup;
    TRY(read_case(t, &n, r));
    for (int k = 0; k < n; k++)
        r[k].truth = strncmp(r[k].what, "drop A", 6) == 0 ? drop_pa
                     : strncmp(r[k].what, "mean", 4) == 0 ? wss_pa
                     : strncmp(r[k].what, "99th", 4) == 0 ? p99_pa
                                                          : NAN;
    keep(all, name, n, r);
cleanup:
    return rc;
}

/* At angles to the grid. */
static int pipes(const item_context *x, results *out, double cells, readings *all) {
    static const double axis[3][3] = {{0, 0, 1}, {0, 0.6, 0.8}, {0.48, 0.36, 0.8}},
                        shift[2][3] = {{0, 0, 0}, {0.13, 0.21, 0.07}};
    int rc = OK;
    for (int k = 0; k < 18 && rc == OK; k++) {
        const int a = k % 3, q = k / 3 % 3, s = k / 9;
        char name[UNCERTAINTY_NAME];
        trial t = {0};
        if (x->scale < few && k != 4)
            continue;
        snprintf(name, sizeof name, "pipe-%d-%d-%d", a, q, s);
        trial_create(&t, x->source, x->work, name);
        trial_set(&t, "mesh.cells_across", "%g", cells);
        rc = uncertainty_pipe(x, out, &t, name, axis[a], shift[s], flows_ml_s[q], all);
        trial_free(&t);
    }
    return rc;
}

static int ellipses(const item_context *x, results *out, double cells, readings *all) {
    static const double shift[3] = {0.11, 0.05, 0.02};
    int rc = OK;
    for (int k = 0; k < (x->scale < few ? 1 : 3) && rc == OK; k++) {
        char name[UNCERTAINTY_NAME];
        trial t = {0};
        snprintf(name, sizeof name, "ellipse-%d", k);
        trial_create(&t, x->source, x->work, name);
        trial_set(&t, "mesh.cells_across", "%g", cells);
        rc = uncertainty_ellipse(x, out, &t, name, shift, half_axes_mm, flows_ml_s[k], false, all);
        trial_free(&t);
    }
    return rc;
}

/* ------------------------------------------------------------------------------------- truth of a finer ladder */

/* Below scale 1 vessels with very large lattices are left out. */
static int is_small(const item_context *x, results *out, trial *t, const char *name, bool *small) {
    double cells = 0;
    int rc = OK;
    *small = true;
    if (x->scale >= 1)
        return OK;
    if (trial_run(t, x->run, STAGE_MESH) != OK) { /* run_or_say says it */
        t->error = OK;
        status_clear();
        return OK;
    }
    TRY(trial_number(t, "mesh/mesh.json", "result/cells", &cells));
    *small = cells <= most_cells;
    if (!*small)
        results_text(out, "%s: left out at this scale, %.3g million cells", name, 1e-6 * cells);
cleanup:
    return rc;
}

int uncertainty_compared(const item_context *x, results *out, const char *source, const char *name, double cells,
                         void (*set)(trial *t, const void *data), const void *data, readings *all) {
    reading r[UNCERTAINTY_EACH], fine[UNCERTAINTY_EACH];
    int rc = OK, n = 0, n_fine = 0;
    if (uncertainty_skipped(all))
        return OK;
    for (int k = 1; k >= 0; k--) {
        char folder[UNCERTAINTY_NAME];
        trial t = {0};
        bool solved = false, small = true;
        snprintf(folder, sizeof folder, "%.36s%s", name, k ? "-fine" : "");
        trial_create(&t, source, x->work, folder);
        trial_set(&t, "mesh.cells_across", "%g", k ? finer * cells : cells);
        trial_set(&t, "mesh.ladder", "3");
        if (set)
            set(&t, data);
        if (k)
            rc = is_small(x, out, &t, name, &small);
        if (rc == OK && small)
            rc = run_or_say(&t, x, out, folder, &solved);
        if (rc == OK && solved)
            rc = k ? read_case(&t, &n_fine, fine) : read_case(&t, &n, r);
        trial_free(&t);
        if (rc != OK || !solved)
            return rc;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n_fine; j++)
            if (strcmp(r[i].what, fine[j].what) == 0)
                r[i].truth = fine[j].value;
    keep(all, name, n, r);
    return OK;
}

static void set_bend(trial *t, const void *flow) {
    const double flow_ml_s = *(const double *)flow;
    trial_set(t, "mesh.shape", "{type: torus, centre: [0, 0, 0], axis: [0, 0, 1], radius: %g mm, bend: %g mm}",
              UNCERTAINTY_RADIUS_MM, bend_mm);
    trial_set(t, "mesh.box", "{low: [-24, -2, -5], high: [24, 24, 5]}");
    trial_set(t, "openings.IN.point", "[%g, 0, 0]", bend_mm);
    trial_set(t, "openings.IN.normal", "[0, -1, 0]");
    trial_set(t, "openings.OUT.point", "[%g, 0, 0]", -bend_mm);
    trial_set(t, "openings.OUT.normal", "[0, -1, 0]");
    trial_set(t, "sections.A.point", "[%.9g, %.9g, 0]", bend_mm * cos(0.8), bend_mm * sin(0.8));
    trial_set(t, "sections.A.normal", "[%.9g, %.9g, 0]", -sin(0.8), cos(0.8));
    trial_set(t, "sections.B.point", "[%.9g, %.9g, 0]", bend_mm * cos(2.3), bend_mm * sin(2.3));
    trial_set(t, "sections.B.normal", "[%.9g, %.9g, 0]", -sin(2.3), cos(2.3));
    trial_set(t, "openings.IN.flow", "%g mL/s", flow_ml_s);
}

static int referred(const item_context *x, results *out, double cells, readings *all) {
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
        if (all->only >= 0 && all->at != all->only) { /* another process draws it */
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

static int all_cases(const item_context *x, results *out, double cells, readings *all) {
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
    const item_context *x;
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

int item_uncertainty(const item_context *x, results *out) {
    const double cells = fmax(least_across, across * x->scale);
    readings *all = calloc(1, sizeof *all);
    int rc = all ? OK : fail_memory("the readouts", sizeof *all);
    TRY(rc);
    all->only = -1;
    if (x->jobs > 1)
        TRY(workers_run(x->jobs, CASES, work_case, &(uncertainty_work){x, out, cells}, x->work));
    results_text(
        out,
        "Half-widths of what the lattice leaves open (`uncertainty.lattice` in readouts.json), %g cells "
        "across the narrowest place, "
        "three levels. Truth: Hagen-Poiseuille, its forms for an ellipse and a rectangle; of all others (random "
        "ones: `phantom --kind random --exact`) the extrapolated value of a ladder %g times finer. The "
        "constants of the intervals were set by the readouts of the first cases and by 116 of an earlier draw "
        "(held: 104); those called `drawn` came afterwards, and the criteria are theirs.",
        cells, finer);
    TRY(all_cases(x, out, cells, all));
    uncertainty_show(all, x->scale >= few, out);
cleanup:
    free(all);
    return rc;
}
