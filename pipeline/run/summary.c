/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/run/summary.h"
#include "common/base/file.h"
#include "common/case/case.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include "common/record/three_digits.h"
#include "common/base/units.h"
#include "pipeline/run/stage_state.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text_or_empty(const cJSON *object, const char *key) {
    const char *value = json_get_text(object, key);
    return value ? value : "";
}

double summary_half_width(const cJSON *u) {
    if (cJSON_HasObjectItem(u, "known"))
        return json_get_number(u, "known");
    const double image = json_get_number(u, "image"), inputs = json_get_number(u, "inputs");
    return hypot(json_get_number(u, "lattice"), hypot(isnan(image) ? 0 : image, isnan(inputs) ? 0 : inputs));
}

const cJSON *summary_find(const cJSON *object, const char *what, const char *key) {
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(object, what),
                *own = cJSON_GetObjectItemCaseSensitive(all, key);
    return own ? own : all;
}

bool summary_bounds(const cJSON *object, double bound[2]) {
    const cJSON *interval = cJSON_GetObjectItemCaseSensitive(object, "interval_mmhg");
    for (int k = 0; k < 2; k++) {
        const cJSON *end = cJSON_GetArrayItem(interval, k);
        bound[k] = cJSON_IsNumber(end) ? end->valuedouble : NAN;
    }
    return bound[1] > bound[0];
}

/* Formats object[key] times `scale`: "19.6 ± 0.4 Pa". Without an interval, the number of digits follows from the
 * lattice error; at most three are shown. */
static const char *format_scaled(const cJSON *object, const char *key, double scale, const char *unit,
                                 char buffer[48]) {
    char number[40];
    const double value = json_get_number(object, key),
                 half = scale * summary_half_width(summary_find(object, "uncertainty", key));
    const cJSON *off = summary_find(object, "error_bound", key);
    const double bound = cJSON_IsNumber(off) ? scale * off->valuedouble : NAN;
    double ends[2];
    if (strcmp(key, "value_mmhg") == 0 && isfinite(value) && summary_bounds(object, ends))
        units_format_bounds(value, ends[0], ends[1], number, sizeof number);
    else
        units_format(scale * value, half, three_digits_limit(scale * value, bound), UNITS_PLUS_MINUS, number,
                     sizeof number);
    snprintf(buffer, 48, "%s%s%s", number, isfinite(value) ? " " : "", isfinite(value) ? unit : "");
    return buffer;
}

static const char *format_value(const cJSON *object, const char *key, const char *unit, char buffer[48]) {
    return format_scaled(object, key, 1, unit, buffer);
}

enum { PARTS = 96 };
/* Writes the shares of an interval: " [image 71 %, inputs 29 %]", or " [inputs]" if there is only one. A share is the
 * square of a part over the square of the whole. "" if the interval is zero, or if no intervals were computed. If other
 * values have intervals but this value has none, the text is a note. */
static const char *write_parts(const cJSON *u, char text[PARTS]) {
    static const char *const key[] = {"lattice", "image", "inputs", "blood_model"}, *const name[] = {"lattice", "image",
                                                                                                     "inputs",
                                                                                                     "blood model"};
    const double total = summary_half_width(u);
    size_t n = 0;
    if (cJSON_IsObject(u) && isnan(total))
        return " [no interval: see the notes in the report]";
    text[0] = '\0';
    for (int k = 0; k < 4 && total > 0; k++) {
        const double part = json_get_number(u, key[k]) / total, percent = round(100 * part * part);
        if (percent >= 100) {
            snprintf(text, PARTS, " [%s", name[k]);
            n = strlen(text);
        } else if (percent > 0) {
            n += (size_t)snprintf(text + n, PARTS - n, "%s%s %.0f %%", n ? ", " : " [", name[k], percent);
        }
    }
    if (n > 0)
        snprintf(text + n, PARTS - n, "]");
    return text;
}

static const cJSON *interval_of(const cJSON *o) {
    return cJSON_GetObjectItemCaseSensitive(o, "uncertainty");
}

static void print_places(const cJSON *places) {
    const cJSON *place;
    cJSON_ArrayForEach(place, places) {
        char flow[48], pressure[48], velocity[48];
        printf("  %-23s  flow %s, mean velocity %s, pressure %s\n", place->string,
               format_value(place, "flow_ml_s", "mL/s", flow),
               format_scaled(place, "mean_velocity_m_s", 100, "cm/s", velocity),
               format_value(place, "pressure_mmhg", "mmHg", pressure));
    }
}

static void print_drops(const cJSON *drops) {
    const cJSON *drop;
    cJSON_ArrayForEach(drop, drops) {
        char name[160], pa[48], mmhg[48], parts[PARTS];
        snprintf(name, sizeof name, "%s to %s", text_or_empty(drop, "from"), text_or_empty(drop, "to"));
        printf("  %-23s  pressure drop %s (%s)%s\n", name, format_value(drop, "value_pa", "Pa", pa),
               format_scaled(drop, "value_pa", units_pa_to_mmhg(1), "mmHg", mmhg),
               write_parts(interval_of(drop), parts));
    }
}

/* Prints the gradients, each with its terms and their origin. */
static void print_ppg(const cJSON *gradients) {
    const cJSON *ppg, *term;
    cJSON_ArrayForEach(ppg, gradients) {
        char value[48], parts[PARTS];
        printf("  %-23s  %s%s =", "portal pressure gradient", format_value(ppg, "value_mmhg", "mmHg", value),
               write_parts(interval_of(ppg), parts));
        const char *sign = "";
        cJSON_ArrayForEach(term, cJSON_GetObjectItemCaseSensitive(ppg, "terms")) {
            const cJSON *model = cJSON_GetObjectItemCaseSensitive(term, "parameters");
            const bool exact = cJSON_IsObject(interval_of(term)) && model &&
                               isnan(json_get_number(model, "resistance_uncertainty_mmhg_min_per_l"));
            const char *basis = json_get_text(term, "basis");
            printf("%s %s %s (%s%s%s%s)", sign, text_or_empty(term, "name"),
                   format_value(term, "value_mmhg", "mmHg", value), text_or_empty(term, "kind"), basis ? ": " : "",
                   basis ? basis : "", exact ? ", its resistance assumed exact" : "");
            sign = " +";
        }
        printf("\n");
    }
}

/* Prints the warnings that decide whether the numbers may be used. r: object of readouts.json. */
static void print_verdict(const cJSON *r) {
    const cJSON *solved = cJSON_GetObjectItemCaseSensitive(r, "solve");
    if (cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(solved, "converged")))
        printf("NOT CONVERGED: do not use any of these numbers\n");
    else if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(solved, "too_coarse")))
        printf("TOO COARSE: do not use any of these numbers\n");
}

static void print_warnings(const cJSON *r) {
    const cJSON *warnings = cJSON_GetObjectItemCaseSensitive(r, "warnings"), *warning;
    print_verdict(r);
    const double unsteady_s = json_get_number(cJSON_GetObjectItemCaseSensitive(r, "solve"), "unsteady_mean_of_s");
    if (isfinite(unsteady_s))
        printf("unsteady: every value is a mean over %.3g s; the report gives its fluctuation\n", unsteady_s);
    if (isfinite(json_get_number(cJSON_GetObjectItemCaseSensitive(r, "wss"), "tawss_mean_pa")))
        printf("pulsatile: flows, pressures, pressure drops and wall shear stress are means over the cycle; the report "
               "gives their variation\n");
    /* a file of an older version does not have this number; all its warnings count as serious */
    const double serious = json_get_number(r, "serious_warnings");
    int k = 0;
    cJSON_ArrayForEach(warning, warnings) {
        const char *said = cJSON_GetStringValue(warning);
        if (!(k++ >= serious))
            printf("warning: %s\n", said ? said : "");
    }
    if (k > serious)
        printf("and %d less important warning%s, in the report\n", k - (int)serious, k - (int)serious == 1 ? "" : "s");
}

/* True if an element of a list of readouts has an interval. */
static bool has_interval(const cJSON *list) {
    const cJSON *one;
    cJSON_ArrayForEach(one, list) if (summary_half_width(interval_of(one)) > 0) return true;
    return false;
}

static int print_readouts(const char *path) {
    cJSON *r = NULL;
    char a[48], b[48];
    int rc = OK;
    TRY(json_read(path, &r));
    print_verdict(r); /* repeated above the numbers, because a user may copy only the numbers */
    print_places(cJSON_GetObjectItemCaseSensitive(r, "openings"));
    print_places(cJSON_GetObjectItemCaseSensitive(r, "sections"));
    print_drops(cJSON_GetObjectItemCaseSensitive(r, "pressure_drops"));
    print_ppg(cJSON_GetObjectItemCaseSensitive(r, "ppg"));
    const cJSON *wss = cJSON_GetObjectItemCaseSensitive(r, "wss");
    const cJSON *velocity = cJSON_GetObjectItemCaseSensitive(r, "velocity");
    printf("  %-23s  mean %s, 99th percentile %s\n", "wall shear stress", format_value(wss, "mean_pa", "Pa", a),
           format_value(wss, "p99_pa", "Pa", b));
    printf("  %-23s  %s\n", "highest velocity", format_scaled(velocity, "max_m_s", 100, "cm/s", a));
    const double balance = json_get_number(r, "flow_balance");
    snprintf(a, sizeof a, isfinite(balance) ? "%.2g %%" : "not computed", 100 * balance);
    printf("  %-23s  %s\n", "flow balance", a);
    const cJSON *of = summary_find(wss, "uncertainty", "mean_pa");
    if (summary_half_width(of) > 0 && isnan(json_get_number(of, "image")))
        printf("  %-23s  95 %% intervals from the lattice and the inputs given with +- only; the error of the wall's "
               "position is not included (mesh.wall_uncertainty)\n",
               "+-");
    else if (cJSON_IsObject(of) && isfinite(summary_half_width(of)))
        printf("  %-23s  95 %% intervals; in brackets the shares of lattice, image and inputs (flows, resistances)\n",
               "+-");
    else if (has_interval(cJSON_GetObjectItemCaseSensitive(r, "ppg")) ||
             has_interval(cJSON_GetObjectItemCaseSensitive(r, "pressure_drops")))
        printf(
            "  %-23s  95 %% interval only from the inputs given with +-, and modelled resistances; the errors of the "
            "lattice and of the wall's position are not included; the other values have no interval\n",
            "+-");
    else
        printf("  %-23s  no value has an interval, so the uncertainty is unknown; the notes in the report say why\n",
               "+-");
    print_warnings(r);
cleanup:
    cJSON_Delete(r);
    return rc;
}

static void print_times(const summary *s) {
    double total = 0;
    for (int k = 0; k < STAGE_COUNT; k++) {
        const char *name = stages_table[k].name;
        total += s->stage[k].seconds;
        if (s->stage[k].state == SUMMARY_SKIPPED)
            printf("  %-23s  up to date\n", name);
        else if (s->stage[k].state == SUMMARY_RAN)
            printf("  %-23s  %.1f s\n", name, s->stage[k].seconds);
    }
    printf("  %-23s  %.1f s\n", "together", total);
}

static void print_place(const patient *p, const cJSON *result, const char *key, const char *name) {
    char where[CASE_WHERE];
    const cJSON *o = cJSON_GetObjectItemCaseSensitive(result, key);
    double lps[3];
    if (!cJSON_IsObject(o))
        return;
    json_get_vector(json_find(o, "place_mm"), lps);
    printf("  %-15s  %.3g mm wide at %s%s%s: %.1f cells per diameter, mean velocity %.3g cm/s, Reynolds number %.0f, "
           "peak cell Reynolds number %.1f\n",
           name, json_get_number(o, "diameter_mm"), case_write_point(&p->c, lps, where),
           *text_or_empty(o, "opening") ? ", opening " : "", text_or_empty(o, "opening"),
           json_get_number(o, "cells_per_diameter"), 100 * json_get_number(o, "mean_velocity_m_s"),
           json_get_number(o, "reynolds"), json_get_number(o, "peak_cell_reynolds"));
}

int summary_print_places(const patient *p) {
    char path[PATIENT_PATH_MAX];
    cJSON *json = NULL;
    stage_state mesh;
    int rc = OK;
    stage_state_find(p, STAGE_MESH, &mesh);
    if (mesh.kind != STATE_DONE)
        return OK;
    TRY(patient_path(path, p->out, "mesh/mesh.json"));
    TRY(json_read(path, &json));
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
    print_place(p, result, "narrowest", "minimum cross-section");
    const double narrow = json_get_number(cJSON_GetObjectItemCaseSensitive(result, "narrowest"), "mean_velocity_m_s");
    const double fast = json_get_number(cJSON_GetObjectItemCaseSensitive(result, "fastest"), "mean_velocity_m_s");
    if (narrow < 0.99 * fast) /* the fastest cross-section is shown only if it is not the minimum cross-section */
        print_place(p, result, "fastest", "fastest cross-section");
cleanup:
    cJSON_Delete(json);
    return rc;
}

/* Prints the files to open, each with its use. */
static void print_files(const patient *p) {
    static const char *const file[][2] = {{"report", "post/report.html"},
                                          {"3-D view (turn, zoom)", "post/view.html"},
                                          {"for ParaView", "post/fields.hdf.series"}};
    char path[PATIENT_PATH_MAX];
    for (size_t k = 0; k < sizeof file / sizeof *file; k++)
        if (patient_path(path, p->out, file[k][1]) == OK && file_exists(path))
            printf("%s: %s\n", file[k][0], path);
}

/* Prints that a steady flow took the place of the waveforms. */
static void print_mean_flow(const case_file *c) {
    bool found = false;
    for (int k = 0; k < c->n_opening; k++)
        found |= c->opening[k].condition == CONDITION_WAVEFORM;
    if (found && c->solve.mode == MODE_STEADY)
        printf("steady: computed with the means of the waveforms; no value is systolic\n");
}

int summary_print(const patient *p, const summary *s) {
    char path[PATIENT_PATH_MAX];
    stage_state post;
    int rc = OK;
    printf("%s\n", p->c.name ? p->c.name : p->dir);
    print_times(s);
    stage_state_find(p, STAGE_POST, &post);
    if (s->stage[STAGE_POST].state == SUMMARY_NOT_REQUESTED || post.kind != STATE_DONE)
        return OK;
    TRY(patient_path(path, p->out, "post/readouts.json"));
    TRY(print_readouts(path));
    print_mean_flow(&p->c);
    print_files(p);
cleanup:
    return rc;
}
