/* See post.h: finding and reading what post works on. */
#include "post/post.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/base/message.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/surface/vtk_surface.h"
#ifdef POST_HAVE_IMAGE
#include "common/image/itk_image.h"
#endif
#include <stdio.h>
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

/* folder/name, which `stage` makes. Caller frees. */
static int find_file(const char *folder, const char *name, const char *stage, char **path) {
    *path = file_join(folder, name);
    if (!*path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (file_exists(*path))
        return OK;
    int rc = fail(ERR_INPUT, "'%s' is missing; run %s first", *path, stage);
    free(*path);
    *path = NULL;
    return rc;
}

static int read_stage(const char *folder, const char *stage, cJSON **object) {
    char name[32], *path;
    int rc = OK;
    snprintf(name, sizeof name, "%s.json", stage);
    path = file_join(folder, name);
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (file_exists(path))
        rc = json_read(path, object);
    free(path);
    return rc;
}

static int read_files(post_work *p) {
    char *lattice_path = NULL, *surface_path = NULL, *json_path = NULL, *fields_path = NULL, *instant_path = NULL;
    char *monitors_path = file_join(p->solve_folder, "monitors.csv");
    int rc;
    TRY(find_file(p->mesh_folder, "lattice.h5", "mesh", &lattice_path));
    TRY(find_file(p->mesh_folder, "surface.vtp", "mesh", &surface_path));
    TRY(find_file(p->solve_folder, "solve.json", "solve", &json_path));
    TRY(lattice_file_read(lattice_path, &p->l));
    TRY(solution_read(json_path, &p->l, &p->run));
    TRY(find_file(p->solve_folder, p->run.mean_file, "solve", &fields_path));
    for (int k = 0; k < p->run.n_instant; k++) {
        TRY(find_file(p->solve_folder, p->run.instant[k].file, "solve", &instant_path));
        free(instant_path);
        instant_path = NULL;
    }
    TRY(monitors_path ? OK : fail_memory("a path", FILE_PATH_MAX));
    TRY(instants_choose(&p->c, &p->l, &p->run, monitors_path, &p->shown));
    TRY(field_file_read(fields_path, &p->l, &p->f));
    TRY(surface_read(surface_path, 1, 0, &p->lumen));
    TRY(read_stage(p->segment_folder, "segment", &p->stage[REPORT_SEGMENT]));
    TRY(read_stage(p->mesh_folder, "mesh", &p->stage[REPORT_MESH]));
    TRY(read_stage(p->solve_folder, "solve", &p->stage[REPORT_SOLVE]));
cleanup:
    free(lattice_path);
    free(surface_path);
    free(json_path);
    free(fields_path);
    free(monitors_path);
    return rc;
}

/* the image whose indices a case in voxel space counts */
static int read_image(const post_work *p, volume *image) {
#ifdef POST_HAVE_IMAGE
    char *path = p->c.image.path ? case_resolve(&p->c, p->c.image.path) : file_join(p->segment_folder, "phi.nii.gz");
    int rc = path ? image_read_geometry(path, p->c.image.path ? p->c.image.series : NULL, image)
                  : fail_memory("a path", FILE_PATH_MAX);
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

int post_input_read(const post_options *o, post_work *p) {
    int rc;
    TRY(find_folders(o, p));
    TRY(read_files(p));
    TRY(place_sections(p));
    TRY(sampler_create(&p->s, &p->l, &p->f));
    if (!p->run.converged)
        message_warn("the flow did not converge: no number of this run may be used");
cleanup:
    return rc;
}

static int record(const post_work *p, cJSON *json, const char *folder, const char *name, int must) {
    char *path = file_join(folder, name);
    int rc = path ? OK : fail_memory("a path", FILE_PATH_MAX);
    if (rc == OK && (must || file_exists(path)))
        rc = provenance_made(json, p->c.folder, path);
    free(path);
    return rc;
}

int post_input_record(const post_work *p, cJSON *json) {
    int rc;
    TRY(record(p, json, p->mesh_folder, "lattice.h5", 1));
    TRY(record(p, json, p->mesh_folder, "surface.vtp", 1));
    TRY(record(p, json, p->solve_folder, "solve.json", 1));
    TRY(record(p, json, p->solve_folder, p->run.mean_file, 1));
    for (int k = 0; k < p->run.n_instant; k++)
        TRY(record(p, json, p->solve_folder, p->run.instant[k].file, 1));
    if (p->shown.n > 0)
        TRY(record(p, json, p->solve_folder, "monitors.csv", 0));
    TRY(record(p, json, p->mesh_folder, "mesh.json", 0));
    TRY(record(p, json, p->segment_folder, "segment.json", 0));
cleanup:
    return rc;
}
