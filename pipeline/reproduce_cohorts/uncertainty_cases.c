/* SPDX-License-Identifier: Apache-2.0 */
/* One case of verify:uncertainty: computed readouts and their truth, exact or from a finer grid sequence. */
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/reproduce/study_case.h"
#include "pipeline/reproduce_cohorts/uncertainty.h"
#include "pipeline/run/stages.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double finer = UNCERTAINTY_FINER;
/* upper limit of the number of cells of the finest lattice in the finer grid sequence, applied if the scale is below
 * 1 */
static const double most_cells = 4e6;

bool uncertainty_skipped(readings *all) {
    return all->at++ != all->only && all->only >= 0;
}

/* ------------------------------------------------------------------------------------------ computed readouts */

static void take(const cJSON *value, const cJSON *u, const char *what, int *n, reading *r) {
    if (*n == UNCERTAINTY_EACH || !cJSON_IsNumber(value))
        return;
    r[*n] = (reading){.value = value->valuedouble,
                      .truth = NAN,
                      .finest = json_get_number(u, "finest_lattice"),
                      .half = json_get_number(u, "lattice"),
                      .order = json_get_number(u, "order")};
    snprintf(r[(*n)++].what, UNCERTAINTY_NAME, "%s", what);
}

static const cJSON *key(const cJSON *o, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

/* Reads pressure drops, wall shear stress and, if there are two outlets or more, their flows. */
static int read_case(const study_case *t, int *n, reading *r) {
    cJSON *all = NULL;
    const cJSON *one;
    char what[UNCERTAINTY_NAME];
    const int rc = study_case_result(t, "post/readouts.json", &all);
    int outlets = 0;
    *n = 0;
    cJSON_ArrayForEach(one, key(all, "pressure_drops")) {
        const char *from = cJSON_GetStringValue(key(one, "from")), *to = cJSON_GetStringValue(key(one, "to"));
        snprintf(what, sizeof what, "drop %.16s to %.16s (Pa)", from ? from : "", to ? to : "");
        take(key(one, "value_pa"), key(one, "uncertainty"), what, n, r);
    }
    const cJSON *wss = key(all, "wss"), *u = key(wss, "uncertainty");
    take(key(wss, "mean_pa"), key(u, "mean_pa"), "mean wall shear stress (Pa)", n, r);
    take(key(wss, "p99_pa"), key(u, "p99_pa"), "99th percentile of the wall shear stress (Pa)", n, r);
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

/* Runs a case. A vessel that does not settle is reported on the page and does not end the study. */
static int run_or_say(study_case *t, const study_context *x, results *out, const char *name, bool *solved) {
    const int rc = study_case_run(t, x->run, STAGE_POST);
    *solved = rc == OK;
    if (rc != ERR_NUMERIC && rc != ERR_INPUT)
        return rc;
    results_text(out, "%s: no result: %s", name, status_message());
    status_clear();
    return OK;
}

/* ------------------------------------------------------------------------------------------------ exact flows */

int uncertainty_straight(const study_context *x, results *out, study_case *t, const char *name, double drop_pa,
                         double wss_pa, double p99_pa, readings *all) {
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

/* ------------------------------------------------------------------------------------- reference by a finer grid
 * sequence */

/* Checks the size of the lattice. *small: false if the lattice has more than most_cells cells and the scale is below 1;
 * the vessel is then skipped. */
static int is_small(const study_context *x, results *out, study_case *t, const char *name, bool *small) {
    double cells = 0;
    int rc = OK;
    *small = true;
    if (x->scale >= 1)
        return OK;
    if (study_case_run(t, x->run, STAGE_MESH) != OK) { /* a failure is reported by run_or_say */
        t->error = OK;
        status_clear();
        return OK;
    }
    TRY(study_case_number(t, "mesh/mesh.json", "result/cells", &cells));
    *small = cells <= most_cells;
    if (!*small)
        results_text(out, "%s: left out at this scale, %.3g million cells", name, 1e-6 * cells);
cleanup:
    return rc;
}

int uncertainty_compared(const study_context *x, results *out, const char *source, const char *name, double cells,
                         void (*set)(study_case *t, const void *data), const void *data, readings *all) {
    reading r[UNCERTAINTY_EACH], fine[UNCERTAINTY_EACH];
    int rc = OK, n = 0, n_fine = 0;
    if (uncertainty_skipped(all))
        return OK;
    for (int k = 1; k >= 0; k--) {
        char folder[UNCERTAINTY_NAME];
        study_case t = {0};
        bool solved = false, small = true;
        snprintf(folder, sizeof folder, "%.36s%s", name, k ? "-fine" : "");
        study_case_create(&t, source, x->work, folder);
        study_case_set(&t, "solve.collision", "trt");
        study_case_set(&t, "mesh.cells_per_diameter", "%g", k ? finer * cells : cells);
        study_case_set(&t, "mesh.grid_levels", "3");
        if (set)
            set(&t, data);
        if (k)
            rc = is_small(x, out, &t, name, &small);
        if (rc == OK && small)
            rc = run_or_say(&t, x, out, folder, &solved);
        if (rc == OK && solved)
            rc = k ? read_case(&t, &n_fine, fine) : read_case(&t, &n, r);
        study_case_free(&t);
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
