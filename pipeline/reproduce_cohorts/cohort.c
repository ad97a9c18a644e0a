/* SPDX-License-Identifier: Apache-2.0 */
/* verify:cohort. 60 random patients (`phantom --kind random --seed 1` to 60). Each runs through mesh, solve and post
 * twice: with three grid levels, which are the default for a lumen from an image, and again with a finer spacing. The
 * truth is extrapolated from the finest lattices of the two runs, second order: finer + (finer - usual) / (ratio^2 -
 * 1). */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "pipeline/reproduce_cohorts/cohort.h"
#include "pipeline/run/stages.h"
#include "pipeline/reproduce/draw.h"
#include "pipeline/reproduce/saved_result.h"
#include "pipeline/reproduce/speed_table.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce/workers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 4 };
static const double most_cells = 4e6, least_across = 8, viscosity_mpa_s = 3.5;

/* ------------------------------------------------------------------------------------------- one vessel */

static int read_drawn(const char *folder, cohort_vessel *v) {
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

static int read_results(const study_case *t, cohort_reading *r) {
    cJSON *solve = NULL, *post = NULL, *one;
    double sum = 0;
    int rc;
    *r = (cohort_reading){.wss_pa = NAN};
    TRY(study_case_result(t, "solve/solve.json", &solve));
    cJSON_ArrayForEach(
        one, cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(solve, "result"), "openings")) {
        const char *role = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "role"));
        if (r->n < COHORT_ENDS && role && strcmp(role, "inlet") != 0)
            sum += r->share[r->n++] = json_get_number(one, "flow_ml_s");
    }
    for (int k = 0; k < r->n; k++)
        r->share[k] *= 100 / sum;
    TRY(pressure_drops_read(t, &r->drop));
    TRY(study_case_result(t, "post/readouts.json", &post));
    const cJSON *wss = cJSON_GetObjectItemCaseSensitive(post, "wss");
    r->wss_pa = json_get_number(
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(wss, "uncertainty"), "mean_pa"),
        "finest_lattice");
    if (isnan(r->wss_pa))
        r->wss_pa = json_get_number(wss, "mean_pa");
cleanup:
    cJSON_Delete(solve);
    cJSON_Delete(post);
    return rc;
}

/* Error on the finest lattice of the run with the default spacing, % of the truth. */
static double finest_off(double usual, double fine) {
    const double truth = fine + (fine - usual) / (COHORT_FINER * COHORT_FINER - 1);
    return 100 * fabs(usual / truth - 1);
}

static void compare(const cohort_reading *fine, cohort_vessel *v) {
    const cohort_reading *r = &v->at;
    const int most = pressure_drops_largest(&fine->drop);
    for (int k = 0; k < r->drop.n && k < fine->drop.n; k++) {
        const double usual = r->drop.finest_pa[k], fine_pa = fine->drop.finest_pa[k];
        const double truth = fine_pa + (fine_pa - usual) / (COHORT_FINER * COHORT_FINER - 1);
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
        v->split = fmax(v->split, COHORT_FINER * COHORT_FINER / (COHORT_FINER * COHORT_FINER - 1) *
                                      fabs(r->share[k] - fine->share[k]));
}

/* Runs one vessel with one spacing. spacing_mm 0: default settings, except the limit of cells, because the default
 * limit depends on the GPU. */
static int run_lattice(const study_context *x, const char *patient, const char *name, double spacing_mm, double across,
                       run_outcome *end, cohort_reading *r) {
    study_case t = {0};
    int rc;
    study_case_create(&t, patient, x->work, name);
    study_case_set(&t, "solve.checkpoint", "0 s");
    study_case_set(&t, "solve.collision", "trt");
    if (x->scale >= COHORT_REFERRED)
        study_case_set(&t, "mesh.grid_levels", "3");
    if (spacing_mm > 0)
        study_case_set(&t, "mesh.spacing", "%.9g mm", spacing_mm);
    else if (across < COHORT_ACROSS)
        study_case_set(&t, "mesh.cells_per_diameter", "%g", across);
    else
        study_case_set(&t, "mesh.max_cells", "%g", most_cells);
    if (x->scale < 1)
        study_case_set(&t, "blood.viscosity", "%.9g mPa s", viscosity_mpa_s / x->scale);
    if (x->scale < COHORT_REFERRED)
        study_case_set(&t, "solve.tolerance", "1e-4");
    TRY(t.error);
    run_outcome_clear(end);
    const bool kept = saved_result_exists(&t);
    if (kept)
        run_outcome_read(&t, end);
    else
        TRY(run_outcome_compute(&t, x->run, STAGE_POST, end));
    if (!run_outcome_is_good(end))
        goto cleanup;
    TRY(read_results(&t, r));
    if (!kept && x->run->to == STAGE_POST)
        TRY(saved_result_write(&t));
cleanup:
    study_case_free(&t);
    return rc;
}

static int run_vessel(const study_context *x, int seed, double across, cohort_vessel *v, bool *wanted) {
    char patient[FILE_PATH_MAX], name[32], word[2][32];
    cohort_reading fine = {0};
    int rc = OK;
    *v = (cohort_vessel){.seed = seed, .drop_pa = NAN, .drop = NAN, .finest = NAN, .split = NAN, .wss = NAN};
    TRY(draw_random(x->work, seed, patient));
    TRY(read_drawn(patient, v));
    *wanted = x->scale >= COHORT_REFERRED || v->junctions == 1;
    if (!*wanted)
        goto cleanup;
    snprintf(name, sizeof name, "%02d", seed);
    TRY(run_lattice(x, patient, name, 0, across, &v->usual, &v->at));
    if (v->at.drop.n > 0)
        v->drop_pa = v->at.drop.value_pa[pressure_drops_largest(&v->at.drop)];
    snprintf(name, sizeof name, "%02d-fine", seed);
    if (isnan(v->usual.dx_mm) || x->scale < COHORT_REFERRED || (v->usual.exit != OK && !run_outcome_is_good(&v->usual)))
        run_outcome_clear(&v->fine);
    else
        TRY(run_lattice(x, patient, name, v->usual.dx_mm / COHORT_FINER, across, &v->fine, &fine));
    if (v->at.drop.n > 0 && fine.drop.n > 0)
        compare(&fine, v);
    snprintf(name, sizeof name, isnan(v->drop) ? "not known" : "%.2g %%", v->drop);
    message_info("seed %d: %s; finer: %s; error of the drop: %s", seed, run_outcome_word(&v->usual, word[0]),
                 run_outcome_word(&v->fine, word[1]), name);
cleanup:
    return rc;
}

/* ---------------------------------------------------------------------------------------------- all vessels */

typedef struct {
    const study_context *x;
    double across;
    int seed[COHORT_VESSELS]; /* seeds of the vessels; the largest vessel comes first */
} cohort_work;

static int work_vessel(void *data, int k) {
    const cohort_work *w = data;
    bool wanted;
    cohort_vessel v;
    return run_vessel(w->x, w->seed[k], w->across, &v, &wanted);
}

int study_cohort(const study_context *x, results *r) {
    static cohort_vessel v[COHORT_VESSELS];
    const int n = (int)fmax(LEAST, round(COHORT_VESSELS * x->scale * x->scale));
    const double across = fmax(least_across, round(COHORT_ACROSS * x->scale));
    int rc = OK;
    cohort_introduce(x, r, n, across);
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
    cohort_show(x, r, n, across, v);
cleanup:
    return rc;
}
