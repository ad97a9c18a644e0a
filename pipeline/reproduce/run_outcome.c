/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/run_outcome.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const LATTICE = "lattice.h5";

void run_outcome_clear(run_outcome *o) {
    *o = (run_outcome){
        .cells = NAN, .dx_mm = NAN, .steps = NAN, .change = NAN, .seconds = NAN, .reynolds = NAN, .swing_percent = NAN};
}

static void take_failure(run_outcome *o, int rc, const run_failure *f) {
    o->exit = rc;
    o->stage = f->stage;
    if (f->failed)
        snprintf(o->sentence, sizeof o->sentence, "%s: %.480s", stages_table[f->stage].name, f->sentence);
    else
        snprintf(o->sentence, sizeof o->sentence, "%s", status_message());
    char *end = strchr(o->sentence, '\n');
    if (end)
        *end = '\0';
    status_clear();
}

/* The result of a stage; NULL: none, which is no error here. */
static cJSON *read_result(const study_case *t, const char *file) {
    char path[STUDY_CASE_PATH_MAX];
    cJSON *json = NULL;
    if (file_path(path, sizeof path, "%s/out/%s", t->folder, file) != OK || json_read(path, &json) != OK)
        status_clear();
    return json;
}

/* True if the solution was computed on the present lattice. */
static bool same_lattice(const cJSON *mesh, const cJSON *solve) {
    const char *made = provenance_recorded_checksum(mesh, "outputs", LATTICE, 1);
    const char *used = provenance_recorded_checksum(solve, "inputs", LATTICE, 1);
    return made && used && strcmp(made, used) == 0;
}

/* Unsteady flow: highest minus lowest value of the largest pressure difference, in percent of its mean; NaN: none. */
static double swing_of(const cJSON *unsteady) {
    const cJSON *one;
    double largest = 0, swing = NAN;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(unsteady, "pressure_differences")) {
        const double mean = fabs(json_get_number(one, "mean_pa"));
        if (mean > largest) {
            largest = mean;
            swing = 100 * (json_get_number(one, "high_pa") - json_get_number(one, "low_pa")) / mean;
        }
    }
    return swing;
}

void run_outcome_read(const study_case *t, run_outcome *o) {
    cJSON *mesh = read_result(t, "mesh/mesh.json"), *solve = read_result(t, "solve/solve.json");
    const cJSON *made = cJSON_GetObjectItemCaseSensitive(mesh, "result");
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(solve, "result");
    o->cells = json_get_number(made, "cells");
    o->dx_mm = json_get_number(made, "spacing_mm");
    o->solved = result && same_lattice(mesh, solve);
    if (o->solved) {
        char fields[STUDY_CASE_PATH_MAX + 32];
        snprintf(fields, sizeof fields, "%s/out/solve/fields.vtkhdf", t->folder);
        o->fields = file_exists(fields);
        o->converged = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(result, "converged"));
        o->unsteady = cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(result, "unsteady"));
        o->swing_percent = swing_of(cJSON_GetObjectItemCaseSensitive(result, "unsteady"));
        o->steps = json_get_number(result, "steps");
        o->change = json_get_number(result, "residual");
        o->seconds = json_get_number(result, "seconds");
        o->reynolds = json_get_number(result, "reynolds");
    }
    cJSON_Delete(mesh);
    cJSON_Delete(solve);
}

void run_outcome_compute(study_case *t, int to, run_outcome *o) {
    run_failure failure = {0};
    run_options with = *t->x->run;
    with.failure = &failure;
    run_outcome_clear(o);
    if (t->x->page->error != OK)
        return;
    const int rc = study_case_try(t, &with, to);
    if (rc != OK && (process_interrupted() || rc == ERR_OUTPUT || failure.missing_program))
        results_fail(t->x->page, rc);
    else if (rc != OK)
        take_failure(o, rc, &failure);
    if (t->x->page->error == OK)
        run_outcome_read(t, o);
}

const char *run_outcome_word(const run_outcome *o, char word[32]) {
    /* a run that did not settle has a solution; a run that diverged has none */
    const bool diverged = o->exit == ERR_NUMERIC && o->stage == STAGE_SOLVE;
    if (o->exit != OK && !o->solved)
        snprintf(word, 32, "%s (exit %d)", diverged ? "diverged" : "failed", o->exit);
    else if (!o->solved)
        snprintf(word, 32, "not computed");
    else
        snprintf(word, 32, "%s", o->unsteady ? "unsteady" : o->converged ? "settled" : "not converged");
    return word;
}

bool run_outcome_is_good(const run_outcome *o) {
    return o->exit == OK && o->solved && (o->converged || o->unsteady);
}
