/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: the gradient with its terms and thresholds, and the tables of values. */
#include "post/report/report_parts.h"
#include "common/base/units.h"
#include "common/lattice/resolution.h"
#include "common/waveform/typical_flows.h"
#include <math.h>

static void add_cell(html *h, double value, int digits) {
    html_value(h, "<td class=\"n\">", value, digits, NULL, "</td>");
}

void report_number(html *h, const readouts *r, const double *value, double scale, const char *unit) {
    char text[READOUTS_SHOWN];
    if (!isfinite(*value)) {
        html_number(h, *value, 3, unit); /* html_number writes "not computed" or a similar word for a missing value */
        return;
    }
    html_escape(h, readouts_show(r, value, scale, text));
    html_add(h, unit ? "&nbsp;%s" : "%s", unit ? unit : "");
}

static const typical_flow *textbook_flow(const case_opening *o) {
    return o->condition == CONDITION_FLOW ? typical_flows_find(o->value, o->value_error) : NULL;
}

void report_add_unmeasured(html *h, const case_file *c, const case_opening *opening) {
    int n = 0, written = 0;
    for (int k = 0; k < c->n_opening; k++)
        n += textbook_flow(&c->opening[k]) && (!opening || opening == &c->opening[k]);
    if (n == 0)
        return;
    html_add(h, " <b class=\"unmeasured\">");
    for (int k = 0; k < c->n_opening && !opening; k++)
        if (textbook_flow(&c->opening[k]))
            html_text(h, written++ ? ", " : n > 1 ? "flows of " : "flow of ", c->opening[k].name, "");
    html_add(h, "%stextbook value%s (", opening ? "" : ": ", n > 1 ? "s" : "");
    written = 0;
    for (int k = 0; k < c->n_opening; k++)
        if (textbook_flow(&c->opening[k]) && (!opening || opening == &c->opening[k]))
            html_add(h, "%s%s", written++ ? "; " : "", textbook_flow(&c->opening[k])->source);
    html_add(h, "), NOT MEASURED</b>");
}

void report_add_unknown_wall(html *h, const readouts *r) {
    for (int k = 0; r->interval && k < r->n_interval; k++)
        if (r->interval[k].kind != INTERVAL_INPUTS && interval_known(&r->interval[k]) > 0 &&
            isnan(r->interval[k].image)) {
            html_add(h, "<p><b>&plusmn; includes only the lattice and the given flows.</b> It does not include the "
                        "uncertainty of the wall position, which is often the largest part.</p>\n");
            return;
        }
}

const char *report_unknown_blood(const readouts *r) {
    for (int k = 0; r->interval && k < r->n_interval; k++)
        if (isfinite(r->interval[k].blood) && r->interval[k].kind != INTERVAL_INPUTS)
            return "the intervals include the difference to shear-thinning blood";
    return "no interval includes the difference to shear-thinning blood";
}

/* Draw a bar of the parts of the interval, divided in proportion to their squares. */
static void add_interval_parts(html *h, const readouts *r, const double *value, double scale, const char *unit) {
    static const char *const name[] = {"lattice", "image", "inputs", "blood model"}, *const fill[] = {
                                                                                         "#3b6ea5", "#d08a2e",
                                                                                         "#7a7a7a", "#b0413e"};
    const int n = r->blood_unknown ? 4 : 3;
    const interval *u = readouts_interval(r, value);
    double x = 0;
    html_add(h, "<td>");
    if (u && interval_known(u) > 0) {
        const double part[] = {u->lattice, u->image, u->inputs, u->blood}, known = interval_known(u);
        html_add(h, "<svg width=\"80\" height=\"10\" role=\"img\"><title>");
        for (int k = 0; k < n; k++)
            if (isnan(part[k]))
                html_add(h, "%s%s not known", k ? ", " : "", name[k]);
            else
                html_add(h, "%s%s %.2g %s", k ? ", " : "", name[k], scale * part[k], unit);
        html_add(h, "</title>");
        for (int k = 0; k < n; k++) {
            const double width = isnan(part[k]) ? 0 : 80 * (part[k] / known) * (part[k] / known);
            html_add(h, "<rect x=\"%.1f\" width=\"%.1f\" height=\"10\" fill=\"%s\"/>", x, width, fill[k]);
            x += width;
        }
        html_add(h, "</svg>");
    }
    html_add(h, "</td>");
}

/* given: the case gives the value; its cell is shaded. */
static void cell_of(html *h, const readouts *r, const double *value, double scale, bool given) {
    html_add(h, "<td class=\"n%s\">", given ? " modelled" : "");
    report_number(h, r, value, scale, NULL);
    html_add(h, "</td>");
}

static void cell_between(html *h, const readouts *r, const double *value, double scale) {
    cell_of(h, r, value, scale, false);
}

static void cell_shown(html *h, const char *number) {
    html_text(h, "<td class=\"n\">", number, "</td>");
}

static void cell_text(html *h, const char *text) {
    html_text(h, "<td>", text, "</td>");
}

/* ------------------------------------------------------------------------------------------------------ gradient */

static double half_of(const readouts *r, const double *value) {
    const interval *u = readouts_interval(r, value);
    return u ? interval_known(u) : NAN;
}

/* Draws a ruler from 0 to 20 mmHg with the thresholds and, if known, the value. grey: draws without colours, because
 * colours suggest a verdict. */
static void add_ruler(html *h, const readouts *r, const double *value_pa, bool grey) {
    const double mmhg = units_pa_to_mmhg(*value_pa), half = units_pa_to_mmhg(half_of(r, value_pa)),
                 off = units_pa_to_mmhg(readouts_off(r, value_pa));
    double bound[2] = {*value_pa - half_of(r, value_pa), *value_pa + half_of(r, value_pa)};
    char text[READOUTS_SHOWN];
    static const char *const fill[2][4] = {{"#d9ead9", "#f3ecc8", "#f3d6b0", "#efb9b2"},
                                           {"#ececec", "#dedede", "#cfcfcf", "#c0c0c0"}};
    static const double tick[] = {0, 5, 10, 12, 20};
    double end = 20, width = 640, at = fmin(fmax(mmhg, 0), end) / end * width;
    html_add(h, "<svg viewBox=\"-10 0 670 80\" width=\"100%%\" role=\"img\" aria-label=\"thresholds\">");
    for (int k = 0; k < 4; k++)
        html_add(h, "<rect x=\"%.0f\" y=\"26\" width=\"%.0f\" height=\"14\" fill=\"%s\"/>", tick[k] / end * width,
                 (tick[k + 1] - tick[k]) / end * width, fill[grey][k]);
    for (int k = 0; k < 5; k++)
        html_add(h, "<text x=\"%.0f\" y=\"56\" font-size=\"13\" text-anchor=\"middle\">%.0f</text>",
                 tick[k] / end * width, tick[k]);
    html_add(h, "<text x=\"640\" y=\"72\" font-size=\"13\" text-anchor=\"end\">mmHg</text>");
    if (isfinite(mmhg) && half > 0) { /* draw the interval of the gradient */
        readouts_bounds_pa(r, value_pa, bound);
        const double low = fmin(fmax(units_pa_to_mmhg(bound[0]), 0), end) / end * width,
                     high = fmin(fmax(units_pa_to_mmhg(bound[1]), 0), end) / end * width;
        html_add(h, "<rect x=\"%.1f\" y=\"31\" width=\"%.1f\" height=\"4\" fill=\"#111\"/>", low, high - low);
    }
    if (isfinite(mmhg))
        html_add(h,
                 "<path d=\"M%.1f 40 l-7 -16 h14 z\" fill=\"#111\"/><text x=\"%.1f\" y=\"18\" font-size=\"14\" "
                 "font-weight=\"700\" text-anchor=\"%s\">%s%s</text>",
                 at, at, at < 60 ? "start" : (at > 580 ? "end" : "middle"), mmhg > end ? "&gt; 20: " : "",
                 units_format(mmhg, NAN, fmax(half > 0 ? half : off, 0.2), "", text, sizeof text));
    html_add(h,
             "</svg>\n<p class=\"small\">Clinical thresholds for a <i>measured</i> gradient: normal &le;&nbsp;5, "
             "clinically significant &ge;&nbsp;10, risk of bleeding &ge;&nbsp;12&nbsp;mmHg. They do not apply to a "
             "single term%s.</p>\n",
             grey ? ", and most of this sum is an assumption, so the scale has no colours" : "");
}

static void add_term(html *h, const readouts *r, const ppg *g, const ppg_term *t) {
    html_add(h, "<tr class=\"%s\">", t->kind == PPG_RESOLVED && !g->liver_outlets ? "resolved" : "modelled");
    cell_text(h, t->name);
    html_add(h, "<td><b>%s</b></td><td>", ppg_kind_name(g, t));
    if (t->kind == PPG_RESOLVED)
        html_add(h, "difference of two computed pressures%s%s", g->liver_outlets ? "; assumed: " : "",
                 g->liver_outlets ? ppg_basis(g, t) : "");
    if (t->kind == PPG_MODELLED && isfinite(t->resistance_pa_s_m3)) {
        char law[CASE_LIVER], flow[READOUTS_SHOWN];
        html_value(h,
                   t->liver->compartments ? "two compartments and the lobules, together a resistance of "
                                          : "a lumped resistance of ",
                   t->resistance_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L, 3, "mmHg&nbsp;min/L",
                   t->liver->liver_lobules ? " times the flow through it, "
                                           : " (given in the case) times the flow through it, ");
        html_add(h, "%s&nbsp;mL/s", readouts_show_liver_flow(r, g, t, flow));
        if (t->liver->liver_lobules) {
            html_add(h, ". Resistance: ");
            html_escape(h, case_write_liver(t->liver, UNITS_PLUS_MINUS, law));
        }
        if (t->liver->liver_bound[0] > 0)
            html_add(h, "; its 95&nbsp;%% interval: %.2g to %.2g&nbsp;mmHg&nbsp;min/L, not symmetric",
                     t->liver->liver_bound[0] / UNITS_PA_S_M3_PER_MMHG_MIN_L,
                     t->liver->liver_bound[1] / UNITS_PA_S_M3_PER_MMHG_MIN_L);
        if (t->liver->lost_share.value > 0)
            html_add(h, ". It is the resistance of the rest, that of the whole liver divided by 1 &minus; %.3g&nbsp;%%",
                     100 * t->liver->lost_share.value);
    } else if (t->kind == PPG_MODELLED)
        html_add(h, "<span class=\"none\">no model of the liver in the case</span>");
    html_add(h, "</td>");
    cell_between(h, r, &t->value_pa, units_pa_to_mmhg(1));
    cell_between(h, r, &t->value_pa, 1);
    if (r->interval)
        add_interval_parts(h, r, &t->value_pa, units_pa_to_mmhg(1), "mmHg");
    html_add(h, "</tr>");
}

/* Names what the gradient assumes of the liver. has_interval: the gradient has one. */
static void add_assumed_livers(html *h, const ppg *g, bool has_interval) {
    for (int k = 0; k < g->n_term; k++) {
        const case_readout *liver = g->term[k].liver;
        if (liver && liver->lost_share.value > 0)
            html_add(h,
                     "; <b>assumption</b>: %.3g&nbsp;%% of the liver gets no portal blood, as right after a closure "
                     "without collaterals between its parts%s",
                     100 * liver->lost_share.value,
                     has_interval && !(liver->lost_share.error > 0)
                         ? "; the uncertainty of this share is <b>not in the interval</b>"
                         : "");
        if (liver && case_stage_is_assumed(liver))
            html_add(h, "; <b>assumption</b>: stage %s of the liver, whose permeability no source gives",
                     lobule_stage_name(liver->liver_stage));
    }
}

static void add_value(html *h, const report_input *in, const ppg *g, bool usable) {
    const readouts *r = in->r;
    double modelled = 0;
    double bound[2];
    bool exact = false, exact_flow = false;
    if (!isfinite(g->value_pa)) {
        html_add(h, "<p><span class=\"value none\">No portal pressure gradient</span> is available: a term is missing. "
                    "The resolved pressure drop within the modelled vessels is <b>not</b> a portal pressure gradient "
                    "and must not be compared with its thresholds.</p>\n");
        return;
    }
    for (int k = 0; k < g->n_term; k++)
        if (g->term[k].kind == PPG_MODELLED) {
            modelled += g->term[k].value_pa;
            exact = exact || !(g->term[k].resistance_error_pa_s_m3 > 0);
            exact_flow = exact_flow || g->term[k].flow_error_ml_s == 0;
        }
    html_add(h, "<p>Estimate of the model: <span class=\"value\">");
    report_number(h, r, &g->value_pa, units_pa_to_mmhg(1), "mmHg");
    html_add(h, "</span>%s as the sum of the terms below",
             readouts_bounds_pa(r, &g->value_pa, bound) ? ", in brackets the 95&nbsp;% interval," : "");
    if (g->liver_outlets)
        html_add(h, "; <b>assumed: %s%s</b>, none of them measured after the treatment", ppg_basis(g, &g->term[0]),
                 case_inlet_of_unknown_error(in->c) ? " (pressure at the inlets)" : "");
    else if (g->value_pa > 0)
        html_add(h, "; <b>%.0f&nbsp;%% of it is modelled</b>, not computed from the image",
                 100 * modelled / g->value_pa);
    const interval *u = readouts_interval(r, &g->value_pa);
    if (u && u->kind == INTERVAL_INPUTS)
        html_add(h, "; the interval contains only the uncertainty of the %s%s%s, not of lattice and wall",
                 exact ? "" : "<b>resistance of the liver</b>", exact || exact_flow ? "" : " and of the ",
                 exact_flow ? "" : "given <b>flows</b>");
    if (exact && half_of(r, &g->value_pa) > 0)
        html_add(h, "; the uncertainty of the <b>resistance of the liver</b> is <b>not in the interval</b>: it was "
                    "given without one");
    if (exact_flow && half_of(r, &g->value_pa) > 0)
        html_add(h, "; the uncertainty of the <b>flow through the liver</b> is <b>not in the interval</b>: the flows "
                    "were given without one");
    add_assumed_livers(h, g, half_of(r, &g->value_pa) > 0);
    if (case_inlet_of_unknown_error(in->c) && half_of(r, &g->value_pa) > 0)
        html_add(h,
                 "; the uncertainty of the <b>pressure at the inlets</b> and the <b>resistances</b> is <b>not in the "
                 "interval</b>");
    html_add(h, ".%s", usable ? "" : " <b>Not usable.</b>");
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</p>\n");
    if (usable)
        add_ruler(h, r, &g->value_pa, g->liver_outlets || !(modelled < 0.5 * g->value_pa));
}

static void add_gradient(html *h, const report_input *in, const ppg *g, bool usable) {
    const readouts *r = in->r;
    html_text(h, "<h3>Portal vein at ", g->portal, "");
    html_add(h, ", cava %s", g->cava ? "at " : "not in the model");
    html_text(h, "", g->cava, "</h3>\n");
    add_value(h, in, g, usable);
    if (isfinite(g->measured_pa)) {
        html_add(h, "<p>Measured (catheter), given in the case and not used in the computation: %.3g",
                 units_pa_to_mmhg(g->measured_pa));
        if (g->measured_error_pa > 0)
            html_add(h, " &plusmn; %.2g", units_pa_to_mmhg(g->measured_error_pa));
        html_add(h, "&nbsp;mmHg.</p>\n");
    }
    html_add(h, "<table><caption>Terms of the portal pressure gradient");
    report_add_unmeasured(h, in->c, NULL);
    html_add(
        h,
        "</caption><tr><th>term</th><th>kind</th><th>how</th><th class=\"n\">mmHg</th><th class=\"n\">Pa</th>%s</tr>",
        r->interval ? "<th>parts of the uncertainty</th>" : "");
    for (int k = 0; k < g->n_term; k++)
        add_term(h, r, g, &g->term[k]);
    html_add(h, "<tr><th colspan=\"3\">sum</th>");
    cell_between(h, r, &g->value_pa, units_pa_to_mmhg(1));
    cell_between(h, r, &g->value_pa, 1);
    if (r->interval)
        add_interval_parts(h, r, &g->value_pa, units_pa_to_mmhg(1), "mmHg");
    html_add(h, "</tr></table>\n");
}

void report_add_gradients(html *h, const report_input *in) {
    if (in->r->n_ppg == 0)
        return;
    html_add(h, "<h2>Portal pressure gradient, by terms</h2>\n");
    for (int k = 0; k < in->r->n_ppg; k++)
        add_gradient(h, in, &in->r->ppg[k], !solution_unusable(in->r->solution));
}

/* -------------------------------------------------------------------------------------------------------- tables */

static void add_place(html *h, const report_input *in, const place *p, const char *role) {
    const readouts *r = in->r;
    const case_opening *o = p->role < 0 ? NULL : case_find_opening(in->c, p->name);
    const bool shares = !isfinite(in->c->split.mean_pressure_pa),
               flow = o && (o->condition == CONDITION_SPLIT ? shares : !case_opening_is_free(o)),
               pressure = o && o->condition == CONDITION_PRESSURE;
    char text[READOUTS_SHOWN];
    html_text(h, "<tr><td>", p->name, "");
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</td>");
    html_add(h, "<td>%s</td>", role);
    cell_shown(h, readouts_show_diameter(r, p, text));
    cell_between(h, r, &p->area_mm2, 1);
    if (p->role == LATTICE_MOVING_WALL) {
        html_add(h, "<td class=\"n\" colspan=\"6\">no flow through it</td></tr>");
        return;
    }
    cell_of(h, r, &p->flow_ml_s, 1, flow);
    cell_of(h, r, &p->flow_ml_s, 0.06, flow);
    cell_of(h, r, &p->mean_velocity_m_s, 100, flow);
    cell_shown(h, readouts_show_reynolds(r, p, text));
    cell_of(h, r, &p->pressure_pa, 1, pressure);
    cell_of(h, r, &p->pressure_pa, units_pa_to_mmhg(1), pressure);
    html_add(h, "</tr>");
}

static void add_places(html *h, const report_input *in) {
    const readouts *r = in->r;
    if (r->n_opening + r->n_section == 0)
        return;
    html_add(
        h,
        "<div class=\"wide\"><table><caption>Openings and sections%s. The diameter is for a circle of equal area. Flow "
        "is positive into the vessel at an inlet, out of it at an outlet, along the normal at a section; a negative "
        "value is reverse flow. Pressure is static, relative to the zero of the case. <span "
        "class=\"modelled\">Shaded</span>: given in the case, not computed.</caption><tr><th>name</th><th>kind</th><th "
        "class=\"n\">diameter, mm</th><th class=\"n\">area, mm&sup2;</th><th class=\"n\">flow, mL/s</th><th "
        "class=\"n\">flow, L/min</th><th class=\"n\">mean velocity, cm/s</th><th class=\"n\">Reynolds number</th><th "
        "class=\"n\">pressure, Pa</th><th class=\"n\">pressure, mmHg</th></tr>",
        r->pulsatile ? ", averages over the cycle" : "");
    for (int k = 0; k < r->n_opening; k++) {
        const int role = r->place[k].role;
        add_place(h, in, &r->place[k], role == LATTICE_MOVING_WALL ? "moving wall" : lattice_role_name[role]);
    }
    for (int k = 0; k < r->n_section; k++)
        add_place(h, in, &r->place[r->n_opening + k], "section");
    html_add(h, "</table></div>\n");
}

static void add_drops(html *h, const report_input *in) {
    const readouts *r = in->r;
    if (r->n_drop == 0)
        return;
    html_add(
        h,
        "<table><caption>Static pressure drops%s: pressure at the first place minus pressure at the second. A drop "
        "within the vessels is not a portal pressure gradient.</caption><tr><th>from</th><th>to</th>"
        "<th class=\"n\">Pa</th><th class=\"n\">mmHg</th>%s</tr>",
        r->pulsatile ? ", averages over the cycle" : "",
        readouts_has_sequence(r) ? "<th class=\"n\">on the finest lattice, Pa</th><th>parts of the uncertainty</th>"
                                 : "");
    for (int k = 0; k < r->n_drop; k++) {
        html_add(h, "<tr>");
        cell_text(h, r->drop[k].from);
        html_text(h, "<td>", r->drop[k].to, "");
        report_add_unmeasured(h, in->c, NULL);
        html_add(h, "</td>");
        cell_between(h, r, &r->drop[k].value_pa, 1);
        cell_between(h, r, &r->drop[k].value_pa, units_pa_to_mmhg(1));
        if (readouts_has_sequence(r)) {
            char text[READOUTS_SHOWN];
            cell_shown(h, readouts_show_finest(r, &r->drop[k].value_pa, text));
            add_interval_parts(h, r, &r->drop[k].value_pa, 1, "Pa");
        }
        html_add(h, "</tr>");
    }
    html_add(h, "</table>\n");
}

static void add_wall(html *h, const report_input *in) {
    const readouts *r = in->r;
    html_add(h,
             "<table><caption>Wall shear stress%s and highest velocity%s; the wall within two lattice cells of an "
             "opening and "
             "on extensions is not counted",
             r->pulsatile ? ", averaged over the cycle (TAWSS)" : "", r->pulsatile ? " over the stored instants" : "");
    report_add_unmeasured(h, in->c, NULL);
    html_add(h,
             "</caption><tr><th class=\"n\">wall counted, mm&sup2;</th><th class=\"n\">mean, Pa</th><th "
             "class=\"n\">99th percentile, "
             "Pa</th><th class=\"n\">highest, Pa</th>%s<th class=\"n\">highest velocity, cm/s</th></tr><tr>",
             r->pulsatile ? "<th class=\"n\">mean OSI</th>" : "");
    add_cell(h, r->wss.area_mm2, 4);
    cell_between(h, r, &r->wss.mean, 1);
    cell_between(h, r, &r->wss.p99, 1);
    cell_between(h, r, &r->wss.max, 1);
    if (r->pulsatile)
        add_cell(h, r->osi_mean, 3);
    cell_between(h, r, &r->velocity_max_m_s, 100);
    html_add(h, "</tr></table>\n");
}

static void add_heat(html *h, const wall_heat *r) {
    if (!r)
        return;
    html_value(h,
               "<div class=\"wide\"><table><caption>Heat into the fluid, divided by its density and heat capacity. The "
               "Nusselt number is the mean over the wall, relative to conduction over the length of ",
               r->length_mm, 3, "mm", " with the temperature difference of ");
    html_value(h, "", r->difference_k, 3, "K", ". Prandtl number ");
    html_value(h, "", r->prandtl, 3, NULL, ", Rayleigh number of the widest cross-section ");
    html_value(h, "", r->rayleigh, 3, NULL, "; the sum over all walls and openings differs by ");
    html_value(h, "", 100 * r->balance, 2, "%", " from zero. The fluid is fastest at LPS ");
    for (int a = 0; a < 3; a++)
        html_add(h, "%s%.3g", a ? ", " : "", r->fastest_mm[a]);
    html_add(h, " mm.</caption><tr><th>name</th><th>kind</th><th class=\"n\">temperature, &deg;C</th><th "
                "class=\"n\">area, mm&sup2;</th><th class=\"n\">heat, K mm&sup3;/s</th><th class=\"n\">Nusselt "
                "number</th></tr>");
    for (int k = 0; k < r->n; k++) {
        const wall_heat_side *s = &r->side[k];
        html_text(h, "<tr><td>", s->name, "");
        html_add(h, "</td><td>%s</td>", s->wall ? "wall" : "opening");
        if (isfinite(s->temperature_c))
            add_cell(h, s->temperature_c, 4);
        else
            html_add(h, "<td class=\"n\">%s</td>", s->wall ? "insulated" : "free");
        add_cell(h, s->area_mm2, 3);
        add_cell(h, s->heat_k_mm3_s, 3);
        add_cell(h, s->nusselt, 3);
        html_add(h, "</tr>");
    }
    html_add(h, "</table></div>\n");
}

enum { INSTANT_COLUMNS = 8 }; /* number of columns that fit on the width of the paper */

/* Writes one row of the table of instants, with the values times `scale`. value(at, k): returns value number k of the
 * readouts `at` of an instant. */
static void instants_row(html *h, const readouts *r, int first, int last, const char *name, const char *other,
                         const char *unit, double scale, const double *(*value)(const readouts *, int), int k) {
    html_add(h, "<tr><td>%s", other ? "drop " : "");
    html_escape(h, name);
    html_add(h, "%s", other ? " to " : "");
    html_escape(h, other);
    html_add(h, ", %s</td>", unit);
    for (int i = first; i < last; i++)
        cell_between(h, &r->instant[i], value(&r->instant[i], k), scale);
    html_add(h, "</tr>");
}

static const double *instant_flow(const readouts *at, int k) {
    return &at->place[k].flow_ml_s;
}

static const double *instant_drop(const readouts *at, int k) {
    return &at->drop[k].value_pa;
}

static const double *instant_whole(const readouts *at, int k) {
    return k == 0 ? &at->wss.mean : k == 1 ? &at->wss.max : &at->velocity_max_m_s;
}

/* Write tables with a row per readout and a column per instant. Readouts are rows, so that any number of openings
 * fits. */
static void add_instants(html *h, const readouts *r) {
    static const char *const whole[][2] = {
        {"mean wall shear stress (WSS)", "Pa"}, {"highest WSS", "Pa"}, {"highest velocity", "cm/s"}};
    for (int first = 0; first < r->n_instant; first += INSTANT_COLUMNS) {
        const int last = first + INSTANT_COLUMNS < r->n_instant ? first + INSTANT_COLUMNS : r->n_instant;
        html_add(h, "<div class=\"wide\"><table><caption>%s</caption><tr><th>time, s</th>",
                 first
                     ? "Instants of the cycle, continued."
                     : "Instants of the cycle. Flow as at the openings above, wall shear stress on the counted wall.");
        for (int i = first; i < last; i++)
            html_value(h, "<th class=\"n\">", r->instant[i].time_s, 3, NULL, "</th>");
        html_add(h, "</tr>");
        for (int k = 0; k < r->n_opening; k++)
            instants_row(h, r, first, last, r->place[k].name, NULL, "mL/s", 1, instant_flow, k);
        for (int k = 0; k < r->n_drop; k++)
            instants_row(h, r, first, last, r->drop[k].from, r->drop[k].to, "Pa", 1, instant_drop, k);
        for (int k = 0; k < 3; k++)
            instants_row(h, r, first, last, whole[k][0], NULL, whole[k][1], k < 2 ? 1 : 100, instant_whole, k);
        html_add(h, "</table></div>\n");
    }
}

/* Explain how to read an interval, or state that there is none. */
static void add_legend(html *h, const readouts *r) {
    if (readouts_has_sequence(r))
        html_add(h,
                 "<p class=\"small\">A value &plusmn; its uncertainty is a 95&nbsp;%% interval, with the value "
                 "extrapolated from lattices of several spacings. Bars show its parts: <b "
                 "style=\"color:#3b6ea5\">lattice</b> (discretization error), <b "
                 "style=\"color:#d08a2e\">image</b> (position of the wall), <b style=\"color:#7a7a7a\">inputs</b> "
                 "(given flows, liver)%s. A value without &plusmn; has no interval; the notes give the reason.</p>\n",
                 r->blood_unknown ? ", <b style=\"color:#b0413e\">blood model</b> (difference to shear-thinning blood)"
                                  : "");
    else
        html_add(h, "<p class=\"small\">No intervals were computed: the uncertainty of these numbers is unknown. The "
                    "notes give the reason.</p>\n");
    if (r->off > 0)
        html_add(
            h,
            "<p class=\"small\">A value without an interval is rounded to its accuracy on this lattice, at most three "
            "digits: its error may be %s %.0f&nbsp;%%, of wall shear stress %.0f&nbsp;%% (see <i>resolution</i> "
            "above).</p>\n",
            r->off < READOUTS_OFF_MOST ? "up to about" : "more than", fmax(1, 100 * r->off),
            fmax(1, 100 * resolution_shear_bound(r->off)));
    bool uncertain = false;
    for (int k = 0; k < r->n_opening; k++)
        uncertain |= r->place[k].flow_error_ml_s > 0;
    if (uncertain)
        html_add(h, "<p class=\"small\">The &plusmn; of given flows reduces the digits of values without an interval "
                    "further.</p>\n");
}

void report_add_readouts(html *h, const report_input *in) {
    html_add(h, "<h2>Readouts</h2>\n");
    add_legend(h, in->r);
    add_places(h, in);
    add_drops(h, in);
    add_wall(h, in);
    add_heat(h, in->r->heat);
    add_instants(h, in->r);
}
