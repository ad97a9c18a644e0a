/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and warnings of mesh, and the values of mesh.json. */
#include "common/case/case.h"
#include "common/base/message.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/base/vec.h"
#include "common/lattice/resolution.h"
#include "mesh/mesh_flow.h"
#include "mesh/mesh_report.h"
#include <math.h>

/* least_cells: lower limit of cells per diameter, 6 with a margin for rounding; with fewer cells no velocity profile is
 * resolved. volume_limit: relative difference of two volumes above which mesh warns. */
static const double least_cells = 5.7, volume_limit = 0.02;

static double cells_per_diameter(const mesh_job *j, int k) {
    return 2 * j->lattice.opening[k].radius_mm / j->lattice.spacing_mm;
}

/* Warn of fluid cells at the border of the image, face by face: the vessel continues there, but outside the image it is
 * unknown. */
static void warn_of_open_ends(const mesh_job *j) {
    static const char *const face_name[6] = {"first column", "last column", "first row",
                                             "last row",     "first slice", "last slice"};
    double sum[6][3] = {{0}};
    int64_t count[6] = {0};
    const volume *grid = &j->l.phi.s.grid;
    const double h = j->lattice.spacing_mm;
    for (int64_t i = 0; !j->l.is_shape && i < j->lattice.n_cell; i++) {
        double p[3], index[3];
        lattice_centre_mm(&j->lattice, i, p);
        const double border = phi_field_border(&j->l.phi, p), d = j->lattice.distance_mm[i];
        const bool closed_by_border = d < 0 && d > -h && fabs(d - border) < 1e-3 * h;
        if (!closed_by_border || spline_value(&j->l.phi.s, p, NULL) > border - 0.5 * h)
            continue;
        int face = 0;
        volume_to_index(grid, p, index);
        for (int f = 0; f < 6; f++) {
            const int axis = f / 2;
            const double beyond = f & 1 ? index[axis] - (grid->dims[axis] - 1) : -index[axis];
            face = beyond * grid->spacing_mm[axis] >= border - 1e-9 ? f : face;
        }
        count[face]++;
        for (int a = 0; a < 3; a++)
            sum[face][a] += p[a];
    }
    for (int f = 0; f < 6; f++) {
        char where[CASE_WHERE];
        for (int a = 0; a < 3 && count[f] > 0; a++)
            sum[f][a] /= (double)count[f];
        if (count[f] > 3)
            message_warn_about("open_end",
                               "the vessel reaches the %s of the image near %s, over %.1f mm2, without an opening, so "
                               "a flat wall closes it; if blood flows through there, add an opening to the case",
                               face_name[f], case_write_point(&j->c, sum[f], where), (double)count[f] * h * h);
    }
    if (j->l.is_shape && j->report.n_border > 0)
        message_warn("the fluid continues beyond the box at LPS %.3g, %.3g, %.3g mm, where the face of the box becomes "
                     "a wall; enlarge mesh.box if blood flows there",
                     j->report.border_mm[0], j->report.border_mm[1], j->report.border_mm[2]);
}

/* Warn of walls inside the lumen that are thinner than a cell. The solver sees such a wall, but surface.vtp and the
 * values on the surface omit it. */
static void warn_of_webs(const mesh_job *j) {
    const voxelize_report *r = &j->report;
    char where[CASE_WHERE];
    if (r->n_web == 0 || j->coarser) /* a preview is coarser than the lattice */
        return;
    message_warn("a wall inside the lumen near %s is about %.2g mm thick, less than a cell (%.3g mm): %s; a spacing of "
                 "%.2g mm resolves the wall",
                 case_write_point(&j->c, r->web_mm, where), r->web_thick_mm, j->lattice.spacing_mm,
                 j->c.solve.wall == WALL_VLBM
                     ? "with solve.wall: vlbm blood passes through this wall"
                     : "the wall stops the blood, but surface.vtp and the wall shear stress omit it",
                 units_round_down(r->web_thick_mm / 1.5));
}

static void warn_of_form(const mesh_job *j) {
    for (int k = 0; k < j->lattice.n_opening; k++) {
        const lattice_opening *o = &j->lattice.opening[k];
        const double round = 4 * M_PI * o->area_mm2 / (o->perimeter_mm * o->perimeter_mm);
        if (o->role == LATTICE_MOVING_WALL)
            continue;
        if (round < 0.5)
            message_warn("opening '%s': its cross-section is far from round (4 pi area / perimeter^2 = %.2f); it may "
                         "be at a branching or run along the vessel; check it in surface.vtp",
                         o->name, round);
    }
}

int mesh_check_cells(const mesh_job *j) {
    int narrowest = -1;
    char off[CASE_FRICTION];
    const potential_flow_section *f = &j->flow.fastest;
    const double friction =
        j->flow.known ? resolution_friction(case_uses_cumulants(&j->c), f->peak_cell_reynolds, f->cells_per_diameter)
                      : 0;
    const double spacing = j->coarser ? j->asked_mm : j->lattice.spacing_mm;
    if (j->flow.known && (f->peak_cell_reynolds > RESOLUTION_REYNOLDS_REFUSED ||
                          (friction > RESOLUTION_FRICTION_REFUSED && j->spacing.from != SPACING_FLOW)))
        return fail(ERR_INPUT,
                    "the lattice is too coarse for this flow: the peak cell Reynolds number is %.0f, with %.1f cells "
                    "per diameter (mean velocity %.3g m/s, spacing %.3g mm); at this number %s; use a spacing of %.2g "
                    "mm or less, or omit mesh.spacing and mesh.cells_per_diameter, so that the flow sets the spacing; "
                    "also check the flow and its unit",
                    f->peak_cell_reynolds, f->cells_per_diameter, f->velocity_m_s, spacing,
                    case_write_friction(&j->c, friction, off),
                    units_round_down(mesh_flow_limits(j).cell_reynolds / f->peak_cell_reynolds * spacing));
    if (j->coarser) /* a preview lattice has fewer cells per diameter at the openings than the requested one */
        return OK;
    for (int k = 0; k < j->lattice.n_opening; k++)
        if (j->lattice.opening[k].role != LATTICE_MOVING_WALL &&
            (narrowest < 0 || cells_per_diameter(j, k) < cells_per_diameter(j, narrowest)))
            narrowest = k;
    if (narrowest < 0 || j->l.is_shape || j->spacing.from == SPACING_FLOW ||
        cells_per_diameter(j, narrowest) >= least_cells)
        return OK;
    const double diameter_mm = 2 * j->lattice.opening[narrowest].radius_mm;
    return fail(
        ERR_INPUT,
        "opening '%s' has only %.1f cells per diameter, too few to compute a flow through it; write mesh: {spacing: "
        "%.2g mm} (12 cells per diameter) or less; the limit is %.2g mm (6 cells)",
        j->lattice.opening[narrowest].name, cells_per_diameter(j, narrowest), units_round_down(diameter_mm / 12),
        units_round_down(diameter_mm / 6));
}

static double volume_difference(const mesh_job *j) {
    return j->report.fluid_volume_mm3 / j->wall.volume_mm3 - 1;
}

static double round_hundredth(double x) {
    return round(100 * x) / 100 + 0.0; /* + 0.0 turns -0.00 into 0 */
}

/* Print the size and the plane of opening k, in the space of the case. */
static void report_opening(const mesh_job *j, int k) {
    const lattice_opening *o = &j->lattice.opening[k];
    const double turn = j->c.space == SPACE_RAS ? -1 : 1, *n = o->normal;
    char where[CASE_WHERE];
    message_info(
        "opening %s: %.1f mm2, radius %.2f mm, %.1f cells per diameter, plane through %s, normal %.2f, %.2f, %.2f",
        o->name, o->area_mm2, o->radius_mm, cells_per_diameter(j, k), case_write_point(&j->c, o->centre_mm, where),
        round_hundredth(turn * n[0]), round_hundredth(turn * n[1]), round_hundredth(n[2]));
}

/* True if a treatment closes a branch, whose far part is then without an opening. */
static bool closes_branch(const case_file *c) {
    for (int k = 0; k < c->n_treat; k++)
        if (c->treat[k].kind == TREAT_CLOSE)
            return true;
    return false;
}

static long long count_islands(const mesh_job *j) {
    return (long long)(j->report.n_dropped - j->report.n_beyond);
}

void mesh_warn_of_lattice(const mesh_job *j) {
    const long long islands = count_islands(j);
    if (islands > j->lattice.n_cell / 20 && !closes_branch(&j->c))
        message_warn_serious("a part of the vessel as large as %.0f %% of the lattice is not connected with the "
                             "openings and was removed; check the segmentation",
                             100.0 * (double)islands / (double)j->lattice.n_cell);
    mesh_flow_tell(j);
    warn_of_webs(j);
    warn_of_form(j);
}

void mesh_tell(const mesh_job *j) {
    const lattice *l = &j->lattice;
    for (int k = 0; k < l->n_opening; k++)
        report_opening(j, k);
    message_info("spacing %.4g mm, %lld cells in a box of %d x %d x %d (fluid fraction %.3f), %lld cut links",
                 l->spacing_mm, (long long)l->n_cell, l->dims[0], l->dims[1], l->dims[2], lattice_fluid_fraction(l),
                 (long long)l->n_link);
    if (isnan(j->wall.volume_mm3))
        message_info("volume %.2f mL in the lattice; the wall, %.1f cm2, encloses no fluid",
                     j->report.fluid_volume_mm3 / 1000, surface_area_mm2(&j->wall.wall) / 100);
    else
        message_info("volume %.2f mL in the lattice, %.2f mL within the surface (%+.2f %%), wall %.1f cm2",
                     j->report.fluid_volume_mm3 / 1000, j->wall.volume_mm3 / 1000, 100 * volume_difference(j),
                     surface_area_mm2(&j->wall.wall) / 100);
    if (count_islands(j) > 0)
        message_info("%lld cells of the lattice were removed, because they are not connected with an opening",
                     count_islands(j));
    mesh_warn_of_lattice(j);
    if (fabs(volume_difference(j)) > volume_limit)
        message_warn("the volume of the lattice differs from the volume within the surface by %+.1f %%, more than %g "
                     "%%; use a smaller mesh.spacing",
                     100 * volume_difference(j), 100 * volume_limit);
    if (j->wall.open_edges > 0)
        message_warn("the wall has %lld open edges besides its openings: it is not watertight; check the surface",
                     (long long)j->wall.open_edges);
    warn_of_open_ends(j);
}

/* Adds lengths that a later treatment reads, with all digits: a rounded place would move all cells by a part of a cell
 * and change the last bits of all wall distances. */
static void add_exact(cJSON *result, const char *key, const double value[3]) {
    cJSON *array = cJSON_AddArrayToObject(result, key);
    for (int a = 0; a < 3; a++)
        cJSON_AddItemToArray(array, cJSON_CreateNumber(value[a]));
}

static void add_opening(cJSON *openings, const mesh_job *j, int k) {
    const lattice_opening *o = &j->lattice.opening[k];
    cJSON *entry = cJSON_AddObjectToObject(openings, o->name);
    if (!entry)
        return;
    cJSON_AddStringToObject(entry, "role", lattice_role_name[o->role]);
    json_add_number(entry, "area_mm2", o->area_mm2);
    json_add_number(entry, "perimeter_mm", o->perimeter_mm);
    json_add_number(entry, "radius_mm", o->radius_mm);
    json_add_numbers(entry, "centre_mm", 3, o->centre_mm);
    json_add_numbers(entry, "normal", 3, o->normal);
    json_add_number(entry, "extension_mm", j->c.opening[k].extension_mm);
    json_add_number(entry, "moved_mm", j->placed[k].moved_mm);
    const mesh_opening *plane = &j->placed[k].plane;
    const double out = vec_dot(plane->normal, o->normal) < 0 ? -1 : 1;
    add_exact(entry, "plane_point_mm", plane->point_mm);
    add_exact(entry, "plane_normal",
              (const double[3]){out * plane->normal[0], out * plane->normal[1], out * plane->normal[2]});
}

cJSON *mesh_result(const mesh_job *j) {
    const lattice *l = &j->lattice;
    cJSON *result = cJSON_CreateObject();
    const double box[3] = {l->dims[0], l->dims[1], l->dims[2]};
    if (!result)
        return NULL;
    cJSON_AddStringToObject(result, "frame", "LPS");
    cJSON_AddNumberToObject(result, "spacing_mm", l->spacing_mm);
    if (!j->l.is_shape) {
        add_exact(result, "box_low_mm", j->low_mm);
        add_exact(result, "box_high_mm", j->high_mm);
    }
    json_add_number(result, "cells", (double)l->n_cell);
    json_add_numbers(result, "box", 3, box);
    json_add_numbers(result, "origin_mm", 3, l->origin_mm);
    json_add_number(result, "fluid_fraction", lattice_fluid_fraction(l));
    json_add_number(result, "links", (double)l->n_link);
    const resolution_limits limits = mesh_flow_limits(j);
    json_add_number(result, "cells_per_diameter_required", limits.cells_required);
    json_add_number(result, "cells_per_diameter_recommended", limits.cells_good);
    json_add_number(result, "cell_reynolds_limit", limits.cell_reynolds);
    json_add_number(result, "lattice_volume_mm3", j->report.fluid_volume_mm3);
    json_add_number(result, "surface_volume_mm3", j->wall.volume_mm3);
    json_add_number(result, "wall_area_mm2", surface_area_mm2(&j->wall.wall));
    json_add_number(result, "open_edges", (double)j->wall.open_edges);
    json_add_number(result, "cells_beyond_openings", (double)j->report.n_beyond);
    json_add_number(result, "cells_left_out", (double)(j->report.n_dropped - j->report.n_beyond));
    if (!j->l.is_shape) {
        json_add_number(result, "level_set_quality", j->l.phi.quality);
        cJSON_AddBoolToObject(result, "level_set_redistanced", j->l.phi.redistanced);
    }
    mesh_flow_json(j, result);
    cJSON *across = cJSON_AddObjectToObject(result, "cells_per_diameter");
    cJSON *openings = cJSON_AddObjectToObject(result, "openings");
    for (int k = 0; k < l->n_opening && across && openings; k++) {
        json_add_number(across, l->opening[k].name, cells_per_diameter(j, k));
        add_opening(openings, j, k);
    }
    return result;
}
