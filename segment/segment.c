/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/segment.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/case/case_chain.h"
#include "common/frame/frame_check.h"
#include "common/vessel/vessel_table.h"
#include "common/dicom/body_part.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"
#include "common/record/provenance.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/ends/flat_ends.h"
#include "segment/engine/lbm.h"
#include "segment/output/output_files.h"
#include "segment/output/segment_messages.h"
#include "segment/output/segmentation.h"
#include "segment/output/unreached_points.h"
#include "segment/voxel/distance.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 6 }; /* margin of phi around the vessel, in voxels */
/* NaN voxels are refused within this many median radii of the wall. Own choice: the tissue around the vessel counts. */
static const double NAN_RADII = 4;
/* Volume of a hole in the lumen that is filled in, in voxels of the image. Measured on 12 images of four scanners
 * (phantom --scanner, seeds 1 to 3): noise makes 10 holes, of up to 0.17 voxels. */
static const double SMALL_HOLE = 1;

/* Reads an image of the case and records it as an input. what: "image" or "labels", for messages, because the file name
 * may identify a patient. padding: see image_read_padded; NULL: NaN is refused. */
static int read_image(const case_file *c, const char *what, const char *name, const char *series, cJSON *json,
                      volume *out, float *padding) {
    int rc = OK;
    char *path = case_resolve_path(c, name);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(padding ? image_read_padded(path, series, out, padding) : image_read(path, series, out));
    for (int a = 0; a < 3; a++)
        if (out->dims[a] < 3) {
            rc = fail(ERR_INPUT,
                      "'%s' has %d voxels along axis %d, but a volume needs at least 3; give an image with more slices",
                      path, out->dims[a], a + 1);
            goto cleanup;
        }
    TRY(provenance_add_image(json, what, path, series));
    message_info("%s: %d x %d x %d voxels of %.3g x %.3g x %.3g mm", what, out->dims[0], out->dims[1], out->dims[2],
                 out->spacing_mm[0], out->spacing_mm[1], out->spacing_mm[2]);
cleanup:
    free(path);
    return rc;
}

/* Crop the image to the box of the case; the full image is freed. */
static int crop_image(segmentation *s) {
    grid_box box;
    volume part = {0};
    bool cut;
    int rc = OK;
    TRY(case_image_box(&s->c, &s->given.whole, box.low, box.high, &cut));
    if (!cut)
        return OK;
    TRY(grid_crop(&s->given.image, &box, 0, &part));
    volume_free(&s->given.image);
    s->given.image = part;
    message_info("image: cropped to %d x %d x %d voxels around the vessel", part.dims[0], part.dims[1], part.dims[2]);
cleanup:
    return rc;
}

/* Replaces the fill of a masked image, and reports it. */
static int replace_fill(segmentation *s) {
    const int n_seed = s->c.segment.n_seed;
    const double(*seed_mm)[3] = (const double(*)[3])s->given.seed_mm;
    int rc = OK;
    TRY(image_fill_replace_padding(&s->given.image, s->given.padding, n_seed, seed_mm, &s->given.nan));
    if (s->given.nan.replaced)
        message_info("image: %.2g %% of it is NaN; this part is not used", 100 * s->given.nan.part);
    TRY(image_fill_replace(&s->given.image, n_seed, seed_mm, &s->given.fill));
    if (s->given.fill.replaced)
        message_info("image: %.0f %% of it has the value %g and a sharp edge, as outside a mask or field of view; this "
                     "part is not used",
                     100 * s->given.fill.part, s->given.fill.value);
cleanup:
    return rc;
}

/* Refuses NaN voxels near the wall: the image there is a guess. */
static int refuse_near_nan(const segmentation *s) {
    const double limit_mm = NAN_RADII * s->lumen.measured.radius_mm[1];
    double away_mm, place_mm[3];
    char where[CASE_WHERE];
    int rc = OK;
    TRY(image_fill_distance(&s->given.nan, &s->given.image, &s->lumen.wall, limit_mm, &away_mm, place_mm));
    if (isfinite(away_mm))
        rc =
            fail(ERR_INPUT,
                 "the image has NaN voxels %.2g mm from the vessel's wall near %s, but the wall is measured only where "
                 "the image has values up to %.3g mm from it (%g radii); give an image with values there",
                 away_mm, case_write_point(&s->c, place_mm, where), limit_mm, NAN_RADII);
cleanup:
    return rc;
}

/* Convert the openings to LPS; a normal with x NaN is `auto`. */
static int openings_to_lps(segmentation *s) {
    const int n = s->c.n_opening;
    s->given.opening_mm = malloc((size_t)(n > 0 ? n : 1) * sizeof *s->given.opening_mm);
    s->given.opening_normal = malloc((size_t)(n > 0 ? n : 1) * sizeof *s->given.opening_normal);
    if (s->given.opening_mm == NULL || s->given.opening_normal == NULL)
        return fail_memory("the openings", n * (double)sizeof *s->given.opening_mm);
    for (int k = 0; k < n; k++) {
        const case_opening *o = &s->c.opening[k];
        case_point_lps(&s->c, o->point, &s->given.whole, s->given.opening_mm[k]);
        s->given.opening_normal[k][0] = NAN;
        if (!o->normal_auto)
            case_vector_lps(&s->c, o->normal, &s->given.whole, s->given.opening_normal[k]);
    }
    s->given.n_placed = n;
    return OK;
}

static int seeds_to_lps(segmentation *s) {
    int n = s->c.segment.n_seed;
    s->given.seed_mm = malloc((size_t)(n > 0 ? n : 1) * sizeof *s->given.seed_mm);
    if (s->given.seed_mm == NULL)
        return fail_memory("the seeds", n * (double)sizeof *s->given.seed_mm);
    for (int k = 0; k < n; k++)
        case_point_lps(&s->c, s->c.segment.seed[k], &s->given.whole, s->given.seed_mm[k]);
    return OK;
}

/* ---------------------------------------------------------------------------------------------- methods */

/* If the seeds are refused but would fit in another frame (RAS, LPS), add this as a question to the error. */
static int append_frame_question(const segmentation *s, int rc) {
    char stated[1000], text[FRAME_CHECK_TEXT];
    const int other =
        rc == ERR_INPUT || rc == ERR_NUMERIC ? frame_check_find(&s->c, &s->given.image, &s->given.whole) : -1;
    if (other < 0)
        return rc;
    frame_check_write_question(&s->c, other, text);
    snprintf(stated, sizeof stated, "%s", status_message());
    status_clear();
    return fail(rc, "%s; %s", stated, text);
}

/* Fills holes of the level set that are too small for the image to show. voxel: geometry of the image. */
static int fill_holes(segmentation *s, const volume *voxel, volume *level) {
    const double most_mm3 = SMALL_HOLE * voxel->spacing_mm[0] * voxel->spacing_mm[1] * voxel->spacing_mm[2];
    return region_fill_holes(level, most_mm3, &s->found.filled);
}

/* Replaces wall and phi by the wall and phi of a level set. A level set without values changes nothing. */
static int replace_lumen(segmentation *s, const volume *level) {
    if (level->value == NULL)
        return OK;
    surface_free(&s->lumen.wall);
    volume_free(&s->lumen.phi);
    return distance_rebuild(level, MARGIN, &s->lumen.wall, &s->lumen.phi);
}

/* Bridges the gaps between pieces of the vessel, and rebuilds wall and phi. */
static int bridge_gaps(segmentation *s) {
    const int n_opening = s->given.n_placed, n = n_opening + s->c.segment.n_seed;
    double(*point)[3] = malloc((size_t)(n + 1) * sizeof *point);
    volume bridged = {0};
    int rc = OK;
    if (point == NULL)
        return fail_memory("openings and seeds", n * (double)sizeof *point);
    for (int k = 0; k < n; k++)
        memcpy(point[k], k < n_opening ? s->given.opening_mm[k] : s->given.seed_mm[k - n_opening], sizeof *point);
    TRY(gap_bridge_find(&s->given.image, &s->lumen.phi, &s->level_set.seeds, n, (const double(*)[3])point, n_opening,
                        (const double(*)[3])s->given.opening_normal, &s->found.gaps, &bridged));
    TRY(replace_lumen(s, &bridged));
cleanup:
    volume_free(&bridged);
    free(point);
    return rc;
}

/* Adds the uncertainty of the width of bridged gaps to the uncertainty of the wall, since pressures depend most on the
 * stretch that is least known. */
static void add_gap_uncertainty(const gap_bridges *gaps, wall_uncertainty *wall) {
    for (int k = 0; k < gaps->n; k++)
        wall->bridged_mm = fmax(wall->bridged_mm, gaps->found[k].radius_95_mm);
    wall->uncertainty_mm = hypot(wall->uncertainty_mm, wall->bridged_mm);
    wall->shift_mm = hypot(wall->shift_mm, wall->bridged_mm);
}

/* Find narrow places by loss of signal. If the case requests it, bridge them and rebuild wall and phi. */
static int find_signal_losses(segmentation *s) {
    volume bridged = {0};
    int rc = OK;
    TRY(signal_loss_find(&s->given.image, &s->lumen.phi, &s->level_set.seeds, s->given.n_placed,
                         (const double(*)[3])s->given.opening_mm, &s->found.losses,
                         s->c.segment.bridge_signal_loss ? &bridged : NULL));
    TRY(replace_lumen(s, &bridged));
cleanup:
    volume_free(&bridged);
    return rc;
}

static int segment_level_set(segmentation *s) {
    int rc = OK;
    volume level = {0};
    /* value of option `vessel`, indexed by enum case_vessel */
    static const int vessel[] = {-1, 1, 0};
    /* value of option `engine`, indexed by enum case_engine */
    static const int engine[] = {LEVEL_SET_LBM, LEVEL_SET_ITK};
    level_set_options options = {.vessel = vessel[s->c.segment.vessel],
                                 .smoothing_mm = s->c.segment.smoothing_mm,
                                 .edge_low = s->c.segment.edge_low,
                                 .edge_high = s->c.segment.edge_high,
                                 .threshold_low = s->c.segment.threshold_low,
                                 .threshold_high = s->c.segment.threshold_high,
                                 .propagation = s->c.segment.propagation,
                                 .curvature = s->c.segment.curvature,
                                 .advection = s->c.segment.advection,
                                 .iterations = s->c.segment.iterations,
                                 .max_volume_ml = s->c.segment.max_volume_ml,
                                 .side_branches = s->c.segment.side_branches,
                                 .engine = engine[s->c.segment.engine]};
    if (s->given.image.value == NULL)
        return fail(ERR_INPUT, "'%s': method level-set needs image: {path: ...}", s->c.path);
    TRY(seeds_to_lps(s));
    TRY(replace_fill(s));
    options.n_opening = s->c.n_opening;
    options.opening_mm = (const double(*)[3])s->given.opening_mm;
    options.opening_normal = (const double(*)[3])s->given.opening_normal;
    TRY(append_frame_question(s, level_set_run(&s->given.image, s->c.segment.n_seed,
                                               (const double(*)[3])s->given.seed_mm, &options, &level, &s->level_set)));
    steps_add(&s->steps, &s->level_set.steps);
    TRY(fill_holes(s, &s->given.image, &level));
    TRY(distance_rebuild(&level, MARGIN, &s->lumen.wall, &s->lumen.phi));
    steps_end(&s->steps, "distance");
    if (!s->level_set.flooded && s->c.segment.bridge_signal_loss)
        TRY(bridge_gaps(s));
    if (!s->level_set.flooded)
        TRY(find_signal_losses(s));
    steps_end(&s->steps, "loss of signal");
    TRY(measure_lumen(&s->lumen.phi, &s->lumen.wall, &s->given.image, &s->lumen.measured));
    TRY(leak_find(&s->given.image, &s->level_set.seeds, s->c.segment.n_seed, (const double(*)[3])s->given.seed_mm,
                  &s->lumen.phi, &s->lumen.wall, &s->lumen.measured, s->level_set.used.max_volume_ml, &s->found.leak,
                  s->found.refused));
    TRY(wall_uncertainty_measure(&s->given.image, &s->lumen.wall, s->level_set.seeds.noise, s->level_set.seeds.kernel,
                                 s->found.leak.edge_support, s->level_set.wall_moved_sd_mm, &s->found.wall));
    add_gap_uncertainty(&s->found.gaps, &s->found.wall);
    TRY(motion_blur_find(&s->given.image, &s->lumen.wall, s->lumen.measured.radius_mm[1], &s->found.motion));
    TRY(refuse_near_nan(s));
    s->found.wall_in_fill = image_fill_at_wall(&s->given.fill, &s->given.image, &s->lumen.wall);
    steps_end(&s->steps, "signs of a leak");
    if (s->level_set.flooded && s->found.refused[0] == 0)
        snprintf(s->found.refused, sizeof s->found.refused,
                 "a region far larger than a vessel is connected to the seeds within the threshold");
cleanup:
    volume_free(&level);
    return rc;
}

/* Warn of several labels: an organ or tumour next to the vessel would become lumen. */
static void warn_several_labels(const segmentation *s, const char *path) {
    char there[LABELS_TEXT];
    if (s->c.segment.n_label_value == 0 && labels_format_list(path, &s->given.mask, there, sizeof there) > 1)
        message_warn("the mask has labels %s: all of them are used as the vessel; choose labels with "
                     "segment.labels.values: [..]",
                     there);
}

static int segment_labels(segmentation *s, cJSON *json) {
    int rc = OK;
    volume level = {0};
    char *path = case_resolve_path(&s->c, s->c.segment.labels_path);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(read_image(&s->c, "labels", s->c.segment.labels_path, DICOM_HEAD_LABELS, json, &s->given.mask, NULL));
    const bool labels = labels_recognize(&s->given.mask);
    if (labels)
        warn_several_labels(s, path);
    TRY(labels_select(path, &s->given.mask, s->c.segment.n_label_value, s->c.segment.label_value));
    if (!labels)
        message_warn_serious("the file of segment.labels looks like an image, not like a mask: every voxel other than "
                             "0 is used as vessel; check the file, or give the labels of the vessels: labels: "
                             "{path: .., values: [..]}");
    steps_end(&s->steps, "reading");
    TRY(label_mask_to_level_set(&s->given.mask, &level, &s->labels));
    TRY(fill_holes(s, &s->given.mask, &level));
    steps_end(&s->steps, "mask to level set");
    TRY(distance_rebuild(&level, MARGIN, &s->lumen.wall, &s->lumen.phi));
    TRY(measure_lumen(&s->lumen.phi, &s->lumen.wall, &s->given.mask, &s->lumen.measured));
    s->found.wall = wall_uncertainty_of_mask(&s->given.mask);
    steps_end(&s->steps, "distance");
cleanup:
    volume_free(&level);
    free(path);
    return rc;
}

/* Warn of a doubtful frame: the frame of the case has priority, then the frame stated in the file, then LPS. */
static void warn_doubtful_frame(int given, int stated) {
    static const char *const word[] = {"RAS", "LPS"}; /* indexed by enum case_space */
    if (given >= 0 && stated >= 0 && given != stated)
        message_warn_serious("the case says frame: %s (segment: surface), the surface file says %s; the frame of the "
                             "case is used: correct it if the lumen is at the wrong place",
                             word[given], word[stated]);
    if (given < 0 && stated < 0)
        message_warn_serious("neither the case nor the surface file states the frame: LPS is assumed (ITK, 3D Slicer); "
                             "write segment: {surface: {frame: RAS}} for a surface of VMTK or FreeSurfer");
}

/* Refuse parts without thickness: the lattice cannot represent a wall with both sides at one place. */
static int refuse_sheets(const segmentation *s, const char *path) {
    const measure *m = &s->lumen.measured;
    char where[CASE_WHERE];
    if (m->sheets == 0)
        return OK;
    return fail(
        ERR_INPUT,
        "'%s' has %d part%s without thickness (%.3g mm2, the largest near %s); the lattice cannot represent them: "
        "remove %s, or make a membrane at least one cell thick",
        path, m->sheets, m->sheets == 1 ? "" : "s", m->sheet_mm2, case_write_point(&s->c, m->sheet_mm, where),
        m->sheets == 1 ? "it" : "them");
}

static int segment_surface(segmentation *s, cJSON *json) {
    int rc = OK;
    const char *name = s->c.segment.surface_path;
    char *path = case_resolve_path(&s->c, name);
    if (path == NULL)
        return fail_memory("a path", FILE_PATH_MAX);
    const int given = s->c.segment.surface_space, stated = surface_read_frame(path, SPACE_RAS, SPACE_LPS);
    if (given < 0)
        s->c.segment.surface_space = stated < 0 ? SPACE_LPS : stated;
    TRY(given_surface_read(path, s->c.segment.surface_unit_mm, s->c.segment.surface_space == SPACE_RAS, NAN,
                           s->given.image.value != NULL ? &s->given.image : NULL, &s->lumen.wall, &s->lumen.phi,
                           &s->surface));
    warn_doubtful_frame(given, stated);
    TRY(provenance_add_input(json, "surface", path));
    TRY(measure_lumen(&s->lumen.phi, &s->lumen.wall, segmentation_reference(s), &s->lumen.measured));
    TRY(refuse_sheets(s, name));
    steps_end(&s->steps, "surface");
cleanup:
    free(path);
    return rc;
}

/* Read the geometry of the labels, which defines voxel coordinates if there is no image. */
static int read_voxel_geometry(segmentation *s) {
    const char *series, *name = case_voxel_image(&s->c, &series);
    char *path = name ? case_resolve_path(&s->c, name) : NULL;
    const int rc = path ? image_read_geometry(path, series, &s->given.whole) : OK;
    free(path);
    return rc;
}

static int segment_treated(segmentation *s, cJSON *json) {
    int rc = OK;
    TRY(treated_lumen(&s->c, &s->given.whole, json, &s->given.mask, &s->lumen.phi, &s->lumen.wall, &s->found.wall,
                      &s->treated));
    s->found.gaps = s->treated.gaps;
    TRY(measure_lumen(&s->lumen.phi, &s->lumen.wall, segmentation_reference(s), &s->lumen.measured));
    steps_end(&s->steps, "treatment");
cleanup:
    return rc;
}

static int find_lumen(segmentation *s, cJSON *json) {
    int rc = OK;
    s->found.wall = wall_uncertainty_unknown();
    if (s->c.image.path != NULL) {
        TRY(read_image(&s->c, "image", s->c.image.path, s->c.image.series, json, &s->given.image, &s->given.padding));
        char *path = case_resolve_path(&s->c, s->c.image.path);
        s->given.body_part = path ? body_part_of_image(path, s->c.image.series) : NULL;
        free(path);
    }
    s->given.whole = s->given.image;
    s->given.whole.value = NULL;
    if (s->given.image.value != NULL && s->c.segment.method == METHOD_LEVEL_SET && labels_recognize(&s->given.image))
        message_warn_serious("the image looks like a mask; if it is a mask, write segment: {method: labels}");
    if (s->given.image.value != NULL)
        TRY(crop_image(s));
    else if (s->c.space == SPACE_VOXEL)
        TRY(read_voxel_geometry(s));
    steps_end(&s->steps, "reading");
    if (s->given.whole.dims[0] > 0 || s->c.space != SPACE_VOXEL)
        TRY(openings_to_lps(s));
    if (s->c.segment.method == METHOD_LEVEL_SET)
        TRY(segment_level_set(s));
    else if (s->c.segment.method == METHOD_LABELS)
        TRY(segment_labels(s, json));
    else if (s->c.segment.method == METHOD_TREATED)
        TRY(segment_treated(s, json));
    else
        TRY(segment_surface(s, json));
    if (s->given.n_placed > 0 && s->found.refused[0] == 0)
        TRY(ends_without_opening(&s->lumen.phi, s->given.n_placed, (const double(*)[3])s->given.opening_mm,
                                 &s->found.n_end, s->found.end));
    TRY(closed_branch_find(&s->lumen.phi, s->treated.n, s->treated.disc, s->given.n_placed,
                           (const double(*)[3])s->given.opening_mm, s->found.n_end, s->found.end, s->found.closed_by));
    if (s->c.segment.method == METHOD_SURFACE) {
        TRY(caps_from_holes(&s->lumen.wall, s->surface.filled, &s->found.n_cap, &s->found.cap));
        TRY(flat_ends_add(&s->lumen.wall, &s->found.n_cap, &s->found.cap, &s->found.rings));
    } else if (s->c.segment.method == METHOD_TREATED && s->treated.from_surface)
        TRY(flat_ends_add(&s->lumen.wall, &s->found.n_cap, &s->found.cap, &s->found.rings));
    else
        TRY(caps_on_border(&s->lumen.wall, segmentation_reference(s), &s->found.n_cap, &s->found.cap));
cleanup:
    return rc;
}

/* Writes the message about a leak, with its place and a threshold to try, into `sentence`. */
static void format_leak(const segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]) {
    double at[3];
    char place[100] = "";
    segmentation_to_case_space(s, s->found.leak.place_mm, at);
    if (!isnan(at[0]))
        snprintf(place, sizeof place, " near [%.1f, %.1f, %.1f] (%s)", at[0], at[1], at[2], segmentation_space_name(s));
    const level_set_report *r = &s->level_set;
    const bool bright = r->seeds.bright;
    const double low = r->used.threshold_low, high = r->used.threshold_high, inside = r->seeds.inside;
    const double tried = bright ? low : high, better = 0.5 * (tried + inside);
    snprintf(sentence, UNREACHED_TEXT,
             "the lumen has leaked out of the vessel%s: %s (see '%s'; vessel %.4g, next tissue %.4g, noise %.3g, "
             "threshold %.4g used; try threshold: {low: %.4g, high: %.4g})",
             place, s->found.refused, picture, inside, r->next_tissue, r->seeds.noise, tried, bright ? better : low,
             bright ? high : better);
}

/* Finds the centerlines from end to end and measures them. The openings are not used, because they may be moved or
 * renamed without a new segmentation. A lumen without a vessel, such as a chamber, has no centerlines. */
static int measure_vessel(segmentation *s) {
    measure *m = &s->lumen.measured;
    segment_vessel *v = &s->vessel;
    int rc = centerline_find(&s->lumen.phi, 0, NULL, &v->lines);
    if (rc == OK && v->lines.n_branch > 0)
        rc = vessel_table_create(&v->lines, 1000 * m->volume_ml, m->area_mm2, s->found.wall.uncertainty_mm, NULL,
                                 &v->table);
    if (rc == OK)
        rc = measure_narrow_radius(&v->lines, m);
    steps_end(&s->steps, "vessel table");
    return rc;
}

int segment_run(const segment_options *o) {
    int rc = OK, lock = -1;
    char digest[17], refusal[UNREACHED_TEXT] = "", *path[OUTPUT_FILES] = {NULL};
    segmentation s = {0};
    cJSON *json = NULL;
    TRY(case_read_set(o->case_path, &o->set, CASE_LUMEN, &s.c));
    if (s.c.mesh.has_shape) {
        rc = fail(ERR_INPUT, "'%s' has mesh.shape, so there is nothing to segment; continue with mesh", o->case_path);
        goto cleanup;
    }
    if (file_exists(o->out) && !file_is_folder(o->out)) { /* checked here, before minutes of work */
        rc = fail(ERR_OUTPUT, "cannot write into '%s': it is not a folder; give another --out", o->out);
        goto cleanup;
    }
    case_digest(&s.c, "segment", digest);
    json = provenance_start("segment", o->argc, o->argv, digest);
    for (int k = 0; k < OUTPUT_FILES; k++)
        path[k] = file_join(o->out, output_files_name[k]);
    if (json == NULL || path[OUTPUT_FILES - 1] == NULL) {
        rc = fail_memory("segment.json", 1);
        goto cleanup;
    }
    TRY(case_chain_add_parts(&s.c, "segment", json));
    TRY(file_create_folder(o->out));
    TRY(file_lock(o->out, &lock));
    steps_start(&s.steps);
    TRY(find_lumen(&s, json));
    TRY(lbm_wait_ready());
    if (s.found.refused[0])
        format_leak(&s, path[OUTPUT_PICTURE], refusal);
    else
        TRY(unreached_points_find(&s, path[OUTPUT_PICTURE], refusal));
    if (s.found.refused[0])
        TRY(output_files_write_picture(&s, path[OUTPUT_PICTURE]));
    if (refusal[0])
        GIVE_UP(fail(ERR_NUMERIC, "%s", refusal));
    TRY(measure_vessel(&s));
    segment_messages_print(&s);
    TRY(output_files_write(&s, path, json));
cleanup:
    file_unlock(lock);
    for (int k = 0; k < OUTPUT_FILES; k++)
        free(path[k]);
    cJSON_Delete(json);
    segmentation_free(&s);
    return rc;
}
