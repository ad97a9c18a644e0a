/* See work.h: finding and reading what post works on, and what the report shows of the segmentation. */
#include "post/stage/work.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#ifdef POST_HAVE_IMAGE
#include "common/image_file/itk_image.h"
#endif
#include <stdlib.h>
#include <string.h>

static char *beside(const char *folder, const char *name) {
    char *up = file_join(folder, ".."), *path = up ? file_join(up, name) : NULL;
    free(up);
    return path;
}

/* --in is solve's folder, or the folder with solve and mesh in it */
static int find_folders(const post_options *o, post_work *p) {
    char *json = file_join(o->in, "solve.json"), *within = file_join(o->in, "solve");
    int direct = json && file_exists(json), rc = OK;
    p->solve_folder = direct ? strdup(o->in) : within;
    if (direct)
        free(within);
    p->mesh_folder = o->mesh ? strdup(o->mesh) : (direct ? beside(o->in, "mesh") : file_join(o->in, "mesh"));
    p->segment_folder = direct ? beside(o->in, "segment") : file_join(o->in, "segment");
    if (!json || !p->solve_folder || !p->mesh_folder || !p->segment_folder)
        rc = fail_memory("a path", FILE_PATH_MAX);
    free(json);
    return rc;
}

/* A file that `stage` must have made; it becomes an input of `json` once it is the one its record names. */
static int take(post_work *p, const char *folder, int stage, const char *name, cJSON *json, char **path) {
    int rc = case_chain_take(&p->c, p->stage[stage], folder, name, json);
    if (rc != OK || !path)
        return rc;
    *path = file_join(folder, name);
    return *path ? OK : fail_memory("a path", FILE_PATH_MAX);
}

static int take_record(const post_work *p, const char *folder, const char *name, cJSON *json) {
    char *path = file_join(folder, name);
    const int rc = path ? provenance_made(json, p->c.folder, path) : fail_memory("a path", FILE_PATH_MAX);
    free(path);
    return rc;
}

/* segment.json is read for its warnings; where it is absent (a machine that only solves) they are. */
static int open_segment(post_work *p, cJSON *json) {
    char *path = file_join(p->segment_folder, "segment.json");
    const bool there = path && file_exists(path);
    int rc = path ? OK : fail_memory("a path", FILE_PATH_MAX);
    free(path);
    if (rc != OK || !there || p->c.mesh.has_shape)
        return rc;
    TRY(case_chain_open(&p->c, "segment", p->segment_folder, &p->stage[REPORT_SEGMENT]));
    TRY(case_chain_follows(p->stage[REPORT_SEGMENT], p->stage[REPORT_MESH], "phi.nii.gz"));
    TRY(take_record(p, p->segment_folder, "segment.json", json));
cleanup:
    return rc;
}

/* The records of the stages, each of this case and made from what the one before it made. */
static int open_stages(post_work *p, cJSON *json) {
    int rc;
    TRY(case_chain_open(&p->c, "mesh", p->mesh_folder, &p->stage[REPORT_MESH]));
    TRY(case_chain_open(&p->c, "solve", p->solve_folder, &p->stage[REPORT_SOLVE]));
    TRY(case_chain_follows(p->stage[REPORT_MESH], p->stage[REPORT_SOLVE], "lattice.h5"));
    TRY(take_record(p, p->mesh_folder, "mesh.json", json));
    TRY(take_record(p, p->solve_folder, "solve.json", json));
    TRY(open_segment(p, json));
cleanup:
    return rc;
}

static int read_monitors(post_work *p, cJSON *json) {
    char *path = file_join(p->solve_folder, "monitors.csv");
    int rc = path ? OK : fail_memory("a path", FILE_PATH_MAX);
    if (rc == OK && file_exists(path) && provenance_recorded(p->stage[REPORT_SOLVE], "outputs", "monitors.csv", 1)) {
        TRY(take(p, p->solve_folder, REPORT_SOLVE, "monitors.csv", json, NULL));
        TRY(history_read(path, &p->l, &p->run_history));
    }
    if (rc == OK)
        rc = instants_choose(&p->c, &p->l, &p->run, path, &p->shown);
cleanup:
    free(path);
    return rc;
}

static int read_files(post_work *p, cJSON *json) {
    char *lattice_path = NULL, *surface_path = NULL, *fields_path = NULL;
    int rc;
    TRY(open_stages(p, json));
    TRY(take(p, p->mesh_folder, REPORT_MESH, "lattice.h5", json, &lattice_path));
    TRY(take(p, p->mesh_folder, REPORT_MESH, "surface.vtp", json, &surface_path));
    TRY(lattice_file_read(lattice_path, &p->l));
    TRY(solution_take(p->stage[REPORT_SOLVE], &p->l, &p->run));
    TRY(take(p, p->solve_folder, REPORT_SOLVE, p->run.mean_file, json, &fields_path));
    for (int k = 0; k < p->run.n_instant; k++)
        TRY(take(p, p->solve_folder, REPORT_SOLVE, p->run.instant[k].file, json, NULL));
    TRY(read_monitors(p, json));
    TRY(field_file_read(fields_path, &p->l, &p->f));
    TRY(surface_read(surface_path, 1, 0, &p->lumen));
cleanup:
    free(lattice_path);
    free(surface_path);
    free(fields_path);
    return rc;
}

/* the image whose indices a case in voxel space counts */
static int read_image(const post_work *p, volume *image) {
#ifdef POST_HAVE_IMAGE
    const char *series, *name = case_voxel_image(&p->c, &series);
    char *path = name ? case_resolve(&p->c, name) : file_join(p->segment_folder, "phi.nii.gz");
    int rc = path ? image_read_geometry(path, series, image) : fail_memory("a path", FILE_PATH_MAX);
    free(path);
    return rc;
#else
    (void)p;
    (void)image;
    return fail(ERR_RESOURCE, "sections in voxel space need the image, and this post was built without ITK; give the "
                              "points in LPS or RAS");
#endif
}

static int place_sections(post_work *p) {
    volume image = {0};
    size_t n = (size_t)p->c.n_section + 1;
    int voxel = p->c.space == SPACE_VOXEL && p->c.n_section > 0, rc = OK;
    p->section_point_mm = calloc(n, sizeof *p->section_point_mm);
    p->section_normal = calloc(n, sizeof *p->section_normal);
    if (!p->section_point_mm || !p->section_normal)
        return fail_memory("the sections", 48.0 * (double)n);
    if (voxel)
        TRY(read_image(p, &image));
    for (int k = 0; k < p->c.n_section; k++) {
        const case_section *s = &p->c.section[k];
        case_point_lps(&p->c, s->point, voxel ? &image : NULL, p->section_point_mm[k]);
        if (!s->normal_auto)
            case_vector_lps(&p->c, s->normal, voxel ? &image : NULL, p->section_normal[k]);
    }
cleanup:
    volume_free(&image);
    return rc;
}

int inputs_read(const post_options *o, post_work *p, cJSON *json) {
    int rc;
    TRY(find_folders(o, p));
    TRY(read_files(p, json));
    TRY(place_sections(p));
    TRY(sampler_create(&p->s, &p->l, &p->f));
    if (!p->run.converged)
        message_warn_serious("the flow did not converge: no number of this run may be used");
    else if (p->run.too_coarse)
        message_warn_serious(
            "TOO COARSE: the blood is too fast for the cells of this lattice, no number of this run may be used");
cleanup:
    return rc;
}

static int take_if_there(post_work *p, const char *name, cJSON *json, char **path) {
    char *own = file_join(p->segment_folder, name);
    int rc = own ? OK : fail_memory("a path", FILE_PATH_MAX);
    if (rc == OK && file_exists(own) && provenance_recorded(p->stage[REPORT_SEGMENT], "outputs", name, 1))
        rc = case_chain_take(&p->c, p->stage[REPORT_SEGMENT], p->segment_folder, name, json);
    else
        rc = rc == OK ? -1 : rc;
    if (rc == OK)
        *path = own;
    else
        free(own);
    return rc == -1 ? OK : rc;
}

#ifdef POST_HAVE_IMAGE
/* The image that segment read, if it is still that one. */
static int read_lumen_image(post_work *p) {
    const char *recorded = provenance_recorded(p->stage[REPORT_SEGMENT], "inputs", "image", 0);
    char *path = p->c.image.path && recorded ? case_resolve(&p->c, p->c.image.path) : NULL;
    char sum[17];
    int rc = OK;
    if (path && file_exists(path) && provenance_checksum(path, sum) == OK && strcmp(sum, recorded) == 0)
        rc = image_read(path, p->c.image.series, &p->image);
    free(path);
    if (rc == ERR_RESOURCE)
        return rc;
    if (rc != OK)
        volume_free(&p->image);
    status_clear(); /* the report does without */
    return OK;
}
#endif

int inputs_read_lumen_image(post_work *p, cJSON *json) {
    char *phi = NULL;
    int rc = OK;
    if (!p->stage[REPORT_SEGMENT])
        return OK;
    TRY(take_if_there(p, "qc.png", json, &p->qc_path));
    TRY(take_if_there(p, "phi.nii.gz", json, &phi));
#ifdef POST_HAVE_IMAGE
    if (phi) {
        TRY(image_read(phi, NULL, &p->phi));
        TRY(read_lumen_image(p));
    }
#endif
cleanup:
    free(phi);
    return rc;
}
