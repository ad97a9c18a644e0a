/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: find and read the inputs of post, and the data of the segmentation for the report. */
#include "common/waveform/typical_flows.h"
#include "post/stage/work.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/resolution.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#endif
#include <stdlib.h>
#include <string.h>

/* Finds the folders of solve and mesh. --in is the folder of solve, or the folder that contains both. */
static int find_folders(const post_options *o, post_work *p) {
    char json[FILE_PATH_MAX];
    int rc;
    TRY(file_path(json, sizeof json, "%s/solve.json", o->in));
    const char *up = file_exists(json) ? "/.." : "";
    TRY(file_path(p->solve_folder, FILE_PATH_MAX, "%s%s", o->in, *up ? "" : "/solve"));
    TRY(file_path(p->mesh_folder, FILE_PATH_MAX, "%s%s", o->mesh ? o->mesh : o->in,
                  o->mesh ? ""
                  : *up   ? "/../mesh"
                          : "/mesh"));
    TRY(file_path(p->segment_folder, FILE_PATH_MAX, "%s%s/segment", o->in, up));
cleanup:
    return rc;
}

static const char *folder_of(const post_work *p, int stage) {
    return stage == REPORT_SEGMENT ? p->segment_folder : stage == REPORT_MESH ? p->mesh_folder : p->solve_folder;
}

int inputs_take(post_work *p, int stage, const char *name, cJSON *json, char path[FILE_PATH_MAX]) {
    const int rc = case_chain_accept(&p->c, p->stage[stage], folder_of(p, stage), name, json);
    return rc == OK ? file_path(path, FILE_PATH_MAX, "%s/%s", folder_of(p, stage), name) : rc;
}

/* Takes a file if the record of the stage names it: calls inputs_take. Otherwise sets path to "". */
static int take_if_there(post_work *p, int stage, const char *name, cJSON *json, char path[FILE_PATH_MAX]) {
    int rc;
    TRY(file_path(path, FILE_PATH_MAX, "%s/%s", folder_of(p, stage), name));
    if (file_exists(path) && provenance_recorded_checksum(p->stage[stage], "outputs", name, 1))
        TRY(inputs_take(p, stage, name, json, path));
    else
        path[0] = '\0';
cleanup:
    return rc;
}

/* Name of the file with the solved lattice, or with its wall. solve.json names the file under `key` if the finest
 * lattice of mesh was omitted; otherwise the name is `without`. */
static const char *solved_file(const post_work *p, const char *key, const char *without) {
    const char *name = json_get_text(json_find(p->stage[REPORT_SOLVE], "result"), key);
    return name && *name && !strchr(name, '/') && name[0] != '.' ? name : without;
}

/* If the finest lattice of mesh was omitted: converts the values of mesh.json that depend on the spacing to the solved
 * lattice. */
static void scale_mesh_record(post_work *p) {
    cJSON *result = cJSON_GetObjectItemCaseSensitive(p->stage[REPORT_MESH], "result");
    const cJSON *solved = json_find(p->stage[REPORT_SOLVE], "result");
    const double coarser = json_get_number(solved, "dx_mm") / json_get_number(result, "spacing_mm");
    static const char *const name[] = {"narrowest", "fastest"};
    if (!json_get_text(solved, "lattice") || !(coarser > 0))
        return;
    for (int k = 0; k < 2; k++) {
        cJSON *at = cJSON_GetObjectItemCaseSensitive(result, name[k]);
        if (!cJSON_IsObject(at))
            continue;
        const double cells = json_get_number(at, "cells_per_diameter"),
                     reynolds = json_get_number(at, "peak_cell_reynolds");
        cJSON_DeleteItemFromObjectCaseSensitive(at, "cells_per_diameter");
        cJSON_DeleteItemFromObjectCaseSensitive(at, "peak_cell_reynolds");
        json_add_number(at, "cells_per_diameter", cells / coarser);
        json_add_number(at, "peak_cell_reynolds", reynolds * coarser);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(result, "error_bound");
    json_add_number(result, "error_bound", resolution_friction_bound(json_get_number(solved, "lattice_friction")));
}

/* Open the records of the stages and check that each belongs to this case and to the output of the stage before it.
 * segment.json is read for its warnings; it may be missing on a machine that only solves. */
static int open_stages(post_work *p, cJSON *json) {
    static const char *const name[] = {"segment", "mesh", "solve"}, *const makes[] = {"phi.nii.gz", "lattice.h5"};
    char path[3][FILE_PATH_MAX];
    int rc;
    for (int k = REPORT_SEGMENT; k <= REPORT_SOLVE; k++)
        TRY(file_path(path[k], FILE_PATH_MAX, "%s/%s.json", folder_of(p, k), name[k]));
    const bool segmented = file_exists(path[REPORT_SEGMENT]) && !p->c.mesh.has_shape;
    for (int k = REPORT_MESH; k <= REPORT_SOLVE; k++)
        TRY(case_chain_open(&p->c, name[k], folder_of(p, k), &p->stage[k]));
    TRY(case_chain_check_order(p->stage[REPORT_MESH], p->stage[REPORT_SOLVE], makes[REPORT_MESH]));
    TRY(case_chain_check_order(p->stage[REPORT_MESH], p->stage[REPORT_SOLVE],
                               solved_file(p, "lattice", makes[REPORT_MESH])));
    TRY(provenance_add_stage_input(json, p->c.folder, path[REPORT_MESH]));
    TRY(provenance_add_stage_input(json, p->c.folder, path[REPORT_SOLVE]));
    scale_mesh_record(p);
    if (segmented) {
        TRY(case_chain_open(&p->c, "segment", p->segment_folder, &p->stage[REPORT_SEGMENT]));
        TRY(case_chain_check_order(p->stage[REPORT_SEGMENT], p->stage[REPORT_MESH], makes[REPORT_SEGMENT]));
        TRY(provenance_add_stage_input(json, p->c.folder, path[REPORT_SEGMENT]));
    }
cleanup:
    return rc;
}

static int read_files(post_work *p, cJSON *json) {
    char lattice_path[FILE_PATH_MAX], surface_path[FILE_PATH_MAX], fields_path[FILE_PATH_MAX], path[FILE_PATH_MAX];
    int rc;
    TRY(open_stages(p, json));
    /* the finest lattice of mesh is an input even if solve omitted it, so that a new output of mesh makes post stale */
    TRY(inputs_take(p, REPORT_MESH, "lattice.h5", json, lattice_path));
    TRY(inputs_take(p, REPORT_MESH, "surface.vtp", json, surface_path));
    if (json_get_text(json_find(p->stage[REPORT_SOLVE], "result"), "lattice")) {
        TRY(inputs_take(p, REPORT_MESH, solved_file(p, "lattice", "lattice.h5"), json, lattice_path));
        TRY(inputs_take(p, REPORT_MESH, solved_file(p, "surface", "surface.vtp"), json, surface_path));
    }
    TRY(lattice_file_read(lattice_path, &p->l));
    TRY(case_take_split(&p->c, p->l.n_opening, p->l.opening));
    TRY(solution_take(p->stage[REPORT_SOLVE], &p->l, &p->run));
    TRY(inputs_take(p, REPORT_SOLVE, p->run.mean_file, json, fields_path));
    for (int k = 0; k < p->run.n_instant; k++)
        TRY(inputs_take(p, REPORT_SOLVE, p->run.instant[k].file, json, path));
    TRY(take_if_there(p, REPORT_SOLVE, "monitors.csv", json, path));
    if (path[0])
        TRY(monitors_read(path, &p->l, &p->monitors));
    TRY(instants_choose(&p->c, &p->l, &p->run, &p->monitors, &p->shown));
    TRY(field_file_read(fields_path, &p->l, &p->f));
    TRY(surface_read(surface_path, 1, 0, &p->lumen));
cleanup:
    return rc;
}

int inputs_read_geometry(const post_work *p, volume *image) {
#ifdef POST_HAVE_IMAGE
    const char *series, *name = case_voxel_image(&p->c, &series);
    char *path = name ? case_resolve_path(&p->c, name) : file_join(p->segment_folder, "phi.nii.gz");
    int rc = path ? image_read_geometry(path, series, image) : fail_memory("a path", FILE_PATH_MAX);
    free(path);
    return rc;
#else
    (void)p;
    (void)image;
    return fail(
        ERR_RESOURCE,
        "points in voxel space need the image, but this build of post has no ITK; give the points in LPS or RAS");
#endif
}

/* Cells per diameter in the minimum cross-section; NaN: unknown. */
static double narrowest_cells(const post_work *p) {
    return json_get_number(json_find(p->stage[REPORT_MESH], "result/narrowest"), "cells_per_diameter");
}

/* The names of the branches, for a message. */
static void list_branches(const vessel_branches *b, size_t size, char *text) {
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; k < b->line.n_branch && n < size; k++)
        n += (size_t)snprintf(text + n, size - n, "%s'%s' (%.1f mm)", k ? ", " : "", b->name[k],
                              b->line.branch[k].length_mm);
}

/* The branch with this name, or the branch of the opening or section with this name; -1: none. */
static int find_branch(const post_work *p, const char *name) {
    int branch = branches_number(&p->branches, name);
    for (int k = 0; branch < 0 && k < p->l.n_opening; k++)
        if (p->l.opening[k].role != LATTICE_MOVING_WALL && strcmp(p->l.opening[k].name, name) == 0)
            branch = branches_nearest(&p->branches, p->l.opening[k].centre_mm);
    for (int k = 0; branch < 0 && k < p->c.n_section; k++)
        if (!p->c.section[k].branch && strcmp(p->c.section[k].name, name) == 0)
            branch = branches_nearest(&p->branches, p->section_point_mm[k]);
    return branch;
}

/* Place section k across the centerline of its branch. The sections with points are already placed. */
static int place_on_branch(post_work *p, int k) {
    case_section *s = &p->c.section[k];
    const vessel_branches *b = &p->branches;
    const int branch = find_branch(p, s->branch);
    char list[512];
    list_branches(b, sizeof list, list);
    if (b->line.n_branch == 0)
        return fail(ERR_INPUT, "section '%s': the vessel has no branches: %s; give a point instead of a branch",
                    s->name, b->why);
    if (branch < 0)
        return fail(
            ERR_INPUT,
            "section '%s': there is no branch '%s'; the branches are %s; write one of these, or the name of an opening "
            "or of a section with a point, for the branch nearest to it",
            s->name, s->branch, list);
    const double length_mm = b->line.branch[branch].length_mm,
                 at_mm = isfinite(s->at_part) ? s->at_part * length_mm : s->at_mm;
    if (at_mm > length_mm)
        return fail(ERR_INPUT,
                    "section '%s': %.4g mm is beyond the end of branch '%s', which is %.4g mm long; give a "
                    "smaller length or a percentage",
                    s->name, at_mm, s->branch, length_mm);
    if (!branches_place(b, branch, at_mm, p->section_point_mm[k], p->section_normal[k]))
        message_warn("section '%s', at %.1f mm along branch '%s', is in a bifurcation or beside an opening and may be "
                     "incomplete or include a part of another branch; move it along the branch (at)",
                     s->name, at_mm, s->branch);
    s->normal_auto = false; /* the normal is the direction of the branch */
    return OK;
}

static int place_sections(post_work *p) {
    volume image = {0};
    size_t n = (size_t)p->c.n_section + 1;
    int voxel = 0, rc = OK;
    for (int k = 0; k < p->c.n_section; k++)
        voxel |= p->c.space == SPACE_VOXEL && !p->c.section[k].branch;
    p->section_point_mm = calloc(n, sizeof *p->section_point_mm);
    p->section_normal = calloc(n, sizeof *p->section_normal);
    if (!p->section_point_mm || !p->section_normal)
        return fail_memory("the sections", 48.0 * (double)n);
    if (voxel)
        TRY(inputs_read_geometry(p, &image));
    for (int k = 0; k < p->c.n_section; k++) {
        const case_section *s = &p->c.section[k];
        if (s->branch)
            continue;
        case_point_lps(&p->c, s->point, voxel ? &image : NULL, p->section_point_mm[k]);
        if (!s->normal_auto)
            case_vector_lps(&p->c, s->normal, voxel ? &image : NULL, p->section_normal[k]);
    }
    for (int k = 0; k < p->c.n_section; k++)
        if (p->c.section[k].branch)
            TRY(place_on_branch(p, k));
cleanup:
    volume_free(&image);
    return rc;
}

/* Warns of each flow that init proposed, because all results depend on it. */
static void warn_unmeasured(const case_file *c) {
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        const typical_flow *t = o->condition == CONDITION_FLOW ? typical_flows_find(o->value, o->value_error) : NULL;
        if (t)
            message_warn_about(
                "unmeasured",
                "opening '%s': the flow of %.2g L/min is a textbook value (%s: %s of healthy adults), NOT "
                "MEASURED in this patient; pressures, pressure drops, velocities and wall shear stress "
                "rest on it; measure it (pipeline flow)",
                o->name, t->l_min, t->source, t->vessel);
    }
}

/* Warns of a closed branch in front of a liver without lost_share: post cannot know how much of the liver the branch
 * supplied. */
static void warn_closed_liver(const case_file *c) {
    bool whole = false;
    for (int k = 0; k < c->n_readout; k++)
        whole |= case_has_whole_liver(&c->readout[k]) && isnan(c->readout[k].lost_share.value);
    for (int k = 0; whole && k < c->n_treat; k++)
        if (c->treat[k].kind == TREAT_CLOSE)
            message_warn_serious("the treatment closes '%s': if it supplied a part of the liver, the rest of the "
                                 "liver has a resistance of about 1 / (1 - share) times the resistance of the whole "
                                 "liver; with the whole liver the pressure gradient is too low; give lost_share, or a "
                                 "label image of the rest with model: compartments",
                                 c->treat[k].from.branch);
}

int inputs_read(const post_options *o, post_work *p, cJSON *json) {
    int rc;
    TRY(find_folders(o, p));
    TRY(read_files(p, json));
    TRY(branches_find(&p->l, narrowest_cells(p), &p->branches));
    TRY(place_sections(p));
    TRY(sampler_create(&p->s, &p->l, &p->f));
    warn_unmeasured(&p->c);
    warn_closed_liver(&p->c);
    if (!p->run.converged)
        message_warn_about("convergence", "the flow did not converge: the numbers of this run must not be used; raise "
                                          "solve.max_steps and run solve again");
    else if (p->run.too_coarse)
        message_warn_serious("TOO COARSE: the lattice is too coarse for this blood velocity; the numbers of this run "
                             "must not be used; use the smaller spacing that the warning of solve states");
cleanup:
    return rc;
}

#ifdef POST_HAVE_IMAGE
/* Read the image of segment if its checksum is unchanged. */
static int read_lumen_image(post_work *p) {
    const char *recorded = provenance_recorded_checksum(p->stage[REPORT_SEGMENT], "inputs", "image", 0);
    char *path = p->c.image.path && recorded ? case_resolve_path(&p->c, p->c.image.path) : NULL;
    char sum[17];
    float padding;
    int rc = OK;
    if (path && file_exists(path) && provenance_checksum_image(path, p->c.image.series, sum) == OK &&
        strcmp(sum, recorded) == 0)
        rc = image_read_padded(path, p->c.image.series, &p->image, &padding);
    free(path);
    if (rc == ERR_RESOURCE)
        return rc;
    if (rc != OK)
        volume_free(&p->image);
    status_clear(); /* a missing image is no error: the report then omits the slices of the image */
    return OK;
}
#endif

int inputs_read_lumen_image(post_work *p, cJSON *json) {
    char phi[FILE_PATH_MAX];
    int rc = OK;
    if (!p->stage[REPORT_SEGMENT])
        return OK;
    TRY(take_if_there(p, REPORT_SEGMENT, "qc.png", json, p->qc_path));
    TRY(take_if_there(p, REPORT_SEGMENT, "phi.nii.gz", json, phi));
#ifdef POST_HAVE_IMAGE
    if (phi[0]) {
        TRY(image_read(phi, NULL, &p->phi));
        TRY(read_lumen_image(p));
    }
#endif
cleanup:
    return rc;
}
