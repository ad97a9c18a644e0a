/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: a table of checks of the results, each with a mark. */
#include "common/base/units.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "post/readouts/readout_place.h"
#include "post/report/report_parts.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum mark { GOOD, DOUBTFUL, BAD, ASSUMED };

/* Peak cell Reynolds number in the check `resolution`: good up to SOME_ROOM times its limit; bad above FAR_TOO_FAST if
 * it also exceeds twice the limit. The limits of cells per diameter are in lattice/resolution.h. */
static const double SOME_ROOM = 1.02, FAR_TOO_FAST = 100;
/* BALANCE_GOOD, BALANCE_BAD: flow balance up to which the mark is good, and up to which it is doubtful. EDGE_GOOD:
 * smallest fraction of the wall with a visible edge for the mark good. STILL: an opening with less than this fraction
 * of the largest flow counts as an opening without flow. */
static const double BALANCE_GOOD = 1e-3, BALANCE_BAD = 1e-2, EDGE_GOOD = 0.8, STILL = 5e-3;
static const double USUAL_TOLERANCE = 1.01e-4; /* TOLERANCE of case_plausible.c, rounded up */
/* largest remaining transient after the last cycle, as a fraction of the velocity */
static const double MOST_LEFT = 0.01;

/* Begins a row; its text and end_row follow. */
static void begin_row(html *h, enum mark m, const char *what) {
    static const char *const sign[] = {"&#10003;&nbsp;good", "!&nbsp;caution", "&#10007;&nbsp;bad", "assumed"};
    static const char *const class[] = {"ok", "mid", "bad", "given"};
    html_add(h, "<tr><td>%s</td><td class=\"mark %s\">%s</td><td>", what, class[m], sign[m]);
}

static void end_row(html *h) {
    html_add(h, "</td></tr>\n");
}

static void add_row(html *h, enum mark m, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add_row(html *h, enum mark m, const char *what, const char *format, ...) {
    char text[900];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    begin_row(h, m, what);
    html_escape(h, text);
    end_row(h);
}

/* Time-averaged flow: the largest pressure difference between two openings, and its range over time. */
typedef struct {
    const char *from, *to; /* names of the two openings; NULL: there are fewer than two openings */
    double mean_pa, low_pa, high_pa;
} swing;

static swing largest_swing(const report_input *in) {
    const cJSON *list = json_find(in->stage[REPORT_SOLVE], "result/unsteady/pressure_differences"), *item;
    swing s = {.from = NULL};
    cJSON_ArrayForEach(item, list) {
        const double mean = json_get_number(item, "mean_pa");
        const char *from = json_get_text(item, "from");
        const char *to = json_get_text(item, "to");
        if (!from || !to || !(fabs(mean) > fabs(s.mean_pa)))
            continue;
        s = (swing){from, to, mean, json_get_number(item, "low_pa"), json_get_number(item, "high_pa")};
        if (mean < 0) /* the pressure rises from `from` to `to`: exchange both, so that the difference is a pressure
                       * drop */
            s = (swing){to, from, -mean, -s.high_pa, -s.low_pa};
    }
    return s;
}

/* Write a text such as "unsteady: every value is a mean over 0.21 s; meanwhile the largest pressure drop, from IN to
 * OUT, departs from its mean by up to 6 % .." */
static void format_swing(const report_input *in, char *text, size_t size) {
    const swing s = largest_swing(in);
    int n = snprintf(text, size, "unsteady: every value is a mean over %.3g s", in->r->solution->unsteady_s);
    if (s.from && n > 0 && n < (int)size)
        snprintf(text + n, size - (size_t)n,
                 "; meanwhile the largest pressure drop, from %s to %s, departs from its mean by up to %.2g %% (mean "
                 "%.4g Pa, lowest %.4g Pa, highest %.4g Pa)",
                 s.from, s.to, 100 * fmax(s.high_pa - s.mean_pa, s.mean_pa - s.low_pa) / s.mean_pa, s.mean_pa, s.low_pa,
                 s.high_pa);
}

void report_add_unsteady(html *h, const report_input *in) {
    char text[400];
    if (!in->r->solution->converged || !isfinite(in->r->solution->unsteady_s))
        return;
    format_swing(in, text, sizeof text);
    html_text(h, "<div class=\"box warn\"><b>The flow does not become steady.</b> It is ", text,
              ". Pictures show the mean, too; at an instant, flow and wall shear stress differ from it.</div>\n");
}

static void add_convergence(html *h, const report_input *in) {
    const solution *s = in->r->solution;
    char text[400];
    if (!s->converged)
        add_row(h, BAD, "convergence", "the flow had not settled: the numbers must not be used");
    else if (isfinite(s->unsteady_s)) {
        format_swing(in, text, sizeof text);
        add_row(h, DOUBTFUL, "convergence", "%s", text);
    } else if (isfinite(s->cycle_change)) {
        const bool drifts = s->cycles_left > MOST_LEFT;
        add_row(h, drifts ? DOUBTFUL : GOOD, "convergence",
                "the velocity of the last cycle differs by %.2g %% from the cycle before (limit 1 %%)%s",
                100 * s->cycle_change, drifts ? ", but the flow was still changing: see the warnings" : "");
    } else if (s->variation > 0) {
        add_row(
            h, GOOD, "convergence",
            "pressures and flows vary by %.2g %% or less (standard deviation); the residual, %.1e, stayed above its "
            "tolerance of %.2g (%.0f steps)",
            100 * s->variation, s->change, s->tolerance, s->steps);
    } else {
        const bool loose = s->tolerance > USUAL_TOLERANCE;
        add_row(h, loose ? DOUBTFUL : GOOD, "convergence",
                "residual %.1e at the end (tolerance %.2g%s) after %.0f steps", s->change, s->tolerance,
                loose ? ": too large for a steady flow, 1e-6 to 1e-4 are usual" : "", s->steps);
    }
}

/* Returns the number of cells per diameter in the minimum cross-section; *where becomes the name of the
 * cross-section. */
static double find_narrowest(const report_input *in, const char **where) {
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(in->stage[REPORT_MESH], "result");
    double least = json_get_number(cJSON_GetObjectItemCaseSensitive(result, "narrowest"), "cells_per_diameter");
    *where = "the minimum cross-section";
    for (int k = 0; k < in->l->n_opening; k++) {
        const lattice_opening *o = &in->l->opening[k];
        const double across = 2 * o->radius_mm / in->l->spacing_mm;
        if (o->role == LATTICE_MOVING_WALL || across >= least)
            continue;
        least = across;
        *where = o->name;
    }
    return least;
}

static double known_or(double value, double otherwise) {
    return isfinite(value) ? value : otherwise;
}

static void add_resolution(html *h, const report_input *in) {
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(in->stage[REPORT_MESH], "result");
    const double peak = json_get_number(cJSON_GetObjectItemCaseSensitive(result, "fastest"), "peak_cell_reynolds");
    const resolution_limits usual = resolution_limits_of(false); /* limits used for records of older programs, which
                                                                  * contain none */
    const double required = known_or(json_get_number(result, "cells_per_diameter_required"), usual.cells_required),
                 good = known_or(json_get_number(result, "cells_per_diameter_recommended"), usual.cells_good),
                 limit = known_or(json_get_number(result, "cell_reynolds_limit"), usual.cell_reynolds);
    const char *where;
    const double cells = find_narrowest(in, &where);
    const bool too_coarse = in->r->solution->too_coarse;
    /* few cells are enough where solve measured the discretization error and omitted the finest lattice */
    const double omitted_mm = json_get_number(json_find(in->stage[REPORT_SOLVE], "result/accuracy"), "omitted_mm");
    const bool few = cells < RESOLUTION_CELLS_TOLERANCE * required && !isfinite(omitted_mm);
    char speed[120] = "", open[80] = "";
    const int lattices = report_lattices(in, NULL);
    if (!isfinite(cells))
        return;
    if (isfinite(peak))
        snprintf(speed, sizeof speed, "; peak cell Reynolds number %.0f (limit %.0f)", peak, limit);
    if (lattices > 1)
        snprintf(open, sizeof open, "; the intervals include the discretization error, from %d lattices", lattices);
    add_row(h,
            too_coarse || few || peak > fmax(FAR_TOO_FAST, 2 * limit)               ? BAD
            : cells < RESOLUTION_CELLS_TOLERANCE * good || peak > SOME_ROOM * limit ? DOUBTFUL
                                                                                    : GOOD,
            "resolution", "%.1f lattice cells per diameter in %s (at least %.0f are needed, %.0f or more are good)%s%s",
            cells, where, required, good, speed, open);
}

static void add_balance(html *h, const readouts *r) {
    if (!isfinite(r->flow_balance) || r->n_opening == 0)
        return;
    add_row(h,
            r->flow_balance <= BALANCE_GOOD * 1.05 ? GOOD
            : r->flow_balance <= BALANCE_BAD       ? DOUBTFUL
                                                   : BAD,
            "flow balance", "inflow and outflow differ by %.2g %% of the inflow (limit 0.1 %%)", 100 * r->flow_balance);
}

static void add_reynolds(html *h, const readouts *r) {
    const place *worst = readout_place_fastest(r->n_opening + r->n_section, r->place);
    const double limit = readout_place_reynolds_limit(r->pulsatile),
                 fastest = r->pulsatile ? NAN : r->solution->reynolds;
    char inside[60] = "";
    if (!worst)
        return;
    if (fastest > worst->reynolds)
        snprintf(inside, sizeof inside, "%.0f in the fastest cross-section inside, ", fastest);
    add_row(h, fmax(worst->reynolds, fastest) > limit ? DOUBTFUL : GOOD, "Reynolds number",
            "%s%.0f at %s; laminar up to about %.0f in a straight vessel, less behind a stenosis", inside,
            worst->reynolds, worst->name, limit);
}

/* Adds the findings of segment. The row has no verdict if the user gave the lumen as a mask or surface. */
static void add_lumen(html *h, const report_input *in) {
    const cJSON *segment = in->stage[REPORT_SEGMENT];
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(segment, "result");
    const cJSON *p = cJSON_GetObjectItemCaseSensitive(result, "parameters");
    const double edge = json_get_number(p, "edge_support"), volume_ml = json_get_number(result, "volume_ml");
    const double neck = json_get_number(p, "behind_neck_part");
    char text[400];
    int n = 0;
    if (!segment)
        return;
    n = snprintf(text, sizeof text, "%.3g mL", volume_ml);
    if (in->c->segment.method == METHOD_LEVEL_SET)
        n += snprintf(text + n, sizeof text - (size_t)n, "; %d seed%s, intensities %.4g to %.4g", in->c->segment.n_seed,
                      in->c->segment.n_seed == 1 ? "" : "s", json_get_number(p, "threshold_low"),
                      json_get_number(p, "threshold_high"));
    if (isfinite(edge))
        snprintf(text + n, sizeof text - (size_t)n, "; the wall follows an edge of the image along %.0f %%%s",
                 100 * edge, neck > 0 ? "; a part is reached only through a neck" : "; no sign of a leak");
    const bool warned = json_get_number(segment, "serious_warnings") > 0;
    if (isfinite(edge))
        add_row(h, warned || edge < EDGE_GOOD ? DOUBTFUL : GOOD, "lumen", "%s", text);
    else
        add_row(h, warned ? DOUBTFUL : ASSUMED, "lumen", "%s", text);
}

/* Lists the gaps of the vessel that were bridged (segment/bridge/gap_bridge.h). */
static void add_bridged(html *h, const report_input *in) {
    const cJSON *gap;
    char text[600];
    int n = 0;
    cJSON_ArrayForEach(gap, json_find(in->stage[REPORT_SEGMENT], "result/bridged_gaps")) {
        double at[3];
        char where[CASE_WHERE];
        if (!json_get_vector(cJSON_GetObjectItemCaseSensitive(gap, "point_mm"), at) || n > (int)sizeof text - 250)
            continue;
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%.2g mm near %s", n ? "; " : "",
                      json_get_number(gap, "length_mm"), case_write_point(in->c, at, where));
    }
    if (n > 0)
        add_row(h, DOUBTFUL, "bridged, not seen in the image",
                "%s: the numbers assume that the vessel is open there, and no interval contains a closed or narrowed "
                "vessel",
                text);
}

/* Lists openings with hardly any flow, and ends of the lumen without an opening. Their vessels are dark in every
 * picture, which a reader could mistake for a finding. */
static void add_still(html *h, const report_input *in) {
    const readouts *r = in->r;
    const cJSON *ends = json_find(in->stage[REPORT_SEGMENT], "result/ends_without_opening");
    const int n_end = cJSON_GetArraySize(ends);
    const cJSON *end;
    char text[500];
    int n_closed = 0;
    double largest = 0;
    int n = 0;
    for (int k = 0; k < r->n_opening; k++)
        largest = fmax(largest, fabs(r->place[k].flow_ml_s));
    for (int k = 0; k < r->n_opening && n < (int)sizeof text - 250; k++) {
        const place *p = &r->place[k];
        if (p->role != LATTICE_MOVING_WALL && fabs(p->flow_ml_s) < STILL * largest)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%s", n ? ", " : "", p->name);
    }
    cJSON_ArrayForEach(end, ends) n_closed += json_get_text(end, "closed_branch") != NULL;
    if (n_end > n_closed)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d end%s of the lumen without an opening", n ? ", " : "",
                      n_end - n_closed, n_end - n_closed == 1 ? "" : "s");
    if (n_closed > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%d end%s of branches that the treatment closes",
                      n ? ", " : "", n_closed, n_closed == 1 ? "" : "s");
    if (n == 0)
        return;
    add_row(h, DOUBTFUL, "vessels without flow",
            "%s: hardly any flow; the vessel is dark in the pictures for this reason", text);
}

/* List the branches that are cut away, with their width and place. */
static void add_unfed(html *h, const report_input *in) {
    char text[800];
    int n = 0;
    for (int k = 0; k < in->r->n_unfed && n < (int)sizeof text - 250; k++) {
        const unfed_branch *b = &in->r->unfed[k];
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%.2g mm wide near %s%s", k ? "; " : "", b->diameter_mm,
                      in->r->unfed_place[k], b->touches ? " (" UNFED_NARROW ")" : "");
    }
    if (n > 0)
        add_row(h, DOUBTFUL, "branches cut away", "%s: no blood flows through %s in the model", text,
                in->r->n_unfed > 1 ? "them" : "it");
}

/* Stated uncertainty of the value given at an opening, +- percent; 0: none stated. */
static double error_percent(const case_opening *o) {
    return o->value_error > 0 && o->value != 0 ? 100 * fabs(o->value_error / o->value) : 0;
}

/* Writes the value given at an opening with its stated uncertainty, such as " (0.6 L/min +- 10 %)". */
static void format_given(const case_file *c, const case_opening *o, char *text, size_t size) {
    const bool velocity = o->condition == CONDITION_VELOCITY_MEAN || o->condition == CONDITION_VELOCITY_PEAK;
    char error[40] = "", model[CASE_MODEL];
    text[0] = 0;
    if (error_percent(o) > 0)
        snprintf(error, sizeof error, " \u00b1 %.2g %%", error_percent(o));
    if (o->condition == CONDITION_FLOW)
        snprintf(text, size, " (%.3g L/min%s)", 6e4 * o->value, error);
    else if (o->condition == CONDITION_PRESSURE)
        snprintf(text, size, " (%.3g mmHg)", units_pa_to_mmhg(o->value));
    else if (o->condition == CONDITION_WAVEFORM)
        snprintf(text, size, c->solve.mode == MODE_STEADY ? " (mean of a waveform)" : " (a waveform)");
    else if (case_opening_is_model(o) || o->condition == CONDITION_SPLIT)
        snprintf(text, size, " (%s)", case_write_model(c, o, UNITS_PLUS_MINUS, model));
    else if (velocity)
        snprintf(text, size, " (%s velocity %.3g cm/s%s)", o->condition == CONDITION_VELOCITY_MEAN ? "mean" : "highest",
                 100 * o->value, error);
}

/* Begins the row of given values, or separates the next value; some: number of values so far. */
static void begin_given(html *h, int *some, const char *what) {
    if (*some == 0)
        begin_row(h, ASSUMED, "given, not computed");
    html_add(h, "%s%s", (*some)++ > 0 ? ", " : "", what);
}

/* True if several outlets have a given pressure. Their shares of the flow then follow from these pressures. */
static bool has_pressure_outlets(const case_file *c) {
    int n = 0;
    for (int k = 0; k < c->n_opening; k++)
        n += c->opening[k].role == ROLE_OUTLET && c->opening[k].condition == CONDITION_PRESSURE;
    return n > 1;
}

/* List the given flows and pressures. */
static void add_given(html *h, const case_file *c, const readouts *r) {
    char value[CASE_MODEL + 8];
    int some = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const int kind = c->opening[k].condition;
        const char *what = kind == CONDITION_PRESSURE              ? "pressure"
                           : case_opening_is_model(&c->opening[k]) ? "model"
                           : kind == CONDITION_DEVELOPED           ? NULL
                                                                   : "flow";
        if (!what || kind == CONDITION_VECTOR)
            continue;
        format_given(c, &c->opening[k], value, sizeof value);
        begin_given(h, &some, what);
        html_text(h, " of ", c->opening[k].name, "");
        html_escape(h, value);
    }
    for (int k = 0; k < c->n_wall; k++)
        if (isfinite(c->wall[k].temperature_c)) {
            begin_given(h, &some, "temperature");
            html_text(h, " of ", c->wall[k].name, "");
        }
    if (has_pressure_outlets(c))
        html_add(h, "; the shares of the outlets follow from their assumed pressures and from where the vessel is cut");
    if (some > 0)
        end_row(h);
    char blood[CASE_BLOOD_NAME];
    if (case_is_shear_thinning(c))
        add_row(h, ASSUMED, "model", "rigid walls, shear-thinning blood (%s), no turbulence model",
                case_write_blood(c, blood));
    else
        add_row(h, ASSUMED, "model", "rigid walls, Newtonian blood%s%s%s, no turbulence model",
                c->blood.unknown ? " (the model is unknown; " : "", c->blood.unknown ? report_unknown_blood(r) : "",
                c->blood.unknown ? ")" : "");
}

/* Warns if the case states uncertainties but the run has no intervals, because nothing else on the page shows these
 * uncertainties. */
static void add_unused_errors(html *h, const report_input *in) {
    char text[500];
    int n = 0;
    if (report_lattices(in, NULL) > 1)
        return;
    for (int k = 0; k < in->c->n_opening && n < (int)sizeof text - 250; k++) {
        const case_opening *o = &in->c->opening[k];
        if (error_percent(o) > 0)
            n += snprintf(text + n, sizeof text - (size_t)n, "%s%s (\u00b1 %.2g %%)", n ? ", " : "", o->name,
                          error_percent(o));
    }
    if (n == 0)
        return;
    add_row(h, DOUBTFUL, "given flows",
            "%s: no number here%s includes this error of the flow, because no intervals were computed", text,
            in->r->n_interval > 0 ? " except the portal pressure gradient and its liver" : "");
}

void report_add_flags(html *h, const report_input *in) {
    html_add(h, "<h2>How reliable the numbers are</h2>\n<table "
                "class=\"flags\"><tr><th>what</th><th>mark</th><th>found</th></tr>");
    add_convergence(h, in);
    add_resolution(h, in);
    add_balance(h, in->r);
    add_lumen(h, in);
    add_bridged(h, in);
    add_reynolds(h, in->r);
    add_still(h, in);
    add_unfed(h, in);
    add_unused_errors(h, in);
    add_given(h, in->c, in->r);
    html_add(h, "</table>\n");
}
