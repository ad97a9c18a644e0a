/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: convergence and resolution, assumptions, provenance, definitions. */
#include "post/report/report_parts.h"
#include "common/record/json.h"
#include "common/base/units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_row(html *h, const char *name, double value, int digits, const char *unit) {
    html_add(h, "<tr><td>%s</td><td>", name);
    html_value(h, "", value, digits, unit, "</td></tr>");
}

static void add_text_row(html *h, const char *name, const char *text) {
    html_add(h, "<tr><td>%s</td><td>", name);
    html_text(h, "", text, "</td></tr>");
}

static void add_row_if_known(html *h, const char *name, double value, int digits, const char *unit) {
    if (isfinite(value))
        add_row(h, name, value, digits, unit);
}

/* ------------------------------------------------------------------------------------------------------- quality */

static void add_resolution(html *h, const lattice *l) {
    html_add(h, "<tr><td>lattice cells per diameter of each opening</td><td>");
    for (int k = 0; k < l->n_opening; k++) {
        html_add(h, "%s", k ? ", " : "");
        html_escape(h, l->opening[k].name);
        html_add(h, " %.1f", 2 * l->opening[k].radius_mm / l->spacing_mm);
    }
    html_add(h, "%s</td></tr>", l->n_opening ? "" : "no openings");
}

/* Write the spacings of the grid sequence, and the number of runs with a moved wall or another flow. */
static void add_lattices(html *h, const report_input *in) {
    double spacing_mm[LATTICES_MAX];
    const int n = report_lattices(in, spacing_mm);
    const int runs = cJSON_GetArraySize(json_find(in->stage[REPORT_SOLVE], "result/grid_sequence")) + 1;
    if (n < 2)
        return;
    html_add(h, "<tr><td>lattices, width of a cell</td><td>");
    for (int k = 0; k < n; k++)
        html_number(h, spacing_mm[k], 3, k + 1 < n ? "mm, " : "mm");
    html_add(h, "; the values below are for the finest lattice");
    if (runs > n)
        html_add(h, "; %d more runs on the coarsest lattice with a moved wall or a changed value", runs - n);
    html_add(h, "</td></tr>");
}

int report_lattices(const report_input *in, double spacing_mm[LATTICES_MAX]) {
    const cJSON *list = json_find(in->stage[REPORT_SOLVE], "result/grid_sequence"), *entry;
    int n = 1;
    if (spacing_mm)
        spacing_mm[0] = in->l->spacing_mm;
    /* the coarsest lattice is listed first */
    for (int k = cJSON_GetArraySize(list) - 1; k >= 0 && n < LATTICES_MAX; k--) {
        entry = cJSON_GetArrayItem(list, k);
        const char *name = json_get_text(entry, "name");
        if (!name || strncmp(name, "level", strlen("level")) != 0) /* a moved wall or a changed value */
            continue;
        if (spacing_mm)
            spacing_mm[n] = json_get_number(entry, "spacing_mm");
        n++;
    }
    return n;
}

void report_add_quality(html *h, const report_input *in) {
    const solution *s = in->r->solution;
    html_add(h, "<h2>Convergence and resolution</h2>\n<table><caption>How the flow was computed</caption>");
    html_add(h, "<tr><td>converged</td><td><b>%s</b></td></tr>",
             isfinite(s->unsteady_s) ? "unsteady, averaged"
             : s->converged          ? "yes"
                                     : "NO");
    add_lattices(h, in);
    add_row_if_known(h, "averaged time", s->unsteady_s, 3, "s");
    html_add(h, "<tr><td>time steps</td><td>%.0f</td></tr>", isfinite(s->steps) ? s->steps : 0.0);
    add_row_if_known(h, "residual of the flow at the end", s->change, 2, "");
    add_row_if_known(h, "change from cycle to cycle", s->cycle_change, 2, "");
    add_row_if_known(h, "tolerance", s->tolerance, 2, "");
    html_value(h, "<tr><td>flow balance (sum of the flows through all openings, as a share of the inflow)</td><td>",
               100 * s->flow_balance, 2, "%", "</td></tr>");
    add_row(h, "width of a cell", s->dx_mm, 4, "mm");
    add_resolution(h, in->l);
    html_add(h, "<tr><td>lattice cells</td><td>%lld</td></tr>", (long long)in->l->n_cell);
    add_row(h, "time step", s->dt_s * 1e6, 4, "&micro;s");
    add_row(h, "relaxation time &tau;", s->tau, 4, "");
    add_row(h, "Reynolds number of the fastest cross-section, estimated before the computation", s->reynolds, 3, "");
    add_row_if_known(h, "Womersley number", s->womersley, 3, "");
    add_row(h, "Mach number of the lattice", s->mach, 2, "");
    add_row_if_known(h, "cycle", s->cycle_period_s, 3, "s");
    add_row_if_known(h, "cycles computed", s->cycles, 3, "");
    html_add(h, "</table>\n");
}

/* ------------------------------------------------------------------------------------------------------ settings */

/* Write the value that the case gives, times `scale`: with its interval, or with four digits. */
static void add_given(html *h, const case_opening *o, double scale, const char *unit) {
    char text[READOUTS_SHOWN];
    if (o->value_error > 0) {
        html_escape(h,
                    units_format(scale * o->value, scale * o->value_error, NAN, UNITS_PLUS_MINUS, text, sizeof text));
        html_add(h, "&nbsp;%s", unit);
    } else
        html_number(h, scale * o->value, 4, unit);
}

/* Write the share of the inflow that leaves through a collateral. */
static void add_collateral(html *h, const readouts *r, const char *name) {
    const place *p = readout_place_find(r->n_opening, r->place, name);
    if (!p || !isfinite(p->inflow_share))
        return;
    html_add(h, "; collateral: ");
    html_number(h, 100 * p->inflow_share, 3, "%");
    html_add(h, " of the inflow");
}

static void add_condition(html *h, const case_file *c, const case_opening *o) {
    const int rest = case_balancing_inlet(c);
    char model[CASE_MODEL];
    static const char *const profile[] = {"fully developed profile of the real cross-section", "parabolic profile",
                                          "plug profile"};
    switch (o->condition) {
    case CONDITION_FLOW:
        html_add(h, "flow ");
        add_given(h, o, 1e6, "mL/s");
        html_add(h, " (");
        add_given(h, o, 6e4, "L/min");
        html_add(h, "), %s", profile[o->profile]);
        break;
    case CONDITION_WAVEFORM:
        /* the name of the waveform's file is omitted, because it may identify the patient */
        html_add(h, "%s, %s",
                 c->solve.mode == MODE_STEADY ? "mean of the flow over the cycle (a waveform)"
                                              : "flow over the cycle (a waveform)",
                 profile[o->profile]);
        break;
    case CONDITION_VELOCITY_MEAN:
    case CONDITION_VELOCITY_PEAK:
        html_add(h, "%s velocity ", o->condition == CONDITION_VELOCITY_MEAN ? "mean" : "peak");
        add_given(h, o, 100, "cm/s");
        html_add(h, ", %s", profile[o->profile]);
        break;
    case CONDITION_PRESSURE:
        html_value(h, "pressure ", o->value, 4, "Pa", " (");
        html_number(h, units_pa_to_mmhg(o->value), 4, "mmHg");
        html_add(h, ")%s", rest >= 0 && o == &c->opening[rest] ? "; its flow follows from the other flows" : "");
        break;
    case CONDITION_DEVELOPED:
        html_add(h, "fully developed flow (no change along the normal)");
        break;
    case CONDITION_RESISTANCE:
    case CONDITION_WINDKESSEL:
    case CONDITION_SPLIT:
        html_escape(h, case_write_model(c, o, UNITS_PLUS_MINUS, model));
        break;
    default:
        html_add(h, "wall that moves with (%.4g, %.4g, %.4g)&nbsp;m/s LPS", o->vector_m_s[0], o->vector_m_s[1],
                 o->vector_m_s[2]);
    }
    if (o->extension_mm > 0)
        html_value(h, "; the vessel is extended straight by ", o->extension_mm, 3, "mm", "");
}

const char *report_lumen(const case_file *c) {
    static const char *const of[] = {"a lumen found in an image", "a lumen given as a mask",
                                     "a lumen given as a surface",
                                     "a lumen after a treatment that was tried on the computer"};
    if (c->mesh.has_shape)
        return "an exact shape";
    return of[c->segment.method >= 0 && c->segment.method < 4 ? c->segment.method : 0];
}

/* The changes of a treatment, and what is assumed about liver and inflow after it. */
static void add_treatment(html *h, const case_file *c) {
    static const char *const kind[] = {"dilatation to ", "closed branch", "stent of "};
    bool tips = false, pressures = false, sources = false;
    for (int k = 0; k < c->n_treat; k++) {
        const case_treatment *t = &c->treat[k];
        html_add(h, "<li>treatment, tried on the computer: %s", kind[t->kind]);
        if (isfinite(t->diameter_mm))
            html_value(h, "", t->diameter_mm, 3, "mm", "");
        if (t->from.branch)
            html_text(h, t->kind == TREAT_STENT ? " from " : " ", t->from.branch, "");
        if (t->opening)
            html_text(h, " to the new opening ", t->opening, "");
        html_add(h, "%s</li>", t->kind == TREAT_CLOSE ? "" : "; its wall is smooth and round");
        tips = tips || t->opening;
    }
    for (int k = 0; k < c->n_opening; k++)
        pressures = pressures || (c->opening[k].role == ROLE_INLET && c->opening[k].condition == CONDITION_PRESSURE);
    for (int k = 0; k < c->n_opening; k++)
        sources = sources || (c->opening[k].role == ROLE_INLET && c->opening[k].condition == CONDITION_RESISTANCE);
    if (tips)
        html_add(h,
                 "<li>assumed after the treatment: the liver keeps its resistance, which now acts at the outlets</li>"
                 "<li>the inflow after the treatment: %s</li>",
                 pressures
                     ? "computed from the pressures at the inlets, whose heights above the pressure of the hepatic "
                       "vein are assumed unchanged"
                 : sources ? "computed from the resistances of the inlets and their source pressures above the hepatic "
                             "vein, which are assumed unchanged"
                           : "unchanged");
}

/* True if a split prescribes the flows of the outlets; false if it gives them resistances, or there is no split. */
static bool prescribes_shares(const case_file *c) {
    return c->split.law != SPLIT_NONE && !isfinite(c->split.mean_pressure_pa);
}

/* The porous regions of the case. */
static void add_porous(html *h, const case_file *c) {
    for (int k = 0; k < c->n_porous; k++) {
        html_text(h, "<li>porous region ", c->porous[k].name, "");
        html_add(h, ": Darcy-Brinkman flow with the permeability of the case, %.3g m&sup2;, not measured</li>",
                 c->porous[k].permeability_m2);
    }
}

static void add_assumptions(html *h, const report_input *in) {
    const bool open = in->l->n_opening > 0;
    bool liver = false, lobules = false, lost = false;
    const char *except = in->c->n_porous > 0 ? ", except in porous regions" : "";
    for (int k = 0; k < in->r->n_ppg; k++)
        for (int t = 0; t < in->r->ppg[k].n_term; t++)
            if (isfinite(in->r->ppg[k].term[t].resistance_pa_s_m3)) {
                liver = true;
                lobules |= in->r->ppg[k].term[t].liver->liver_lobules;
                lost |= in->r->ppg[k].term[t].liver->lost_share.value > 0;
            }
    html_add(
        h,
        "<h2>Resolved and modelled parts</h2>\n<table><caption>The parts of the model</caption><tr><th>resolved by the "
        "flow computation</th><th>modelled or assumed</th></tr><tr><td class=\"resolved\"><ul><li>velocity, pressure "
        "and viscous stress in the lumen%s%s (incompressible Navier-Stokes equations, lattice Boltzmann "
        "method)</li><li>wall shear stress%s</li>%s%s</ul></td><td class=\"modelled\"><ul>",
        open ? " between the openings" : "", except, except,
        !open                      ? ""
        : prescribes_shares(in->c) ? ""
                                   : "<li>the division of the flow among the outlets, for the pressures or "
                                     "models given there</li>",
        in->r->heat ? "<li>temperature and heat</li>" : "");
    if (in->c->split.law != SPLIT_NONE)
        html_add(h, "<li>%s: %s</li>",
                 prescribes_shares(in->c) ? "the division of the flow among the outlets"
                                          : "the resistances of the outlets, from a mean pressure and shares",
                 in->c->split.law == SPLIT_MURRAY      ? "assumed, Murray&#39;s law"
                 : in->c->split.law == SPLIT_TERRITORY ? "assumed, by the volumes of the territories"
                                                       : "shares given in the case");
    add_treatment(h, in->c);
    add_porous(h, in->c);
    if (liver)
        html_add(h, "<li>the liver: %s, %s%s</li>",
                 in->r->perfusion ? "two compartments and its lobules" : "a lumped resistance",
                 lobules ? "from the volume of the liver and assumed properties of its lobules, not measured"
                         : "a number from the case",
                 lost ? ", without a share that the case assumes to get no portal blood" : "");
    html_add(h,
             "%s%s<li>walls: rigid</li><li>%s: %s</li><li>%s</li>"
             "<li>the flow is in %s%s</li></ul></td></tr></table>\n",
             open ? "<li>flows and pressures at the openings: given in the case, see below</li>" : "",
             in->r->heat ? "<li>temperatures of the walls: given in the case, see below</li>" : "",
             in->r->heat ? "fluid" : "blood",
             case_is_shear_thinning(in->c) ? "shear-thinning, viscosity by a model of the literature"
             : in->c->blood.unknown        ? "computed as Newtonian, its model is unknown"
                                           : "Newtonian, density and viscosity as given",
             in->r->pulsatile                        ? "the flow repeats itself every cycle"
             : isfinite(in->r->solution->unsteady_s) ? "the boundary conditions do not change in time"
                                                     : "the flow does not change in time",
             report_lumen(in->c),
             in->c->mesh.has_shape ? ", given in the case"
                                   : "; its errors change pressure drops with the fourth power of the radius");
}

static void add_wall(html *h, const case_wall_region *w) {
    html_text(h, "<tr><td>", w->name, "</td><td>wall");
    if (isfinite(w->temperature_c))
        html_value(h, " at ", w->temperature_c, 4, "&deg;C", "");
    html_add(h, "%s</td></tr>", w->insulated ? ", insulated" : "");
}

static void add_case(html *h, const report_input *in) {
    const case_file *c = in->c;
    static const char *const method[] = {"level set from seeds", "labels", "surface",
                                         "before the treatment, with its changes"};
    char blood[CASE_BLOOD_NAME];
    html_add(h,
             "<h2>Settings</h2>\n<table><caption>Boundary conditions</caption><tr><th>%s</th><th>condition</th></tr>",
             c->n_wall == 0      ? "opening"
             : c->n_opening == 0 ? "wall"
                                 : "wall or opening");
    for (int k = 0; k < c->n_wall; k++)
        add_wall(h, &c->wall[k]);
    for (int k = 0; k < c->n_opening; k++) {
        html_text(h, "<tr><td>", c->opening[k].name, "</td><td>");
        add_condition(h, c, &c->opening[k]);
        report_add_unmeasured(h, c, &c->opening[k]);
        add_collateral(h, in->r, c->opening[k].name);
        html_add(h, "</td></tr>");
    }
    html_add(h, "</table>\n<table><caption>Blood and method</caption>");
    add_row(h, "density", c->blood.density_kg_m3, 4, "kg/m&sup3;");
    add_text_row(h, "blood model", case_write_blood(c, blood));
    add_row(h, case_is_shear_thinning(c) ? "dynamic viscosity at a shear rate of 100 1/s" : "dynamic viscosity",
            c->blood.viscosity_pa_s * 1e3, 3, "mPa&nbsp;s");
    if (case_is_shear_thinning(c))
        add_row(h, "dynamic viscosity at the wall of the fastest cross-section",
                1e3 * json_get_number(json_find(in->stage[REPORT_SOLVE], "result"), "wall_viscosity_pa_s"), 3,
                "mPa&nbsp;s");
    for (int k = 0; k < c->n_porous; k++) {
        const case_porous *p = &c->porous[k];
        char text[160], error[40] = "";
        if (p->permeability_error > 0)
            snprintf(error, sizeof error, " " UNITS_PLUS_MINUS " %.2g", p->permeability_error);
        snprintf(text, sizeof text, "porous region %s: permeability %.3g%s m2 (modelled, not measured)", p->name,
                 p->permeability_m2, error);
        add_text_row(h, "tissue", text);
    }
    add_text_row(h, "lumen",
                 c->mesh.has_shape ? "an analytic shape given in the case"
                                   : method[c->segment.method >= 0 && c->segment.method < 4 ? c->segment.method : 0]);
    add_text_row(h, "mode", in->r->solution->mode);
    add_text_row(h, "wall", in->r->solution->wall);
    add_text_row(h, "collision", in->r->solution->collision);
    add_text_row(h, "precision", in->r->solution->precision);
    html_add(h, "</table>\n");
}

static const char *const stage_name[] = {"segment", "mesh", "solve", "post"};

/* Duration of a stage, s. For solve it includes the runs on coarser lattices. */
static double stage_seconds(const cJSON *stage) {
    const cJSON *entry;
    double seconds = json_get_number(stage, "seconds") +
                     fmax(json_get_number(json_find(stage, "result/mean_flow/result"), "seconds"), 0);
    cJSON_ArrayForEach(entry, json_find(stage, "result/grid_sequence")) {
        seconds += fmax(json_get_number(cJSON_GetObjectItemCaseSensitive(entry, "result"), "seconds"), 0);
    }
    return seconds;
}

/* True if an earlier item of the list names the same file. */
static bool is_named_before(const cJSON *item) {
    const char *name = json_get_text(item, "file");
    for (const cJSON *k = item; k->prev->next && name;
         k = k->prev) { /* `prev` of the first item is the last item; the last item has no `next` */
        const char *other = json_get_text(k->prev, "file");
        if (other && strcmp(other, name) == 0)
            return true;
    }
    return false;
}

/* Adds the checksums as one line that opens to a list; on paper it remains one line. */
static void add_checksums(html *h, const report_input *in) {
    html_add(h, "<details class=\"small\"><summary>Checksums (XXH3) of the inputs of each stage: also in the record "
                "<code>&lt;stage&gt;.json</code></summary>");
    for (int k = 0; k < REPORT_STAGES; k++) {
        const cJSON *item;
        if (!in->stage[k])
            continue;
        html_add(h, "<p><b>%s</b><br>", stage_name[k]);
        cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(in->stage[k], "inputs")) {
            if (is_named_before(item))
                continue;
            html_text(h, "", json_get_text(item, "file"), " <code>");
            html_text(h, "", json_get_text(item, "xxh3"), "</code><br>");
        }
        html_add(h, "</p>");
    }
    html_add(h, "</details>\n");
}

static void add_stages(html *h, const report_input *in) {
    html_add(h,
             "<table><caption>Programs</caption><tr><th>stage</th><th>version</th><th class=\"n\">seconds</th></tr>");
    for (int k = 0; k < REPORT_STAGES; k++) {
        const cJSON *o = in->stage[k];
        if (!o)
            continue;
        html_add(h, "<tr><td>%s</td><td>", stage_name[k]);
        html_text(h, "", json_get_text(cJSON_GetObjectItemCaseSensitive(o, "program"), "version"),
                  "</td><td class=\"n\">");
        if (k == REPORT_POST)
            html_add(h, "&ndash;");
        else
            html_number(h, stage_seconds(o), 3, "");
        html_add(h, "</td></tr>");
    }
    html_add(h,
             "</table>\n<p class=\"small\">Solved on%s: ", report_lattices(in, NULL) > 1 ? ", the finest lattice" : "");
    html_text(h, "", in->r->solution->device, ", ");
    html_value(h, "", in->r->solution->seconds, 3, "s", ", ");
    html_value(h, "", in->r->solution->mlups, 3, "million cell updates per second", ".</p>\n");
    add_checksums(h, in);
}

void report_add_settings(html *h, const report_input *in) {
    add_assumptions(h, in);
    add_case(h, in);
    add_stages(h, in);
}

/* --------------------------------------------------------------------------------------------------- definitions */

void report_add_definitions(html *h, const report_input *in) {
    html_add(h, "<h2>Definitions</h2>\n<ul><li><b>Pressure</b>: static pressure relative to the zero of the case, in "
                "Pa; 1&nbsp;mmHg = 133.322&nbsp;Pa. Averaged over the area of a section or opening.</li>");
    if (in->r->n_ppg > 0)
        html_add(h, "<li><b>Portal pressure gradient</b>: pressure in the portal vein minus pressure in the inferior "
                    "vena cava. It arises mostly in the liver; the pressure drop along the portal vessels alone is a "
                    "small part of it.</li>");
    html_add(h,
             "<li><b>Wall shear stress</b> &tau; = &sigma;n &minus; (n&middot;&sigma;n)n, the tangential part of the "
             "viscous traction at the wall, &sigma; the viscous stress, n the normal.</li>");
    if (in->r->pulsatile)
        html_add(h, "<li><b>TAWSS</b> = mean of |&tau;| over the cycle; <b>OSI</b> = &frac12;&nbsp;(1 &minus; |mean of "
                    "&tau;|&nbsp;/&nbsp;TAWSS); <b>RRT</b> = 1&nbsp;/&nbsp;((1 &minus; 2&nbsp;OSI)&nbsp;TAWSS), in "
                    "1/Pa.</li>");
    if (in->l->n_opening > 0)
        html_add(h, "<li><b>Flow balance</b>: sum of the flows through all openings, divided by the "
                    "inflow.</li><li><b>Along the vessel</b>: averages over the level surfaces of a potential between "
                    "two openings; these surfaces are perpendicular to the wall.</li>");
    html_add(h, "</ul>\n");
}
