/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of table.h. Differences between two patients, or one patient before and after. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/three_digits.h"
#include "pipeline/run/patient.h"
#include "pipeline/study/table.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_BYTES = 200000000 };
/* Largest distance of cells at the same place, in cells: rounding of the coordinates */
static const double same_place = 1e-3;

/* Relation of the second patient to the first: unrelated, the same patient after a treatment, or after TIPS (a stent to
 * a new opening). TIPS moves the zero of pressure from in front of the liver to behind it. */
enum relation_kind { UNRELATED, TREATED, TREATED_TIPS };

typedef struct {
    enum relation_kind kind;
    bool renumbered;      /* true: the vessels have different numbers of branches */
    char other[ROW_TEXT]; /* other differences, such as "the blood, the inflow at 'PV'"; "": none */
    double spacing_mm[2]; /* spacings of the finest lattices; NaN: unknown */
    bool other_cells;     /* true: after a treatment, the cells have another spacing or other places than before */
} relation;

typedef struct {
    double difference, half, percent, percent_half;
    double lattice_error, percent_lattice_error;
    bool clear; /* true: the difference is larger than its interval, which is known */
} change;

/* Half-width of a difference before and after a treatment, in which an error of the wall or of an input changes both
 * values at once. NaN: other pairs of patients. */
static double find_paired_half(const row_number *a, const row_number *b, const relation *of) {
    return of->kind != UNRELATED && !of->other[0] ? results_row_paired_half(a, b) : NAN;
}

static change change_of(const row_number *a, const row_number *b, const relation *of) {
    /* a difference or a half-width up to `least` is rounding: both cases prescribe the same flow */
    const double difference = b->value - a->value, least = ROW_ROUNDING * fabs(a->value);
    const double seen = fabs(difference) <= least ? 0 : difference, paired = find_paired_half(a, b, of);
    const double all = isfinite(paired) ? paired : hypot(a->half, b->half), half = all > least ? all : NAN;
    /* without an interval a difference is no more exact than the coarser value; fmax ignores NaN */
    const double own = fmax(fmax(fmax(a->lattice_error, b->lattice_error), fmax(a->half, b->half)),
                            three_digits_uncertainty(fmax(fabs(a->value), fabs(b->value))));
    /* one more digit if the difference would appear as 0 */
    const double shown = seen != 0 && fabs(seen) < own ? fmax(fabs(seen), 0.1 * own) : own;
    const bool may_be_zero = fabs(a->value) <= a->half; /* a percentage of such a value means nothing */
    return (change){
        .difference = seen,
        .half = half,
        .percent = may_be_zero ? NAN : 100 * seen / fabs(a->value),
        .lattice_error = shown,
        /* half-width of the difference, scaled to percent: difference and percentage then exclude 0 in the same
         * cases */
        .percent_half = 100 * half / fabs(a->value),
        .percent_lattice_error = 100 * shown / fabs(a->value),
        .clear = isfinite(all) && fabs(seen) > all};
}

/* Formats a row: both values, their difference, the difference in percent. */
static change show_change(const row_number *a, const row_number *b, const relation *of, char text[4][ROW_SHOWN]) {
    const change c = change_of(a, b, of);
    const row_number difference = {.value = c.difference, .half = c.half, .lattice_error = c.lattice_error};
    results_row_show_difference(a, b, &difference, text);
    results_row_value(c.percent, c.percent_half, c.percent_lattice_error, text[3]);
    return c;
}

static int read_both(const char *const dir[2], patient p[2], results_row row[2]) {
    char word[PATIENT_WORD_MAX];
    int rc = OK;
    for (int k = 0; k < 2; k++) {
        TRY(results_row_open_case(dir[k], NULL, &p[k], &row[k]));
        TRY(results_row_fill(&p[k], &row[k]));
        if (row[k].n == 0)
            return fail(ERR_INPUT, "'%s' has no results yet; compute them with: pipeline run %s", dir[k],
                        patient_word(dir[k], word));
    }
cleanup:
    return rc;
}

static int count_branches(const results_row *row) {
    int n = 0;
    for (int j = 0; j < row->n; j++)
        n += strncmp(row->number[j].name, "branch ", 7) == 0 && file_ends_with(row->number[j].name, " length");
    return n;
}

/* True if a number must be left out: a pressure whose zero differs after TIPS, or a branch of a vessel with another
 * number of branches, where one number stands for two different branches. */
static bool is_left_out(const row_number *number, const relation *of) {
    return (of->kind == TREATED_TIPS && file_ends_with(number->name, " pressure")) ||
           (of->renumbered && strncmp(number->name, "branch ", 7) == 0);
}

/* True if a readout is compared; the flow balance is not. */
static bool is_compared(const row_number *a, const row_number *b, const relation *of) {
    if (is_left_out(a, of))
        return false;
    return b && strcmp(a->name, "flow balance") != 0 && (isfinite(a->value) || isfinite(b->value));
}

/* True if a number exists only after the treatment, such as the flow through a stent or its wall shear stress, and
 * therefore gets its own row. */
static bool is_new(const results_row row[2], int k, int j, const relation *of) {
    const row_number *b = &row[k].number[j];
    const bool shown =
        b->main || file_ends_with(b->name, " wall shear stress") || file_ends_with(b->name, " Reynolds number");
    return of->kind != UNRELATED && k == 1 && shown && !is_left_out(b, of) && !results_row_find(&row[0], b->name);
}

/* True if the interval of a difference counts the shared inputs once. */
static bool has_pairs(const results_row row[2], const relation *of) {
    for (int j = 0; j < row[0].n; j++) {
        const row_number *a = &row[0].number[j], *b = results_row_find(&row[1], a->name);
        if (is_compared(a, b, of) && isfinite(find_paired_half(a, b, of)))
            return true;
    }
    return false;
}

static void put_plain(FILE *to, const char *text) {
    fputs(text, to);
}

/* Writes "Pat1: done; resolution; computed with --set mesh.cells_per_diameter=6", or nothing for a done patient without
 * flags and settings. */
static void put_state(FILE *to, const results_row *row, void (*put)(FILE *, const char *), const char *begin,
                      const char *end) {
    char text[3 * ROW_TEXT];
    if (!row->flags[0] && !row->settings[0] && strcmp(row->state, "done") == 0)
        return;
    snprintf(text, sizeof text, ": %s%s%s%s%s", row->state, row->flags[0] ? "; " : "", row->flags,
             row->settings[0] ? "; computed with " : "", row->settings);
    fputs(begin, to);
    put(to, row->patient);
    put(to, text);
    fputs(end, to);
}

/* Writes a sentence if the flow of a patient is above the Reynolds number of laminar flow. */
static void put_unsteady(FILE *to, const results_row *row, void (*put)(FILE *, const char *), const char *begin,
                         const char *end) {
    const row_number *highest = NULL;
    if (!strstr(row->flags, "Reynolds") && !strstr(row->flags, "unsteady"))
        return;
    for (int j = 0; j < row->n; j++)
        if (file_ends_with(row->number[j].name, " Reynolds number") && isfinite(row->number[j].value) &&
            (!highest || row->number[j].value > highest->value))
            highest = &row->number[j];
    fputs(begin, to);
    put(to, row->patient);
    fputs(": unsteady flow", to);
    if (highest) {
        fputs(", ", to);
        put(to, highest->name);
        fprintf(to, " %.0f", highest->value);
    }
    fputs(": flow in vessels is laminar up to about 2000, pulsatile flow up to about 1000; the warning in the report "
          "says "
          "what this means for the values",
          to);
    fputs(end, to);
}

static bool is_same(double a, double b) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-5 * fabs(a);
}

/* Writes the limits of the comparison, each as a line or paragraph: readouts that only one patient has, which patient
 * has no intervals, and whether each run is complete. */
static void put_limits(FILE *to, const results_row row[2], const relation *of, void (*put)(FILE *, const char *),
                       const char *begin, const char *end) {
    if (of->kind != UNRELATED) {
        fputs(begin, to);
        fputs(of->other[0]
                  ? "before and after a treatment, but other things differ too, so a difference is not due to the "
                    "treatment alone: "
                  : "before and after a treatment of one image",
              to);
        put(to, of->other);
        fprintf(to, "%s%s%s",
                has_pairs(row, of)
                    ? "; the intervals of the differences count the uncertainty of wall and inputs, which both cases "
                      "share, only once"
                    : "",
                of->kind == TREATED_TIPS ? "; pressures relative to 0 are left out, because the zero of pressure is in "
                                           "front of the liver before "
                                           "the treatment and behind the liver after it: compare the PPG"
                                         : "",
                end);
    }
    if (of->other_cells)
        fprintf(
            to,
            "%sthe lattices differ (spacing %.4g and %.4g mm%s), so a difference contains the discretization errors "
            "of both; for equal lattices, treat the case again after its run; if its spacing is then too coarse, "
            "run it with --set mesh.spacing='%.4g mm' before%s",
            begin, of->spacing_mm[0], of->spacing_mm[1],
            is_same(of->spacing_mm[0], of->spacing_mm[1]) ? ", cells at other places" : "", of->spacing_mm[1], end);
    if (of->renumbered)
        fprintf(to, "%sthe vessels have different numbers of branches, so their branches are not compared%s", begin,
                end);
    for (int k = 0; k < 2; k++) {
        int n = 0;
        for (int j = 0; j < row[k].n; j++) {
            const row_number *number = &row[k].number[j];
            if (is_left_out(number, of) || results_row_find(&row[1 - k], number->name) || is_new(row, k, j, of))
                continue;
            fputs(n ? ", " : begin, to);
            if (n++ == 0) {
                fputs("only in ", to);
                put(to, row[k].patient);
                fputs(": ", to);
            }
            put(to, number->name);
        }
        fputs(n ? end : "", to);
    }
    if (row[0].has_intervals != row[1].has_intervals) {
        fputs(begin, to);
        put(to, row[row[0].has_intervals].patient);
        fprintf(
            to,
            " has no intervals, because it was solved on one lattice; part of the differences may be lattice error%s",
            end);
    }
    for (int k = 0; k < 2; k++) {
        put_unsteady(to, &row[k], put, begin, end);
        put_state(to, &row[k], put, begin, end);
    }
}

static void print_changes(const results_row row[2], const relation *of) {
    char text[4][ROW_SHOWN];
    const bool bad = row[0].unusable[0] || row[1].unusable[0];
    printf("%-32s  %-6s  %18s  %18s  %18s  %14s\n", "", "unit", row[0].patient, row[1].patient, "difference", "%");
    if (bad) /* also printed above the numbers, because a user may copy a single column */
        printf("%-32s  %-6s  %18s  %18s  %18s\n", "", "", row[0].unusable, row[1].unusable, "DO NOT USE");
    for (int j = 0; j < row[0].n; j++) {
        const row_number *a = &row[0].number[j], *b = results_row_find(&row[1], a->name);
        if (!is_compared(a, b, of))
            continue;
        const change c = show_change(a, b, of, text);
        printf("%-32s  %-6s  %18s  %18s  %18s  %14s%s\n", a->name, a->unit, text[0], text[1], text[2], text[3],
               c.clear ? "  *" : "");
    }
    for (int j = 0; j < row[1].n; j++)
        if (is_new(row, 1, j, of))
            printf("%-32s  %-6s  %18s  %18s\n", row[1].number[j].name, row[1].number[j].unit, "-",
                   results_row_show(&row[1].number[j], NAN, text[0]));
    printf("difference: %s minus %s; *: larger than its 95 %% interval\n", row[1].patient, row[0].patient);
    put_limits(stdout, row, of, put_plain, "", "\n");
}

static void put_table(FILE *to, const results_row row[2], const relation *of) {
    char text[4][ROW_SHOWN];
    fputs("<table><thead><tr><th></th><th>unit</th>", to);
    for (int k = 0; k < 2; k++) {
        fputs("<th class=n>", to);
        results_row_put_escaped(to, row[k].patient);
        fprintf(to, "%s%s", row[k].unusable[0] ? "<br>" : "", row[k].unusable);
    }
    fputs("<th class=n>difference<th class=n>%</tr></thead>", to);
    for (int j = 0; j < row[0].n; j++) {
        const row_number *a = &row[0].number[j], *b = results_row_find(&row[1], a->name);
        if (!is_compared(a, b, of))
            continue;
        const change c = show_change(a, b, of, text);
        fprintf(to, "<tr%s><td>", c.clear ? " class=clear" : "");
        results_row_put_escaped(to, a->name);
        fprintf(to, "<td>%s", a->unit);
        for (int k = 0; k < 4; k++)
            fprintf(to, "<td class=n>%s", text[k]);
        fputs("</tr>\n", to);
    }
    for (int j = 0; j < row[1].n; j++) {
        if (!is_new(row, 1, j, of))
            continue;
        fputs("<tr><td>", to);
        results_row_put_escaped(to, row[1].number[j].name);
        fprintf(to, "<td>%s<td class=n>-<td class=n>%s<td class=n>-<td class=n>-</tr>\n", row[1].number[j].unit,
                results_row_show(&row[1].number[j], NAN, text[0]));
    }
    fputs("</table>", to);
}

static const char PAGE_HEAD[] =
    "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
    "content=\"width=device-width,initial-scale=1\"><title>Two computed flows</title><style>"
    "body{font:15px/1.4 system-ui,'DejaVu Sans',Arial,sans-serif;margin:16px;color:#1a1a1a}"
    "table{border-collapse:collapse;margin:8px 0 16px}td,th{border:1px solid #bbb;padding:3px "
    "8px;text-align:left}"
    "th{background:#f0f0f0}.n{text-align:right;white-space:nowrap}.clear{background:#fff6e5;font-weight:600}"
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:10px}iframe{width:100%;height:92vh;border:1px solid "
    "#999}"
    "@media screen and (max-width:800px){.two{grid-template-columns:1fr}body{margin:8px}td,th{padding:2px 3px}"
    "table{display:block;overflow-x:auto}}"
    "h2{font-size:17px;margin:4px 0}.paper{display:none}"
    "@page{size:A4;margin:16mm 14mm}@media print{body{margin:0;font-size:10.5pt}.two{display:none}.paper{"
    "display:block}tr{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}"
    "</style><h1>";

/* Writes one file without scripts: the differences on top, the two reports in frames below. */
static int write_page(const char *const dir[2], const results_row row[2], const relation *of, const char *path) {
    char *report[2] = {NULL, NULL}, name[PATIENT_PATH_MAX];
    file_text t = {.to = NULL};
    int rc;
    for (int k = 0; k < 2; k++) {
        TRY(file_path(name, sizeof name, "%s/out/post/report.html", dir[k]));
        TRY(file_read(name, REPORT_BYTES, &report[k], NULL));
    }
    TRY(file_text_open(&t, "the page"));
    fputs(PAGE_HEAD, t.to);
    results_row_put_escaped(t.to, row[0].patient);
    fputs(" and ", t.to);
    results_row_put_escaped(t.to, row[1].patient);
    fputs("</h1><p>A research result, not a diagnosis. Differences are the second minus the first; shaded: larger than "
          "their 95&nbsp;% interval, if it is known.</p>",
          t.to);
    put_limits(t.to, row, of, results_row_put_escaped, "<p>", "</p>\n");
    put_table(t.to, row, of);
    fputs("<p class=paper>Print the reports from each patient's out/post/report.html; a frame would be cut "
          "off.</p><div class=two>",
          t.to);
    for (int k = 0; k < 2; k++) {
        fputs("<div><h2>", t.to);
        results_row_put_escaped(t.to, row[k].patient);
        fputs("</h2><iframe sandbox srcdoc=\"", t.to);
        results_row_put_escaped(t.to, report[k]);
        fputs("\"></iframe></div>", t.to);
    }
    fputs("</div></html>\n", t.to);
    rc = file_text_write(&t, OK, path);
cleanup:
    free(report[0]);
    free(report[1]);
    return rc;
}

/* True if both paths lead to the same file, or if both are NULL (no file). Each path is relative to the folder of its
 * case. */
static bool is_same_file(const case_file *a, const char *path_a, const case_file *b, const char *path_b) {
    if (!path_a || !path_b)
        return path_a == path_b;
    char *full[2] = {case_resolve_path(a, path_a), case_resolve_path(b, path_b)},
         *real[2] = {full[0] ? realpath(full[0], NULL) : NULL, full[1] ? realpath(full[1], NULL) : NULL};
    const bool same = real[0] && real[1] && strcmp(real[0], real[1]) == 0;
    for (int k = 0; k < 2; k++) {
        free(full[k]);
        free(real[k]);
    }
    return same;
}

/* True if an inlet drives the flow in the same way before and after a treatment. A treatment with TIPS sets the
 * pressure of an inlet or of its source, or its flow if it had no given flow. */
static bool is_same_inlet(const case_file *a, const case_opening *before, const case_file *b, const case_opening *after,
                          bool tips) {
    const bool set =
        after->condition == CONDITION_PRESSURE || (after->condition == CONDITION_FLOW && case_opening_is_free(before));
    const bool kept = after->condition == CONDITION_RESISTANCE && before->condition == CONDITION_RESISTANCE &&
                      is_same(before->value, after->value);
    if (tips && (set || kept))
        return true;
    return before->condition == after->condition && is_same(before->value, after->value) &&
           is_same(before->distal_pa, after->distal_pa) && is_same_file(a, before->waveform, b, after->waveform);
}

/* True if each setting of mesh and solve in `a` is also one of `b`. */
static bool has_settings(const options_list *b, const options_list *a) {
    for (int k = 0; k < a->n; k++) {
        bool found = strncmp(a->word[k], "mesh.", 5) != 0 && strncmp(a->word[k], "solve.", 6) != 0;
        for (int i = 0; i < b->n && !found; i++)
            found = strcmp(a->word[k], b->word[i]) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* Finds whether the cells of both lattices have the same spacing and the same places. */
static int find_lattices(const patient p[2], relation *of) {
    char path[PATIENT_PATH_MAX];
    double origin[2][3] = {{0}};
    cJSON *json = NULL;
    bool known = true;
    int rc = OK;
    for (int k = 0; k < 2; k++) {
        TRY(patient_path(path, p[k].out, "mesh/mesh.json"));
        TRY(json_read(path, &json));
        of->spacing_mm[k] = json_get_number(json_find(json, "result"), "spacing_mm");
        known = json_get_vector(json_find(json, "result/origin_mm"), origin[k]) && known;
        cJSON_Delete(json);
        json = NULL;
    }
    of->other_cells = known && !is_same(of->spacing_mm[0], of->spacing_mm[1]);
    for (int a = 0; a < 3 && known; a++) {
        const double cells = (origin[1][a] - origin[0][a]) / of->spacing_mm[0];
        of->other_cells = of->other_cells || fabs(cells - round(cells)) > same_place;
    }
cleanup:
    cJSON_Delete(json);
    return rc;
}

/* True if the treatment of the case closes the branch. */
static bool closes_branch(const case_file *c, const char *branch) {
    for (int k = 0; k < c->n_treat; k++)
        if (c->treat[k].kind == TREAT_CLOSE && strcmp(c->treat[k].from.branch, branch) == 0)
            return true;
    return false;
}

/* True if a gradient has another resistance of the whole liver. A share that is lost by a treatment does not count, and
 * a stent to a new opening puts the liver to the outlets. */
static bool is_other_liver(const case_file *a, const case_file *b) {
    for (int k = 0; k < a->n_readout; k++)
        for (int m = 0; m < b->n_readout; m++) {
            const case_readout *o = &a->readout[k], *now = &b->readout[m];
            if (!case_has_whole_liver(o) || !case_has_whole_liver(now) || strcmp(o->portal, now->portal) != 0)
                continue;
            const double lost = fmax(o->lost_share.value, 0), lost_now = fmax(now->lost_share.value, 0);
            if (!is_same((1 - lost) * o->liver_resistance, (1 - lost_now) * now->liver_resistance))
                return true;
        }
    return false;
}

/* Lists settings, blood, liver and inflows that differ between the cases before and after. */
static void find_others(const case_file *a, const case_file *b, relation *of) {
    char blood[2][CASE_BLOOD_NAME];
    size_t n = 0;
    if (!is_same(a->blood.density_kg_m3, b->blood.density_kg_m3) ||
        !is_same(a->blood.viscosity_pa_s, b->blood.viscosity_pa_s) ||
        !is_same(a->blood.hematocrit, b->blood.hematocrit) ||
        strcmp(case_write_blood(a, blood[0]), case_write_blood(b, blood[1])) != 0)
        n = (size_t)snprintf(of->other, ROW_TEXT, "the blood");
    if (!has_settings(&a->set, &b->set) || !has_settings(&b->set, &a->set))
        n += (size_t)snprintf(of->other + n, ROW_TEXT - n, "%sthe settings (--fast, --set) of the runs", n ? ", " : "");
    if (is_other_liver(a, b) && n < ROW_TEXT)
        n += (size_t)snprintf(of->other + n, ROW_TEXT - n, "%sthe resistance of the liver", n ? ", " : "");
    for (int k = 0; k < a->n_opening && n < ROW_TEXT; k++)
        if (a->opening[k].role == ROLE_INLET && !case_find_opening(b, a->opening[k].name))
            n += (size_t)snprintf(of->other + n, ROW_TEXT - n, "%sthe inflow (the inlet '%s' is %s)", n ? ", " : "",
                                  a->opening[k].name,
                                  closes_branch(b, a->opening[k].name) ? "closed by the treatment" : "absent");
    for (int k = 0; k < b->n_opening; k++) {
        const case_opening *after = &b->opening[k], *before = case_find_opening(a, after->name);
        if (after->role != ROLE_INLET || n >= ROW_TEXT ||
            (before && is_same_inlet(a, before, b, after, of->kind == TREATED_TIPS)))
            continue;
        n += (size_t)snprintf(of->other + n, ROW_TEXT - n, "%sthe inflow at '%s'", n ? ", " : "", after->name);
    }
}

/* Finds whether the second patient is a treatment of the first (pipeline treat). */
static relation find_relation(const patient p[2]) {
    relation found = {.kind = UNRELATED};
    if (!p[1].c.segment.before_path)
        return found;
    char *before = case_resolve_path(&p[1].c, p[1].c.segment.before_path), *a = realpath(p[0].dir, NULL),
         *b = before ? realpath(before, NULL) : NULL;
    if (a && b && strcmp(a, b) == 0)
        found.kind = TREATED;
    for (int k = 0; found.kind != UNRELATED && k < p[1].c.n_treat; k++)
        found.kind = p[1].c.treat[k].opening ? TREATED_TIPS : found.kind;
    if (found.kind != UNRELATED)
        find_others(&p[0].c, &p[1].c, &found);
    free(before);
    free(a);
    free(b);
    return found;
}

int table_compare(const char *dir_a, const char *dir_b, const char *html_path) {
    const char *const dir[2] = {dir_a, dir_b};
    patient p[2] = {{.lock = -1}, {.lock = -1}};
    results_row row[2] = {{.n = 0}, {.n = 0}};
    int rc;
    TRY(read_both(dir, p, row));
    relation of = find_relation(p);
    if (of.kind != UNRELATED)
        TRY(find_lattices(p, &of));
    of.renumbered = count_branches(&row[0]) != count_branches(&row[1]);
    print_changes(row, &of);
    if (html_path) {
        TRY(write_page(dir, row, &of, html_path));
        printf("both reports side by side: %s\n", html_path);
    }
cleanup:
    for (int k = 0; k < 2; k++) {
        patient_close(&p[k]);
        results_row_free(&row[k]);
    }
    return rc;
}
