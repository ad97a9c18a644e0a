/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat_conditions.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void treat_conditions_free(treated_conditions *t) {
    free(t->opening);
    *t = (treated_conditions){0};
}

static int remove_closed(const case_file *c, const case_file *plan, treated_conditions *t) {
    for (int k = 0; k < plan->n_treat; k++)
        for (int n = 0; n < c->n_opening; n++) {
            if (plan->treat[k].kind != TREAT_CLOSE || strcmp(plan->treat[k].from.branch, c->opening[n].name) != 0)
                continue;
            if (c->split.law == SPLIT_SHARES)
                return fail(ERR_INPUT,
                            "close '%s': the case gives the shares of the outlets, and the treatment changes them; "
                            "replace split by pressures or resistances",
                            c->opening[n].name);
            t->opening[n].removed = true;
            message_info("the opening '%s' is removed with its closed branch", c->opening[n].name);
        }
    return OK;
}

/* Resistance of the liver, NaN: not given. error: half-width of its 95 % interval, relative. */
static double liver_resistance(const case_file *c, double *error) {
    *error = 0;
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PPG && c->readout[k].liver_resistance > 0) {
            *error = c->readout[k].liver_error / c->readout[k].liver_resistance;
            return c->readout[k].liver_resistance;
        }
    return NAN;
}

/* The readouts of the patient before the treatment. */
static int read_results(const patient *before, cJSON **readouts) {
    char path[PATIENT_PATH_MAX], word[PATIENT_WORD_MAX];
    cJSON *record = NULL;
    int rc = OK;
    TRY(patient_path(path, before->out, "post/readouts.json"));
    if (provenance_check_output(path, "post", &record) != OK) {
        status_clear();
        GIVE_UP(fail(ERR_INPUT,
                     "the treatment needs the flows and pressures before it, and '%s' has no valid results; compute "
                     "them with: pipeline run %s",
                     before->dir, patient_word(before->dir, word)));
    }
    TRY(json_read(path, readouts));
cleanup:
    cJSON_Delete(record);
    return rc;
}

static double opening_value(const cJSON *readouts, const char *name, const char *key) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(readouts, "openings");
    return json_get_number(cJSON_GetObjectItemCaseSensitive(all, name), key);
}

/* Sums of the outlets that stay. */
typedef struct {
    int n_model, n_free;                   /* outlets with a resistance, and without */
    double flow_ml_s, pressure_ml_pa_s;    /* outlets without: flow, and flow times pressure */
    double model_flow_ml_s, model_ml_pa_s; /* outlets with: flow, and flow times distal pressure */
} outlets;

static int sum_outlets(const case_file *c, const cJSON *readouts, outlets *sum) {
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        const double flow = opening_value(readouts, o->name, "flow_ml_s");
        if (o->role != ROLE_OUTLET)
            continue;
        if (!case_opening_is_free(o) && o->condition != CONDITION_SPLIT)
            return fail(ERR_INPUT,
                        "the outlet '%s' has a given flow, so a stent cannot take blood from it; give it a pressure or "
                        "a resistance",
                        o->name);
        if (case_opening_is_model(o)) {
            sum->n_model++;
            sum->model_flow_ml_s += flow;
            sum->model_ml_pa_s += flow * o->distal_pa;
        } else if (flow > 0) {
            sum->n_free++;
            sum->flow_ml_s += flow;
            sum->pressure_ml_pa_s += flow * opening_value(readouts, o->name, "pressure_mmhg") * UNITS_PA_PER_MMHG;
        } else {
            return fail(ERR_INPUT,
                        "the flow of the outlet '%s' before the treatment is not outwards, so it has no "
                        "resistance of the liver; give it one in the case",
                        o->name);
        }
    }
    return OK;
}

/* Conditions with a stent to a new opening at the pressure `vein_pa`. */
static int set_tips(const patient *before, int inflow, double vein_pa, treated_conditions *t) {
    const case_file *c = &before->c;
    double error;
    const double liver = liver_resistance(c, &error);
    cJSON *readouts = NULL;
    outlets sum = {0};
    int rc = OK;
    TRY(read_results(before, &readouts));
    TRY(sum_outlets(c, readouts, &sum));
    if (sum.n_free > 0 && isnan(liver))
        GIVE_UP(fail(ERR_INPUT, "the case has no resistance of the liver, so the stent would take all blood; give the "
                                "outlets a resistance, or the readout ppg a liver"));
    /* behind the liver, at the flows before the treatment */
    const double total = sum.flow_ml_s + sum.model_flow_ml_s;
    const double free_reference =
        sum.n_free > 0 ? sum.pressure_ml_pa_s - sum.flow_ml_s * liver * sum.flow_ml_s * 1e-6 : 0;
    const double reference_pa = (free_reference + sum.model_ml_pa_s) / total;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        t->opening[k].resistance_error = error;
        if (o->role == ROLE_OUTLET && !case_opening_is_model(o))
            t->opening[k].resistance_pa_s_m3 = liver * sum.flow_ml_s / opening_value(readouts, o->name, "flow_ml_s");
        if (o->role == ROLE_INLET && inflow == INFLOW_CONSTANT_PRESSURE)
            t->opening[k].pressure_pa =
                vein_pa + opening_value(readouts, o->name, "pressure_mmhg") * UNITS_PA_PER_MMHG - reference_pa;
    }
cleanup:
    cJSON_Delete(readouts);
    return rc;
}

int treat_conditions_find(const patient *before, const case_file *plan, int inflow, treated_conditions *t) {
    const int n = before->c.n_opening;
    int rc = OK;
    *t = (treated_conditions){.opening = calloc((size_t)n + 1, sizeof *t->opening)};
    if (!t->opening)
        return fail_memory("the treatment", 32.0 * n);
    for (int k = 0; k < n; k++)
        t->opening[k].resistance_pa_s_m3 = t->opening[k].pressure_pa = NAN;
    for (int k = plan->n_treat - 1; k >= 0; k--)
        if (plan->treat[k].opening)
            t->tips = &plan->treat[k];
    TRY(remove_closed(&before->c, plan, t));
    if (inflow == INFLOW_CONSTANT_PRESSURE && !t->tips)
        GIVE_UP(fail(ERR_INPUT, "inflow: constant-pressure is for a stent to a new opening; remove it"));
    if (t->tips)
        TRY(set_tips(before, inflow, t->tips->pressure_pa, t));
cleanup:
    return rc;
}
