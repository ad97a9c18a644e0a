/* SPDX-License-Identifier: Apache-2.0 */
/* The minimum cross-section and the fastest cross-section, from the potential flow. */
#include "common/case/case.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/blood/section_reynolds.h"
#include "common/lattice/potential_section.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "mesh/mesh_flow.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The flow is too fast above this multiple of the limit of the cell Reynolds number */
static const double reynolds_room = 1.02;
/* The blood counts as accelerated if the fastest cross-section has less than this fraction of the area of the widest
 * opening */
static const double accelerated_part = 0.9;
/* cells per diameter below which the result is useless; measured in pipes of 2 to 5 cells per diameter:
 * solve/RESOLUTION.md */
static const double useless_cells = 3.8;
/* Relative error of pressure drops that a message calls "several %". Largest error measured in pipes, a bend and a
 * stenosis: 13 %, with 7 cells per diameter. */
static const double several_percent = 0.15;
/* Relative error of a pressure drop on one lattice with enough cells per diameter; largest of 30 drops: 2.6 %
 * (solve/RESOLUTION.md, 16 vessels held out) */
static const double good_percent = 0.03;

resolution_limits mesh_flow_limits(const mesh_job *j) {
    return resolution_limits_of(case_uses_cumulants(&j->c));
}

/* Spacing of the lattice; in a dry run with a coarser lattice the requested spacing. */
static double spacing_mm(const mesh_job *j) {
    return j->coarser ? j->asked_mm : j->lattice.spacing_mm;
}

int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow) {
    int rc = OK;
    double *given = calloc((size_t)l->n_opening + 1, sizeof *given);
    *flow = (potential_flow_result){0};
    const viscosity_law law = case_viscosity_law(c);
    if (!given)
        return fail_memory("the flows", 8.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++)
        TRY(case_flow_m3_s(c, k, &l->opening[k], &given[k]));
    case_estimate_flows(c, l->n_opening, l->opening, given);
    const potential_flow_input in = {.nu_m2_s = c->blood.viscosity_pa_s / c->blood.density_kg_m3, .flow_m3_s = given};
    TRY(potential_flow(l, &in, flow));
    section_reynolds_at_wall(&law, c->blood.viscosity_pa_s, &flow->fastest);
    section_reynolds_at_wall(&law, c->blood.viscosity_pa_s, &flow->narrowest);
cleanup:
    free(given);
    return rc;
}

/* Write the place of a cross-section: "in opening 'PV'" or "at RAS 1.0, 2.0, 3.0 mm"; the coordinates are in the space
 * of the case, or in LPS if that space is voxels. */
static const char *place_of(const mesh_job *j, const potential_flow_section *s, char text[160]) {
    char where[CASE_WHERE];
    if (s->opening >= 0)
        snprintf(text, 160, "in opening '%s'", j->lattice.opening[s->opening].name);
    else
        snprintf(text, 160, "at %s", case_write_point(&j->c, s->place_mm, where));
    return text;
}

static void report_section(const mesh_job *j, const char *what, const potential_flow_section *s) {
    char place[160];
    message_info("%s cross-section %s: diameter %.3g mm (%.3g mm2), %.1f cells per diameter; mean velocity %.3g m/s, "
                 "Reynolds number %.0f, peak cell Reynolds number %.1f",
                 what, place_of(j, s, place), s->diameter_mm, s->area_mm2, s->cells_per_diameter, s->velocity_m_s,
                 s->reynolds, s->peak_cell_reynolds);
}

static bool is_too_fast(const mesh_job *j) {
    return j->flow.known && j->flow.fastest.peak_cell_reynolds > reynolds_room * mesh_flow_limits(j).cell_reynolds;
}

enum { COARSER_WHY = 240 };
/* Writes to `why` the reason why the spacing is coarser than the flow requires. */
static const char *coarser_because(const mesh_job *j, char why[COARSER_WHY]) {
    const mesh_spacing *s = &j->spacing;
    if (s->by_memory)
        snprintf(why, COARSER_WHY, "the free memory");
    else if (isfinite(j->c.mesh.max_cells))
        snprintf(why, COARSER_WHY, "the limit of %.3g million cells (mesh.max_cells)", s->cell_limit / 1e6);
    else
        snprintf(why, COARSER_WHY, "the limit of %.3g million cells (%s; mesh.max_cells changes it)",
                 s->cell_limit / 1e6, s->gpu ? "a GPU was found" : "no GPU was found");
    if (s->beyond_limit)
        snprintf(why + strlen(why), COARSER_WHY - strlen(why),
                 ", exceeded already, since a coarser lattice gives no usable result");
    return why;
}

static bool is_coarser_than_wanted(const mesh_job *j) {
    return j->spacing.from == SPACING_FLOW && spacing_mm(j) > 1.01 * j->spacing.wanted_mm;
}

/* The cross-section with the fewest cells per diameter: an opening or, if the flow is known, any cross-section of the
 * vessel. */
typedef struct {
    double cells_per_diameter, diameter_mm;
    char place[160];
    int n_too_few; /* number of openings with fewer than the required cells */
} narrow;

static narrow find_narrow(const mesh_job *j) {
    narrow n = {.cells_per_diameter = INFINITY};
    for (int k = 0; k < j->lattice.n_opening; k++) {
        const lattice_opening *o = &j->lattice.opening[k];
        const double wide_mm = potential_section_opening_mm(o), across = wide_mm / spacing_mm(j);
        if (o->role == LATTICE_MOVING_WALL)
            continue;
        n.n_too_few += across < RESOLUTION_CELLS_TOLERANCE * mesh_flow_limits(j).cells_required;
        if (!(across < n.cells_per_diameter))
            continue;
        n.cells_per_diameter = across;
        n.diameter_mm = wide_mm;
        snprintf(n.place, sizeof n.place, "in opening '%s'", o->name);
    }
    if (j->flow.known && j->flow.narrowest.cells_per_diameter < n.cells_per_diameter) {
        n.cells_per_diameter = j->flow.narrowest.cells_per_diameter;
        n.diameter_mm = j->flow.narrowest.diameter_mm;
        place_of(j, &j->flow.narrowest, n.place);
    }
    return n;
}

enum { CLAUSE = CASE_FRICTION + 40 }; /* size of a clause of the warning about the error of pressure drops */

/* Clause of the warning: gives the pressure that accelerates the blood, rho u^2 in the fastest cross-section minus rho
 * u^2 of the same flow in the widest opening (u: mean velocity). It is twice the rise of the dynamic pressure. Pressure
 * recovers behind the fastest cross-section, so a pressure drop may be smaller than this pressure; the percentage then
 * refers to this pressure. "" if the flow is unknown or not prescribed, or if the fastest cross-section is hardly
 * smaller than the widest opening (accelerated_part). */
static const char *acceleration_text(const mesh_job *j, char text[CLAUSE]) {
    const potential_flow_section *f = &j->flow.fastest;
    double widest_mm2 = 0;
    for (int k = 0; k < j->lattice.n_opening; k++)
        if (j->lattice.opening[k].role != LATTICE_MOVING_WALL)
            widest_mm2 = fmax(widest_mm2, j->lattice.opening[k].area_mm2);
    const double narrower = f->area_mm2 / widest_mm2;
    text[0] = '\0';
    if (j->flow.known && narrower < accelerated_part && case_prescribes_flow(&j->c)) {
        const double pa = j->c.blood.density_kg_m3 * f->velocity_m_s * f->velocity_m_s * (1 - narrower * narrower);
        snprintf(text, CLAUSE, " (of the drop, or of %.*f Pa if the drop is smaller)", pa < 9.95 ? 1 : 0, pa);
    }
    return text;
}

/* Relative error of one lattice by its cells per diameter, without numerical friction at high cell Reynolds numbers. */
static double grid_part(const mesh_job *j, const narrow *n) {
    const resolution_limits limits = mesh_flow_limits(j);
    if (n->cells_per_diameter < useless_cells)
        return 1;
    if (n->cells_per_diameter < limits.cells_20_percent)
        return 0.65;
    return n->cells_per_diameter < RESOLUTION_CELLS_TOLERANCE * limits.cells_good ? several_percent : good_percent;
}

/* True with mesh.fast; also if no grid sequence estimates the error of this lattice and grid_part was measured for its
 * flow: steady, with interpolated walls. An exact shape is solved at its requested spacing, for studies that know the
 * true value. */
static bool lacks_grid_sequence(const mesh_job *j) {
    const case_file *c = &j->c;
    return c->mesh.fast || (c->mesh.grid_levels < 2 && c->solve.mode == MODE_STEADY && !c->solve.heat.on &&
                            c->solve.wall == WALL_INTERPOLATED && !c->mesh.has_shape);
}

/* Relative error of the results on this lattice, as the warning states it. NaN: the lattice is fine enough, and a grid
 * sequence gives its error or none was measured (pulsatile, heat, wall vlbm, analytic shape). */
static double error_part(const mesh_job *j, const narrow *n, bool few, bool fast) {
    const potential_flow_section *f = &j->flow.fastest;
    const resolution_limits limits = mesh_flow_limits(j);
    const double friction =
        j->flow.known ? resolution_friction(case_uses_cumulants(&j->c), f->peak_cell_reynolds, f->cells_per_diameter)
                      : 0;
    if (friction > RESOLUTION_FRICTION_USELESS || fast)
        return fmax(resolution_friction_bound(friction), grid_part(j, n));
    if (!few)
        return lacks_grid_sequence(j) ? grid_part(j, n) : NAN;
    if (n->cells_per_diameter < limits.cells_20_percent || n->cells_per_diameter >= limits.cells_several_percent)
        return grid_part(j, n);
    return j->c.solve.mode == MODE_PULSATILE ? 0.5 : 0.2;
}

static bool has_few_cells(const mesh_job *j, const narrow *n) {
    const resolution_limits limits = mesh_flow_limits(j);
    return n->cells_per_diameter <
           RESOLUTION_CELLS_TOLERANCE *
               (is_coarser_than_wanted(j) && j->flow.known ? limits.cells_good : limits.cells_required);
}

/* Warn if the lattice is too coarse: one warning for the whole lattice instead of one per opening. The solver cannot
 * correct for a coarse lattice. */
static void warn_of_resolution(const mesh_job *j) {
    const narrow n = find_narrow(j);
    const resolution_limits limits = mesh_flow_limits(j);
    const potential_flow_section *f = &j->flow.fastest;
    const double spacing = spacing_mm(j);
    const bool few = has_few_cells(j, &n), fast = is_too_fast(j);
    char more[64] = "", off[400], clause[CLAUSE], speed[256] = "", place[160], why[COARSER_WHY], limit[320] = "",
         text[1400];
    if (!few && !fast)
        return;
    double wanted = few ? units_round_down(fmin(n.diameter_mm / limits.cells_good, 0.99 * spacing)) : spacing;
    if (fast)
        wanted = fmin(wanted, units_round_down(limits.cell_reynolds / f->peak_cell_reynolds * spacing));
    if (n.n_too_few > 1)
        snprintf(more, sizeof more, " (%d openings have fewer than %d)", n.n_too_few, limits.cells_required);
    if (fast)
        snprintf(speed, sizeof speed,
                 ", and a peak cell Reynolds number of %.0f %s (mean velocity %.3g m/s; limit %.0f)",
                 f->peak_cell_reynolds, place_of(j, f, place), f->velocity_m_s, limits.cell_reynolds);
    if (is_coarser_than_wanted(j))
        snprintf(limit, sizeof limit, "; the automatic spacing stays %.3g mm because of %s", spacing,
                 coarser_because(j, why));
    const double friction =
        j->flow.known ? resolution_friction(case_uses_cumulants(&j->c), f->peak_cell_reynolds, f->cells_per_diameter)
                      : 0;
    const double percent = 100 * error_part(j, &n, few, fast);
    const char *what = case_prescribes_flow(&j->c) ? "pressure drops" : "flows";
    const bool useless = friction > RESOLUTION_FRICTION_USELESS, pulsatile = j->c.solve.mode == MODE_PULSATILE;
    /* in a steady grid sequence the intervals of the readouts include this error */
    const bool shown = j->c.mesh.grid_levels > 1 && !pulsatile &&
                       n.cells_per_diameter >= limits.cells_level * CASE_GRID_RATIO && !useless;
    if (useless)
        snprintf(off, sizeof off, "%s: the results of such a run are meaningless",
                 case_write_friction(&j->c, friction, clause));
    else if (fast)
        snprintf(off, sizeof off,
                 "%s and velocity may be wrong by up to %.0f %%%s and wall shear stress by up to %.0f %%, and the flow "
                 "may not settle",
                 what, fmax(1, percent), acceleration_text(j, clause),
                 fmax(1, 100 * resolution_shear_bound(percent / 100)));
    else if (n.cells_per_diameter >= limits.cells_several_percent)
        snprintf(off, sizeof off, "%s have errors of several %%%s", what, acceleration_text(j, clause));
    else
        snprintf(off, sizeof off, "%s have errors of up to %.0f %%%s", what, percent, acceleration_text(j, clause));
    snprintf(text, sizeof text,
             "resolution: %.1f cells per diameter %s%s (at least %d are needed, %d or more are good)%s: %s; %suse a "
             "spacing of %.2g mm (about %.2g million cells)%s",
             n.cells_per_diameter, n.place, more, limits.cells_required, limits.cells_good, speed, off,
             j->c.mesh.fast ? "run without --fast, or " : "", wanted,
             (double)j->lattice.n_cell * pow(j->lattice.spacing_mm / wanted, 3) / 1e6, limit);
    if (shown)
        message_info("%s", text);
    else
        message_warn_about("resolution", "%s", text);
}

static void report_spacing(const mesh_job *j) {
    char why[COARSER_WHY];
    if (is_coarser_than_wanted(j))
        message_info(
            "the automatic spacing is %.3g mm because of %s; %.2g mm (%.3g million cells) would give %d cells per "
            "diameter in the minimum cross-section and a peak cell Reynolds number of %.0f",
            spacing_mm(j), coarser_because(j, why), j->spacing.wanted_mm, j->spacing.wanted_cells / 1e6,
            j->c.mesh.fast ? mesh_flow_limits(j).cells_required : mesh_flow_limits(j).cells_fine,
            j->c.mesh.fast ? mesh_flow_limits(j).cell_reynolds_fast : mesh_flow_limits(j).cell_reynolds);
    if (isfinite(j->c.mesh.before_spacing_mm) && j->spacing.from != SPACING_BEFORE && j->spacing.from != SPACING_GIVEN)
        message_warn("the spacing before the treatment, %.4g mm, is too coarse after it and is now %.4g mm, so "
                     "differences between before and after contain the discretization errors of both lattices; for "
                     "equal lattices, run the case before the treatment with --set mesh.spacing='%.4g mm', then treat "
                     "and run again",
                     j->c.mesh.before_spacing_mm, spacing_mm(j), spacing_mm(j));
}

void mesh_flow_tell(const mesh_job *j) {
    if (j->flow.known) {
        report_section(j, "minimum", &j->flow.narrowest);
        if (j->flow.narrowest.velocity_m_s < 0.99 * j->flow.fastest.velocity_m_s)
            report_section(j, "fastest", &j->flow.fastest);
    }
    report_spacing(j);
    warn_of_resolution(j);
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
    json_add_numbers(o, "place_mm", 3, s->place_mm);
    json_add_number(o, "diameter_mm", s->diameter_mm);
    json_add_number(o, "area_mm2", s->area_mm2);
    json_add_number(o, "cells_per_diameter", s->cells_per_diameter);
    json_add_number(o, "flow_ml_s", 1e6 * s->flow_m3_s);
    json_add_number(o, "mean_velocity_m_s", s->velocity_m_s);
    json_add_number(o, "reynolds", s->reynolds);
    json_add_number(o, "peak_cell_reynolds", s->peak_cell_reynolds);
}

void mesh_flow_json(const mesh_job *j, cJSON *result) {
    static const char *const from[] = {"spacing", "cells_per_diameter", "flow", "before"};
    cJSON_AddStringToObject(result, "spacing_from", from[j->spacing.from]);
    add_section(j, result, "narrowest", &j->flow.narrowest);
    add_section(j, result, "fastest", &j->flow.fastest);
    const narrow n = find_narrow(j);
    json_add_number(result, "error_bound", error_part(j, &n, has_few_cells(j, &n), is_too_fast(j)));
}
