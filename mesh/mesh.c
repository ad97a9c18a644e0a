/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh.h"
#include "mesh/mesh_flow.h"
#include "mesh/mesh_levels.h"
#include "mesh/mesh_preview.h"
#include "mesh/mesh_report.h"
#include "mesh/mesh_spacing.h"
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

static const int trim_margin = 2;        /* Layers of cells around the fluid that stay in the box of the lattice */
static const double preview_cells = 1e6; /* Upper limit of the cells of the lattice of a dry run */

void mesh_free(mesh_job *j) {
    case_free(&j->c);
    volume_free(&j->image);
    lumen_free(&j->l);
    wall_regions_free(&j->regions);
    lattice_free(&j->lattice);
    wall_surface_free(&j->wall);
    free(j->placed);
    free(j->opening);
    free(j->end);
    memset(j, 0, sizeof *j);
}

/* Create the signed distance to the wall from mesh.shape or from `phi`, and set the box of the vessel. */
static int make_lumen(mesh_job *j, volume *phi) {
    j->l.is_shape = j->c.mesh.has_shape;
    if (j->l.is_shape) {
        j->l.shape.shape = j->c.mesh.shape;
        for (int a = 0; a < 3; a++) {
            j->low_mm[a] = j->c.mesh.box_low_mm[a];
            j->high_mm[a] = j->c.mesh.box_high_mm[a];
            j->l.shape.periodic[a] = j->c.mesh.periodic[a];
            j->l.shape.period_mm[a] = j->high_mm[a] - j->low_mm[a];
        }
        return shape_grid_create(&j->l.shape.grid, &j->l.shape.shape, j->low_mm, j->high_mm);
    }
    int rc = phi_field_create(&j->l.phi, phi);
    if (rc != OK)
        return rc;
    j->l.voxel_mm = fmax(phi->spacing_mm[0], fmax(phi->spacing_mm[1], phi->spacing_mm[2]));
    rc = j->l.wall.n_triangle > 0 ? lumen_use_surface(&j->l) : OK;
    if (rc != OK)
        return rc;
    memcpy(j->low_mm, j->l.phi.low_mm, sizeof j->low_mm);
    memcpy(j->high_mm, j->l.phi.high_mm, sizeof j->high_mm);
    message_debug("level set: the gradient is 1, as of a distance, in %.1f %% of the voxels%s", 100 * j->l.phi.quality,
                  j->l.phi.redistanced ? "; it was redistanced" : "");
    return OK;
}

static int place_all(mesh_job *j) {
    int rc = OK;
    j->placed = calloc((size_t)j->c.n_opening + 1, sizeof *j->placed);
    j->opening = calloc((size_t)j->c.n_opening + 1, sizeof *j->opening);
    if (!j->placed || !j->opening)
        return fail_memory("the openings", (double)j->c.n_opening * sizeof *j->placed);
    for (int k = 0; k < j->c.n_opening; k++) {
        TRY(opening_plane_place(&j->c, k, &j->image, &j->l, j->low_mm, j->high_mm, &j->placed[k]));
        j->opening[k] = j->placed[k].plane;
    }
cleanup:
    return rc;
}

/* Check that memory suffices to voxelize this box. Errors: ERR_RESOURCE with the memory needed, the free memory, and a
 * spacing that fits. */
static int check_memory(const voxelize_input *in) {
    const double cells = voxelize_estimate_cells(in), need = mesh_job_memory(in, cells), available = memory_available();
    if (need <= 0.9 * available && cells < 2e9)
        return OK;
    const double factor = fmax(cbrt(need / (0.9 * available)), cbrt(cells / 2e9));
    return fail(ERR_RESOURCE,
                "the lattice would have about %.3g million cells of %.3g mm and need %.3g GB, but %.3g GB are free; "
                "use a spacing of %.3g mm or more",
                cells / 1e6, in->spacing_mm, need / 1e9, available / 1e9, 1.05 * factor * in->spacing_mm);
}

/* Add the straight extensions and enlarge the box. First turns the normals outwards, since an extension follows its
 * normal. */
static int extend_all(mesh_job *j) {
    int rc = OK, count = 0;
    for (int k = 0; k < j->c.n_opening; k++)
        count += j->c.opening[k].extension_mm > 0;
    if (count == 0)
        return OK;
    TRY(voxelize_orient(&j->in, j->opening));
    for (int k = 0; k < j->c.n_opening; k++) {
        const double length = j->c.opening[k].extension_mm;
        if (!(length > 0))
            continue;
        TRY(lumen_extend(&j->l, &j->in, &j->opening[k], length));
        const double reach = j->l.extension[j->l.n_extension - 1].s.extent_mm + 4 * j->in.spacing_mm;
        for (int a = 0; a < 3; a++) {
            j->low_mm[a] = fmin(j->low_mm[a], j->opening[k].point_mm[a] - reach);
            j->high_mm[a] = fmax(j->high_mm[a], j->opening[k].point_mm[a] + reach);
        }
    }
    TRY(mesh_job_box(j, &j->in));
    TRY(check_memory(&j->in));
cleanup:
    return rc;
}

/* Coarsens the lattice of a dry run to preview_cells or fewer; the size of the finer lattice was checked before. A
 * periodic box must contain whole cells and is not coarsened. No lattice is built then, and *is_checkable is false. */
static int coarsen_preview(mesh_job *j, bool *is_checkable) {
    int rc = OK;
    *is_checkable = true;
    j->asked_mm = j->in.spacing_mm;
    while (rc == OK && *is_checkable && voxelize_estimate_cells(&j->in) > preview_cells) {
        j->coarser = true;
        j->in.spacing_mm *= 1.1;
        *is_checkable = !j->in.periodic[0] && !j->in.periodic[1] && !j->in.periodic[2];
        if (*is_checkable)
            rc = mesh_job_box(j, &j->in);
    }
    return rc;
}

/* Compute the potential flow through the lattice. For the coarser lattice of a dry run, convert the results to the
 * requested spacing. */
static int compute_flow(mesh_job *j) {
    const int rc = mesh_flow(&j->c, &j->lattice, &j->flow);
    potential_flow_section *at[] = {&j->flow.narrowest, &j->flow.fastest};
    for (int k = 0; rc == OK && j->coarser && k < 2; k++) {
        at[k]->cells_per_diameter *= j->lattice.spacing_mm / j->asked_mm;
        at[k]->peak_cell_reynolds *= j->asked_mm / j->lattice.spacing_mm;
    }
    return rc;
}

/* Build the lattice and its flow. If the minimum cross-section of this flow is much smaller than on the coarse lattices
 * (for example because a web was thinner than their cells), build the lattice again with a finer spacing. */
static int build_lattice(mesh_job *j) {
    int rc;
    bool again = true;
    for (int round = 0; again; round++) {
        if (j->l.exact) /* cubes of the cache as large as a cell serve all subcells of the cell */
            surface_distance_set_near(j->l.exact, 0.9 * j->in.spacing_mm);
        if (j->l.n_extension == 0)
            TRY(extend_all(j));
        TRY(voxelize(&j->in, &j->lattice, &j->report));
        again = false;
        TRY(compute_flow(j));
        steps_end(&j->steps, "potential flow");
        if (round < 2 && !j->coarser)
            TRY(mesh_choose_again(j, &again));
        if (!again)
            break;
        lattice_free(&j->lattice);
        TRY(mesh_job_box(j, &j->in));
        TRY(check_memory(&j->in));
    }
cleanup:
    return rc;
}

int mesh_build(mesh_job *j, volume *phi) {
    int rc;
    bool is_checkable = true;
    TRY(make_lumen(j, phi));
    steps_end(&j->steps, "distance");
    j->in.distance = lumen_distance;
    j->in.solid = lumen_solid;
    j->in.slope = lumen_slope;
    j->in.data = &j->l;
    j->in.steepness = lumen_steepness(&j->l);
    j->in.corners = case_uses_cumulants(&j->c);
    j->in.progress = true;
    j->in.steps = &j->steps;
    j->in.turn_openings = true;
    for (int a = 0; a < 3; a++)
        j->in.periodic[a] = j->l.is_shape && j->c.mesh.periodic[a];
    TRY(place_all(j));
    steps_end(&j->steps, "openings");
    j->in.n_opening = j->c.n_opening;
    j->in.opening = j->opening;
    TRY(mesh_choose_spacing(j));
    steps_end(&j->steps, "spacing");
    TRY(mesh_job_box(j, &j->in));
    TRY(check_memory(&j->in));
    if (j->dry_run)
        TRY(coarsen_preview(j, &is_checkable));
    if (!is_checkable)
        return OK;
    TRY(build_lattice(j));
    TRY(wall_regions_set(&j->c, &j->l, &j->regions, &j->lattice));
    territories_set(&j->c, &j->lattice);
    for (int k = 0; k < j->c.n_opening; k++)
        memcpy(j->opening[k].normal, j->lattice.opening[k].normal, sizeof j->opening[k].normal);
    if (j->coarser)
        return OK;
    if (!j->l.is_shape)
        voxelize_trim(&j->in, &j->lattice, trim_margin);
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
    if (isnan(j->c.mesh.wall_uncertainty_mm) && isnan(j->wall_uncertainty_mm)) /* the segment.json of an older
                                                                                * version has no uncertainty of the
                                                                                * wall */
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
    mesh_job j = {.dry_run = o->dry_run};
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
    steps_end(&j.steps, "reading");
    TRY(mesh_build(&j, &phi));
    TRY(mesh_check_cells(&j));
    TRY(check_ends(&j));
    if (o->dry_run) {
        mesh_flow_tell(&j);
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
