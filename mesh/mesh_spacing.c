/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/memory.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include "mesh/mesh_flow.h"
#include "mesh/mesh_spacing.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Default upper limits of the number of cells, on a CPU and on a GPU; such a lattice is solved in minutes to an hour */
static const double cells_cpu = 4e6, cells_gpu = 16e6;
/* If the minimum cross-section has less than this fraction of the wanted cells per diameter, the coarse lattice has
 * missed it */
static const double missed_part = 0.75;
/* With mesh.fast, the required cells per diameter are multiplied by this factor, because the lattice measures a
 * slightly different diameter */
static const double fast_margin = 1.02;
/* The largest spacing is this fraction of the spacing at the limit of the cell Reynolds number */
static const double flow_margin = 0.95;
/* The spacing before a treatment is kept if the spacing chosen after the treatment is at least this fraction of it */
static const double kept_part = 0.85;
/* coarse_across: cells per diameter of the coarse lattices for the potential flow; coarse_cells: upper limit of the
 * number of their cells */
static const double coarse_across = 10, coarse_cells = 1.5e6;

/* Set *diameter_mm to the diameter of the circle with the area of the smallest cross-section at an opening. */
static int narrowest_opening(const mesh_job *j, double *diameter_mm) {
    double largest = 0;
    for (int a = 0; a < 3; a++)
        largest = fmax(largest, j->high_mm[a] - j->low_mm[a]);
    *diameter_mm = INFINITY;
    for (int k = 0; k < j->c.n_opening; k++) {
        voxelize_input coarse = j->in;
        section s;
        const double area = j->placed[k].area_mm2; /* not known for a plane on the wall of a shape */
        coarse.spacing_mm = area > 0 ? sqrt(area) / 20 : largest / 200;
        int rc = voxelize_box(&coarse, j->low_mm, j->high_mm);
        if (rc == OK)
            rc = section_create(&s, &coarse, &j->opening[k]);
        if (rc != OK)
            return rc;
        *diameter_mm = fmin(*diameter_mm, 2 * sqrt(s.area_mm2 / M_PI));
        section_free(&s);
    }
    return OK;
}

/* Result of the potential flow on a coarse lattice. */
typedef struct {
    potential_flow_result flow;
    double spacing_mm, cells, volume_mm3; /* properties of the coarse lattice; cells 0: no lattice could be built */
} coarse_flow;

/* Build one coarse lattice and compute its potential flow. coarse->cells stays 0 if the vessel is too narrow for this
 * lattice or the memory does not suffice. */
static int solve_coarse(const mesh_job *j, double spacing_mm, coarse_flow *coarse) {
    voxelize_input in = j->in;
    voxelize_report report;
    lattice l;
    in.spacing_mm = spacing_mm;
    in.progress = false;
    in.steps = NULL;
    int rc = mesh_job_box(j, &in);
    if (rc == OK && mesh_job_memory(&in, coarse_cells) > 0.9 * memory_available())
        return OK;
    if (rc == OK)
        rc = voxelize(&in, &l, &report);
    if (rc == ERR_INPUT) { /* if the error persists, building the final lattice reports it */
        status_clear();
        return OK;
    }
    if (rc != OK)
        return rc;
    coarse->spacing_mm = spacing_mm;
    coarse->cells = (double)l.n_cell;
    coarse->volume_mm3 = report.fluid_volume_mm3;
    rc = mesh_flow(&j->c, &l, &coarse->flow);
    lattice_free(&l);
    return rc;
}

/* Set *finest_mm to the spacing of a lattice with about coarse_cells cells. */
static int finest_coarse_spacing(const mesh_job *j, double spacing_mm, double *finest_mm) {
    voxelize_input in = j->in;
    in.spacing_mm = spacing_mm;
    const int rc = mesh_job_box(j, &in);
    if (rc == OK)
        *finest_mm = spacing_mm * cbrt(fmax(1, voxelize_estimate_cells(&in)) / coarse_cells);
    return rc;
}

/* Refine the coarse lattice until its minimum cross-section has about coarse_across cells per diameter, or until the
 * lattice has about coarse_cells cells. */
static int find_coarse_flow(const mesh_job *j, double opening_mm, coarse_flow *coarse) {
    double spacing_mm = opening_mm / coarse_across, finest_mm = 0;
    int rc = finest_coarse_spacing(j, spacing_mm, &finest_mm);
    for (int round = 0; rc == OK && round < 4; round++) {
        const double now_mm = fmax(spacing_mm, finest_mm);
        coarse_flow found = {0};
        rc = solve_coarse(j, now_mm, &found);
        if (rc != OK)
            break;
        if (found.cells > 0)
            *coarse = found;
        if (now_mm > spacing_mm ||
            (found.cells > 0 && (!found.flow.known || found.flow.narrowest.cells_per_diameter >= 0.8 * coarse_across)))
            break;
        spacing_mm = found.cells > 0 ? found.flow.narrowest.diameter_mm / coarse_across : 0.5 * now_mm;
    }
    return rc;
}

/* Estimated number of cells at another spacing: fluid cells, the layer of partly solid cells around them, and
 * extensions. */
static double cells_at(const mesh_job *j, const coarse_flow *coarse, double spacing_mm) {
    const double whole = coarse->volume_mm3 / pow(coarse->spacing_mm, 3);
    const double layer = fmax(0, coarse->cells - whole), finer = coarse->spacing_mm / spacing_mm;
    double extended = 0;
    for (int k = 0; k < j->c.n_opening; k++)
        extended +=
            j->c.opening[k].extension_mm > 0 ? j->c.opening[k].extension_mm * fmax(0, j->placed[k].area_mm2) : 0;
    return whole * finer * finer * finer + layer * finer * finer + extended / pow(spacing_mm, 3);
}

/* Required cells per diameter in the minimum cross-section; the spacing is chosen to give them. */
static double wanted_across(const mesh_job *j) {
    const double fast = fmin(fast_margin * mesh_flow_limits(j).cells_required, /* fmin ignores NaN */
                             j->c.mesh.most_cells_per_diameter);
    return isfinite(j->c.mesh.cells_per_diameter) ? j->c.mesh.cells_per_diameter
           : j->c.mesh.fast                       ? fast
                                                  : mesh_flow_limits(j).cells_fine;
}

/* With mesh.fast, lower limit of the spacing, mm: what the case file asks for, either its spacing or the diameter
 * divided by its cells per diameter, the larger of both; 0: the case gives neither. */
static double finest_spacing(const mesh_job *j, double narrow_mm) {
    return fmax(0, fmax(j->c.mesh.finest_spacing_mm, narrow_mm / j->c.mesh.most_cells_per_diameter));
}

/* Numerical friction at another spacing; 0 for an unknown flow. */
static double friction_at(const mesh_job *j, const coarse_flow *coarse, double spacing_mm) {
    const potential_flow_section *f = &coarse->flow.fastest;
    const double coarser = spacing_mm / coarse->spacing_mm;
    return coarse->flow.known ? resolution_friction(case_uses_cumulants(&j->c), f->peak_cell_reynolds * coarser,
                                                    f->cells_per_diameter / coarser)
                              : 0;
}

/* True if the lattice that the default limit of cells requires would be too coarse for any result. A limit that the
 * case gives holds nevertheless. */
static bool is_useless(const mesh_job *j, const coarse_flow *coarse, double spacing_mm) {
    return isnan(j->c.mesh.max_cells) && friction_at(j, coarse, spacing_mm) > RESOLUTION_FRICTION_FAST;
}

/* Increase the spacing from the wanted one, by 2 % a round, until the memory suffices and the limit of cells holds. The
 * limit of cells is given up (s->beyond_limit) where it would require a useless lattice. Up to 200 rounds. */
static int keep_budget(mesh_job *j, const coarse_flow *coarse, double *spacing_mm) {
    mesh_spacing *s = &j->spacing;
    voxelize_input in = j->in;
    s->gpu = access("/dev/nvidiactl", F_OK) == 0;
    s->cell_limit = isfinite(j->c.mesh.max_cells) ? j->c.mesh.max_cells : (s->gpu ? cells_gpu : cells_cpu);
    s->wanted_mm = *spacing_mm;
    for (int round = 0; round < 200; round++) {
        in.spacing_mm = *spacing_mm;
        const int rc = mesh_job_box(j, &in);
        if (rc != OK)
            return rc;
        const double cells = coarse->cells > 0 ? cells_at(j, coarse, *spacing_mm) : voxelize_estimate_cells(&in);
        const bool memory = mesh_job_memory(&in, fmax(cells, voxelize_estimate_cells(&in))) > 0.85 * memory_available();
        if (round == 0)
            s->wanted_cells = cells;
        s->beyond_limit = cells > s->cell_limit;
        if (!memory && (!s->beyond_limit || is_useless(j, coarse, 1.02 * *spacing_mm)))
            return OK;
        s->by_memory = cells <= s->cell_limit;
        *spacing_mm *= 1.02;
    }
    return OK;
}

/* Reduce the spacing so that whole cells fit into the periodic axes. */
static void fit_period(mesh_job *j, double *spacing_mm) {
    for (int a = 0; a < 3; a++) {
        const double size = j->high_mm[a] - j->low_mm[a];
        j->in.periodic[a] = j->l.is_shape && j->c.mesh.periodic[a];
        if (j->in.periodic[a])
            *spacing_mm = size / ceil(size / *spacing_mm - 1e-9);
    }
}

/* Largest spacing, mm, that keeps the limit of the cell Reynolds number at the flow's velocity and, with mesh.fast, the
 * limit of numerical friction, which grows with the third power of the spacing. With cumulants the first limit is the
 * stricter one: at cell Reynolds number 80 and 8 cells per diameter the friction is 0.03. */
static double largest_spacing_mm(const mesh_job *j, const coarse_flow *coarse) {
    const potential_flow_section *f = &coarse->flow.fastest;
    const resolution_limits limits = mesh_flow_limits(j);
    const double limit = j->c.mesh.fast ? limits.cell_reynolds_fast : limits.cell_reynolds;
    const double by_reynolds = coarse->spacing_mm * flow_margin * limit / f->peak_cell_reynolds;
    const double friction = resolution_friction(false, f->peak_cell_reynolds, f->cells_per_diameter);
    return j->c.mesh.fast && !case_uses_cumulants(&j->c)
               ? fmin(by_reynolds, coarse->spacing_mm * cbrt(RESOLUTION_FRICTION_FAST / friction))
               : by_reynolds;
}

/* True if the spacing before a treatment may be kept after it. It must give usable results, and one of:
 *  - it is nearly as fine as the chosen spacing (kept_part)
 *  - it gives most of the wanted cells per diameter (missed_part) and, unless the case gives these, keeps the limits of
 *    the flow (largest_spacing_mm) */
static bool keeps_before(const mesh_job *j, const coarse_flow *coarse, double narrow_mm, double chosen_mm) {
    const double before_mm = j->c.mesh.before_spacing_mm; /* NaN: all comparisons are false */
    const bool slow = isfinite(j->c.mesh.cells_per_diameter) || !coarse->flow.known ||
                      flow_margin * before_mm <= largest_spacing_mm(j, coarse);
    if (before_mm > chosen_mm && friction_at(j, coarse, before_mm) > RESOLUTION_FRICTION_USELESS)
        return false;
    return before_mm <= chosen_mm / kept_part || (slow && narrow_mm >= missed_part * wanted_across(j) * before_mm);
}

/* Set in.spacing_mm from the diameter of the minimum cross-section. Without mesh.cells_per_diameter, the flow on a
 * coarse lattice and the limits of cells and memory apply, too. */
static int spacing_from(mesh_job *j, const coarse_flow *coarse, double narrow_mm) {
    int rc = OK;
    const bool across = isfinite(j->c.mesh.cells_per_diameter);
    double spacing_mm = narrow_mm / wanted_across(j);
    if (!across) {
        if (coarse->flow.known)
            spacing_mm = fmin(spacing_mm, largest_spacing_mm(j, coarse));
        spacing_mm = fmax(spacing_mm, finest_spacing(j, narrow_mm));
        TRY(keep_budget(j, coarse, &spacing_mm));
    }
    j->spacing.from = across ? SPACING_CELLS_ACROSS : SPACING_FLOW;
    if (keeps_before(j, coarse, narrow_mm, spacing_mm)) {
        spacing_mm = j->c.mesh.before_spacing_mm;
        j->spacing.from = SPACING_BEFORE;
    }
    fit_period(j, &spacing_mm);
    j->in.spacing_mm = spacing_mm;
cleanup:
    return rc;
}

int mesh_choose_again(mesh_job *j, bool *again) {
    const potential_flow_section *narrow = &j->flow.narrowest;
    const double before = j->in.spacing_mm;
    const mesh_spacing chosen = j->spacing;
    *again = false;
    if (isfinite(j->c.mesh.spacing_mm) || !j->flow.known || j->lattice.n_cell == 0 ||
        narrow->cells_per_diameter > missed_part * wanted_across(j))
        return OK;
    const coarse_flow coarse = {j->flow, before, (double)j->lattice.n_cell, j->report.fluid_volume_mm3};
    const int rc = spacing_from(j, &coarse, narrow->diameter_mm);
    *again = rc == OK && j->in.spacing_mm < 0.95 * before;
    if (!*again) {
        j->in.spacing_mm = before;
        j->spacing = chosen;
    }
    return rc;
}

int mesh_choose_spacing(mesh_job *j) {
    double opening_mm;
    coarse_flow coarse = {0};
    int rc = OK;
    if (isfinite(j->c.mesh.spacing_mm)) {
        j->in.spacing_mm = j->c.mesh.spacing_mm;
        return OK;
    }
    if (j->c.n_opening == 0)
        return fail(
            ERR_INPUT,
            "mesh: the case has no opening to count cells per diameter; give the spacing (mesh: {spacing: 0.4 mm})");
    /* coarse lattices are not periodic; fit_period sets the flags again */
    memset(j->in.periodic, 0, sizeof j->in.periodic);
    TRY(narrowest_opening(j, &opening_mm));
    TRY(find_coarse_flow(j, opening_mm, &coarse));
    TRY(spacing_from(j, &coarse, coarse.flow.known ? coarse.flow.narrowest.diameter_mm : opening_mm));
cleanup:
    return rc;
}
