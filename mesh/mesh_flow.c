/* Where the vessel is narrowest and the blood fastest, by the potential flow; see mesh.h. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "mesh/mesh.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 12 is meant: a wish for them may end a little below. At 16 and 35, a straight pipe at an angle is off by 3 %. */
const double mesh_few_cells = 11.9, mesh_fine_cells = 24, mesh_peak_cell_reynolds = 35;
static const double enough_cells = 15.8, some_room = 1.02;

int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow) {
    int rc = OK;
    double *given = calloc((size_t)l->n_opening + 1, sizeof *given);
    *flow = (potential_flow_result){0};
    if (!given)
        return fail_memory("the flows", 8.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++)
        TRY(case_flow_m3_s(c, k, &l->opening[k], &given[k]));
    const potential_flow_input in = {.nu_m2_s = c->blood.viscosity_pa_s / c->blood.density_kg_m3, .flow_m3_s = given};
    TRY(potential_flow(l, &in, flow));
cleanup:
    free(given);
    return rc;
}

static double rounded(double mm) {
    return round(10 * mm) / 10 + 0.0; /* no -0.0 */
}

/* "in opening 'PV'" or "at RAS 1.0, 2.0, 3.0 mm"; the space is the case's, LPS for voxels. */
static const char *place_of(const mesh_job *j, const potential_flow_section *s, char text[160]) {
    const double turn = j->c.space == SPACE_RAS ? -1 : 1;
    if (s->opening >= 0)
        snprintf(text, 160, "in opening '%s'", j->lattice.opening[s->opening].name);
    else
        snprintf(text, 160, "at %s %.1f, %.1f, %.1f mm", j->c.space == SPACE_RAS ? "RAS" : "LPS",
                 rounded(turn * s->place_mm[0]), rounded(turn * s->place_mm[1]), rounded(s->place_mm[2]));
    return text;
}

static void tell_section(const mesh_job *j, const char *what, const potential_flow_section *s) {
    char place[160];
    message_info("%s place %s: %.3g mm wide (%.3g mm2), %.1f cells across; mean velocity %.3g m/s, Reynolds number "
                 "%.0f, peak cell Reynolds number %.1f",
                 what, place_of(j, s, place), s->diameter_mm, s->area_mm2, s->cells_across, s->velocity_m_s,
                 s->reynolds, s->peak_cell_reynolds);
}

static bool is_too_fast(const mesh_job *j) {
    return j->flow.known && j->flow.fastest.peak_cell_reynolds > some_room * mesh_peak_cell_reynolds;
}

/* What a coarser lattice costs; the solver cannot give it back. */
static void warn_of_resolution(const mesh_job *j) {
    const potential_flow_section *n = &j->flow.narrowest, *f = &j->flow.fastest;
    const double spacing = j->lattice.spacing_mm, cells = (double)j->lattice.n_cell;
    char place[160];
    if (n->opening < 0 && n->cells_across < mesh_few_cells) /* openings are warned of one by one */
        message_warn("the vessel is only %.1f cells across %s: pressure drops are off by several %% (12 cells: 1 to 2 "
                     "%%, 24: below 0.5 %%); use a spacing of %.2g mm or less",
                     n->cells_across, place_of(j, n, place), units_round_down(n->diameter_mm / 12));
    if (is_too_fast(j)) {
        const double finer = mesh_peak_cell_reynolds / f->peak_cell_reynolds;
        message_warn(
            "the flow %s (mean %.3g m/s) is fast for this spacing: its peak cell Reynolds number is %.0f; above "
            "%.0f velocity, pressure drop and wall shear stress are off by several %% or more and the flow "
            "may not settle; a spacing of %.2g mm (about %.2g million cells) is fine enough",
            place_of(j, f, place), f->velocity_m_s, f->peak_cell_reynolds, mesh_peak_cell_reynolds,
            units_round_down(finer * spacing), cells / pow(finer, 3) / 1e6);
    }
}

static void tell_spacing(const mesh_job *j) {
    const mesh_spacing *s = &j->spacing;
    const double spacing = j->lattice.spacing_mm;
    char why[100] = "";
    if (s->from != SPACING_FLOW || !(spacing > 1.01 * s->wanted_mm))
        return;
    if (s->by_memory)
        snprintf(why, sizeof why, "what the free memory holds");
    else if (isfinite(j->c.mesh.max_cells))
        snprintf(why, sizeof why, "%.3g million cells (mesh.max_cells)", s->most_cells / 1e6);
    else
        snprintf(why, sizeof why, "%.3g million cells (%s; mesh.max_cells changes it)", s->most_cells / 1e6,
                 s->gpu ? "a GPU was found" : "no GPU was found");
    const double across = j->flow.known ? j->flow.narrowest.cells_across : INFINITY;
    const bool warned = across < mesh_few_cells || is_too_fast(j);
    if (across < enough_cells && !warned)
        message_warn("the spacing is %.3g mm for %s; the flow asks for %.2g mm, %.3g million cells: with %.1f cells "
                     "across the narrowest place instead of 24, pressure drops are off by several %%",
                     spacing, why, s->wanted_mm, s->wanted_cells / 1e6, j->flow.narrowest.cells_across);
    else
        message_info(
            "the spacing is %.3g mm for %s; %.2g mm, %.3g million cells, would be 24 across the narrowest place "
            "and a peak cell Reynolds number of 35",
            spacing, why, s->wanted_mm, s->wanted_cells / 1e6);
}

void mesh_flow_tell(const mesh_job *j) {
    if (j->flow.known) {
        tell_section(j, "narrowest", &j->flow.narrowest);
        if (j->flow.narrowest.velocity_m_s < 0.99 * j->flow.fastest.velocity_m_s)
            tell_section(j, "fastest", &j->flow.fastest);
        warn_of_resolution(j);
    }
    tell_spacing(j);
}

static void add_section(const mesh_job *j, cJSON *result, const char *name, const potential_flow_section *s) {
    if (!j->flow.known) {
        cJSON_AddNullToObject(result, name);
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(result, name);
    if (!o)
        return;
    if (s->opening >= 0)
        cJSON_AddStringToObject(o, "opening", j->lattice.opening[s->opening].name);
    else
        cJSON_AddNullToObject(o, "opening");
    json_numbers(o, "place_mm", 3, s->place_mm);
    json_number(o, "diameter_mm", s->diameter_mm);
    json_number(o, "area_mm2", s->area_mm2);
    json_number(o, "cells_across", s->cells_across);
    json_number(o, "flow_ml_s", 1e6 * s->flow_m3_s);
    json_number(o, "mean_velocity_m_s", s->velocity_m_s);
    json_number(o, "reynolds", s->reynolds);
    json_number(o, "peak_cell_reynolds", s->peak_cell_reynolds);
}

void mesh_flow_json(const mesh_job *j, cJSON *result) {
    static const char *const from[] = {"spacing", "cells_across", "flow"};
    cJSON_AddStringToObject(result, "spacing_from", from[j->spacing.from]);
    add_section(j, result, "narrowest", &j->flow.narrowest);
    add_section(j, result, "fastest", &j->flow.fastest);
}
