/* SPDX-License-Identifier: Apache-2.0 */
/* See measure_command.h. */
#include "segment/output/measure_command.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/vessel/vessel_files.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "common/record/dicom_head.h"
#include "common/record/json.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/bridge/gap_bridge_json.h"
#include "segment/ends/label_list.h"
#include "segment/import/given_surface.h"
#include "segment/import/label_mask.h"
#include "segment/output/segment_messages.h"
#include "segment/voxel/distance.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 4, LABELS_MAX = 64, GIVEN_MAX = 256 };

typedef struct {
    volume phi;
    double volume_mm3, area_mm2, wall_mm; /* volume and wall area of the lumen; wall_mm: uncertainty of the wall's
                                           * position, NAN: unknown */
    int n_end;
    double (*end_mm)[3];
    const char *name[GIVEN_MAX]; /* borrowed from the case */
} measured_lumen;

static bool is_surface(const char *path) {
    static const char *const ending[] = {".stl", ".vtp", ".ply", ".vtk", NULL};
    for (int k = 0; ending[k] != NULL; k++)
        if (file_ends_with(path, ending[k]))
            return true;
    return false;
}

static int read_surface(const measure_command_options *o, measured_lumen *m) {
    const int stated = surface_read_frame(o->path, 1, 0), ras = o->ras >= 0 ? o->ras : stated == 1;
    given_surface_report report;
    surface wall = {0};
    int rc = OK;
    if (o->ras < 0 && stated < 0)
        message_info("the file states no frame: LPS is assumed; give --frame RAS for a surface of VMTK or FreeSurfer");
    TRY(given_surface_read(o->path, o->unit_mm, ras, NAN, NULL, &wall, &m->phi, &report));
    m->volume_mm3 = surface_volume_mm3(&wall);
    m->area_mm2 = surface_area_mm2(&wall);
cleanup:
    surface_free(&wall);
    return rc;
}

/* Reads whole numbers separated by commas, such as "1,2". */
static int parse_labels(const char *text, int value[LABELS_MAX], int *n) {
    for (*n = 0; *n < LABELS_MAX;) {
        char *end;
        errno = 0;
        const long x = strtol(text, &end, 10);
        if (end == text || errno != 0 || x < 1 || x > 1000000 || (*end != 0 && *end != ','))
            break;
        value[(*n)++] = (int)x;
        if (*end == 0)
            return OK;
        text = end + 1;
    }
    return fail(ERR_USAGE, "--labels '%s': give up to %d whole numbers from 1 with commas, such as 1,2", text,
                LABELS_MAX);
}

/* Keeps the labels that the user gave; otherwise the labels that look like one kind of vessel; otherwise all labels. */
static int choose_labels(const measure_command_options *o, volume *v) {
    label_list list = {0};
    int value[LABELS_MAX], n = 0, rc = OK, taken = 0;
    if (!labels_recognize(v))
        return fail(ERR_INPUT,
                    "'%s' is an image, not a mask: segment the vessel first (pipeline init, then pipeline measure of "
                    "the folder), or give a mask or a surface",
                    o->path);
    if (o->labels != NULL) {
        TRY(parse_labels(o->labels, value, &n));
        return labels_select(o->path, v, n, value);
    }
    TRY(label_list_read(o->path, v, &list));
    TRY(label_list_choose_vessel(&list, v));
    for (int k = 0; k < list.n && n < LABELS_MAX; k++)
        if (list.label[k].taken)
            value[n++] = list.label[k].value;
    taken = n;
    if (taken > 0 && taken < list.n)
        message_info("%d of %d labels are taken as the vessel (label %d%s); choose others with --labels", taken, list.n,
                     value[0], taken > 1 ? ", .." : "");
    if (taken == 0)
        message_warn("no label is known as a vessel: all of them are used; choose with --labels");
    rc = labels_select(o->path, v, n, value);
cleanup:
    return rc;
}

static int read_mask(const measure_command_options *o, measured_lumen *m) {
    label_mask_report report;
    volume mask = {0}, level = {0};
    surface wall = {0};
    int rc = OK;
    TRY(image_read(o->path, DICOM_HEAD_LABELS, &mask));
    TRY(choose_labels(o, &mask));
    TRY(label_mask_to_level_set(&mask, &level, &report));
    TRY(distance_rebuild(&level, MARGIN, &wall, &m->phi));
    m->volume_mm3 = surface_volume_mm3(&wall);
    m->area_mm2 = surface_area_mm2(&wall);
    m->wall_mm = wall_uncertainty_of_mask(&mask).uncertainty_mm;
cleanup:
    volume_free(&mask);
    volume_free(&level);
    surface_free(&wall);
    return rc;
}

static bool is_segmentation(const char *path) {
    char *record = file_is_folder(path) ? file_join(path, "segment.json") : NULL;
    const bool found = record != NULL && file_exists(record);
    free(record);
    return found;
}

/* Warns of stretches that were bridged: their measures are no findings of the image. */
static void warn_gaps(const cJSON *result) {
    const case_file lps = {.space = SPACE_LPS};
    gap_bridges gaps;
    char text[SEGMENT_MESSAGES_TEXT];
    gap_bridge_read(result, &gaps);
    for (int k = 0; k < gaps.n; k++) {
        segment_messages_gap(&lps, &gaps.found[k], sizeof text, text);
        message_warn_serious("%s", text);
    }
}

/* Reads phi.nii.gz, and volume, area and wall uncertainty from segment.json, in the output folder of segment. */
static int read_segmentation(const measure_command_options *o, measured_lumen *m) {
    char *record = file_join(o->path, "segment.json"), *phi = file_join(o->path, "phi.nii.gz");
    cJSON *json = NULL;
    int rc = OK;
    if (record == NULL || phi == NULL)
        GIVE_UP(fail_memory("a path", FILE_PATH_MAX));
    TRY(json_read_sealed(record, &json));
    const cJSON *result = cJSON_GetObjectItem(json, "result");
    TRY(image_read(phi, NULL, &m->phi));
    m->volume_mm3 = 1000 * json_get_number(result, "volume_ml");
    m->area_mm2 = json_get_number(result, "area_mm2");
    m->wall_mm = json_get_number(result, "wall_uncertainty_mm");
    warn_gaps(result);
cleanup:
    cJSON_Delete(json);
    free(record);
    free(phi);
    return rc;
}

/* Reads the openings of the case, which become the given ends of the vessel. */
static int read_ends(const case_file *c, measured_lumen *m) {
    const char *series = NULL, *name = c->space == SPACE_VOXEL ? case_voxel_image(c, &series) : NULL;
    char *path = name ? case_resolve_path(c, name) : NULL;
    volume whole = {0};
    int rc = OK;
    m->n_end = c->n_opening < GIVEN_MAX ? c->n_opening : GIVEN_MAX;
    m->end_mm = calloc((size_t)m->n_end + 1, sizeof *m->end_mm);
    if (m->end_mm == NULL)
        GIVE_UP(fail_memory("the openings", m->n_end * (double)sizeof *m->end_mm));
    if (path != NULL)
        TRY(image_read_geometry(path, series, &whole));
    for (int k = 0; k < m->n_end; k++) {
        case_point_lps(c, c->opening[k].point, &whole, m->end_mm[k]);
        m->name[k] = c->opening[k].name;
    }
cleanup:
    free(path);
    return rc;
}

static int write_files(const vessel_table *t, const char *out) {
    static const char *const name[] = {"centerlines.vtp", "centerlines.csv", "measure.csv", "measure.json"};
    char *path[4] = {NULL};
    cJSON *json = vessel_files_json(t);
    int rc = OK;
    file_group_begin();
    for (int k = 0; k < 4; k++)
        path[k] = file_join(out, name[k]);
    if (json == NULL || !path[0] || !path[1] || !path[2] || !path[3])
        GIVE_UP(fail_memory("the table of the vessel", FILE_PATH_MAX));
    TRY(file_create_folder(out));
    TRY(vessel_files_write_vtp(t, path[0]));
    TRY(vessel_files_write_points(t, path[1]));
    TRY(vessel_files_write_table(t, path[2]));
    TRY(json_write(path[3], json));
cleanup:
    for (int k = 0; k < 4; k++)
        free(path[k]);
    cJSON_Delete(json);
    return file_group_end(rc);
}

int measure_command_run(const measure_command_options *o, FILE *to) {
    measured_lumen m = {.wall_mm = NAN};
    case_file c = {0};
    centerline lines = {0};
    vessel_table table = {0};
    int rc = OK;
    if (file_exists(o->out) && !file_is_folder(o->out))
        return fail(ERR_OUTPUT, "cannot write into '%s': it is not a folder; give another --out", o->out);
    if (o->case_path != NULL) {
        TRY(case_read(o->case_path, CASE_LUMEN, &c));
        TRY(read_ends(&c, &m));
    }
    if (is_segmentation(o->path))
        TRY(read_segmentation(o, &m));
    else if (is_surface(o->path))
        TRY(read_surface(o, &m));
    else
        TRY(read_mask(o, &m));
    TRY(centerline_find(&m.phi, m.n_end, (const double(*)[3])m.end_mm, &lines));
    if (lines.n_small_piece > 0)
        message_warn("%d piece%s of the lumen (%.2g mL) smaller than a hundredth of the largest got no centerline",
                     lines.n_small_piece, lines.n_small_piece == 1 ? "" : "s", lines.small_mm3 / 1000);
    TRY(vessel_table_create(&lines, m.volume_mm3, m.area_mm2, m.wall_mm, m.n_end > 0 ? m.name : NULL, &table));
    TRY(write_files(&table, o->out));
    vessel_files_print(&table, to);
    if (fflush(to) != 0)
        rc = fail(ERR_OUTPUT, "cannot write to the standard output; check that the disk is not full");
cleanup:
    vessel_table_free(&table);
    centerline_free(&lines);
    volume_free(&m.phi);
    free(m.end_mm);
    case_free(&c);
    return rc;
}
