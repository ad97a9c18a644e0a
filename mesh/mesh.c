/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh.h"
#include "mesh/mesh_build.h"
#include "mesh/mesh_flow.h"
#include "mesh/mesh_levels.h"
#include "mesh/mesh_preview.h"
#include "mesh/mesh_report.h"
#include "mesh/openings/porous_regions.h"
#include "mesh/openings/territories.h"
#include "common/base/file.h"
#include "common/image_file/itk_image.h"
#include "common/lattice/lattice_file.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_free(mesh_job *j) {
    mesh_free_lattice(j);
    wall_regions_free(&j->regions);
    volume_free(&j->porous_labels);
    wall_surface_free(&j->wall);
    memset(j, 0, sizeof *j);
}

/* Largest relative difference between the volume of a porous region and the volume of its cells. The pressure drop
 * changes by up to twice this difference. */
static const double POROUS_VOLUME_PART = 0.03;

static void tell_porous(const mesh_job *j) {
    for (int k = 0; k < j->c.n_porous; k++) {
        const double ml = porous_regions_ml(&j->lattice, k);
        const double exact_ml = porous_regions_exact_ml(&j->c, &j->image, &j->porous_labels, &j->lattice, k);
        const double part = ml / exact_ml - 1;
        message_info("porous region '%s': %.4g mL of the lumen, permeability %.3g m2 (modelled, not measured)",
                     j->c.porous[k].name, ml, j->c.porous[k].permeability_m2);
        if (!(fabs(part) <= POROUS_VOLUME_PART))
            message_warn(
                "porous region '%s': its cells have %.4g mL, but the region has %.4g mL of the lumen (%+.1f %%); "
                "its pressure drop changes by up to twice as much; move its ends by up to half a cell, or use a "
                "mesh.spacing of %.2g mm or finer (now %.3g mm)",
                j->c.porous[k].name, ml, exact_ml, 100 * part, j->lattice.spacing_mm * POROUS_VOLUME_PART / fabs(part),
                j->lattice.spacing_mm);
    }
}

int mesh_build(mesh_job *j, volume *phi) {
    int rc;
    bool is_built;
    TRY(mesh_build_lattice(j, phi, &is_built));
    if (!is_built)
        return OK;
    TRY(wall_regions_set(&j->c, &j->l, &j->regions, &j->lattice));
    territories_set(&j->c, &j->lattice);
    TRY(porous_regions_set(&j->c, &j->image, &j->porous_labels, &j->lattice));
    tell_porous(j);
    for (int k = 0; k < j->c.n_opening; k++)
        memcpy(j->opening[k].normal, j->lattice.opening[k].normal, sizeof j->opening[k].normal);
    if (j->coarser)
        return OK;
    mesh_trim_lattice(j);
    if (!j->dry_run)
        TRY(wall_surface_create(&j->wall, &j->in, &j->lattice));
    steps_end(&j->steps, "wall");
cleanup:
    return rc;
}

/* Read the triangles of a lumen supplied as a surface and closed by segment. */
static int read_wall(mesh_job *j, const char *in, const cJSON *record, cJSON *json) {
    int rc;
    char *path = file_join(in, "lumen.stl");
    if (!path)
        return fail_memory("a path", 1);
    TRY(case_chain_accept(&j->c, record, in, "lumen.stl", json));
    TRY(surface_read(path, 1, 0, &j->l.wall));
cleanup:
    free(path);
    return rc;
}

/* Read the level set of segment and the geometry of the image. */
static int read_input(mesh_job *j, const mesh_options *o, cJSON *json, volume *phi) {
    int rc;
    const char *series, *name = case_voxel_image(&j->c, &series);
    char *image_path = NULL, *phi_path = NULL;
    cJSON *record = NULL;
    j->wall_uncertainty_mm = j->c.mesh.wall_uncertainty_mm;
    if (j->c.mesh.has_shape)
        return OK;
    if (!o->in)
        return fail(ERR_USAGE,
                    "--in is missing: the folder of segment with phi.nii.gz (only a case with mesh.shape needs none)");
    phi_path = file_join(o->in, "phi.nii.gz");
    if (!phi_path)
        return fail_memory("a path", 1);
    if (!file_exists(phi_path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing; run segment first", phi_path));
    TRY(case_chain_open(&j->c, "segment", o->in, &record));
    TRY(case_chain_accept(&j->c, record, o->in, "phi.nii.gz", json));
    TRY(closed_ends_read(record, &j->n_end, &j->end));
    if (isnan(j->c.mesh.wall_uncertainty_mm))
        j->wall_uncertainty_mm =
            json_get_number(cJSON_GetObjectItemCaseSensitive(record, "result"), "wall_shift_uncertainty_mm");
    /* segment.json of an older version has wall_uncertainty_mm, but no wall_shift_uncertainty_mm */
    if (isnan(j->c.mesh.wall_uncertainty_mm) && isnan(j->wall_uncertainty_mm))
        j->wall_uncertainty_mm =
            json_get_number(cJSON_GetObjectItemCaseSensitive(record, "result"), "wall_uncertainty_mm");
    TRY(image_read(phi_path, NULL, phi));
    if (j->c.segment.method == METHOD_SURFACE)
        TRY(read_wall(j, o->in, record, json));
    if (j->c.space == SPACE_VOXEL && name) {
        image_path = case_resolve_path(&j->c, name);
        if (!image_path) {
            rc = fail_memory("a path", 1);
            goto cleanup;
        }
        TRY(image_read_geometry(image_path, series, &j->image));
    } else {
        j->image = *phi;
        j->image.value = NULL;
    }
cleanup:
    cJSON_Delete(record);
    free(phi_path);
    free(image_path);
    return rc;
}

/* Write times and memory into mesh.json, and print the memory if verbose. */
static void report_cost(const mesh_job *j, cJSON *result) {
    const double peak_mb = memory_peak() / 1e6;
    cJSON *took = cJSON_AddObjectToObject(result, "steps_s");
    for (int k = 0; k < j->steps.n; k++)
        json_add_number(took, j->steps.name[k], j->steps.seconds[k]);
    json_add_number(result, "peak_memory_mb", peak_mb);
    message_debug("%-24s %6.0f MB, %.0f B per cell", "peak memory", peak_mb, 1e6 * peak_mb / (double)j->lattice.n_cell);
}

static int write_all(mesh_job *j, const mesh_options *o, cJSON *json) {
    int rc;
    char *lattice_path = file_join(o->out, "lattice.h5"), *wall_path = file_join(o->out, "surface.vtp");
    char *json_path = file_join(o->out, "mesh.json");
    cJSON *result = mesh_result(j);
    if (!lattice_path || !wall_path || !json_path || !result || !cJSON_AddItemToObject(json, "result", result)) {
        rc = fail_memory("mesh.json", 1);
        goto cleanup;
    }
    file_group_begin();
    TRY(lattice_file_write(lattice_path, &j->lattice));
    TRY(surface_write(wall_path, &j->wall.wall, 0, NULL));
    TRY(provenance_add_output(json, j->c.folder, lattice_path));
    TRY(provenance_add_output(json, j->c.folder, wall_path));
    steps_end(&j->steps, "files");
    TRY(mesh_levels_write(j, o->out, json, result));
    report_cost(j, result);
    TRY(provenance_write(json, json_path));
cleanup:
    free(lattice_path);
    free(wall_path);
    free(json_path);
    return file_group_end(rc);
}

static int check_ends(const mesh_job *j) {
    double *extended = calloc((size_t)j->c.n_opening + 1, sizeof *extended);
    if (!extended)
        return fail_memory("the ends of the vessel", (double)j->c.n_opening * sizeof *extended);
    for (int k = 0; k < j->c.n_opening; k++)
        extended[k] = j->c.opening[k].extension_mm;
    const int rc = closed_ends_check(&j->c, j->n_end, j->end, &j->lattice, j->placed, extended);
    free(extended);
    return rc;
}

int mesh_run(const mesh_options *o) {
    int rc, lock = -1;
    char digest[17];
    mesh_job j = {.dry_run = o->dry_run, .shows_progress = true};
    volume phi = {0};
    cJSON *json = NULL;
    steps_start(&j.steps);
    TRY(case_read_set(o->case_path, &o->set, 0, &j.c));
    case_digest(&j.c, "mesh", digest);
    json = provenance_start(o->dry_run ? CASE_CHAIN_DRY_RUN : "mesh", o->argc, o->argv, digest);
    if (!json) {
        rc = fail_memory("mesh.json", 1);
        goto cleanup;
    }
    TRY(case_chain_add_parts(&j.c, "mesh", json));
    if (!o->dry_run) {
        TRY(file_create_folder(o->out));
        TRY(file_lock(o->out, &lock));
    }
    TRY(read_input(&j, o, json, &phi));
    TRY(wall_regions_read(&j.c, json, &j.regions));
    TRY(territories_read(&j.c, json));
    TRY(porous_regions_read(&j.c, json, &j.porous_labels));
    steps_end(&j.steps, "reading");
    TRY(mesh_build(&j, &phi));
    TRY(mesh_check_cells(&j));
    TRY(check_ends(&j));
    if (o->dry_run) {
        mesh_warn_of_lattice(&j);
        TRY(mesh_preview_write(&j, o->out, json));
        rc = provenance_write_plan(o->out, "mesh", NULL);
        goto cleanup;
    }
    mesh_tell(&j);
    TRY(write_all(&j, o, json));
cleanup:
    file_unlock(lock);
    volume_free(&phi);
    cJSON_Delete(json);
    mesh_free(&j);
    return rc;
}
