/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/results_row.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/record/unfed_branches.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/run/summary.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the resistance of the liver in the list exact_inputs of readouts.json; it has a flag of its own */
#define ROW_EXACT_LIVER "the resistance of the liver"

int results_row_take_interval(const cJSON *interval, double scale, row_number *number) {
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(interval, "by_input"), *input;
    number->half = scale * summary_half_width(interval);
    number->lattice = scale * json_get_number(interval, "lattice");
    number->n_input = 0;
    number->input = calloc((size_t)cJSON_GetArraySize(inputs) + 1, sizeof *number->input);
    if (!number->input)
        return fail_memory("the table", (double)cJSON_GetArraySize(inputs) * sizeof *number->input);
    /* no paired intervals: the change by the blood model has no sign, and an unknown part of the interval may be the
     * largest */
    if (cJSON_HasObjectItem(interval, "blood_model") ||
        cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(interval, "inputs")))
        return OK;
    cJSON_ArrayForEach(input, inputs) {
        row_input *to = &number->input[number->n_input++];
        snprintf(to->name, sizeof to->name, "%s", input->string);
        to->change = cJSON_IsNumber(input) ? scale * input->valuedouble : NAN;
    }
    return OK;
}

double results_row_paired_half(const row_number *a, const row_number *b) {
    double square = a->lattice * a->lattice + b->lattice * b->lattice;
    if (a->n_input == 0 || a->n_input != b->n_input)
        return NAN;
    for (int k = 0; k < a->n_input; k++) {
        int i = 0;
        while (i < b->n_input && strcmp(a->input[k].name, b->input[i].name) != 0)
            i++;
        if (i == b->n_input)
            return NAN;
        const double change = b->input[i].change - a->input[k].change;
        square += change * change;
    }
    return sqrt(square);
}

static int add_number(results_row *row, bool main, const cJSON *object, const char *key, const char *unit, double scale,
                      const char *format, ...) {
    va_list args;
    row_number *larger = realloc(row->number, ((size_t)row->n + 1) * sizeof *larger);
    if (!larger)
        return fail_memory("the table", (double)row->n * sizeof *larger);
    row->number = larger;
    row_number *at = &larger[row->n++];
    const cJSON *interval = summary_find(object, "uncertainty", key),
                *lattice_error = summary_find(object, "error_bound", key);
    *at = (row_number){.unit = unit,
                       .value = scale * json_get_number(object, key),
                       .lattice_error = cJSON_IsNumber(lattice_error) ? scale * lattice_error->valuedouble : NAN,
                       .main = main};
    const int rc = results_row_take_interval(interval, scale, at);
    if (rc != OK)
        return rc;
    if (strcmp(key, "value_mmhg") == 0 && !summary_bounds(object, at->bound))
        at->bound[0] = at->bound[1] = 0;
    const bool solved = at->half > 0 && isfinite(json_get_number(interval, "lattice"));
    row->has_intervals |= solved;
    row->wall_unknown |= solved && isnan(json_get_number(interval, "image"));
    row->blood_unknown |= solved && cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(interval, "blood_model"));
    row->inputs_unknown |= solved && cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(interval, "inputs"));
    row->inputs_only |= at->half > 0 && !solved;
    va_start(args, format);
    vsnprintf(at->name, sizeof at->name, format, args);
    va_end(args);
    return OK;
}

static void set_origin(results_row *row, enum row_origin origin) {
    row->number[row->n - 1].origin = origin;
}

/* Adds the diameter of the circle of the area that was added last. */
static int add_diameter(results_row *row, const char *name) {
    const int rc = add_number(row, true, NULL, "", "mm", 1, "%s diameter", name);
    if (rc != OK)
        return rc;
    const row_number *area = &row->number[row->n - 2];
    row_number *at = &row->number[row->n - 1];
    at->origin = ROW_FROM_LUMEN;
    at->value = 2 * sqrt(area->value / M_PI);
    const double factor = 0.5 * at->value / area->value;
    at->half = factor * area->half;
    at->lattice = factor * area->lattice;
    free(at->input);
    at->input = calloc((size_t)area->n_input + 1, sizeof *at->input);
    if (!at->input)
        return fail_memory("the table", (double)area->n_input * sizeof *at->input);
    for (int k = 0; k < area->n_input; k++) {
        at->input[at->n_input] = area->input[k];
        at->input[at->n_input++].change *= factor;
    }
    return OK;
}

/* Adds the Reynolds number of a place, whose mean velocity was added two numbers before. Its digits follow from the
 * relative error of this velocity. */
static int add_reynolds(results_row *row, const cJSON *place) {
    const int rc = add_number(row, false, place, "reynolds", "1", 1, "%s Reynolds number", place->string);
    if (rc != OK)
        return rc;
    const row_number *velocity = &row->number[row->n - 3];
    row_number *at = &row->number[row->n - 1];
    const double error = velocity->half > 0 ? velocity->half : velocity->lattice_error;
    at->lattice_error = velocity->value == 0 ? NAN : fabs(at->value * error / velocity->value);
    return OK;
}

/* c: case, for the values that it prescribes at its openings. */
static int add_places(results_row *row, const case_file *c, const cJSON *places, bool sections) {
    const bool shares = c->split.law != SPLIT_NONE && !isfinite(c->split.mean_pressure_pa);
    const cJSON *place;
    int rc = OK;
    cJSON_ArrayForEach(place, places) {
        const case_opening *o = sections ? NULL : case_find_opening(c, place->string);
        const bool split = o && o->condition == CONDITION_SPLIT;
        TRY(add_number(row, true, place, "flow_ml_s", "mL/s", 1, "%s flow", place->string));
        if (o && (split ? shares : !case_opening_is_free(o)))
            set_origin(row, ROW_GIVEN);
        if (cJSON_HasObjectItem(place, "share_of_inflow")) {
            TRY(add_number(row, true, place, "share_of_inflow", "%", 100, "%s share of inflow", place->string));
            set_origin(row, split && shares ? ROW_GIVEN : ROW_COMPUTED);
        }
        TRY(add_number(row, false, place, "area_mm2", "mm2", 1, "%s area", place->string));
        TRY(add_diameter(row, place->string));
        TRY(add_number(row, false, place, "mean_velocity_m_s", "cm/s", 100, "%s mean velocity", place->string));
        TRY(add_number(row, true, place, "pressure_mmhg", "mmHg", 1, "%s pressure", place->string));
        set_origin(row, o && o->condition == CONDITION_PRESSURE ? ROW_GIVEN : ROW_COMPUTED);
        TRY(add_reynolds(row, place));
        if (sections)
            TRY(add_number(row, false, place, "wss_mean_pa", "Pa", 1, "%s wall shear stress", place->string));
    }
cleanup:
    return rc;
}

/* Adds a modelled number of the liver. */
static int add_modelled(results_row *row, bool main, const cJSON *object, const char *key, const char *unit,
                        const char *what, const char *part, const char *name) {
    const int rc = add_number(row, main, object, key, unit, 1, "%s%s%s %s", what, *part ? " " : "", part, name);
    if (rc == OK)
        set_origin(row, ROW_MODELLED);
    return rc;
}

/* Adds the perfusion of parts of the liver. */
static int add_perfused(results_row *row, const cJSON *parts, const char *what) {
    const cJSON *part;
    int rc = OK;
    cJSON_ArrayForEach(part, parts) {
        TRY(add_modelled(row, false, part, "volume_ml", "mL", what, part->string, "volume"));
        TRY(add_modelled(row, false, part, "flow_ml_s", "mL/s", what, part->string, "flow"));
        TRY(add_modelled(row, false, part, "perfusion_ml_min_ml", "mL/min/mL", what, part->string, "perfusion"));
    }
cleanup:
    return rc;
}

static const char *text_of(const cJSON *object, const char *key) {
    const char *text = json_get_text(object, key);
    return text ? text : "";
}

/* Adds the gradient of the case that a catheter measured. */
static int add_measured(results_row *row, const cJSON *measured, const char *portal) {
    if (!measured)
        return OK;
    const int rc = add_number(row, true, measured, "value_mmhg", "mmHg", 1, "%s PPG measured (catheter)", portal);
    if (rc == OK) {
        set_origin(row, ROW_CATHETER);
        row->number[row->n - 1].half = json_get_number(measured, "half_width_mmhg");
    }
    return rc;
}

static int add_all_numbers(results_row *row, const case_file *c, const cJSON *r) {
    const cJSON *item, *wss = cJSON_GetObjectItemCaseSensitive(r, "wss");
    int rc = OK;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r, "ppg")) {
        TRY(add_number(row, true, item, "value_mmhg", "mmHg", 1, "%s PPG", text_of(item, "portal")));
        set_origin(row, ROW_GRADIENT);
        TRY(add_measured(row, cJSON_GetObjectItemCaseSensitive(item, "measured"), text_of(item, "portal")));
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(r, "pressure_drops")) TRY(
        add_number(row, true, item, "value_pa", "Pa", 1, "%s to %s drop", text_of(item, "from"), text_of(item, "to")));
    const cJSON *liver = cJSON_GetObjectItemCaseSensitive(r, "liver");
    if (liver) {
        TRY(add_number(row, false, liver, "volume_ml", "mL", 1, "liver volume"));
        TRY(add_modelled(row, true, liver, "perfusion_ml_min_ml", "mL/min/mL", "liver", "", "perfusion"));
        TRY(add_perfused(row, cJSON_GetObjectItemCaseSensitive(liver, "branches"), "territory of"));
        TRY(add_perfused(row, cJSON_GetObjectItemCaseSensitive(liver, "labels"), "liver label"));
    }
    TRY(add_number(row, true, wss, "mean_pa", "Pa", 1, "wall shear stress mean"));
    TRY(add_number(row, false, wss, "p99_pa", "Pa", 1, "wall shear stress p99"));
    TRY(add_number(row, false, wss, "osi_mean", "1", 1, "OSI mean"));
    TRY(add_number(row, true, cJSON_GetObjectItemCaseSensitive(r, "velocity"), "max_m_s", "cm/s", 100,
                   "highest velocity"));
    TRY(add_number(row, false, r, "flow_balance", "%", 100, "flow balance"));
    TRY(add_places(row, c, cJSON_GetObjectItemCaseSensitive(r, "openings"), false));
    TRY(add_places(row, c, cJSON_GetObjectItemCaseSensitive(r, "sections"), true));
cleanup:
    return rc;
}

static void add_flag(results_row *row, const char *flag) {
    const size_t n = strlen(row->flags);
    if (!strstr(row->flags, flag))
        snprintf(row->flags + n, sizeof row->flags - n, "%s%s", n ? ", " : "", flag);
}

/* Adds one word for each subject of a serious warning; the report has the messages. */
static void add_flags(results_row *row, const cJSON *r) {
    static const char *const flag[][2] = {{"resolution", "resolution"},
                                          {"open_end", "open end"},
                                          {"unfed_branch", "unfed branch"},
                                          {"unsteady", "unsteady"},
                                          {"backflow", "backflow"},
                                          {"reynolds", "Reynolds"},
                                          {"unit", "unit?"},
                                          {"unmeasured", "textbook flow"}};
    row->serious = json_get_number(r, "serious_warnings");
    if (cJSON_IsFalse(json_find(r, "solve/converged")))
        row->unusable = "NOT CONVERGED";
    else if (cJSON_IsTrue(json_find(r, "solve/too_coarse")))
        row->unusable = "TOO COARSE";
    if (row->unusable[0])
        add_flag(row, row->unusable);
    for (int k = 0; k < row->serious; k++) {
        const char *about = cJSON_GetStringValue(cJSON_GetArrayItem(json_find(r, "warning_subjects"), k));
        const char *word = "other warning";
        if (about && strcmp(about, "convergence") == 0) /* the convergence is already flagged */
            continue;
        for (size_t j = 0; j < sizeof flag / sizeof *flag; j++)
            word = about && strcmp(about, flag[j][0]) == 0 ? flag[j][1] : word;
        add_flag(row, word);
    }
}

/* Lists the branches that are cut away: "6.7 mm wide near RAS 1.0, 2.0, 3.0 mm; ..". */
static void list_unfed_branches(results_row *row, const cJSON *r) {
    const cJSON *branch;
    cJSON_ArrayForEach(branch, cJSON_GetObjectItemCaseSensitive(r, "unfed_branches")) {
        const size_t n = strlen(row->unfed);
        snprintf(row->unfed + n, sizeof row->unfed - n, "%s%.2g mm wide near %s%s", n ? "; " : "",
                 json_get_number(branch, "diameter_mm"), text_of(branch, "place"),
                 cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(branch, "touches")) ? " (" UNFED_NARROW ")" : "");
    }
}

/* Sets inputs_exact: intervals omit an input that the case gives without an uncertainty. */
static void take_exact_inputs(results_row *row, const cJSON *r) {
    const cJSON *exact;
    cJSON_ArrayForEach(exact, cJSON_GetObjectItemCaseSensitive(r, "exact_inputs")) {
        const char *name = cJSON_GetStringValue(exact);
        row->inputs_exact |= (row->has_intervals || row->inputs_only) && name && strcmp(name, ROW_EXACT_LIVER) != 0;
    }
}

/* Sets liver_exact, lost_share and stage_assumed from the terms of the pressure gradients, and flags the assumptions of
 * a gradient. */
static void take_liver_doubts(results_row *row, const cJSON *r) {
    const cJSON *gradient, *term;
    cJSON_ArrayForEach(gradient, cJSON_GetObjectItemCaseSensitive(r, "ppg")) {
        cJSON_ArrayForEach(term, cJSON_GetObjectItemCaseSensitive(gradient, "terms")) {
            const cJSON *model = cJSON_GetObjectItemCaseSensitive(term, "parameters");
            char flag[ROW_NAME];
            if (strcmp(text_of(term, "kind"), "from assumptions") == 0)
                add_flag(row, "PPG from assumptions");
            else if (json_get_text(term, "basis")) {
                snprintf(flag, sizeof flag, "PPG by %s", text_of(term, "basis"));
                add_flag(row, flag);
            }
            if (!model)
                continue;
            row->lost_share |= cJSON_HasObjectItem(model, "lost_share");
            row->stage_assumed |= cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(model, "stage_assumed"));
            row->liver_exact |= cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(term, "uncertainty")) &&
                                isnan(json_get_number(model, "resistance_uncertainty_mmhg_min_per_l"));
        }
    }
}

/* Sets the liver's part of the gradient, and the permeability of the lobules. */
static void take_liver_term(results_row *row, const cJSON *r) {
    const cJSON *gradients = cJSON_GetObjectItemCaseSensitive(r, "ppg"), *term;
    row->liver_mmhg = row->permeability_m2 = NAN;
    if (cJSON_GetArraySize(gradients) != 1)
        return;
    cJSON_ArrayForEach(term, cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(gradients, 0), "terms")) {
        const cJSON *model = cJSON_GetObjectItemCaseSensitive(term, "parameters");
        if (!model)
            continue;
        row->liver_mmhg = json_get_number(term, "value_mmhg");
        row->permeability_m2 = json_get_number(cJSON_GetObjectItemCaseSensitive(model, "permeability_m2"), "value");
    }
}

static int read_readouts(const patient *p, results_row *row) {
    char path[PATIENT_PATH_MAX];
    cJSON *r = NULL, *post = NULL;
    int rc = OK;
    TRY(patient_path(path, p->out, "post/readouts.json"));
    TRY(provenance_check_output(path, "post", &post));
    TRY(json_read(path, &r));
    add_flags(row, r);
    list_unfed_branches(row, r);
    TRY(add_all_numbers(row, &p->c, r));
    if (row->wall_unknown)
        add_flag(row, "+- without the wall");
    if (row->blood_unknown)
        add_flag(row, "+- without the blood model");
    if (row->inputs_unknown)
        add_flag(row, "+- without the inputs");
    if (row->inputs_only)
        add_flag(row, "PPG +- of the inputs only");
    take_liver_term(row, r);
    take_exact_inputs(row, r);
    if (row->inputs_exact)
        add_flag(row, "+- without inputs taken as exact");
    take_liver_doubts(row, r);
    if (row->lost_share)
        add_flag(row, "lost share of the liver assumed");
    for (int k = 0; k < row->n; k++)
        if (row->number[k].bound[1] > row->number[k].bound[0])
            add_flag(row, "PPG interval not symmetric");
    if (row->stage_assumed)
        add_flag(row, "stage of the liver assumed");
    if (row->liver_exact)
        add_flag(row, "PPG +- without the liver");
    snprintf(row->version, sizeof row->version, "%s",
             text_of(cJSON_GetObjectItemCaseSensitive(post, "program"), "version"));
cleanup:
    cJSON_Delete(r);
    cJSON_Delete(post);
    return rc;
}

/* A column of the vessel table. by_wall: the value grows with the shift of the wall, the only part of its interval. */
typedef struct {
    const char *key, *unit, *name;
    bool by_wall;
} vessel_column;

static const vessel_column vessel_volume = {"volume_ml", "mL", "volume", true};
static const vessel_column branch_columns[] = {{"length_mm", "mm", "length", false},
                                               {"diameter_mean_mm", "mm", "diameter", true},
                                               {"diameter_min_mm", "mm", "smallest diameter", true},
                                               {"stenosis_percent", "%", "stenosis", false}};

/* Adds {"value", "interval"} of the vessel table: of the vessel `what`, or of a branch, "branch NAME". */
static int add_vessel_number(results_row *row, const cJSON *of, const char *what, const vessel_column *column) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(of, column->key);
    const int rc = add_number(row, false, value, "value", column->unit, 1, "%s %s", what, column->name);
    const cJSON *interval = cJSON_GetObjectItemCaseSensitive(value, "interval"), *low = cJSON_GetArrayItem(interval, 0),
                *high = cJSON_GetArrayItem(interval, 1);
    if (rc != OK || !cJSON_IsNumber(low) || !cJSON_IsNumber(high))
        return rc;
    row_number *at = &row->number[row->n - 1];
    at->half = 0.5 * (high->valuedouble - low->valuedouble);
    if (column->by_wall) {
        at->lattice = 0;
        at->n_input = 1;
        at->input[0] = (row_input){.name = "wall", .change = at->half};
    }
    return rc;
}

/* Adds the vessel table of segment.json; these numbers are in the CSV only. */
static int add_vessel(const patient *p, results_row *row) {
    char path[PATIENT_PATH_MAX];
    cJSON *record = NULL;
    const cJSON *b;
    int rc = OK;
    TRY(patient_path(path, p->out, "segment/segment.json"));
    if (!file_exists(path) || json_read_sealed(path, &record) != OK) { /* status and check report a damaged record */
        status_clear();
        goto cleanup;
    }
    const cJSON *vessel = json_find(record, "result/vessel");
    if (!cJSON_IsObject(vessel))
        goto cleanup;
    TRY(add_vessel_number(row, vessel, "vessel", &vessel_volume));
    TRY(add_number(row, false, vessel, "length_mm", "mm", 1, "vessel length"));
    cJSON_ArrayForEach(b, cJSON_GetObjectItemCaseSensitive(vessel, "branches")) {
        char branch[ROW_NAME];
        snprintf(branch, sizeof branch, "branch %s", text_of(b, "name"));
        for (size_t k = 0; k < sizeof branch_columns / sizeof *branch_columns; k++)
            TRY(add_vessel_number(row, b, branch, &branch_columns[k]));
        TRY(add_number(row, false, b, "tortuosity", "1", 1, "%s tortuosity", branch));
    }
cleanup:
    cJSON_Delete(record);
    return rc;
}

/* Finds the state of the first stage that is not done. Results of a stale patient are still shown. */
static void find_state(const patient *p, results_row *row, bool *there) {
    char path[PATIENT_PATH_MAX];
    snprintf(row->state, sizeof row->state, "done");
    for (int k = STAGE_COUNT - 1; k >= 0; k--) {
        stage_state s;
        stage_state_find(p, k, &s);
        if (s.kind == STATE_STALE || s.kind == STATE_MISSING)
            snprintf(row->state, sizeof row->state, "%s %s", stages_table[k].name, stage_state_word(s.kind));
        row->uncompared |= s.uncompared;
    }
    *there = patient_path(path, p->out, "post/readouts.json") == OK && file_exists(path);
    if (!*there)
        snprintf(row->state, sizeof row->state, "not computed");
    row->uncompared &= strcmp(row->state, "done") == 0;
    if (row->uncompared)
        snprintf(row->state, sizeof row->state, "done, case not compared");
}

static bool is_hidden(const char *setting) {
    return strstr(setting, "...") != NULL;
}

/* The settings in the record of post, pointing into `record`. hidden: with those whose path or name is not recorded, in
 * which "..." stands for it; shown: with the others. */
static options_list settings_of(const cJSON *record, bool shown, bool hidden) {
    options_list set = {0};
    const cJSON *word;
    bool value = false;
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(record, "command")) {
        const char *text = cJSON_GetStringValue(word);
        if (value && text && set.n < OPTIONS_LIST_MAX && (is_hidden(text) ? hidden : shown))
            set.word[set.n++] = text;
        value = text && strcmp(text, "--set") == 0;
    }
    return set;
}

/* A copy of the record in which "..." is quoted, so that it is a value in YAML. NULL: no memory. */
static cJSON *quote_hidden(const cJSON *record) {
    cJSON *copy = cJSON_Duplicate(record, true), *word;
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(copy, "command")) {
        const char *text = cJSON_GetStringValue(word);
        char quoted[PATIENT_SETTING_MAX];
        if (!text || !file_ends_with(text, "=..."))
            continue;
        snprintf(quoted, sizeof quoted, "%.*s'...'", (int)strlen(text) - 3, text);
        if (!cJSON_SetValuestring(word, quoted)) {
            cJSON_Delete(copy);
            return NULL;
        }
    }
    return copy;
}

static void add_settings(results_row *row, const options_list *set) {
    char setting[PATIENT_SETTING_MAX];
    for (int k = 0; k < set->n; k++) {
        const size_t n = strlen(row->settings);
        snprintf(row->settings + n, ROW_TEXT - n, "%s%s", n ? " " : "", patient_setting(set->word[k], setting));
    }
}

int results_row_open_case(const char *dir, const options_list *given, patient *p, results_row *row) {
    char path[PATIENT_PATH_MAX];
    cJSON *record = NULL, *quoted = NULL;
    int rc;
    *row = (results_row){.serious = NAN, .unusable = ""};
    if (given)
        return patient_open(dir, given, CASE_WAVEFORMS, p);
    TRY(patient_open(dir, NULL, CASE_WAVEFORMS, p));
    if (patient_path(path, p->out, "post/post.json") == OK && file_exists(path) && json_read(path, &record) == OK) {
        if (!(quoted = quote_hidden(record)))
            GIVE_UP(fail_memory("the settings", 4096));
        const options_list all = settings_of(quoted, true, true), shown = settings_of(record, true, false),
                           hidden = settings_of(record, false, true), *const set[] = {&all, &shown, NULL};
        int k = 0; /* the present case.yaml may not fit the settings, or "..." may not stand for the value of one */
        if (all.n > 0)
            do {
                patient_close(p);
                status_clear();
                rc = patient_open(dir, set[k], CASE_WAVEFORMS, p);
            } while (rc == ERR_INPUT && ++k < 3);
        TRY(rc);
        p->unrecorded = hidden.n > 0;
        p->uncompared = hidden.n > 0 && k == 1 && shown.n < all.n;
        if (k == 0 || hidden.n > 0)
            add_settings(row, &shown);
        add_settings(row, &hidden);
        const size_t n = strlen(row->settings);
        if (hidden.n > 0)
            snprintf(row->settings + n, ROW_TEXT - n, " (\"...\" is not recorded: not compared)");
    }
    status_clear(); /* an unreadable record is reported with the results */
cleanup:
    cJSON_Delete(record);
    cJSON_Delete(quoted);
    return rc;
}

int results_row_fill(const patient *p, results_row *row) {
    int rc = OK;
    bool there = false;
    snprintf(row->patient, sizeof row->patient, "%.*s", ROW_TEXT - 1, file_name(p->dir));
    find_state(p, row, &there);
    if (there)
        TRY(read_readouts(p, row));
    TRY(add_vessel(p, row));
cleanup:
    return rc;
}

int results_row_read(const char *dir, const options_list *set, results_row *row) {
    patient p;
    int rc = OK;
    TRY(results_row_open_case(dir, set, &p, row));
    TRY(results_row_fill(&p, row));
cleanup:
    patient_close(&p);
    return rc;
}

void results_row_free(results_row *row) {
    for (int k = 0; k < row->n; k++)
        free(row->number[k].input);
    free(row->number);
    *row = (results_row){0};
}

const row_number *results_row_find(const results_row *row, const char *name) {
    for (int k = 0; k < row->n; k++)
        if (strcmp(row->number[k].name, name) == 0)
            return &row->number[k];
    return NULL;
}

const char *results_row_value(double value, double half, double lattice_error, char text[ROW_SHOWN]) {
    if (isfinite(value))
        return units_format(value, half, lattice_error, "+-", text, ROW_SHOWN);
    snprintf(text, ROW_SHOWN, "-");
    return text;
}

/* The error that decides the digits of a number without an interval, as in the report; NaN: three digits. */
static double own_error(const row_number *number) {
    return number->lattice_error > 0 ? three_digits_limit(number->value, number->lattice_error) : NAN;
}

double results_row_common_error(int n, const row_number *const *at) {
    char text[2][ROW_SHOWN];
    double least = INFINITY, shown = NAN;
    for (int k = 0; k < n; k++)
        if (at[k] && at[k]->lattice_error > 0)
            least = fmin(least, at[k]->lattice_error);
    for (int k = 0; k + 1 < n; k++) {
        const row_number *a = at[k], *b = at[k + 1];
        if (!a || !b || a->half > 0 || b->half > 0 || !(fabs(a->value - b->value) > ROW_ROUNDING * fabs(a->value)) ||
            strcmp(results_row_show(a, shown, text[0]), results_row_show(b, shown, text[1])) != 0)
            continue;
        const double floor = isinf(least) ? ROW_ROUNDING * fabs(a->value) : 0.1 * least;
        /* fmin replaces a NaN in `shown` */
        shown = fmin(shown, fmax(fabs(a->value - b->value), floor));
    }
    return shown;
}

/* The finer of a number's own error and the common error; NaN: three digits. */
static double shown_error(const row_number *number, double common_error) {
    const double own = own_error(number);
    return common_error < (isnan(own) ? three_digits_uncertainty(number->value) : own) ? common_error : own;
}

const char *results_row_show(const row_number *number, double common_error, char text[ROW_SHOWN]) {
    if (!number)
        return results_row_value(NAN, NAN, NAN, text);
    if (number->bound[1] > number->bound[0])
        return units_format_bounds(number->value, number->bound[0], number->bound[1], text, ROW_SHOWN);
    return results_row_value(number->value, number->half, shown_error(number, common_error), text);
}

/* Decimal places of two numbers and their difference. If the difference has an interval: the finest of all three. If
 * not: each number has the digits of the report, or the digits of the difference if they are finer. */
static void find_places(const row_number *const number[3], const double error[3], bool interval, int place[3]) {
    int finest = 0;
    for (int k = 0; k < 3; k++) {
        place[k] = units_last_place(number[k]->value, number[k]->half, error[k]);
        finest = k == 0 || (place[k] < finest && number[k]->value != 0) ? place[k] : finest;
    }
    if (interval || number[2]->value == 0)
        place[2] = finest;
    for (int k = 0; k < 2; k++)
        place[k] = interval || place[2] < place[k] ? place[2] : place[k];
}

void results_row_show_difference(const row_number *a, const row_number *b, const row_number *difference,
                                 char text[3][ROW_SHOWN]) {
    enum { FINER_PLACES = 3, DIGITS = 6, LEAST_PLACE = -9 };
    const row_number *const number[3] = {a, b, difference};
    const double error[3] = {own_error(a), own_error(b), difference->lattice_error};
    int place[3];
    for (int k = 0; k < 3; k++)
        results_row_value(number[k]->value, number[k]->half, error[k], text[k]);
    if (!isfinite(a->value) || !isfinite(b->value) || (a->value == 0 && b->value == 0))
        return;
    const bool interval = difference->half > 0;
    const int finest = (int)floor(log10(fmax(fabs(a->value), fabs(b->value)))) + 1 - DIGITS;
    find_places(number, error, interval, place);
    for (int k = 0; k < 3; k++) { /* the common decimal place must not round a value to 0 that its own digits show */
        const int own = units_last_place(number[k]->value, number[k]->half, error[k]);
        place[k] = place[k] > finest ? place[k] : finest;
        if (place[k] < LEAST_PLACE ||
            (fabs(number[k]->value) < 0.5 * pow(10, place[k]) && fabs(number[k]->value) >= 0.5 * pow(10, own)))
            return;
    }
    for (int k = 0; k <= FINER_PLACES; k++) {
        const double last = pow(10, place[2]), last_a = pow(10, place[0]), last_b = pow(10, place[1]),
                     from = last_a * round(a->value / last_a),
                     to = difference->value == 0 ? from : last_b * round(b->value / last_b),
                     by = last * round((to - from) / last);
        const bool finer = k < FINER_PLACES && (interval || place[2] > finest);
        if (fabs(by - last * round(difference->value / last)) > 0.5 * last && finer) {
            place[2]--;
            for (int i = 0; i < 2; i++)
                place[i] = place[i] < place[2] ? place[i] : place[2];
            continue;
        }
        units_format_at(from, a->half, place[0], "+-", text[0], ROW_SHOWN);
        units_format_at(to, b->half, place[1], "+-", text[1], ROW_SHOWN);
        units_format_at(by, difference->half, place[2], "+-", text[2], ROW_SHOWN);
        break;
    }
    for (int k = 0; k < 2; k++)
        if (number[k]->bound[1] > number[k]->bound[0])
            units_format_bounds(number[k]->value, number[k]->bound[0], number[k]->bound[1], text[k], ROW_SHOWN);
}

void results_row_put_escaped(FILE *to, const char *text) {
    static const char special[] = "&<>\"", *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            fputs(entity[found - special], to);
        else
            fputc(*text, to);
    }
}
