/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat_conditions.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "pipeline/study/results_row.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void treat_conditions_free(treated_conditions *t) {
    free(t->opening);
    free(t->lost_share);
    *t = (treated_conditions){0};
}

/* Refuses resistances that follow from a mean pressure: the treated case would derive other resistances. */
static int refuse_mean_pressure(const case_file *c) {
    return c->split.law != SPLIT_NONE && isfinite(c->split.mean_pressure_pa)
               ? fail(ERR_INPUT, "split.mean_pressure: the treatment changes the flows of the outlets, so other "
                                 "resistances would follow from the mean pressure; replace split by the resistances "
                                 "that post/readouts.json gives for the outlets")
               : OK;
}

/* Marks the openings of the closed branches as removed. */
static int remove_closed(const case_file *c, const case_file *plan, treated_conditions *t) {
    for (int k = 0; k < plan->n_treat; k++)
        for (int n = 0; n < c->n_opening; n++) {
            if (plan->treat[k].kind != TREAT_CLOSE || strcmp(plan->treat[k].from.branch, c->opening[n].name) != 0)
                continue;
            if (c->split.law == SPLIT_SHARES || c->split.law == SPLIT_TERRITORY)
                return fail(ERR_INPUT,
                            "close '%s': the case gives the shares or territories of the outlets, and the treatment "
                            "changes them; "
                            "replace split by pressures or resistances",
                            c->opening[n].name);
            if (refuse_mean_pressure(c) != OK)
                return ERR_INPUT;
            t->opening[n].removed = true;
            message_info("the opening '%s' is removed with its closed branch", c->opening[n].name);
        }
    return OK;
}

/* Refuses a treatment that closes all inlets or all outlets. */
static int refuse_all_closed(const case_file *c, const treated_conditions *t) {
    static const char *const name[] = {"inlets", "outlets"}, *const way[] = {"enters", "leaves"};
    static const int role[] = {ROLE_INLET, ROLE_OUTLET};
    for (int r = 0; r < 2; r++) {
        char closed[600] = "";
        size_t n = 0;
        int left = role[r] == ROLE_OUTLET && t->tips;
        for (int k = 0; k < c->n_opening; k++) {
            const case_opening *o = &c->opening[k];
            if (o->role != role[r])
                continue;
            left += !t->opening[k].removed;
            if (t->opening[k].removed && n < sizeof closed)
                n += (size_t)snprintf(closed + n, sizeof closed - n, "%s'%s'", n ? ", " : "", o->name);
        }
        if (n > 0 && left == 0)
            return fail(ERR_INPUT, "close: the treatment closes all %s (%s), so no blood %s; leave one open", name[r],
                        closed, way[r]);
    }
    return OK;
}

/* Resistance of the liver, Pa s/m3; NaN: the case gives none. *error: half-width of its 95 % interval, relative.
 * readouts: results before the treatment, which hold the resistance of a liver with a label image; NULL: not read. */
static double liver_resistance(const case_file *c, const cJSON *readouts, double *error) {
    const cJSON *gradient, *term;
    *error = 0;
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PPG && c->readout[k].liver_resistance > 0) {
            *error = c->readout[k].liver_error / c->readout[k].liver_resistance;
            return c->readout[k].liver_resistance;
        }
    cJSON_ArrayForEach(gradient, cJSON_GetObjectItemCaseSensitive(readouts, "ppg")) {
        cJSON_ArrayForEach(term, cJSON_GetObjectItemCaseSensitive(gradient, "terms")) {
            const cJSON *model = cJSON_GetObjectItemCaseSensitive(term, "parameters");
            const double value = json_get_number(model, "resistance_mmhg_min_per_l");
            if (value > 0) {
                *error = fmax(json_get_number(model, "resistance_uncertainty_mmhg_min_per_l") / value, 0);
                return value * UNITS_PA_S_M3_PER_MMHG_MIN_L;
            }
        }
    }
    return NAN;
}

/* Reads the readouts of the patient before the treatment. They must belong to the present case and a converged flow. */
static int read_results(const patient *before, cJSON **readouts) {
    char path[PATIENT_PATH_MAX], word[PATIENT_WORD_MAX];
    results_row row = {.n = 0};
    int rc = OK;
    TRY(results_row_read(before->dir, NULL, &row));
    if (strcmp(row.state, "done") != 0 || row.unusable[0])
        GIVE_UP(fail(
            ERR_INPUT,
            "a treatment needs the computed flows and pressures before it, but '%s' has no valid results (%s%s%s); "
            "compute them with: pipeline run %s",
            before->dir, row.state, row.unusable[0] ? ", " : "", row.unusable, patient_word(before->dir, word)));
    TRY(patient_path(path, before->out, "post/readouts.json"));
    TRY(json_read(path, readouts));
cleanup:
    results_row_free(&row);
    return rc;
}

static double opening_value(const cJSON *readouts, const char *name, const char *key) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(readouts, "openings");
    return json_get_number(cJSON_GetObjectItemCaseSensitive(all, name), key);
}

/* True for the end of a portal branch; a collateral takes no blood to the liver. */
static bool is_branch(const case_opening *o) {
    return o->role == ROLE_OUTLET && !o->collateral;
}

/* Names of the closed portal branches: "'LPV', 'RPV'". */
static void list_closed(const case_file *c, const treated_conditions *t, char *text, size_t size) {
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; k < c->n_opening && n < size; k++)
        if (t->opening[k].removed && is_branch(&c->opening[k]))
            n += (size_t)snprintf(text + n, size - n, "%s'%s'", n ? ", " : "", c->opening[k].name);
}

/* Flow through the liver of a gradient before the treatment, mL/s; NaN: unknown. */
static double liver_flow(const cJSON *readouts, const char *portal) {
    const cJSON *gradient, *term;
    cJSON_ArrayForEach(gradient, cJSON_GetObjectItemCaseSensitive(readouts, "ppg")) {
        const char *name = json_get_text(gradient, "portal");
        cJSON_ArrayForEach(term, cJSON_GetObjectItemCaseSensitive(gradient, "terms")) {
            const cJSON *model = cJSON_GetObjectItemCaseSensitive(term, "parameters");
            if (name && strcmp(name, portal) == 0 && json_get_number(model, "flow_ml_s") > 0)
                return json_get_number(model, "flow_ml_s");
        }
    }
    return NAN;
}

/* Part of the flow through the liver that the closed branches had before the treatment. NaN: unknown, also if the flows
 * of the outlets do not add up to the flow through the liver, because some of them leave another vessel. */
static double closed_share(const case_file *c, const case_readout *o, const cJSON *readouts,
                           const treated_conditions *t) {
    const double same_flow = 0.01, liver = liver_flow(readouts, o->portal);
    double all = 0, closed = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *out = &c->opening[k];
        const double flow = opening_value(readouts, out->name, "flow_ml_s");
        if (!case_opening_feeds(o, out) || (o->cava && strcmp(out->name, o->cava) == 0))
            continue;
        if (!(flow >= 0))
            return NAN;
        all += flow;
        closed += t->opening[k].removed ? flow : 0;
    }
    const double share = fabs(all - liver) <= same_flow * liver ? closed / all : NAN;
    return share < 1 ? share : NAN;
}

/* Warns that the resistance of the liver remains the resistance of the whole liver. share: of the closed branches; NaN:
 * unknown. */
static void warn_whole_liver(const case_readout *o, const char *closed, double share) {
    char rise[120] = "1 / (1 - their share of the liver)";
    if (share > 0)
        snprintf(rise, sizeof rise, "%.2g, 1 / (1 - share), with their share of %.0f %% of the flow before",
                 1 / (1 - share), 100 * share);
    message_warn_serious("close %s: the resistance of the whole liver is kept, so the pressure "
                         "gradient is too low if the closed branches supply a part of the liver; closing them "
                         "multiplies this resistance by about %s; %s",
                         closed, rise,
                         o->compartments ? "take their part out of the label image of the liver"
                                         : "give this share in the new case, such as ppg: liver: {lost_share: 40 %}");
}

/* Sets the share of the liver that the closed branches leave without portal blood, or warns that it is unknown. A share
 * that was lost before counts too. */
static void lose_liver(const case_file *c, int k, const cJSON *readouts, treated_conditions *t) {
    const case_readout *o = &c->readout[k];
    char closed[600];
    double share = closed_share(c, o, readouts, t);
    if (share == 0) /* the closed branches do not supply this liver */
        return;
    list_closed(c, t, closed, sizeof closed);
    if (o->compartments || !isfinite(share)) {
        warn_whole_liver(o, closed, share);
        return;
    }
    message_warn("close %s: the part of the liver that the closed branches supplied gets no portal blood, %.3g %% of "
                 "the flow before: the resistance of the liver becomes %.3g times as large (lost_share). Assumed: the "
                 "time right after the closure, no collaterals between the parts of the liver; both collaterals and "
                 "growth of the rest lower the gradient",
                 closed, 100 * share, 1 / (1 - share));
    t->lost_share[k] = (lobule_quantity){share, 0};
    if (o->lost_share.value > 0)
        t->lost_share[k] =
            (lobule_quantity){1 - (1 - share) * (1 - o->lost_share.value), (1 - share) * o->lost_share.error};
}

/* Warns that the given flow of a closed inlet is lost. */
static void warn_closed_inlet(const case_file *c, const cJSON *readouts, const treated_conditions *t,
                              const char *name) {
    double before = 0, after = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        const double given = o->condition == CONDITION_FLOW ? 1e6 * o->flow_m3_s : NAN,
                     flow = isfinite(given) ? given : opening_value(readouts, o->name, "flow_ml_s");
        if (o->role != ROLE_INLET)
            continue;
        before += flow;
        after += t->opening[k].removed ? 0 : flow;
    }
    char fall[80] = "by the flow of this inlet";
    if (isfinite(before) && isfinite(after))
        snprintf(fall, sizeof fall, "from %.3g to %.3g L/min", 0.06 * before, 0.06 * after);
    message_warn_serious("close '%s': the inflow falls %s; if the blood enters elsewhere, add the flow of '%s' to the "
                         "flow of the other inlets in the new case",
                         name, fall, name);
}

/* Decides whether the liver becomes a resistance at each outlet. *at_outlets: false if the outlets have resistances
 * already. liver: NaN if not given. */
static int find_liver(const case_file *c, double liver, bool *at_outlets) {
    int n_model = 0, n_free = 0;
    if (refuse_mean_pressure(c) != OK)
        return ERR_INPUT;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (o->role != ROLE_OUTLET)
            continue;
        if (!case_opening_is_free(o) && o->condition != CONDITION_SPLIT)
            return fail(ERR_INPUT,
                        "the outlet '%s' has a given flow, so a stent cannot take blood from it; give it a pressure or "
                        "a resistance",
                        o->name);
        n_model += is_branch(o) && case_opening_is_model(o);
        n_free += is_branch(o) && !case_opening_is_model(o);
    }
    *at_outlets = n_free > 0;
    if (n_free > 0 && isnan(liver))
        return fail(ERR_INPUT,
                    "the case has no resistance of the liver, so all blood would flow through the stent; give the "
                    "outlets a resistance, or give the resistance of the liver in the readout ppg, such as liver: "
                    "{model: resistance, value: 4 mmHg min/L}");
    if (n_model > 0 && isfinite(liver))
        return fail(
            ERR_INPUT,
            "the case gives resistances at the outlets and a liver in the readout ppg, and only one of them can "
            "be the liver; remove the resistances, or give ppg: liver: {model: outlets}");
    return OK;
}

/* Computes the mean pressure behind the resistances of the portal branches before the treatment, weighted with the
 * outflows. *flow_ml_s: sum of the outflows. */
static int find_outflow(const case_file *c, const cJSON *readouts, double *flow_ml_s, double *pressure_pa) {
    *flow_ml_s = *pressure_pa = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        const double flow = opening_value(readouts, o->name, "flow_ml_s");
        if (!is_branch(o))
            continue;
        if (!case_opening_is_model(o) && !(flow > 0))
            return fail(ERR_INPUT,
                        "the flow of the outlet '%s' before the treatment is not outwards, so no resistance of the "
                        "liver can be computed for it; "
                        "give the outlet a resistance in the case",
                        o->name);
        *flow_ml_s += flow;
        *pressure_pa +=
            flow * (case_opening_is_model(o) ? o->distal_pa
                                             : opening_value(readouts, o->name, "pressure_mmhg") * UNITS_PA_PER_MMHG);
    }
    if (!(*flow_ml_s > 0))
        return fail(ERR_INPUT, "no blood left through the outlets before the treatment, so the pressure behind the "
                               "liver is unknown; check the conditions of the openings");
    *pressure_pa /= *flow_ml_s;
    return OK;
}

/* Resistance of an outlet from its pressure and flow before the treatment. */
static int set_resistance(const case_opening *o, const cJSON *readouts, double reference_pa, double liver_error_pa,
                          treated_opening *now) {
    const double above_pa = opening_value(readouts, o->name, "pressure_mmhg") * UNITS_PA_PER_MMHG - reference_pa;
    if (!(above_pa > 0))
        return fail(ERR_INPUT,
                    "the pressure at the outlet '%s' before the treatment is not above the pressure behind the liver, "
                    "so no resistance of the liver can be computed for it; give the outlets resistances in the case",
                    o->name);
    now->resistance_pa_s_m3 = above_pa / (opening_value(readouts, o->name, "flow_ml_s") * 1e-6);
    now->resistance_error = liver_error_pa / above_pa;
    return OK;
}

/* Condition of an inlet. An inlet with a prescribed flow keeps it with a constant inflow. */
static int set_inlet(const case_file *c, const case_opening *o, const cJSON *readouts, int inflow, double shift_pa,
                     treated_opening *now) {
    if (inflow == INFLOW_CONSTANT_PRESSURE) {
        now->pressure_pa = shift_pa + opening_value(readouts, o->name, "pressure_mmhg") * UNITS_PA_PER_MMHG;
        return isfinite(now->pressure_pa)
                   ? OK
                   : fail(ERR_INPUT,
                          "the inlet '%s' has no pressure before the treatment, which inflow: constant-pressure "
                          "keeps; use inflow: constant",
                          o->name);
    }
    if (inflow == INFLOW_SOURCE) {
        if (o->condition != CONDITION_RESISTANCE)
            return fail(ERR_INPUT,
                        "inflow: source keeps the source pressure and the resistance of the inlets, and the inlet '%s' "
                        "has none; give it resistance: {value, source} and run the case again, or use inflow: constant",
                        o->name);
        now->pressure_pa = shift_pa + o->distal_pa;
        now->keeps_resistance = true;
        return OK;
    }
    if (!case_opening_is_free(o))
        return OK;
    if (c->solve.mode != MODE_STEADY)
        return fail(ERR_INPUT,
                    "the inlet '%s' of a pulsatile flow has a pressure, so its inflow cannot be kept; give it the flow "
                    "over the cycle",
                    o->name);
    now->flow_ml_s = opening_value(readouts, o->name, "flow_ml_s");
    return now->flow_ml_s > 0 ? OK
                              : fail(ERR_INPUT,
                                     "the flow of the inlet '%s' before the treatment is not inwards, so it cannot be "
                                     "kept; give the inlet a flow in the case",
                                     o->name);
}

/* Sets the conditions of all openings for a stent to a new opening at the pressure `vein_pa`. */
static int set_tips(const patient *before, int inflow, double vein_pa, treated_conditions *t) {
    const case_file *c = &before->c;
    cJSON *readouts = NULL;
    bool at_outlets = false;
    double flow_ml_s = NAN, outlets_pa = NAN, error;
    int rc = OK;
    if (case_find_liver_labels(c))
        TRY(read_results(before, &readouts));
    const double liver = liver_resistance(c, readouts, &error);
    TRY(find_liver(c, liver, &at_outlets));
    if (!readouts)
        TRY(read_results(before, &readouts));
    TRY(find_outflow(c, readouts, &flow_ml_s, &outlets_pa));
    /* pressure drop of the liver at the flow before the treatment */
    const double liver_pa = at_outlets ? liver * flow_ml_s * 1e-6 : 0;
    const double reference_pa = outlets_pa - liver_pa;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (is_branch(o) && !case_opening_is_model(o))
            TRY(set_resistance(o, readouts, reference_pa, error * liver_pa, &t->opening[k]));
        if (o->role == ROLE_INLET)
            TRY(set_inlet(c, o, readouts, inflow, vein_pa - reference_pa, &t->opening[k]));
        if (o->role == ROLE_OUTLET && o->collateral) /* without the stent its flow would stay the same */
            t->opening[k].pressure_pa = vein_pa - reference_pa + (case_opening_is_model(o) ? o->distal_pa : o->value);
    }
cleanup:
    cJSON_Delete(readouts);
    return rc;
}

/* Finds what a closed branch changes besides the lumen. The shares come from valid results before. */
static void apply_closed(const patient *before, treated_conditions *t) {
    const case_file *c = &before->c;
    cJSON *readouts = NULL;
    bool closed = false, branch = false;
    for (int k = 0; k < c->n_opening; k++) {
        closed |= t->opening[k].removed;
        branch |= t->opening[k].removed && is_branch(&c->opening[k]);
    }
    if (closed && read_results(before, &readouts) != OK)
        status_clear();
    for (int k = 0; k < c->n_readout && branch; k++)
        if (case_has_whole_liver(&c->readout[k]))
            lose_liver(c, k, readouts, t);
    for (int k = 0; k < c->n_opening; k++)
        if (t->opening[k].removed && c->opening[k].role == ROLE_INLET && !case_opening_is_free(&c->opening[k]))
            warn_closed_inlet(c, readouts, t, c->opening[k].name);
    cJSON_Delete(readouts);
}

int treat_conditions_find(const patient *before, const case_file *plan, int inflow, treated_conditions *t) {
    const int n = before->c.n_opening;
    int rc = OK;
    *t = (treated_conditions){.opening = calloc((size_t)n + 1, sizeof *t->opening),
                              .lost_share = calloc((size_t)before->c.n_readout + 1, sizeof *t->lost_share)};
    if (!t->opening || !t->lost_share)
        return fail_memory("the treatment", 32.0 * n);
    for (int k = 0; k < n; k++)
        t->opening[k] = (treated_opening){.resistance_pa_s_m3 = NAN, .pressure_pa = NAN, .flow_ml_s = NAN};
    for (int k = plan->n_treat - 1; k >= 0; k--)
        if (plan->treat[k].opening)
            t->tips = &plan->treat[k];
    TRY(remove_closed(&before->c, plan, t));
    TRY(refuse_all_closed(&before->c, t));
    if (inflow != INFLOW_CONSTANT && !t->tips)
        GIVE_UP(fail(ERR_INPUT, "inflow: constant-pressure and inflow: source are allowed only with a stent to a new "
                                "opening; use inflow: constant"));
    if (t->tips)
        TRY(set_tips(before, inflow, t->tips->pressure_pa, t));
    else
        apply_closed(before, t);
cleanup:
    return rc;
}
