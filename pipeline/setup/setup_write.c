/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/setup/setup_write.h"
#include "common/base/vec.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image/label_kind.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/labels_select.h"
#include "pipeline/setup/setup_page.h"
#include "common/base/units.h"
#include "common/record/dicom_head.h"
#include "common/record/json.h"
#include "pipeline/run/stage_state.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same_grid(const volume *a, const volume *b) {
    bool same = true;
    for (int k = 0; k < 8 && same; k++) {
        double index[3], p[3], q[3];
        for (int c = 0; c < 3; c++) {
            same = same && a->dims[c] == b->dims[c];
            index[c] = k >> c & 1 ? a->dims[c] - 1 : 0;
        }
        volume_to_lps(a, index, p);
        volume_to_lps(b, index, q);
        for (int c = 0; c < 3; c++)
            same = same && fabs(p[c] - q[c]) < 0.1 * a->spacing_mm[c];
    }
    return same;
}

/* Adds the points from 3D Slicer, which replace the ends found in the image. Returns their number. */
static int add_markups(const markups *m, struct setup_point point[MARKUPS_MAX]) {
    for (int k = 0; k < m->n; k++) {
        const double *ras = m->point[k].ras_mm;
        const bool seed = markups_is_seed(m->point[k].name);
        point[k] = (struct setup_point){.kind = seed ? "seed" : "opening",
                                        .name = seed ? NULL : m->point[k].name,
                                        .role = seed ? NULL : "outlet",
                                        .lps_mm = {-ras[0], -ras[1], ras[2]}};
    }
    return m->n;
}

/* Proposes the ends as openings of the page. For an image without a mask the page puts a seed between two ends, along
 * the centerlines.
 *  sure  propose the ends of all vessels; otherwise of the first vessel only
 *  name  [ENDS_MAX] names of the ends
 * Returns the number of points. */
static int propose_openings(const vessel_ends *ends, bool sure, struct setup_point point[ENDS_MAX],
                            char name[ENDS_MAX][16]) {
    int n = 0;
    for (int v = 0; v < (sure ? ends->n_vessel : ends->n_vessel > 0); v++)
        for (int k = 0; k < ends->vessel[v].n_end && n < ENDS_MAX; k++, n++) {
            const double *ras = ends->vessel[v].end[k].point, *normal = ends->vessel[v].end[k].normal;
            const bool seen = vec_dot(normal, normal) > 0;
            snprintf(name[n], sizeof name[n], "end-%d", n + 1);
            point[n] = (struct setup_point){"opening", name[n], "outlet", {-ras[0], -ras[1], ras[2]}};
            /* if the slices are too thick to show the direction of the end, the user must fill in the normal */
            point[n].more = seen ? NULL : ", normal: FILL-IN";
        }
    return n;
}

/* Writes the chosen labels of a mask with several labels: "[1, 5]"; "" for a mask with one label. */
static void name_values(const vessel_ends *ends, char *text, size_t size) {
    size_t n = 0;
    text[0] = 0;
    for (int k = 0; ends->n_label > 1 && k < ends->n_label && n + 16 < size; k++)
        if (ends->label[k].chosen)
            n += (size_t)snprintf(text + n, size - n, "%s%d", n ? ", " : "[", ends->label[k].value);
    if (n)
        snprintf(text + n, size - n, "]");
}

/* Reads the mask with its chosen labels as 1. An unreadable mask gives no volume. */
static void read_chosen_labels(const char *path, const vessel_ends *ends, volume *mask) {
    int value[ENDS_LABELS], n = 0;
    for (int k = 0; k < ends->n_label; k++)
        if (ends->label[k].chosen)
            value[n++] = ends->label[k].value;
    if (image_read(path, DICOM_HEAD_LABELS, mask) != OK || labels_select(path, mask, n, value) != OK)
        volume_free(mask);
    status_clear();
}

/* Reads the liver from a label of the vessel's mask, or from a separate mask. Without a readable liver the volume is
 * empty. */
static void read_liver(const char *dir, const case_choice *choice, volume *liver) {
    const char *name = choice->liver_label > 0 ? choice->mask : choice->liver;
    char *path = *name ? file_join(dir, name) : NULL;
    const int n = choice->liver_label > 0;
    if (path &&
        (image_read(path, DICOM_HEAD_LABELS, liver) != OK || labels_select(path, liver, n, &choice->liver_label) != OK))
        volume_free(liver);
    status_clear();
    free(path);
}

/* True if the chosen labels, or a mask with one label, are of a portal vein. */
static bool is_portal(const case_choice *choice) {
    for (int k = 0; k < choice->ends.n_label; k++)
        if (choice->ends.label[k].chosen && label_kind_from_name(choice->ends.label[k].name) == LABEL_PORTAL)
            return true;
    return label_kind_from_name(file_name(choice->mask)) == LABEL_PORTAL;
}

int setup_write(const char *path, const char *dir, const case_choice *choice, bool *written) {
    const char *mask_name = choice->mask[0] ? choice->mask : NULL;
    char *image_path = file_join(dir, choice->image[0] ? choice->image : choice->mask), *mask_path = NULL;
    char values[1000], name[ENDS_MAX][16];
    const char *series = choice->series[0] ? choice->series : NULL;
    struct setup_point point[MARKUPS_MAX];
    float padding;
    volume image = {0}, mask = {0}, liver = {0};
    int rc = OK;
    *written = false;
    if (!image_path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (image_read_padded(image_path, series, &image, &padding) != OK) {
        status_clear();
        goto cleanup;
    }
    if (mask_name && (mask_path = file_join(dir, mask_name)))
        read_chosen_labels(mask_path, &choice->ends, &mask);
    if (mask_name)
        read_liver(dir, choice, &liver);
    name_values(&choice->ends, values, sizeof values);
    const bool placed = choice->points.n > 0;
    const setup_page page = {.image = &image,
                             .lumen = mask.value && same_grid(&image, &mask) ? &mask : NULL,
                             .liver = liver.value ? &liver : NULL,
                             .portal = is_portal(choice),
                             .case_name = choice->name,
                             .image_name = choice->image,
                             .labels_name = mask_name,
                             .series = series,
                             .values = mask_name && values[0] ? values : NULL,
                             .placed = placed,
                             .n_point = placed ? add_markups(&choice->points, point)
                                               : propose_openings(&choice->ends, mask_name != NULL, point, name),
                             .n_vessel = placed ? 0 : choice->ends.n_vessel,
                             .vessel = choice->ends.vessel,
                             .point = point};
    TRY(setup_page_write(path, &page));
    *written = true;
cleanup:
    volume_free(&image);
    volume_free(&mask);
    volume_free(&liver);
    free(image_path);
    free(mask_path);
    return rc;
}

/* ------------------------------------------------------------------------------------------ an existing case */

enum { CASE_POINTS = 600, CONDITION_TEXT = 256 };

typedef struct {
    struct setup_point point[CASE_POINTS];
    char value[CASE_POINTS][CONDITION_TEXT], plus[CASE_POINTS][40], more[CASE_POINTS][160];
    int n;
} case_points;

/* Writes the boundary condition of an opening in the notation of the page. */
static void write_condition(const case_opening *o, struct setup_point *to, char value[CONDITION_TEXT]) {
    char error[32] = "", capacitance_error[32] = "", distal_error[32] = "";
    to->unit = "";
    to->value = value;
    if (o->distal_error > 0)
        snprintf(distal_error, sizeof distal_error, " +- %.6g mmHg", units_pa_to_mmhg(o->distal_error));
    switch (o->condition) {
    case CONDITION_FLOW:
        to->what = "flow";
        to->unit = "L/min";
        snprintf(value, CONDITION_TEXT, "%.6g", 6e4 * o->value);
        break;
    case CONDITION_WAVEFORM:
        to->what = "waveform";
        snprintf(value, CONDITION_TEXT, "%.63s", o->waveform);
        break;
    case CONDITION_PRESSURE:
        to->what = "pressure";
        to->unit = "mmHg";
        snprintf(value, CONDITION_TEXT, "%.6g", units_pa_to_mmhg(o->value));
        break;
    case CONDITION_DEVELOPED:
        to->what = "developed";
        break;
    case CONDITION_SPLIT: /* the page shows no value, and the key `split` of the case stays unchanged */
        to->what = "split";
        break;
    case CONDITION_RESISTANCE:
        to->what = "resistance";
        if (o->value_error > 0)
            snprintf(error, sizeof error, " +- %.6g Pa s/m3", o->value_error);
        snprintf(value, CONDITION_TEXT, "{value: %.9g Pa s/m3%s, %s: %.6g mmHg%s}", o->value, error,
                 o->role == ROLE_INLET ? "source" : "distal", units_pa_to_mmhg(o->distal_pa), distal_error);
        break;
    case CONDITION_WINDKESSEL:
        to->what = "windkessel";
        if (o->value_error > 0)
            snprintf(error, sizeof error, " +- %.6g Pa s/m3", o->value_error);
        if (o->capacitance_error > 0)
            snprintf(capacitance_error, sizeof capacitance_error, " +- %.6g m3/Pa", o->capacitance_error);
        snprintf(value, CONDITION_TEXT,
                 "{proximal: %.9g Pa s/m3, capacitance: %.9g m3/Pa%s, distal_resistance: %.9g Pa s/m3%s, distal: %.6g "
                 "mmHg%s}",
                 o->value * o->proximal_part, o->capacitance_m3_pa, capacitance_error,
                 o->value * (1 - o->proximal_part), error, units_pa_to_mmhg(o->distal_pa), distal_error);
        break;
    default:
        to->what = "velocity";
        if (o->value_error > 0)
            snprintf(error, sizeof error, " +- %.6g m/s", o->value_error);
        snprintf(value, CONDITION_TEXT, "{%s: %.6g m/s%s}", o->condition == CONDITION_VELOCITY_MEAN ? "mean" : "peak",
                 o->value, error);
    }
}

/* Writes the uncertainty of an opening's value, and the keys that the page does not show. */
static void write_other_keys(const case_opening *o, struct setup_point *to, char plus[40], char more[160]) {
    static const char *const profiles[] = {"developed", "parabolic", "plug"};
    int n = 0;
    plus[0] = more[0] = 0;
    if (o->value_error > 0 && o->condition == CONDITION_FLOW)
        snprintf(plus, 40, " +- %.6g L/min", 6e4 * o->value_error);
    if (o->collateral)
        n += snprintf(more + n, 160 - (size_t)n, ", collateral: true");
    if (o->extension_mm > 0)
        n += snprintf(more + n, 160 - (size_t)n, ", extension: %.6g mm", o->extension_mm);
    if (isfinite(o->radius_mm))
        n += snprintf(more + n, 160 - (size_t)n, ", radius: %.6g mm", o->radius_mm);
    if (o->profile != PROFILE_DEVELOPED)
        n += snprintf(more + n, 160 - (size_t)n, ", profile: %s", profiles[o->profile]);
    if (isfinite(o->temperature_c))
        n += snprintf(more + n, 160 - (size_t)n, ", temperature: %.6g degC", o->temperature_c);
    if (!o->normal_auto)
        snprintf(more + n, 160 - (size_t)n, ", %snormal: [%.6g, %.6g, %.6g]", o->plane_found ? "found_" : "",
                 o->normal[0], o->normal[1], o->normal[2]);
    to->plus = plus;
    to->more = more;
}

/* Reads the cut that mesh computed for an opening. */
static void read_cut(const cJSON *openings, struct setup_point *to) {
    const cJSON *o = cJSON_GetObjectItemCaseSensitive(openings, to->name);
    to->radius_mm = fmax(json_get_number(o, "radius_mm"), 0);
    if (!json_get_vector(json_find(o, "centre_mm"), to->centre_mm) ||
        !json_get_vector(json_find(o, "normal"), to->normal))
        to->radius_mm = 0;
}

static void collect_points(const patient *p, const volume *image, const cJSON *cuts, case_points *to) {
    const case_file *c = &p->c;
    for (int k = 0; c->segment.method == METHOD_LEVEL_SET && k < c->segment.n_seed && to->n < CASE_POINTS / 3; k++) {
        to->point[to->n] = (struct setup_point){.kind = "seed"};
        case_point_lps(c, c->segment.seed[k], image, to->point[to->n++].lps_mm);
    }
    for (int k = 0; k < c->n_opening && to->n < 2 * CASE_POINTS / 3; k++) {
        struct setup_point *at = &to->point[to->n];
        *at = (struct setup_point){.kind = "opening",
                                   .name = c->opening[k].name,
                                   .role = c->opening[k].role == ROLE_INLET ? "inlet" : "outlet"};
        case_point_lps(c, c->opening[k].point, image, at->lps_mm);
        write_other_keys(&c->opening[k], at, to->plus[to->n], to->more[to->n]);
        write_condition(&c->opening[k], at, to->value[to->n++]);
        read_cut(cuts, at);
    }
    for (int k = 0; k < c->n_section && to->n < CASE_POINTS; k++) {
        const double *normal = c->section[k].normal;
        if (c->section[k].branch)
            continue;
        to->point[to->n] = (struct setup_point){.kind = "section", .name = c->section[k].name, .more = to->more[to->n]};
        if (!c->section[k].normal_auto)
            snprintf(to->more[to->n], sizeof to->more[0], ", normal: [%.6g, %.6g, %.6g]", normal[0], normal[1],
                     normal[2]);
        case_point_lps(c, c->section[k].point, image, to->point[to->n++].lps_mm);
    }
}

/* Reads a mask of the case or the lumen of segment. The volume is empty if its grid differs from the image's. */
static void read_lumen(const patient *p, const volume *image, volume *lumen) {
    char path[PATIENT_PATH_MAX];
    char *mask = p->c.segment.labels_path ? case_resolve_path(&p->c, p->c.segment.labels_path) : NULL;
    if (!mask && patient_path(path, p->out, "segment/lumen.nii.gz") == OK && file_exists(path))
        mask = strdup(path);
    const int n = p->c.segment.labels_path ? p->c.segment.n_label_value : 0;
    if (mask && (image_read(mask, DICOM_HEAD_LABELS, lumen) != OK || !same_grid(image, lumen) ||
                 labels_select(mask, lumen, n, p->c.segment.label_value) != OK))
        volume_free(lumen);
    status_clear();
    free(mask);
}

bool setup_reads_images(void) {
    return true;
}

int setup_write_case(const char *path, const patient *p, const char *text, bool *written) {
    static const char *const frames[] = {"RAS", "LPS", "voxel"};
    const char *name = p->c.image.path ? p->c.image.path : p->c.segment.labels_path;
    char *file = name ? case_resolve_path(&p->c, name) : NULL, json_path[PATIENT_PATH_MAX];
    volume image = {0}, lumen = {0};
    case_points *points = calloc(1, sizeof *points);
    cJSON *mesh = NULL;
    stage_state s;
    float padding;
    int rc = OK;
    *written = false;
    if (!points)
        GIVE_UP(fail_memory("the points", sizeof *points));
    if (!file ||
        image_read_padded(file, p->c.image.path ? p->c.image.series : DICOM_HEAD_LABELS, &image, &padding) != OK)
        goto cleanup;
    read_lumen(p, &image, &lumen);
    stage_state_find(p, STAGE_MESH, &s);
    if (s.kind == STATE_DONE && patient_path(json_path, p->out, "mesh/mesh.json") == OK &&
        json_read(json_path, &mesh) != OK)
        status_clear();
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(mesh, "result");
    collect_points(p, &image, cJSON_GetObjectItemCaseSensitive(result, "openings"), points);
    const setup_page page = {.image = &image,
                             .lumen = lumen.value ? &lumen : NULL,
                             .image_name = name,
                             .labels_name = p->c.segment.labels_path,
                             .view_only = !text,
                             .readouts_of = &p->c,
                             .text = text,
                             .frame = frames[p->c.space],
                             .n_point = points->n,
                             .point = points->point};
    TRY(setup_page_write(path, &page));
    *written = true;
cleanup:
    cJSON_Delete(mesh);
    volume_free(&image);
    volume_free(&lumen);
    free(points);
    free(file);
    return rc;
}
