/* SPDX-License-Identifier: Apache-2.0 */
/* See report_parts.h: the table of the vessel that segment measured. */
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/record/json.h"
#include "post/report/report_parts.h"
#include <math.h>
#include <string.h>

static const double NEAR_RADII = 6; /* largest distance between an opening and the end of a branch that belongs to it,
                                     * in radii of the opening; chosen */

/* Name of the opening at the outer end of a branch: the nearest opening within NEAR_RADII; NULL: none. The outer end is
 * the start of the first branch, and the last point of every other branch. */
static const char *opening_name(const report_input *in, const cJSON *branch) {
    double end[3], best = INFINITY;
    const char *name = NULL;
    const bool first = cJSON_IsNull(cJSON_GetObjectItem(branch, "parent"));
    if (!json_get_vector(cJSON_GetObjectItem(branch, first ? "start_mm" : "end_mm"), end))
        return NULL;
    for (int k = 0; k < in->l->n_opening; k++) {
        const lattice_opening *o = &in->l->opening[k];
        const double away = vec_distance(o->centre_mm, end);
        if (away < best && away < NEAR_RADII * sqrt(o->area_mm2 / M_PI) && o->role != LATTICE_MOVING_WALL) {
            best = away;
            name = o->name;
        }
    }
    return name;
}

/* True if another branch begins where the branch `name` ends, so that its end is a bifurcation. */
static bool has_children(const cJSON *branches, const char *name) {
    const cJSON *b;
    cJSON_ArrayForEach(b, branches) {
        const char *parent = json_get_text(b, "parent");
        if (parent && strcmp(parent, name) == 0)
            return true;
    }
    return false;
}

static void add_number(html *h, double x, int digits) {
    if (isfinite(x))
        html_add(h, "<td>%.*f</td>", digits, x);
    else
        html_add(h, "<td>-</td>");
}

/* Adds a table cell such as "8.0 ± 0.4" from the JSON object {"value", "interval"}. An interval that would be rounded
 * to 0 is omitted. digits: decimals of a value without an interval. */
static void add_cell(html *h, const cJSON *value, int digits) {
    const cJSON *range = cJSON_GetObjectItem(value, "interval"), *low = cJSON_GetArrayItem(range, 0),
                *high = cJSON_GetArrayItem(range, 1);
    const double x = json_get_number(value, "value"), half = high ? 0.5 * (high->valuedouble - low->valuedouble) : 0;
    char text[READOUTS_SHOWN];
    if (isfinite(x) && half >= 0.5 * pow(10, -digits)) {
        html_add(h, "<td>");
        html_escape(h, units_format(x, half, NAN, UNITS_PLUS_MINUS, text, sizeof text));
        html_add(h, "</td>");
    } else
        add_number(h, x, digits);
}

/* Adds a degree of stenosis; "< 14" if its interval up to 14 holds 0. */
static void add_degree(html *h, const cJSON *value) {
    const cJSON *range = cJSON_GetObjectItem(value, "interval"), *low = cJSON_GetArrayItem(range, 0);
    if (low && low->valuedouble <= 0)
        html_add(h, "<td>&lt; %.0f</td>", ceil(cJSON_GetArrayItem(range, 1)->valuedouble));
    else
        add_cell(h, value, 0);
}

/* Adds "1 (CCA)": the name of a branch and of its opening. */
static void add_name(html *h, const report_input *in, const cJSON *branches, const cJSON *b) {
    const char *name = json_get_text(b, "name");
    const bool first = cJSON_IsNull(cJSON_GetObjectItem(b, "parent"));
    const char *opening = name && (first || !has_children(branches, name)) ? opening_name(in, b) : NULL;
    html_text(h, "", name ? name : "", "");
    if (opening)
        html_text(h, " (", opening, ")");
}

static void add_branch(html *h, const report_input *in, const cJSON *branches, const cJSON *b) {
    const char *side = json_get_text(b, "side");
    const double bend = json_get_number(b, "curvature_max_per_mm");
    html_add(h, "<tr><td>");
    add_name(h, in, branches, b);
    html_text(h, "</td><td>", side ? side : "", "</td>");
    add_cell(h, cJSON_GetObjectItem(b, "length_mm"), 1);
    add_cell(h, cJSON_GetObjectItem(b, "diameter_mean_mm"), 2);
    add_cell(h, cJSON_GetObjectItem(b, "diameter_min_mm"), 2);
    add_number(h, json_get_number(cJSON_GetObjectItem(b, "diameter_min_mm"), "at_mm"), 1);
    add_degree(h, cJSON_GetObjectItem(b, "stenosis_percent"));
    add_number(h, json_get_number(b, "tortuosity"), 3);
    add_number(h, bend > 1e-3 ? 1 / bend : NAN, 0);
    html_add(h, "</tr>\n");
}

/* Adds "1 (CCA) to 2 (ICA), 3 (ECA)": the branches of a bifurcation, the one that leads to it first. */
static void add_fork_names(html *h, const report_input *in, const cJSON *branches, const cJSON *names) {
    const cJSON *one, *b;
    int n = 0;
    cJSON_ArrayForEach(one, names) {
        html_add(h, n == 0 ? "" : n == 1 ? " to " : ", ");
        n++;
        cJSON_ArrayForEach(b, branches) {
            const char *name = json_get_text(b, "name");
            if (name && cJSON_IsString(one) && strcmp(name, one->valuestring) == 0)
                add_name(h, in, branches, b);
        }
    }
}

static void add_bifurcations(html *h, const report_input *in, const cJSON *branches, const cJSON *forks) {
    const cJSON *f;
    if (cJSON_GetArraySize(forks) == 0)
        return;
    html_add(h, "<table><tr><th>bifurcation</th><th>angle between the daughters, degrees</th><th>area of the daughters "
                "over the area before</th></tr>\n");
    cJSON_ArrayForEach(f, forks) {
        html_add(h, "<tr><td>");
        add_fork_names(h, in, branches, cJSON_GetObjectItem(f, "branches"));
        html_add(h, "</td>");
        add_number(h, json_get_number(f, "between_deg"), 1);
        add_cell(h, cJSON_GetObjectItem(f, "area_ratio"), 2);
        html_add(h, "</tr>\n");
    }
    html_add(h, "</table>\n");
}

void report_add_vessel(html *h, const report_input *in) {
    const cJSON *vessel = in->stage[REPORT_SEGMENT] ? json_find(in->stage[REPORT_SEGMENT], "result/vessel") : NULL;
    const cJSON *b, *branches = vessel ? cJSON_GetObjectItem(vessel, "branches") : NULL;
    if (cJSON_GetArraySize(branches) == 0)
        return;
    html_add(
        h,
        "<h2>Vessel</h2>\n<p class=\"small\">The segmented lumen from end to end, also beyond the openings: branches "
        "between ends and bifurcations, from the widest end, %.1f&nbsp;mm in all; blood may flow the other way, as "
        "where "
        "two veins join. Diameters belong to circles of "
        "equal area. Stenosis: largest narrowing, 1 - width / width expected there from the rest of the branch; NASCET "
        "divides by the normal width beyond the stenosis; &lt; 5: none of 5&nbsp;%% or more. "
        "Tortuosity: length / distance of the ends - 1. "
        "Intervals: 95&nbsp;%%, from the uncertainty of the wall.</p>\n",
        json_get_number(vessel, "length_mm"));
    html_add(h, "<table><tr><th>branch</th><th>runs to</th><th>length, mm</th><th>mean diameter, mm</th><th>smallest "
                "diameter, mm</th><th>mm from the start</th><th>stenosis, %%</th><th>tortuosity</th><th>smallest bend "
                "radius, mm</th></tr>\n");
    cJSON_ArrayForEach(b, branches) add_branch(h, in, branches, b);
    html_add(h, "</table>\n");
    add_bifurcations(h, in, branches, cJSON_GetObjectItem(vessel, "bifurcations"));
}
