/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh_levels.h"
#include "mesh/mesh_flow.h"
#include "mesh/openings/porous_regions.h"
#include "mesh/openings/territories.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/potential_section.h"
#include "common/lattice/resolution.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 4, MEAN_LEAST_ACROSS = 6 };
/* Layers of cells around the fluid that stay in the box; the same number as in mesh_build.c */
static const int trim_margin = 2;

/* One lattice of the grid sequence. */
typedef struct {
    char name[16];
    double spacing_mm, shift_mm; /* shift_mm: shift of the wall, positive outwards */
} level_spec;

static double narrowest_mm(const mesh_job *j) {
    double diameter_mm = j->flow.known ? j->flow.narrowest.diameter_mm : INFINITY;
    for (int k = 0; k < j->lattice.n_opening; k++)
        if (j->lattice.opening[k].role != LATTICE_MOVING_WALL)
            diameter_mm = fmin(diameter_mm, potential_section_opening_mm(&j->lattice.opening[k]));
    return diameter_mm;
}

/* Build a lattice and its wall. */
static int level_build(const mesh_job *j, const level_spec *g, lattice *l, surface *wall) {
    lumen moved = j->l; /* moved shares all arrays with j->l; only shift_mm differs */
    voxelize_input in = j->in;
    int rc;
    moved.shift_mm = -g->shift_mm;
    in.data = &moved;
    in.steps = NULL;
    in.spacing_mm = g->spacing_mm;
    for (int a = 0; a < 3; a++)
        if (in.periodic[a])
            in.spacing_mm = (j->high_mm[a] - j->low_mm[a]) / round((j->high_mm[a] - j->low_mm[a]) / in.spacing_mm);
    TRY(mesh_job_box(j, &in));
    TRY(voxelize(&in, l, NULL));
    if (!j->l.is_shape)
        voxelize_trim(&in, l, trim_margin);
    territories_set(&j->c, l);
    TRY(porous_regions_set(&j->c, &j->image, &j->porous_labels, l));
    TRY(wall_surface_open(wall, &in, l));
cleanup:
    return rc;
}

static int write_output(const mesh_job *j, const char *out, cJSON *json, cJSON *entry, const char *key,
                        const char *name, const lattice *l, const surface *s) {
    int rc;
    char *path = file_join(out, name);
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    rc = l ? lattice_file_write(path, l) : surface_write(path, s, 0, NULL);
    if (rc == OK)
        rc = provenance_add_output(json, j->c.folder, path);
    if (rc == OK && !cJSON_AddStringToObject(entry, key, name))
        rc = fail_memory("mesh.json", 1);
    free(path);
    return rc;
}

/* Build, write and list one lattice. If no such lattice exists (ERR_INPUT), prints a message and sets *made to
 * false. */
static int level_write(const mesh_job *j, const char *out, const level_spec *g, cJSON *json, cJSON *list, bool *made) {
    const double across = (narrowest_mm(j) + 2 * g->shift_mm) / g->spacing_mm;
    lattice l = {0};
    surface wall = {0};
    char name[48];
    cJSON *entry = cJSON_CreateObject();
    int rc = level_build(j, g, &l, &wall);
    *made = rc == OK;
    if (rc == ERR_INPUT) {
        message_info("grid sequence: the lattice '%s' with a spacing of %.3g mm is omitted: %s", g->name, g->spacing_mm,
                     status_message());
        status_clear();
        rc = OK;
        goto cleanup;
    }
    if (rc != OK || !entry)
        GIVE_UP(rc != OK ? rc : fail_memory("mesh.json", 1));
    cJSON_AddStringToObject(entry, "name", g->name);
    snprintf(name, sizeof name, "lattice_%s.h5", g->name);
    TRY(write_output(j, out, json, entry, "lattice", name, &l, NULL));
    snprintf(name, sizeof name, "surface_%s.vtp", g->name);
    TRY(write_output(j, out, json, entry, "surface", name, NULL, &wall));
    json_add_number(entry, "spacing_mm", l.spacing_mm);
    json_add_number(entry, "cells", (double)l.n_cell);
    json_add_number(entry, "cells_per_diameter", across);
    json_add_number(entry, "wall_shift_mm", g->shift_mm);
    message_info(
        "grid sequence: %s: spacing %.4g mm, %lld cells, %.1f cells per diameter in the minimum cross-section%s",
        g->name, l.spacing_mm, (long long)l.n_cell, across,
        g->shift_mm > 0   ? ", wall moved outwards"
        : g->shift_mm < 0 ? ", wall moved inwards"
                          : "");
    cJSON_AddItemToArray(list, entry);
    entry = NULL;
    steps_end(j->in.steps, "grid sequence");
cleanup:
    cJSON_Delete(entry);
    lattice_free(&l);
    surface_free(&wall);
    return rc;
}

static void remove_old(const char *out) {
    static const char *const name[] = {"level2", "level3", "level4", "wider", "narrower"};
    char file[48];
    for (size_t k = 0; k < 2 * sizeof name / sizeof *name; k++) {
        snprintf(file, sizeof file, k % 2 ? "surface_%s.vtp" : "lattice_%s.h5", name[k / 2]);
        char *path = file_join(out, file);
        if (path)
            file_discard(path);
        free(path);
    }
}

/* Write the two lattices whose wall is moved inwards and outwards by its uncertainty. If the first cannot be built, the
 * second is omitted, because only the pair is useful. */
static int write_moved(mesh_job *j, const char *out, double spacing_mm, cJSON *json, cJSON *list) {
    const double s = j->wall_uncertainty_mm;
    const level_spec moved[2] = {{"narrower", spacing_mm, -s}, {"wider", spacing_mm, s}};
    bool made = true;
    int rc = OK;
    if (!(s > 0)) {
        if (!j->l.is_shape)
            message_info("grid sequence: segment gave no uncertainty of the wall, so the intervals do not include the "
                         "segmentation uncertainty; to include it, set mesh.wall_uncertainty");
        return OK;
    }
    for (int k = 0; k < 2 && made && rc == OK; k++)
        rc = level_write(j, out, &moved[k], json, list, &made);
    return rc;
}

/* Lower limit of the cells per diameter on the level with this spacing. narrow_mm: diameter of the minimum
 * cross-section. */
static int least_across(const mesh_job *j, double spacing_mm, double narrow_mm) {
    const resolution_limits limits = mesh_flow_limits(j);
    const double finest_mm = j->lattice.spacing_mm;
    if (!j->flow.known || narrow_mm >= RESOLUTION_CELLS_TOLERANCE * limits.cells_good * finest_mm)
        return limits.cells_level;
    const double cell_reynolds = j->flow.fastest.peak_cell_reynolds * spacing_mm / finest_mm;
    const double friction = resolution_friction(case_uses_cumulants(&j->c), cell_reynolds, narrow_mm / spacing_mm);
    return friction < RESOLUTION_FRICTION_LEVEL ? limits.cells_level_coarse : limits.cells_level;
}

int mesh_levels_write(mesh_job *j, const char *out, cJSON *json, cJSON *result) {
    const double narrow_mm = narrowest_mm(j);
    double coarsest_mm = j->lattice.spacing_mm;
    int rc = OK;
    bool made = true;
    remove_old(out);
    if (j->c.mesh.grid_levels < 2)
        return OK;
    const bool pulsatile = j->c.solve.mode == MODE_PULSATILE;
    if (!pulsatile)
        json_add_number(result, "wall_uncertainty_mm", j->wall_uncertainty_mm);
    cJSON *list = cJSON_AddArrayToObject(result, "grid_sequence");
    if (!list)
        return fail_memory("mesh.json", 1);
    for (int k = 2; k <= (pulsatile ? 2 : j->c.mesh.grid_levels) && k <= LEVELS && made && rc == OK; k++) {
        level_spec g = {.spacing_mm = j->lattice.spacing_mm * pow(CASE_GRID_RATIO, k - 1)};
        snprintf(g.name, sizeof g.name, "level%d", k);
        const int least = pulsatile ? MEAN_LEAST_ACROSS : least_across(j, g.spacing_mm, narrow_mm);
        if (narrow_mm < least * g.spacing_mm) {
            message_info("grid sequence: level %d is omitted: %.3g mm would give only %.1f cells per diameter in the "
                         "minimum cross-section (at least %d are needed)",
                         k, g.spacing_mm, narrow_mm / g.spacing_mm, least);
            break;
        }
        if (j->l.exact)
            surface_distance_set_near(j->l.exact, 0.9 * g.spacing_mm);
        rc = level_write(j, out, &g, json, list, &made);
        if (made)
            coarsest_mm = g.spacing_mm;
    }
    if (rc == OK && coarsest_mm > j->lattice.spacing_mm && !pulsatile)
        rc = write_moved(j, out, coarsest_mm, json, list);
    return rc;
}
