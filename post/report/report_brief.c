/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of report_parts.h: the main results with their locations. */
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include "post/report/report_parts.h"
#include <math.h>

static void begin_row(html *h, const char *what) {
    html_add(h, "<tr><td>%s</td><td>", what);
}

/* Writes the position relative to the nearest opening or section, such as "at PV" or "31 mm from PV". */
static void add_where(html *h, const report_input *in, const double lps_mm[3]) {
    const char *name = NULL;
    double least = INFINITY, radius_mm = 0;
    for (int k = 0; k < in->l->n_opening; k++) {
        const lattice_opening *o = &in->l->opening[k];
        const double away = vec_distance(lps_mm, o->centre_mm);
        if (o->role == LATTICE_MOVING_WALL || !(away < least))
            continue;
        least = away;
        name = o->name;
        radius_mm = o->radius_mm;
    }
    for (int k = 0; k < in->r->n_section; k++) {
        const flow_section *s = &in->r->section[k];
        const double away = vec_distance(lps_mm, s->centroid_mm);
        if (!isfinite(s->area_mm2) || !(away < least))
            continue;
        least = away;
        name = in->r->place[in->r->n_opening + k].name;
        radius_mm = sqrt(s->area_mm2 / M_PI);
    }
    if (!name)
        return;
    html_add(h, least < 1.2 * radius_mm ? ", at " : ", %.0f&nbsp;mm from ", least);
    html_escape(h, name);
}

/* Add the total flow and the share of each inlet and outlet. */
static void add_flow(html *h, const report_input *in) {
    const readouts *r = in->r;
    double sum[2] = {0};
    int n[2] = {0};
    for (int k = 0; k < r->n_opening; k++)
        if (r->place[k].role != LATTICE_MOVING_WALL) {
            sum[r->place[k].role == LATTICE_OUTLET] += r->place[k].flow_ml_s;
            n[r->place[k].role == LATTICE_OUTLET]++;
        }
    if (!(sum[0] > 0) || !(sum[1] > 0))
        return;
    begin_row(h, r->pulsatile ? "mean flow" : "flow");
    html_number(h, 0.06 * sum[0], 3, "L/min");
    for (int out = 0; out < 2; out++) {
        html_add(h, out ? "; out through" : ", in through");
        for (int k = 0, some = 0; k < r->n_opening; k++) {
            if (r->place[k].role != (out ? LATTICE_OUTLET : LATTICE_INLET))
                continue;
            html_add(h, some++ ? ", " : " ");
            html_escape(h, r->place[k].name);
            if (n[out] > 1)
                html_add(h, " %.1f&nbsp;%%", 100 * r->place[k].flow_ml_s / sum[out]);
        }
    }
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</td></tr>\n");
}

static void add_drop(html *h, const report_input *in) {
    const readouts *r = in->r;
    const readouts_drop *d = &r->largest;
    if (!d->from)
        return;
    begin_row(h, r->n_opening > 2 ? "largest pressure drop between two openings" : "pressure drop");
    report_number(h, r, &d->value_pa, units_pa_to_mmhg(1), "mmHg");
    html_add(h, " (");
    report_number(h, r, &d->value_pa, 1, "Pa");
    html_text(h, "), ", d->from, " to ");
    html_text(h, "", d->to, "");
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</td></tr>\n");
}

/* Add Reynolds number and pressure drop at the instant of the largest inflow. */
static void add_peak(html *h, const report_input *in) {
    const readouts_peak *peak = &in->r->peak;
    char text[READOUTS_SHOWN];
    if (!in->r->pulsatile || !isfinite(peak->time_s))
        return;
    begin_row(h, "at the peak of the pulse");
    html_number(h, 0.06 * peak->inflow_ml_s, 3, "L/min");
    html_value(h, " after ", peak->time_s, 3, "s", "");
    if (peak->reynolds_at) {
        html_add(h, "; largest Reynolds number of an opening %.0f", peak->reynolds);
        html_text(h, ", at ", peak->reynolds_at, "");
    }
    if (peak->drop.from) {
        html_add(h, "; largest pressure drop %s&nbsp;mmHg",
                 readouts_show(in->r, &peak->drop.value_pa, units_pa_to_mmhg(1), text));
        html_add(h, " (%s&nbsp;Pa), ", readouts_show(in->r, &peak->drop.value_pa, 1, text));
        html_text(h, "", peak->drop.from, " to ");
        html_text(h, "", peak->drop.to, "");
    }
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</td></tr>\n");
}

/* Adds a cross-section that mesh found. Its velocity is omitted, because mesh estimates it from the prescribed flows,
 * so it is no result. */
static void add_place(html *h, const report_input *in, const char *key, const char *what) {
    const cJSON *o = json_find(in->stage[REPORT_MESH], "result");
    double lps_mm[3];
    o = cJSON_GetObjectItemCaseSensitive(o, key);
    const double diameter_mm = json_get_number(o, "diameter_mm");
    if (!json_get_vector(json_find(o, "place_mm"), lps_mm) || !isfinite(diameter_mm))
        return;
    begin_row(h, what);
    html_number(h, diameter_mm, 2, "mm wide");
    add_where(h, in, lps_mm);
    html_add(h, "</td></tr>\n");
}

static void add_highest(html *h, const report_input *in) {
    const readouts *r = in->r;
    if (isfinite(r->velocity_max_m_s)) {
        begin_row(h, "highest velocity");
        report_number(h, r, &r->velocity_max_m_s, 100, "cm/s");
        if (!r->pulsatile && !in->c->solve.heat.on)
            html_add(h, " (steady flow, not systolic)");
        report_add_unmeasured(h, in->c, NULL);
        html_add(h, "</td></tr>\n");
    }
    if (!isfinite(r->wss.mean) || !isfinite(r->wss.max))
        return;
    begin_row(h, r->pulsatile ? "wall shear stress (TAWSS)" : "wall shear stress");
    html_add(h, "mean ");
    report_number(h, r, &r->wss.mean, 1, "Pa");
    html_add(h, "; highest ");
    report_number(h, r, &r->wss.max, 1, "Pa");
    add_where(h, in, r->wss.max_mm);
    report_add_unmeasured(h, in->c, NULL);
    html_add(h, "</td></tr>\n");
}

void report_add_brief(html *h, const report_input *in) {
    if (solution_unusable(in->r->solution))
        return;
    html_add(h, "<h2>In brief</h2>\n<table class=\"brief\">");
    add_flow(h, in);
    add_drop(h, in);
    add_peak(h, in);
    add_place(h, in, "narrowest", "minimum cross-section");
    add_highest(h, in);
    html_add(h, "</table>\n");
    report_add_unknown_wall(h, in->r);
}
