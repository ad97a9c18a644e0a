/* SPDX-License-Identifier: Apache-2.0 */
/* See vessel_files.h: the JSON object and the text. */
#include "common/vessel/vessel_files.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* {"value", "interval": [low, high] or null} */
static cJSON *value_json(vessel_value v) {
    cJSON *o = cJSON_CreateObject();
    json_add_number(o, "value", v.value);
    if (isfinite(v.low) && isfinite(v.high))
        json_add_numbers(o, "interval", 2, (const double[2]){v.low, v.high});
    else
        cJSON_AddNullToObject(o, "interval");
    return o;
}

static void add_value(cJSON *to, const char *key, vessel_value v) {
    cJSON_AddItemToObject(to, key, value_json(v));
}

static void add_extreme(cJSON *to, const char *key, const vessel_extreme *e) {
    cJSON *o = value_json(e->of);
    json_add_number(o, "at_mm", e->at_mm);
    json_add_numbers(o, "place_mm", 3, e->place_mm);
    cJSON_AddItemToObject(to, key, o);
}

static cJSON *branch_json(const vessel_table *t, int k) {
    const centerline *c = t->c;
    const centerline_branch_line *b = &c->branch[k];
    const vessel_branch *v = &t->branch[k];
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", v->name);
    if (b->parent >= 0)
        cJSON_AddStringToObject(o, "parent", t->branch[b->parent].name);
    else
        cJSON_AddNullToObject(o, "parent");
    json_add_number(o, "generation", b->generation);
    json_add_number(o, "piece", b->piece + 1);
    cJSON_AddStringToObject(o, "side", v->side);
    cJSON_AddBoolToObject(o, "ring", b->ring);
    json_add_numbers(o, "start_mm", 3, b->point[0].at_mm);
    json_add_numbers(o, "end_mm", 3, b->point[b->n - 1].at_mm);
    add_value(o, "length_mm", v->length_mm);
    json_add_number(o, "tortuosity", v->tortuosity);
    json_add_number(o, "curvature_mean_per_mm", v->curvature_mean_per_mm);
    json_add_number(o, "curvature_max_per_mm", v->curvature_max_per_mm);
    json_add_number(o, "torsion_mean_per_mm", v->torsion_mean_per_mm);
    add_value(o, "diameter_mean_mm", v->diameter_mean_mm);
    add_extreme(o, "diameter_min_mm", &v->diameter_min_mm);
    add_value(o, "area_mean_mm2", v->area_mean_mm2);
    add_extreme(o, "area_min_mm2", &v->area_min_mm2);
    json_add_number(o, "taper", v->taper);
    json_add_number(o, "ellipticity", v->ellipticity);
    add_extreme(o, "stenosis_percent", &v->stenosis_percent);
    json_add_number(o, "reference_mm", v->reference_mm);
    add_extreme(o, "stenosis_area_percent", &v->stenosis_area_percent);
    return o;
}

static cJSON *bifurcation_json(const vessel_table *t, const vessel_bifurcation *f) {
    cJSON *o = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(o, "branches");
    for (int k = 0; k < f->n; k++)
        cJSON_AddItemToArray(names, cJSON_CreateString(t->branch[f->branch[k]].name));
    json_add_numbers(o, "place_mm", 3, t->c->node[f->node].at_mm);
    json_add_number(o, "radius_mm", t->c->node[f->node].radius_mm);
    json_add_numbers(o, "angle_deg", f->n, f->angle_deg);
    json_add_number(o, "between_deg", f->between_deg);
    add_value(o, "area_ratio", f->area_ratio);
    return o;
}

cJSON *vessel_files_json(const vessel_table *t) {
    const centerline *c = t->c;
    cJSON *o = cJSON_CreateObject();
    if (o == NULL)
        return NULL;
    cJSON_AddStringToObject(o, "frame", "LPS");
    add_value(o, "volume_ml", t->volume_ml);
    json_add_number(o, "length_mm", t->length_mm);
    json_add_number(o, "wall_uncertainty_mm", t->wall_mm);
    json_add_number(o, "pieces", c->n_piece);
    json_add_number(o, "small_pieces_without_centerline", c->n_small_piece);
    json_add_number(o, "cavity_ml", c->cavity_mm3 / 1000);
    cJSON *branches = cJSON_AddArrayToObject(o, "branches");
    for (int k = 0; k < c->n_branch; k++)
        cJSON_AddItemToArray(branches, branch_json(t, k));
    cJSON *forks = cJSON_AddArrayToObject(o, "bifurcations");
    for (int k = 0; k < t->n_bifurcation; k++)
        cJSON_AddItemToArray(forks, bifurcation_json(t, &t->bifurcation[k]));
    return o;
}

/* ------------------------------------------------------------------------------------------------------- text */

enum { CELL = 32 };

/* "8.02 +- 0.35", "8.02", or "-". A half-width below 0.0005 is omitted: such a value hardly changes with the wall
 * position, which does not make it exact. digits: decimals of a value without a half-width. */
static void format_value(char text[CELL], vessel_value v, int digits) {
    const double half = 0.5 * (v.high - v.low);
    if (!isfinite(v.value))
        snprintf(text, CELL, "-");
    else if (isfinite(half) && half >= 0.0005)
        units_format(v.value, half, NAN, "+-", text, CELL);
    else
        snprintf(text, CELL, "%.*f", digits, v.value);
}

static void format_number(char text[CELL], double x, int digits) {
    if (isfinite(x))
        snprintf(text, CELL, "%.*f", digits, x);
    else
        snprintf(text, CELL, "-");
}

/* Degree of stenosis: "38 +- 3", or "< 14" if its interval up to 14 holds 0. */
static void format_degree(char text[CELL], vessel_value v) {
    if (v.low <= 0)
        snprintf(text, CELL, "< %.0f", ceil(v.high));
    else
        format_value(text, v, 0);
}

static void print_branch(const vessel_table *t, int k, FILE *to) {
    const vessel_branch *v = &t->branch[k];
    char length[CELL], mean[CELL], least[CELL], at[CELL], stenosis[CELL], area[CELL], tortuosity[CELL], bend[CELL];
    format_value(length, v->length_mm, 1);
    format_value(mean, v->diameter_mean_mm, 2);
    format_value(least, v->diameter_min_mm.of, 2);
    format_number(at, v->diameter_min_mm.at_mm, 1);
    format_degree(stenosis, v->stenosis_percent.of);
    format_degree(area, v->stenosis_area_percent.of);
    format_number(tortuosity, v->tortuosity, 3);
    format_number(bend, v->curvature_max_per_mm > 1e-3 ? 1 / v->curvature_max_per_mm : NAN, 1);
    fprintf(to, "%-12.12s %-9s %14s %14s %14s %8s %10s %9s %10s %9s\n", v->name, v->side, length, mean, least, at,
            stenosis, area, tortuosity, bend);
}

void vessel_files_print(const vessel_table *t, FILE *to) {
    char lumen[CELL], ratio[CELL], between[CELL];
    format_value(lumen, t->volume_ml, 2);
    fprintf(to, "%d branch%s, %.1f mm in all; lumen %s mL", t->c->n_branch, t->c->n_branch == 1 ? "" : "es",
            t->length_mm, lumen);
    if (isfinite(t->wall_mm))
        fprintf(to, "; wall +- %.2g mm", t->wall_mm);
    fprintf(to, "\n\n%-12s %-9s %14s %14s %14s %8s %10s %9s %10s %9s\n", "branch", "runs to", "length mm",
            "mean diam. mm", "least diam. mm", "at mm", "stenosis %", "by area %", "tortuosity", "bend mm");
    for (int k = 0; k < t->c->n_branch; k++)
        print_branch(t, k, to);
    if (t->n_bifurcation > 0)
        fprintf(to, "\n%-30s %22s %20s\n", "bifurcation", "angle of daughters deg", "area ratio");
    for (int k = 0; k < t->n_bifurcation; k++) {
        const vessel_bifurcation *f = &t->bifurcation[k];
        char names[8 * 14] = "";
        for (int i = 0; i < f->n; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.12s",
                     i == 0   ? ""
                     : i == 1 ? " -> "
                              : ", ",
                     t->branch[f->branch[i]].name);
        format_number(between, f->between_deg, 1);
        format_value(ratio, f->area_ratio, 2);
        fprintf(to, "%-30s %22s %20s\n", names, between, ratio);
    }
    fputs(
        "\nat: place of the least diameter, from the start of the branch; diameters are of circles of equal area\n"
        "stenosis: largest narrowing, 1 - width / width expected there from the rest of the branch (NASCET divides by\n"
        "the normal width beyond it), \"< 5\": none of 5 % or more; by area: the same of areas\n"
        "tortuosity: length / distance of the ends - 1; bend: smallest radius; area ratio: daughters / the branch\n"
        "before\n",
        to);
    if (isfinite(t->wall_mm))
        fputs("+-: 95 % interval from the uncertainty of the wall\n", to);
}
