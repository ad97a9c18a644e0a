/* See segment.h. */
#include "segment/segment.h"
#include "common/case/case_where.h"
#include "common/base/file.h"
#include "common/dicom/body_part.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/case/frame_look.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/voxel/distance.h"
#include "segment/voxel/grid.h"
#include "segment/output/segmentation.h"
#include "segment/lbm/lbm.h"
#include "segment/output/segment_json.h"
#include "segment/output/unreached_points.h"
#include "segment/output/output_files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 6 }; /* voxels of phi round the vessel */

void segmentation_free(segmentation *j) {
    volume_free(&j->image);
    volume_free(&j->mask);
    volume_free(&j->phi);
    surface_free(&j->wall);
    free(j->seed_mm);
    free(j->cap);
    free(j->opening_mm);
    free(j->opening_normal);
    case_free(&j->c);
}

const volume *segmentation_reference(const segmentation *j) {
    return j->mask.value != NULL ? &j->mask : (j->image.value != NULL ? &j->image : NULL);
}

void segmentation_place(const segmentation *j, const double lps_mm[3], double at[3]) {
    memcpy(at, lps_mm, 3 * sizeof *at);
    if (j->c.space == SPACE_RAS) {
        at[0] = -lps_mm[0];
        at[1] = -lps_mm[1];
    } else if (j->c.space == SPACE_VOXEL) {
        volume_to_index(&j->whole, lps_mm, at);
    }
}

const char *segmentation_space(const segmentation *j) {
    static const char *const name[] = {"RAS", "LPS", "voxel"}; /* enum case_space */
    return name[j->c.space];
}

/* Read an image of the case and note it as an input: "image" or "labels", not its name, which may tell whose it is. */
static int read_image(const case_file *c, const char *what, const char *name, const char *series, cJSON *json,
                      volume *out) {
    int rc = OK;
    char *path = case_resolve(c, name);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(image_read(path, series, out));
    for (int a = 0; a < 3; a++)
        if (out->dims[a] < 3) {
            rc = fail(ERR_INPUT, "'%s' has %d voxels along axis %d; a volume of at least 3 is needed", path,
                      out->dims[a], a + 1);
            goto cleanup;
        }
    TRY(provenance_input(json, what, path));
    message_info("%s: %d x %d x %d voxels of %.3g x %.3g x %.3g mm", what, out->dims[0], out->dims[1], out->dims[2],
                 out->spacing_mm[0], out->spacing_mm[1], out->spacing_mm[2]);
cleanup:
    free(path);
    return rc;
}

/* The part of the image that the case wants looked at; the rest is let go. */
static int crop_image(segmentation *j) {
    grid_box box;
    volume part = {0};
    bool cut;
    int rc = OK;
    TRY(case_image_box(&j->c, &j->whole, box.low, box.high, &cut));
    if (!cut)
        return OK;
    TRY(grid_crop(&j->image, &box, 0, &part));
    volume_free(&j->image);
    j->image = part;
    message_info("image: %d x %d x %d voxels of it round the vessel", part.dims[0], part.dims[1], part.dims[2]);
cleanup:
    return rc;
}

/* Openings in LPS; a normal that is left to us has x NaN. */
static int place_openings(segmentation *j) {
    const int n = j->c.n_opening;
    j->opening_mm = malloc((size_t)(n > 0 ? n : 1) * sizeof *j->opening_mm);
    j->opening_normal = malloc((size_t)(n > 0 ? n : 1) * sizeof *j->opening_normal);
    if (j->opening_mm == NULL || j->opening_normal == NULL)
        return fail_memory("the openings", n * (double)sizeof *j->opening_mm);
    for (int k = 0; k < n; k++) {
        const case_opening *o = &j->c.opening[k];
        case_point_lps(&j->c, o->point, &j->whole, j->opening_mm[k]);
        j->opening_normal[k][0] = NAN;
        if (!o->normal_auto)
            case_vector_lps(&j->c, o->normal, &j->whole, j->opening_normal[k]);
    }
    j->n_placed = n;
    return OK;
}

static int place_seeds(segmentation *j) {
    int n = j->c.segment.n_seed;
    j->seed_mm = malloc((size_t)(n > 0 ? n : 1) * sizeof *j->seed_mm);
    if (j->seed_mm == NULL)
        return fail_memory("the seeds", n * (double)sizeof *j->seed_mm);
    for (int k = 0; k < n; k++)
        case_point_lps(&j->c, j->c.segment.seed[k], &j->whole, j->seed_mm[k]);
    return OK;
}

/* ---------------------------------------------------------------------------------------------- methods */

/* Seeds that were refused, and would not be in another frame: the sentence asks whether that one is meant. */
static int ask_frame(const segmentation *j, int rc) {
    char said[1000], text[FRAME_LOOK_TEXT];
    const int other = rc == ERR_INPUT || rc == ERR_NUMERIC ? frame_look_other(&j->c, &j->image, &j->whole) : -1;
    if (other < 0)
        return rc;
    frame_look_ask(&j->c, other, text);
    snprintf(said, sizeof said, "%s", status_message());
    status_clear();
    return fail(rc, "%s; %s", said, text);
}

static int by_level_set(segmentation *j) {
    int rc = OK;
    volume level = {0};
    static const int vessel[] = {-1, 1, 0};                     /* enum case_vessel */
    static const int engine[] = {LEVEL_SET_LBM, LEVEL_SET_ITK}; /* enum case_engine */
    level_set_options options = {.vessel = vessel[j->c.segment.vessel],
                                 .smoothing_mm = j->c.segment.smoothing_mm,
                                 .edge_low = j->c.segment.edge_low,
                                 .edge_high = j->c.segment.edge_high,
                                 .threshold_low = j->c.segment.threshold_low,
                                 .threshold_high = j->c.segment.threshold_high,
                                 .propagation = j->c.segment.propagation,
                                 .curvature = j->c.segment.curvature,
                                 .advection = j->c.segment.advection,
                                 .iterations = j->c.segment.iterations,
                                 .max_volume_ml = j->c.segment.max_volume_ml,
                                 .side_branches = j->c.segment.side_branches,
                                 .engine = engine[j->c.segment.engine]};
    if (j->image.value == NULL)
        return fail(ERR_INPUT, "'%s': method level-set needs image: {path: ...}", j->c.path);
    TRY(place_seeds(j));
    options.n_opening = j->c.n_opening;
    options.opening_mm = (const double(*)[3])j->opening_mm;
    options.opening_normal = (const double(*)[3])j->opening_normal;
    TRY(ask_frame(j, level_set_run(&j->image, j->c.segment.n_seed, (const double(*)[3])j->seed_mm, &options, &level,
                                   &j->level_set)));
    steps_add(&j->steps, &j->level_set.steps);
    TRY(distance_rebuild(&level, MARGIN, &j->wall, &j->phi));
    steps_end(&j->steps, "distance");
    TRY(measure_lumen(&j->phi, &j->wall, &j->image, &j->measured));
    TRY(leak_find(&j->image, &j->level_set.seeds, j->c.segment.n_seed, (const double(*)[3])j->seed_mm, &j->phi,
                  &j->wall, &j->measured, j->level_set.used.max_volume_ml, &j->leak, j->why));
    TRY(wall_uncertainty_measure(&j->image, &j->wall, j->level_set.seeds.noise, j->level_set.seeds.kernel,
                           j->leak.edge_support, j->level_set.wall_moved_sd_mm, &j->known));
    TRY(motion_blur_find(&j->image, &j->wall, j->measured.radius_mm[1], &j->smeared));
    steps_end(&j->steps, "signs of a leak");
    if (j->level_set.flooded && j->why[0] == 0)
        snprintf(j->why, sizeof j->why, "far more than a vessel is connected to the seeds within the threshold");
cleanup:
    volume_free(&level);
    return rc;
}

/* An organ, a tumour beside the vessel: all would be lumen. */
static void warn_of_labels(const segmentation *j, const char *path) {
    char there[LABELS_TEXT];
    if (j->c.segment.n_label_value == 0 && labels_list(path, &j->mask, there, sizeof there) > 1)
        message_warn("the mask has labels %s: all of them are taken for the vessel; labels: {path: .., values: [..]} "
                     "takes those of the vessel",
                     there);
}

static int by_labels(segmentation *j, cJSON *json) {
    int rc = OK;
    volume level = {0};
    char *path = case_resolve(&j->c, j->c.segment.labels_path);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(read_image(&j->c, "labels", j->c.segment.labels_path, NULL, json, &j->mask));
    const bool labels = labels_recognize(&j->mask);
    if (labels)
        warn_of_labels(j, path);
    TRY(labels_select(path, &j->mask, j->c.segment.n_label_value, j->c.segment.label_value));
    if (!labels)
        message_warn_serious("the labels look like an image, not like a mask: every voxel that is not 0 is taken");
    steps_end(&j->steps, "reading");
    TRY(label_mask_to_level_set(&j->mask, &level, &j->labels));
    steps_end(&j->steps, "mask to level set");
    TRY(distance_rebuild(&level, MARGIN, &j->wall, &j->phi));
    TRY(measure_lumen(&j->phi, &j->wall, &j->mask, &j->measured));
    j->known.uncertainty_mm = wall_uncertainty_of_mask(&j->mask);
    steps_end(&j->steps, "distance");
cleanup:
    volume_free(&level);
    free(path);
    return rc;
}

/* The frame: as the case gives it, else as the file says it, else LPS. Of a file that was read. */
static void warn_of_frame(int given, int said) {
    static const char *const word[] = {"RAS", "LPS"}; /* enum case_space */
    if (given >= 0 && said >= 0 && given != said)
        message_warn_serious("the case says frame: %s, the surface itself says %s; the case's is used", word[given],
                             word[said]);
    if (given < 0 && said < 0)
        message_warn_serious(
            "neither the case nor the surface says its frame: LPS is assumed (ITK, 3D Slicer); write frame: RAS "
            "for a surface of VMTK or FreeSurfer");
}

/* The lattice has no wall between cells that has both its sides in one place. */
static int refuse_sheets(const segmentation *j, const char *path) {
    const measure *m = &j->measured;
    char where[CASE_WHERE];
    if (m->sheets == 0)
        return OK;
    return fail(ERR_INPUT,
                "'%s' has %d part%s without volume (%.3g mm2, the largest near %s), and a wall needs a thickness: "
                "remove %s, or make what is a membrane at least a cell thick",
                path, m->sheets, m->sheets == 1 ? "" : "s", m->sheet_mm2, case_where(&j->c, m->sheet_mm, where),
                m->sheets == 1 ? "it" : "them");
}

static int by_surface(segmentation *j, cJSON *json) {
    int rc = OK;
    const char *name = j->c.segment.surface_path;
    char *path = case_resolve(&j->c, name);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    const int given = j->c.segment.surface_space, said = surface_file_frame(path, SPACE_RAS, SPACE_LPS);
    if (given < 0)
        j->c.segment.surface_space = said < 0 ? SPACE_LPS : said;
    TRY(given_surface_read(path, j->c.segment.surface_unit_mm, j->c.segment.surface_space == SPACE_RAS, NAN,
                           j->image.value != NULL ? &j->image : NULL, &j->wall, &j->phi, &j->given));
    warn_of_frame(given, said);
    TRY(provenance_input(json, "surface", path));
    TRY(measure_lumen(&j->phi, &j->wall, segmentation_reference(j), &j->measured));
    TRY(refuse_sheets(j, name));
    steps_end(&j->steps, "surface");
cleanup:
    free(path);
    return rc;
}

/* Without an image the voxels of the case are those of the labels. */
static int take_voxels(segmentation *j) {
    const char *series, *name = case_voxel_image(&j->c, &series);
    char *path = name ? case_resolve(&j->c, name) : NULL;
    const int rc = path ? image_read_geometry(path, series, &j->whole) : OK;
    free(path);
    return rc;
}

static int find_lumen(segmentation *j, cJSON *json) {
    int rc = OK;
    j->known = (wall_uncertainty){NAN, NAN, NAN};
    if (j->c.image.path != NULL) {
        TRY(read_image(&j->c, "image", j->c.image.path, j->c.image.series, json, &j->image));
        char *path = case_resolve(&j->c, j->c.image.path);
        j->body_part = path ? body_part_of_image(path, j->c.image.series) : NULL;
        free(path);
    }
    j->whole = j->image;
    j->whole.value = NULL;
    if (j->image.value != NULL && j->c.segment.method == METHOD_LEVEL_SET && labels_recognize(&j->image))
        message_warn_serious("the image looks like a mask: for a mask write method: labels");
    if (j->image.value != NULL)
        TRY(crop_image(j));
    else if (j->c.space == SPACE_VOXEL)
        TRY(take_voxels(j));
    steps_end(&j->steps, "reading");
    if (j->whole.dims[0] > 0 || j->c.space != SPACE_VOXEL)
        TRY(place_openings(j));
    if (j->c.segment.method == METHOD_LEVEL_SET)
        TRY(by_level_set(j));
    else if (j->c.segment.method == METHOD_LABELS)
        TRY(by_labels(j, json));
    else
        TRY(by_surface(j, json));
    if (j->n_placed > 0 && j->why[0] == 0)
        TRY(ends_without_opening(&j->phi, j->n_placed, (const double(*)[3])j->opening_mm, &j->n_loose, j->loose));
    if (j->c.segment.method == METHOD_SURFACE)
        TRY(caps_of_holes(&j->wall, j->given.filled, &j->n_lid, &j->cap));
    else
        TRY(caps_on_border(&j->wall, segmentation_reference(j), &j->n_lid, &j->cap));
cleanup:
    return rc;
}

/* The sentence, with the place. */
static int refuse_leak(const segmentation *j, const char *picture) {
    double at[3];
    char place[100] = "";
    segmentation_place(j, j->leak.place_mm, at);
    if (!isnan(at[0]))
        snprintf(place, sizeof place, " near [%.1f, %.1f, %.1f] (%s)", at[0], at[1], at[2], segmentation_space(j));
    const level_set_report *r = &j->level_set;
    const bool bright = r->seeds.bright;
    const double low = r->used.threshold_low, high = r->used.threshold_high, inside = r->seeds.inside;
    const double tried = bright ? low : high, better = 0.5 * (tried + inside);
    return fail(ERR_NUMERIC,
                "the lumen has leaked out of the vessel%s: %s (see '%s'; vessel %.4g, next tissue %.4g, noise %.3g, "
                "tried threshold %.4g; one to try: threshold: {low: %.4g, high: %.4g})",
                place, j->why, picture, inside, r->next_tissue, r->seeds.noise, tried, bright ? better : low,
                bright ? high : better);
}

int segment(const segment_options *o) {
    int rc = OK, lock = -1;
    char digest[17], *path[OUTPUT_FILES] = {NULL};
    segmentation j = {0};
    cJSON *json = NULL;
    TRY(case_read_set(o->case_path, &o->set, CASE_LUMEN, &j.c));
    if (j.c.mesh.has_shape) {
        rc = fail(ERR_INPUT, "'%s' has mesh.shape: there is nothing to segment, continue with mesh", o->case_path);
        goto cleanup;
    }
    if (file_exists(o->out) && !file_is_folder(o->out)) { /* said before minutes of work, not after */
        rc = fail(ERR_OUTPUT, "cannot write into '%s': it is not a folder; give another --out", o->out);
        goto cleanup;
    }
    case_digest(&j.c, "segment", digest);
    json = provenance_start("segment", o->argc, o->argv, digest);
    for (int k = 0; k < OUTPUT_FILES; k++)
        path[k] = file_join(o->out, output_files_name[k]);
    if (json == NULL || path[OUTPUT_FILES - 1] == NULL) {
        rc = fail_memory("segment.json", 1);
        goto cleanup;
    }
    TRY(case_chain_parts(&j.c, "segment", json));
    TRY(file_make_folder(o->out));
    TRY(file_lock(o->out, &lock));
    steps_start(&j.steps);
    TRY(find_lumen(&j, json));
    TRY(lbm_ready());
    if (j.why[0]) {
        TRY(output_files_picture(&j, path[OUTPUT_PICTURE]));
        rc = refuse_leak(&j, path[OUTPUT_PICTURE]);
        goto cleanup;
    }
    TRY(unreached_points_refuse(&j, path[OUTPUT_PICTURE]));
    segment_messages_print(&j);
    TRY(output_files_write(&j, path, json));
cleanup:
    file_unlock(lock);
    for (int k = 0; k < OUTPUT_FILES; k++)
        free(path[k]);
    cJSON_Delete(json);
    segmentation_free(&j);
    return rc;
}
