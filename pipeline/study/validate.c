/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/validate.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/study/agreement.h"
#include "pipeline/study/calibration.h"
#include "pipeline/study/results_row.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENTS_MAX = 10000, FILE_BYTES = 16 << 20 };
static const double THRESHOLDS_MMHG[] = {10, 12, 16}; /* thresholds of the gradient: clinically significant portal
                                                       * hypertension, risk of bleeding, risk of death */
enum { THRESHOLDS = sizeof THRESHOLDS_MMHG / sizeof *THRESHOLDS_MMHG };

static const double MOST_MMHG = 200; /* upper limit of a portal pressure gradient, mmHg; a larger number is in another
                                      * unit */

enum { PATIENT, COMPUTED, COMPUTED_HALF, MEASURED, MEASURED_HALF, LIVER, PERMEABILITY, COLUMNS };
static const char *const COLUMN_NAMES[COLUMNS] = {
    "patient",    "computed_mmhg",  "computed_uncertainty_mmhg", "measured_mmhg", "measured_uncertainty_mmhg",
    "liver_mmhg", "permeability_m2"};

typedef struct {
    char name[ROW_TEXT];                            /* name of the patient, or "line N" of the file */
    bool named;                                     /* true: the row names a patient */
    double computed, half, measured, half_measured; /* mmHg. half, half_measured: half-widths of the 95 % intervals;
                                                     * half NaN: the interval is incomplete or missing */
    double liver, permeability; /* part of `computed` that the liver model gives, mmHg, and permeability of the lobules,
                                 * m2; NaN: unknown */
    bool incomplete;            /* true: the interval lacks lattice, wall, liver or an input, so that `half` is NaN */
    char left_out[ROW_TEXT];    /* reason why the patient is left out; "": used */
} validated;

typedef struct {
    int n;
    validated *patient; /* owned */
    /* values of the used patients, owned, [n_used]; half: NaN without an interval */
    int n_used, n_incomplete, n_repeated;
    double *computed, *half, *measured, *half_measured, *liver, *permeability;
    bool liver_assumed; /* true: the file has computed_mmhg without liver_mmhg; the whole gradient is then assumed to be
                         * the liver's part */
} cohort;

typedef struct {
    agreement a;
    double auc[THRESHOLDS];
    int positive[THRESHOLDS];
    int n_interval, covered; /* number of patients with an interval, and number of these whose measured value is
                              * inside it */
    double covered_low, covered_high;
} cohort_result;

/* ------------------------------------------------------------------------------------------------ reading */

/* n_field: number of columns, out. */
static int read_heading(csv *c, int column[COLUMNS], int *n_field) {
    do
        if (!csv_next(c))
            return fail(ERR_INPUT, "%s: the file has no row; give one row per patient below the names of the columns",
                        c->path);
    while (c->n == 0);
    for (int k = 0; k < COLUMNS; k++) {
        column[k] = -1;
        for (int f = 0; f < c->n && f < CSV_FIELDS_MAX; f++) {
            if (strcmp(c->field[f], COLUMN_NAMES[k]) != 0)
                continue;
            if (column[k] >= 0)
                return fail(ERR_INPUT, "%s:%d: column %s stands twice; remove one", c->path, c->line, COLUMN_NAMES[k]);
            column[k] = f;
        }
    }
    *n_field = c->n;
    if ((column[MEASURED] < 0 || column[COMPUTED] < 0) && (column[PATIENT] < 0 || column[COMPUTED] >= 0))
        return fail(ERR_INPUT,
                    "%s:%d: the first row must name the columns: measured_mmhg, and patient (folder) or computed_mmhg; "
                    "or patient alone, with readouts: ppg: measured in the cases",
                    c->path, c->line);
    return OK;
}

/* Refuses a row with more values than columns: a decimal comma divides a number into two. */
static int check_fields(const csv *c, int n_field) {
    for (int f = n_field; f < c->n && f < CSV_FIELDS_MAX; f++)
        if (c->field[f][0])
            return fail(
                ERR_INPUT,
                "%s:%d: the row has %d fields, but the first row names %d columns; the decimal sign is '.', and "
                "a text with ',' needs quotes",
                c->path, c->line, c->n, n_field);
    return OK;
}

/* The number in column k; NaN: the file has no such column, or the field is empty. */
static int read_field(const csv *c, const int column[COLUMNS], int k, double *value) {
    *value = NAN;
    if (column[k] < 0)
        return OK;
    if (column[k] >= c->n)
        return fail(ERR_INPUT, "%s:%d: the row has %d fields, but column %s is number %d; complete the row", c->path,
                    c->line, c->n, COLUMN_NAMES[k], column[k] + 1);
    const int rc = csv_number(c, column[k], value);
    if (rc == OK && (k == COMPUTED_HALF || k == MEASURED_HALF) && *value < 0)
        return fail(ERR_INPUT, "%s:%d: %s is %g, a half-width of an interval must not be negative", c->path, c->line,
                    COLUMN_NAMES[k], *value);
    if (rc == OK && (k == LIVER || k == PERMEABILITY) && *value <= 0)
        return fail(ERR_INPUT, "%s:%d: %s is %g, it must be above 0", c->path, c->line, COLUMN_NAMES[k], *value);
    if (rc == OK && fabs(*value) > MOST_MMHG)
        return fail(ERR_INPUT, "%s:%d: %s is %g; a portal pressure gradient in mmHg is at most %g", c->path, c->line,
                    COLUMN_NAMES[k], *value, MOST_MMHG);
    return rc;
}

static void leave_out(validated *p, const char *why) {
    snprintf(p->left_out, sizeof p->left_out, "%.*s", ROW_TEXT - 1, why);
}

/* Takes the gradient from the results in the patient's folder. measured: also the measured one of the case. */
static int take_results(const char *csv_path, bool measured, validated *p) {
    results_row row = {.n = 0};
    const row_number *gradient = NULL, *catheter = NULL;
    char dir[FILE_PATH_MAX];
    const char *slash = strrchr(csv_path, '/');
    int n = 0;
    const int length = p->name[0] == '/' || !slash ? 0 : (int)(slash - csv_path + 1);
    if (snprintf(dir, sizeof dir, "%.*s%s", length, csv_path, p->name) >= (int)sizeof dir)
        return fail(
            ERR_INPUT,
            "%s: the path of the folder of patient '%s' has more than %d characters; move the folder to a shorter "
            "path",
            csv_path, p->name, FILE_PATH_MAX - 1);
    int rc = results_row_read(dir, NULL, &row);
    if (rc == ERR_INPUT) { /* one unreadable folder does not end the study */
        leave_out(p, status_message());
        status_clear();
        rc = OK;
        goto cleanup;
    }
    TRY(rc);
    for (int k = 0; k < row.n; k++) {
        if (row.number[k].origin == ROW_CATHETER)
            catheter = &row.number[k];
        if (row.number[k].origin != ROW_GRADIENT)
            continue;
        gradient = &row.number[k];
        n++;
    }
    if (measured && catheter) {
        p->measured = catheter->value;
        p->half_measured = catheter->half;
    }
    if (strcmp(row.state, "done") != 0)
        leave_out(p, row.state);
    else if (row.unusable[0])
        leave_out(p, row.unusable);
    else if (n != 1)
        leave_out(p, n ? "the case has several portal pressure gradients" : "the case has no portal pressure gradient");
    else if (!isfinite(p->measured))
        leave_out(p, "no measured value");
    else if (!isfinite(gradient->value))
        leave_out(p, "the portal pressure gradient has no value");
    else if (fabs(gradient->value) > MOST_MMHG)
        leave_out(p, "the computed portal pressure gradient is above 200 mmHg");
    else {
        p->computed = gradient->value;
        p->incomplete = row.inputs_only || row.inputs_unknown || row.inputs_exact || row.blood_unknown ||
                        row.wall_unknown || row.liver_exact;
        p->half = p->incomplete ? NAN : gradient->half;
        p->liver = row.liver_mmhg;
        p->permeability = row.permeability_m2;
    }
cleanup:
    results_row_free(&row);
    return rc;
}

static int read_patient(const csv *c, const int column[COLUMNS], validated *p) {
    int rc = OK;
    p->named = column[PATIENT] >= 0 && column[PATIENT] < c->n && c->field[column[PATIENT]][0];
    if (p->named)
        snprintf(p->name, sizeof p->name, "%.*s", ROW_TEXT - 1, c->field[column[PATIENT]]);
    else
        snprintf(p->name, sizeof p->name, "line %d", c->line);
    TRY(read_field(c, column, MEASURED, &p->measured));
    TRY(read_field(c, column, MEASURED_HALF, &p->half_measured));
    TRY(read_field(c, column, COMPUTED, &p->computed));
    TRY(read_field(c, column, COMPUTED_HALF, &p->half));
    TRY(read_field(c, column, LIVER, &p->liver));
    TRY(read_field(c, column, PERMEABILITY, &p->permeability));
    if (!isfinite(p->measured) && column[MEASURED] >= 0)
        leave_out(p, "no measured value");
    else if (column[COMPUTED] < 0 && !p->named)
        leave_out(p, "no folder of the patient");
    else if (column[COMPUTED] < 0)
        TRY(take_results(c->path, column[MEASURED] < 0, p));
    else if (!isfinite(p->computed))
        leave_out(p, "no computed value");
    else if (column[LIVER] < 0)
        p->liver = p->computed;
cleanup:
    return rc;
}

static int read_cohort(const char *path, cohort *to) {
    csv c;
    int column[COLUMNS], n_field = 0, rc = csv_open(&c, path, FILE_BYTES);
    TRY(rc);
    TRY(read_heading(&c, column, &n_field));
    to->liver_assumed = column[COMPUTED] >= 0 && column[LIVER] < 0;
    while (csv_next(&c)) {
        if (c.n == 0)
            continue;
        TRY(check_fields(&c, n_field));
        if (to->n == PATIENTS_MAX)
            GIVE_UP(fail(ERR_INPUT, "%s: the file has more than %d patients; split it", path, PATIENTS_MAX));
        validated *larger = realloc(to->patient, ((size_t)to->n + 1) * sizeof *larger);
        if (!larger)
            GIVE_UP(fail_memory("the cohort", (to->n + 1.0) * sizeof *larger));
        to->patient = larger;
        to->patient[to->n] = (validated){.half = NAN, .liver = NAN, .permeability = NAN};
        TRY(read_patient(&c, column, &to->patient[to->n++]));
    }
cleanup:
    csv_close(&c);
    return rc;
}

/* True if an earlier used row has the patient of row k. */
static bool is_repeated(const cohort *c, int k) {
    for (int j = 0; j < k && c->patient[k].named; j++)
        if (!c->patient[j].left_out[0] && strcmp(c->patient[j].name, c->patient[k].name) == 0)
            return true;
    return false;
}

/* calibrate: leaves out patients without a part of the liver. */
static int select_used(const char *path, bool calibrate, cohort *to) {
    to->computed = calloc(6 * ((size_t)to->n + 1), sizeof *to->computed);
    if (!to->computed)
        return fail_memory("the cohort", 48.0 * (to->n + 1));
    to->half = to->computed + to->n;
    to->measured = to->half + to->n;
    to->half_measured = to->measured + to->n;
    to->liver = to->half_measured + to->n;
    to->permeability = to->liver + to->n;
    for (int k = 0; k < to->n; k++) {
        validated *p = &to->patient[k];
        if (calibrate && !p->left_out[0] && !(p->liver > 0))
            leave_out(p, "its part of the liver (liver_mmhg) is 0 or missing, so it cannot calibrate the liver");
        if (p->left_out[0])
            continue;
        to->n_incomplete += p->incomplete;
        to->n_repeated += is_repeated(to, k);
        to->computed[to->n_used] = p->computed;
        to->half[to->n_used] = p->half;
        to->measured[to->n_used] = p->measured;
        to->liver[to->n_used] = p->liver;
        to->permeability[to->n_used] = p->permeability;
        to->half_measured[to->n_used++] = isfinite(p->half_measured) ? p->half_measured : 0;
    }
    if (calibrate && to->n_used < 2 * CALIBRATION_LEAST)
        return fail(
            ERR_INPUT,
            "%s: --calibrate needs %d patients with a computed and a measured gradient, %d to fit and %d to test; "
            "the file has %d",
            path, 2 * CALIBRATION_LEAST, CALIBRATION_LEAST, CALIBRATION_LEAST, to->n_used);
    if (to->n_used < AGREEMENT_LEAST)
        return fail(ERR_INPUT,
                    "%s: only %d of %d patients have a computed and a measured gradient (at least %d are needed)%s%s",
                    path, to->n_used, to->n, AGREEMENT_LEAST,
                    to->n > 0 && to->patient[0].left_out[0] ? "; the first: " : "",
                    to->n > 0 ? to->patient[0].left_out : "");
    return OK;
}

/* ------------------------------------------------------------------------------------------------- result */

static cohort_result compare(const cohort *c) {
    cohort_result r = {.a = agreement_of(c->n_used, c->computed, c->measured), .covered_low = NAN, .covered_high = NAN};
    for (int k = 0; k < THRESHOLDS; k++)
        r.auc[k] = agreement_auc(c->n_used, c->computed, c->measured, THRESHOLDS_MMHG[k], &r.positive[k]);
    for (int k = 0; k < c->n_used; k++)
        if (isfinite(c->half[k])) {
            r.n_interval++;
            r.covered += agreement_covered(1, &c->computed[k], &c->half[k], &c->measured[k], &c->half_measured[k]);
        }
    if (r.n_interval > 0)
        agreement_proportion(r.covered, r.n_interval, &r.covered_low, &r.covered_high);
    return r;
}

static const char *show(double value, double half, char text[ROW_SHOWN]) {
    return results_row_value(value, half, isfinite(half) ? NAN : 0.1, text);
}

static void print_patients(const cohort *c) {
    char measured[ROW_SHOWN], computed[ROW_SHOWN];
    printf("%-24s %16s %16s %12s\n", "portal pressure gradient", "measured, mmHg", "computed, mmHg", "difference");
    for (int k = 0; k < c->n; k++) {
        const validated *p = &c->patient[k];
        if (p->left_out[0])
            printf("%-24s left out: %s\n", p->name, p->left_out);
        else
            printf("%-24s %16s %16s %12.1f\n", p->name, show(p->measured, p->half_measured, measured),
                   show(p->computed, p->half, computed), p->computed - p->measured);
    }
}

/* Writes the result as "name|value" lines through `add`, for terminal and page. */
static void list_result(const cohort *c, const cohort_result *r,
                        void (*add)(void *to, const char *name, const char *value), void *to) {
    const agreement *a = &r->a;
    char text[200], name[80];
    snprintf(text, sizeof text, "%d of %d", a->n, c->n);
    add(to, "patients used", text);
    snprintf(text, sizeof text, "%d rows of a patient already used: they are not independent", c->n_repeated);
    if (c->n_repeated > 0)
        add(to, "repeated patients", text);
    snprintf(text, sizeof text, "%.1f mmHg (computed minus measured)", a->bias);
    add(to, "bias", text);
    snprintf(text, sizeof text, "%.1f to %.1f mmHg", a->limit_low, a->limit_high);
    add(to, "95 % limits of agreement", text);
    snprintf(text, sizeof text, "%.1f mmHg", a->rmse);
    add(to, "root mean square difference", text);
    if (isfinite(a->correlation_low))
        snprintf(text, sizeof text, "%.2f (95 %% interval %.2f to %.2f)", a->correlation, a->correlation_low,
                 a->correlation_high);
    else
        snprintf(text, sizeof text, isfinite(a->correlation) ? "%.2f" : "not defined: equal values", a->correlation);
    add(to, "correlation (Pearson)", text);
    snprintf(text, sizeof text, isfinite(a->icc) ? "%.2f" : "not defined: equal values", a->icc);
    add(to, "agreement, ICC(2,1)", text);
    for (int k = 0; k < THRESHOLDS; k++) {
        snprintf(name, sizeof name, "AUC, measured >= %g mmHg", THRESHOLDS_MMHG[k]);
        if (isfinite(r->auc[k]))
            snprintf(text, sizeof text, "%.2f (%d of %d patients)", r->auc[k], r->positive[k], a->n);
        else
            snprintf(text, sizeof text, "not defined: %s patients", r->positive[k] ? "all" : "no");
        add(to, name, text);
    }
    if (r->n_interval == 0)
        snprintf(text, sizeof text, "unknown: no computed value has a whole interval");
    else
        snprintf(text, sizeof text, "%d of %d, %.0f %% (expected 95 %%; 95 %% interval %.0f to %.0f %%)", r->covered,
                 r->n_interval, 100.0 * r->covered / r->n_interval, 100 * r->covered_low, 100 * r->covered_high);
    add(to, "measured inside interval", text);
    snprintf(text, sizeof text, "%d (without lattice, wall, liver or an input), not counted above", c->n_incomplete);
    if (c->n_incomplete > 0)
        add(to, "incomplete intervals", text);
}

static void add_agreement(const agreement *a, int covered, int n_interval, const char *when,
                          void (*add)(void *to, const char *name, const char *value), void *to) {
    char text[200], name[80];
    int n =
        snprintf(text, sizeof text, "bias %.1f mmHg, limits %.1f to %.1f mmHg", a->bias, a->limit_low, a->limit_high);
    if (isfinite(a->correlation)) /* not defined for equal values */
        n += snprintf(text + n, sizeof text - (size_t)n, ", r %.2f", a->correlation);
    if (n_interval > 0)
        snprintf(text + n, sizeof text - (size_t)n, ", inside interval %d of %d", covered, n_interval);
    snprintf(name, sizeof name, "tested half, %s", when);
    add(to, name, text);
}

/* Permeability of the used patients that have one, and that permeability divided by the factor. */
static void add_permeability(const cohort *c, const calibration *k,
                             void (*add)(void *to, const char *name, const char *value), void *to) {
    char text[200];
    double sum = 0;
    int n = 0;
    for (int p = 0; p < c->n_used; p++)
        if (isfinite(c->permeability[p])) {
            sum += log(c->permeability[p]);
            n++;
        }
    if (n == 0)
        return;
    const double mean = exp(sum / n);
    const int used = snprintf(text, sizeof text, "%.3g m2 instead of %.3g m2 (geometric mean of %d patients)",
                              mean / k->factor, mean, n);
    if (k->low > 0)
        snprintf(text + used, sizeof text - (size_t)used, ", 95 %% interval %.3g to %.3g m2", mean / k->high,
                 mean / k->low);
    add(to, "permeability", text);
}

static void list_calibration(const cohort *c, const calibration *k,
                             void (*add)(void *to, const char *name, const char *value), void *to) {
    char text[200];
    snprintf(text, sizeof text, "%d patients fitted (1st, 3rd, ..), %d tested (2nd, 4th, ..)", k->n_fit, k->n_test);
    add(to, "calibration", text);
    snprintf(text, sizeof text, "%.2f (95 %% interval %.2f to %.2f), times the %s", k->factor, k->low, k->high,
             c->liver_assumed ? "whole gradient, assumed to be the liver's" : "liver's part, at unchanged flows");
    add(to, "factor of the resistance", text);
    add_permeability(c, k, add, to);
    add_agreement(&k->before, k->covered_before, k->n_interval, "before", add, to);
    add_agreement(&k->after, k->covered_after, k->n_interval, "after", add, to);
    snprintf(text, sizeof text,
             "no: in the tested half the root mean square difference is %.2f mmHg before and %.2f mmHg after it; keep "
             "the resistance as it is",
             k->before.rmse, k->after.rmse);
    if (!(k->after.rmse < k->before.rmse))
        add(to, "the calibration helps", text);
}

static void print_line(void *to, const char *name, const char *value) {
    fprintf(to, "%-28s %s\n", name, value);
}

/* ------------------------------------------------------------------------------------------------- page */

static void put_row(void *to, const char *name, const char *value) {
    fputs("<tr><th>", to);
    results_row_put_escaped(to, name);
    fputs("</th><td>", to);
    results_row_put_escaped(to, value);
    fputs("</td></tr>\n", to);
}

/* Maps values to the plane of the drawing, px. */
typedef struct {
    double low[2], high[2]; /* x: mean of both values, y: difference, mmHg */
} plot_range;
enum { PLOT_WIDTH = 640, PLOT_HEIGHT = 400, PLOT_LEFT = 60, PLOT_BOTTOM = 46, PLOT_TOP = 14, PLOT_RIGHT = 120 };

static double at_x(const plot_range *r, double x) {
    return PLOT_LEFT + (x - r->low[0]) / (r->high[0] - r->low[0]) * (PLOT_WIDTH - PLOT_LEFT - PLOT_RIGHT);
}

static double at_y(const plot_range *r, double y) {
    return PLOT_HEIGHT - PLOT_BOTTOM -
           (y - r->low[1]) / (r->high[1] - r->low[1]) * (PLOT_HEIGHT - PLOT_BOTTOM - PLOT_TOP);
}

static plot_range find_range(const cohort *c, const agreement *a) {
    plot_range r = {.low = {INFINITY, fmin(a->limit_low, 0)}, .high = {-INFINITY, fmax(a->limit_high, 0)}};
    for (int k = 0; k < c->n_used; k++) {
        const double mean = 0.5 * (c->computed[k] + c->measured[k]), difference = c->computed[k] - c->measured[k];
        r.low[0] = fmin(r.low[0], mean);
        r.high[0] = fmax(r.high[0], mean);
        r.low[1] = fmin(r.low[1], difference);
        r.high[1] = fmax(r.high[1], difference);
    }
    for (int d = 0; d < 2; d++) { /* 5 mmHg between the marks of both axes */
        r.low[d] = 5 * floor(r.low[d] / 5);
        r.high[d] = fmax(5 * ceil(r.high[d] / 5), r.low[d] + 5);
    }
    return r;
}

static void put_level(FILE *to, const plot_range *r, double y, const char *style, const char *name) {
    fprintf(to,
            "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#1a1a1a\" %s/><text x=\"%d\" y=\"%.1f\">%s "
            "%.1f</text>\n",
            PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT, at_y(r, y), at_y(r, y), style, PLOT_WIDTH - PLOT_RIGHT + 4,
            at_y(r, y) + 4, name, y);
}

static void put_plot(FILE *to, const cohort *c, const agreement *a) {
    const plot_range r = find_range(c, a);
    fprintf(to,
            "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"Bland-Altman plot\" "
            "font-size=\"12\" font-family=\"system-ui,'DejaVu Sans',sans-serif\">\n",
            PLOT_WIDTH, PLOT_HEIGHT, PLOT_WIDTH);
    const double step[2] = {r.high[0] - r.low[0] > 100 ? 50 : 5, r.high[1] - r.low[1] > 100 ? 50 : 5};
    for (double x = r.low[0]; x <= r.high[0]; x += step[0])
        fprintf(to,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">%g</text>\n",
                at_x(&r, x), at_x(&r, x), PLOT_TOP, PLOT_HEIGHT - PLOT_BOTTOM, at_x(&r, x),
                PLOT_HEIGHT - PLOT_BOTTOM + 16, x);
    for (double y = r.low[1]; y <= r.high[1]; y += step[1])
        fprintf(to,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                PLOT_LEFT, PLOT_WIDTH - PLOT_RIGHT, at_y(&r, y), at_y(&r, y), PLOT_LEFT - 5, at_y(&r, y) + 4, y);
    put_level(to, &r, a->bias, "stroke-width=\"1.5\"", "bias");
    put_level(to, &r, a->limit_low, "stroke-dasharray=\"6 4\"", "lower limit");
    put_level(to, &r, a->limit_high, "stroke-dasharray=\"6 4\"", "upper limit");
    for (int k = 0; k < c->n_used; k++)
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#0b5fa5\" fill-opacity=\"0.7\"/>\n",
                at_x(&r, 0.5 * (c->computed[k] + c->measured[k])), at_y(&r, c->computed[k] - c->measured[k]));
    fprintf(to,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">mean of computed and measured gradient, mmHg</text>\n"
            "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">computed minus measured, "
            "mmHg</text>\n</svg>\n",
            (PLOT_LEFT + PLOT_WIDTH - PLOT_RIGHT) / 2, PLOT_HEIGHT - 8, (PLOT_HEIGHT - PLOT_BOTTOM + PLOT_TOP) / 2);
}

/* k: NULL without a calibration */
static int write_page(const cohort *c, const cohort_result *r, const calibration *k, const char *path) {
    file_text t = {.to = NULL};
    const int rc = file_text_open(&t, "the page");
    if (rc != OK)
        return rc;
    fputs(
        "<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><meta name=viewport "
        "content=\"width=device-width,initial-scale=1\"><title>Computed and measured gradients</title><style>"
        "body{font:15px/1.4 system-ui,'DejaVu Sans',Arial,sans-serif;margin:16px;color:#1a1a1a;max-width:760px}"
        "table{border-collapse:collapse;margin:8px 0 16px}td,th{border:1px solid #bbb;padding:3px 8px;text-align:left}"
        "th{background:#f0f0f0;font-weight:400}svg{max-width:100%;height:auto}@page{size:A4;margin:16mm 14mm}"
        "</style><h1>Portal pressure gradient: computed and measured</h1><p>A research result, not a diagnosis.</p>\n",
        t.to);
    put_plot(t.to, c, &r->a);
    fputs("<table>\n", t.to);
    list_result(c, r, put_row, t.to);
    if (k)
        list_calibration(c, k, put_row, t.to);
    fputs("</table></html>\n", t.to);
    return file_text_write(&t, OK, path);
}

int validate_cohort(const char *csv_path, bool calibrate, const char *html_path) {
    cohort c = {.n = 0};
    calibration k;
    int rc;
    TRY(read_cohort(csv_path, &c));
    TRY(select_used(csv_path, calibrate, &c));
    const cohort_result r = compare(&c);
    if (calibrate) {
        TRY(calibration_of(c.n_used, c.computed, c.liver, c.half, c.measured, c.half_measured, &k));
        if (!(k.factor > 0))
            GIVE_UP(fail(ERR_INPUT,
                         "%s: --calibrate finds %.3g times the liver's part; a resistance is above 0, so check the "
                         "measured values",
                         csv_path, k.factor));
    }
    print_patients(&c);
    printf("\n");
    list_result(&c, &r, print_line, stdout);
    if (calibrate)
        list_calibration(&c, &k, print_line, stdout);
    if (html_path) {
        TRY(write_page(&c, &r, calibrate ? &k : NULL, html_path));
        printf("Bland-Altman plot: %s\n", html_path);
    }
cleanup:
    free(c.patient);
    free(c.computed);
    return rc;
}
