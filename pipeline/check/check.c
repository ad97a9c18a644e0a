/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/check/check.h"
#include "common/base/file.h"
#include "common/base/memory.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/record/unfed_branches.h"
#include "common/record/json.h"
#include "common/base/vec.h"
#include "common/frame/frame_check.h"
#include "common/liver/liver_volume.h"
#include "common/waveform/waveform.h"
#include "pipeline/check/dry_run_stages.h"
#include "pipeline/inspect/inspect_image.h"
#include "pipeline/setup/setup_write.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/run/summary.h"
#include "pipeline/inspect/inspect_surface.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { PROBLEMS_MAX = 32768, PLACE_MAX = 512 };

typedef struct {
    int n;
    size_t length;
    char text[PROBLEMS_MAX];
} problem_list;

static void add_problem(problem_list *list, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_problem(problem_list *list, const char *format, ...) {
    va_list args;
    list->n++;
    if (list->length + 2 >= sizeof list->text)
        return;
    if (list->length > 0)
        list->text[list->length++] = '\n';
    va_start(args, format);
    int n = vsnprintf(list->text + list->length, sizeof list->text - list->length, format, args);
    va_end(args);
    size_t room = sizeof list->text - list->length - 1;
    list->length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* Adds the message of the present status as a problem at this line of case.yaml (0: no line). */
static void problem_from_status(problem_list *list, const patient *p, int line) {
    char place[PLACE_MAX];
    add_problem(list, "%s: %s", case_write_place(&p->c, line, place, sizeof place), status_message());
    status_clear();
}

/* Writes the extent of the image in the space of the case: "RAS 0.0 to 16.0, ... mm" or "voxels 0 to 15, ...". */
static void image_span(const case_file *c, const volume *v, char text[160]) {
    double low[3], high[3];
    if (c->space == SPACE_VOXEL) {
        snprintf(text, 160, "voxels 0 to %d, 0 to %d, 0 to %d", v->dims[0] - 1, v->dims[1] - 1, v->dims[2] - 1);
        return;
    }
    inspect_image_box(v, 0.5, c->space == SPACE_RAS, low, high);
    snprintf(text, 160, "%s %.1f to %.1f, %.1f to %.1f, %.1f to %.1f mm", c->space == SPACE_RAS ? "RAS" : "LPS", low[0],
             high[0], low[1], high[1], low[2], high[2]);
}

static void check_point(problem_list *list, const patient *p, const volume *v, int line, const char *what,
                        const double point[3]) {
    double lps[3];
    char span[160], place[PLACE_MAX];
    case_point_lps(&p->c, point, v, lps);
    if (volume_contains(v, lps))
        return;
    image_span(&p->c, v, span);
    add_problem(list, "%s: %s at [%g, %g, %g] lies outside the image, which spans %s; correct the point or 'space'",
                case_write_place(&p->c, line, place, sizeof place), what, point[0], point[1], point[2], span);
}

static void check_points(problem_list *list, const patient *p, const volume *v) {
    char what[96];
    const int before = list->n;
    for (int k = 0; p->c.segment.method == METHOD_LEVEL_SET && k < p->c.segment.n_seed; k++) {
        snprintf(what, sizeof what, "seed %d", k + 1);
        check_point(list, p, v, p->c.segment.seed_line[k], what, p->c.segment.seed[k]);
    }
    for (int k = 0; k < p->c.n_opening; k++) {
        snprintf(what, sizeof what, "opening '%s'", p->c.opening[k].name);
        check_point(list, p, v, p->c.opening[k].line, what, p->c.opening[k].point);
    }
    for (int k = 0; k < p->c.n_section; k++) {
        if (p->c.section[k].branch)
            continue;
        snprintf(what, sizeof what, "section '%s'", p->c.section[k].name);
        check_point(list, p, v, p->c.section[k].line, what, p->c.section[k].point);
    }
    int low[3], high[3];
    bool cut;
    if (list->n == before && case_image_box(&p->c, v, low, high, &cut) != OK)
        problem_from_status(list, p, p->c.image.line);
}

/* Adds a problem if `mesh` would refuse the case for lack of memory: 75 bytes for each cell of mesh.spacing in
 * `volume_mm3`, a lower bound of the lumen's volume. */
static void check_spacing(problem_list *list, const patient *p, double volume_mm3) {
    const double h = p->c.mesh.spacing_mm, cells = volume_mm3 / (h * h * h), available = memory_available();
    if (!(75 * cells > available))
        return;
    add_problem(list,
                "%s: mesh.spacing of %g mm gives %.3g million cells or more, which need %.3g GB; %.3g GB are free. Use "
                "a spacing of %.2g mm or more",
                p->case_path, h, cells / 1e6, 75e-9 * cells, available / 1e9, 1.05 * cbrt(75 * volume_mm3 / available));
}

/* Lower bound of the lumen's volume, mm3: a vessel two voxels in diameter between the two most distant openings. */
static double least_volume_mm3(const patient *p, const volume *v) {
    const double width = 2 * volume_thinnest_mm(v);
    double farthest = 0, a[3], b[3];
    for (int k = 0; k < p->c.n_opening; k++)
        for (int m = 0; m < k; m++) {
            case_point_lps(&p->c, p->c.opening[k].point, v, a);
            case_point_lps(&p->c, p->c.opening[m].point, v, b);
            farthest = fmax(farthest, vec_distance(a, b));
        }
    return M_PI / 4 * width * width * farthest;
}

static void warn_about_frame(const patient *p, const volume *v) {
    const int other = frame_check_find(&p->c, v, v);
    char place[PLACE_MAX], text[FRAME_CHECK_TEXT];
    if (other < 0)
        return;
    frame_check_write_question(&p->c, other, text);
    message_warn_serious("%s: %s", case_write_place(&p->c, 0, place, sizeof place), text);
}

/* Reads one image of the case. If the image defines the frame of the case, its points are checked too. */
static void check_image(problem_list *list, const patient *p, const char *path, const char *series, int line,
                        bool points) {
    volume v;
    bool seen = false;
    char *file = case_resolve_path(&p->c, path);
    if (file && !file_exists(file)) { /* a missing file is reported by the check of the case */
        free(file);
        return;
    }
    int rc = file ? inspect_image(file, series, true, &v, &seen) : fail_memory("a path", 0);
    if (rc == OK && seen && (v.dims[0] < 3 || v.dims[1] < 3 || v.dims[2] < 3))
        rc =
            fail(ERR_INPUT, "'%s' has %d x %d x %d voxels; at least 3 along each axis are needed: give the whole image",
                 path, v.dims[0], v.dims[1], v.dims[2]);
    if (rc != OK)
        problem_from_status(list, p, line);
    else if (seen && points)
        check_points(list, p, &v);
    if (rc == OK && seen && points && p->c.segment.method == METHOD_LEVEL_SET) {
        check_spacing(list, p, least_volume_mm3(p, &v));
        warn_about_frame(p, &v);
    }
    if (file && rc == OK)
        volume_free(&v);
    free(file);
}

/* Reads the surface. Only `mesh` has the wall and can check the points against it. */
static void check_surface(problem_list *list, const patient *p) {
    char *file = case_resolve_path(&p->c, p->c.segment.surface_path);
    if (!file || (file_exists(file) && inspect_surface(file, p->c.segment.surface_unit_mm) != OK))
        problem_from_status(list, p, p->c.segment.surface_line);
    free(file);
}

/* Reads the mask and checks that it holds the label values of the case. */
static void check_labels(problem_list *list, const patient *p, bool points) {
    volume v = {0};
    bool seen = false;
    char *file = case_resolve_path(&p->c, p->c.segment.labels_path);
    if (!file || (file_exists(file) &&
                  inspect_image_labels(file, p->c.segment.n_label_value, p->c.segment.label_value, &v, &seen) != OK))
        problem_from_status(list, p, p->c.segment.labels_line);
    else if (seen && points)
        check_points(list, p, &v);
    free(file);
}

/* Checks the images, the mask or the surface of the case. points: true also checks the coordinates of points. Pass true
 * only if the case has no other problem, because otherwise its key `space` is not reliable. */
static void check_images(problem_list *list, const patient *p, bool points) {
    const char *labels = p->c.segment.method == METHOD_LABELS ? p->c.segment.labels_path : NULL;
    if (p->c.mesh.has_shape)
        return;
    if (p->c.image.path)
        check_image(list, p, p->c.image.path, p->c.image.series, p->c.image.line, points);
    if (labels)
        check_labels(list, p, points && p->c.image.path == NULL);
    if (p->c.segment.method == METHOD_SURFACE && p->c.segment.surface_path)
        check_surface(list, p);
}

/* Checks one end of a vessel against the label of the liver. image: of the case, for points in voxels. */
static void check_liver_end(problem_list *list, const patient *p, const liver_grid *g, const volume *image, int line,
                            const char *what, const char *name, const double point[3]) {
    double lps[3], off_mm = 0;
    case_point_lps(&p->c, point, image, lps);
    liver_grid_nearest(g, lps, &off_mm);
    if (liver_grid_check_distance(what, name, off_mm) != OK)
        problem_from_status(list, p, line);
}

static void check_liver_ends(problem_list *list, const patient *p, const liver_grid *g, const volume *image) {
    const case_readout *o = case_find_liver_labels(&p->c);
    const case_compartments *c = o->compartments;
    for (int k = 0; k < p->c.n_opening; k++)
        if (case_opening_feeds(o, &p->c.opening[k]))
            check_liver_end(list, p, g, image, p->c.opening[k].line, "outlet", p->c.opening[k].name,
                            p->c.opening[k].point);
    for (int k = 0; k < c->n_end; k++) {
        char number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        check_liver_end(list, p, g, image, o->line, "hepatic vein", number, c->end[k]);
    }
}

/* Warns if the volume of the liver may be wrong. */
static void warn_about_liver(const patient *p, const case_readout *o, const liver_grid *g) {
    char doubt[LIVER_VOLUME_DOUBTS][LIVER_VOLUME_TEXT], place[PLACE_MAX];
    const liver_volume v = liver_volume_measure(g);
    const int n = liver_volume_find_doubts(&v, doubt);
    for (int k = 0; k < n; k++)
        message_warn_serious("%s: %s", case_write_place(&p->c, o->line, place, sizeof place), doubt[k]);
}

/* Warns of each stage of a liver that is an assumption. The resistance of a liver with labels is not known yet. */
static void warn_about_stages(const patient *p) {
    for (int k = 0; k < p->c.n_readout; k++) {
        const case_readout *o = &p->c.readout[k];
        char place[PLACE_MAX], value[100] = "";
        if (!case_stage_is_assumed(o))
            continue;
        if (isfinite(o->liver_resistance))
            snprintf(value, sizeof value, "; resistance %.3g mmHg min/L, 95 %% interval %.2g to %.2g",
                     o->liver_resistance / UNITS_PA_S_M3_PER_MMHG_MIN_L,
                     o->liver_bound[0] / UNITS_PA_S_M3_PER_MMHG_MIN_L,
                     o->liver_bound[1] / UNITS_PA_S_M3_PER_MMHG_MIN_L);
        message_warn(
            "%s: liver: stage %s is an assumption: no source gives the permeability of its sinusoids%s. If you "
            "know it, give permeability, or the resistance with model: resistance",
            case_write_place(&p->c, o->line, place, sizeof place), lobule_stage_name(o->liver_stage), value);
    }
}

/* Warns of each share of a liver without portal blood. */
static void warn_about_lost_shares(const patient *p) {
    for (int k = 0; k < p->c.n_readout; k++) {
        const case_readout *o = &p->c.readout[k];
        char place[PLACE_MAX], value[60] = "";
        if (!(o->lost_share.value > 0))
            continue;
        if (isfinite(o->liver_resistance))
            snprintf(value, sizeof value, ", to %.3g mmHg min/L", o->liver_resistance / UNITS_PA_S_M3_PER_MMHG_MIN_L);
        message_warn("%s: liver: lost_share %.3g %% is an assumption: this part of the liver gets no portal blood, "
                     "which multiplies the resistance by %.3g%s; collaterals between the parts of the liver and growth "
                     "of the rest lower the gradient",
                     case_write_place(&p->c, o->line, place, sizeof place), 100 * o->lost_share.value,
                     1 / (1 - o->lost_share.value), value);
    }
}

/* Reads the label of the liver. points: also checks that the ends of the vessels are in it or near it. */
static void check_liver(problem_list *list, const patient *p, bool points) {
    const case_readout *o = case_find_liver_labels(&p->c);
    const char *series = NULL, *voxels = case_voxel_image(&p->c, &series);
    liver_grid g = {0};
    volume image = {0};
    bool seen = false;
    char *file = o ? case_resolve_path(&p->c, o->liver_labels.path) : NULL;
    char *frame = p->c.space == SPACE_VOXEL && voxels ? case_resolve_path(&p->c, voxels) : NULL;
    if (file && file_exists(file) && inspect_image_liver(file, o->liver_labels.n, o->liver_labels.value, &g) != OK)
        problem_from_status(list, p, o->line);
    else if (g.n > 0)
        warn_about_liver(p, o, &g);
    if (g.n > 0 && o->compartments && frame && inspect_image(frame, series, false, &image, &seen) != OK) {
        status_clear(); /* reported by the check of the image */
        seen = false;
    }
    if (g.n > 0 && o->compartments && points && (p->c.space != SPACE_VOXEL || seen))
        check_liver_ends(list, p, &g, seen ? &image : NULL);
    volume_free(&image);
    liver_grid_free(&g);
    free(file);
    free(frame);
}

static void check_programs(problem_list *list, const patient *p) {
    char path[PATIENT_PATH_MAX];
    for (int k = 0; k < STAGE_COUNT; k++)
        if (stages_is_wanted(&p->c, k) && patient_path(path, p->bin, stages_table[k].name) == OK &&
            access(path, X_OK) != 0)
            add_problem(list,
                        "the program '%s' is missing: it was not built (cmake prints the reason); install the complete "
                        "package, or build it",
                        path);
}

/* Adds a problem if precision half is requested without a GPU; `solve devices` reports whether one exists. */
static void check_device(problem_list *list, const patient *p) {
    char program[PATIENT_PATH_MAX];
    const char *const argv[] = {program, "devices", "--device", "cuda", NULL};
    process_result r;
    if (p->c.solve.precision != PRECISION_HALF || patient_path(program, p->bin, "solve") != OK ||
        access(program, X_OK) != 0)
        return;
    if (process_run(argv, NULL, NULL, 1, &r) != OK)
        problem_from_status(list, p, 0);
    else if (r.exit_code != 0)
        add_problem(list,
                    "%s: solve: precision half runs on a GPU only, and 'solve devices' finds none here; write "
                    "precision: float, or use a machine with a GPU",
                    p->case_path);
}

/* Adds a problem if `folder` is not a folder, or if the access rights forbid writing to it. */
static bool check_folder(problem_list *list, const char *folder) {
    if (!file_is_folder(folder))
        add_problem(list, "'%s' is not a folder, but results are written there; move or remove it", folder);
    else if (access(folder, W_OK | X_OK) != 0)
        add_problem(list, "results are written to '%s', but it is not writable: %s", folder, strerror(errno));
    else
        return true;
    return false;
}

/* True if the name exists. A dangling link counts, because no folder can be created in its place. */
static bool name_exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

/* Warns if the disk has less space than a run needs: 10 MB, plus 300 bytes per cell, plus 40 bytes per cell for each
 * stored instant. cells NaN: unknown. Some network file systems report zero blocks; their free space is unknown. */
static void warn_about_disk_space(const patient *p, double cells) {
    struct statvfs disk;
    const char *folder = file_is_folder(p->out) ? p->out : p->dir;
    const double stores = p->c.solve.mode == MODE_PULSATILE ? p->c.solve.stores : 0;
    const double least_mb = 10 + (isfinite(cells) ? 1e-6 * cells * (300 + 40 * stores) : 0);
    const bool known = statvfs(folder, &disk) == 0 && disk.f_blocks > 0;
    const double mb = known ? (double)disk.f_bavail * (double)disk.f_frsize / 1e6 : INFINITY;
    if (mb < least_mb)
        message_warn_serious(
            "'%s': %.0f MB are free on its disk, the results need about %.0f MB%s; free some space first", folder, mb,
            least_mb, isfinite(cells) ? "" : " or more");
}

static void check_output(problem_list *list, const patient *p) {
    char path[PATIENT_PATH_MAX];
    if (!name_exists(p->out)) {
        check_folder(list, p->dir);
        return;
    }
    if (!check_folder(list, p->out))
        return;
    for (int k = 0; k < STAGE_COUNT; k++)
        if (patient_path(path, p->out, stages_table[k].out) == OK && name_exists(path))
            check_folder(list, path);
    if (patient_path(path, p->out, "log") == OK && name_exists(path))
        check_folder(list, path);
}

/* Mean prescribed flow, mL/s. NaN: unknown, because the condition is a velocity and needs the area of the opening, or
 * because the waveform cannot be read; 0: no flow is prescribed. */
static double given_flow_ml_s(const patient *p, const case_opening *o) {
    waveform w = {0};
    double flow = case_opening_is_free(o) || o->condition == CONDITION_SPLIT ? 0 : NAN;
    if (o->condition == CONDITION_FLOW)
        return 1e6 * o->value;
    if (o->condition != CONDITION_WAVEFORM)
        return flow;
    char *path = case_resolve_path(&p->c, o->waveform);
    if (path && waveform_read(path, &w) == OK)
        flow = 1e6 * waveform_mean_m3_s(&w);
    else
        status_clear();
    waveform_free(&w);
    free(path);
    return flow;
}

static void warn_supply(const patient *p) {
    double in = 0, out = 0;
    char place[PATIENT_PATH_MAX + 2];
    for (int k = 0; k < p->c.n_opening; k++) {
        const case_opening *o = &p->c.opening[k];
        *(o->role == ROLE_INLET ? &in : &out) += given_flow_ml_s(p, o);
    }
    snprintf(place, sizeof place, "%s: ", p->case_path);
    case_warn_supply(&p->c, place, in, out);
}

/* Estimates the plane of an opening before the first mesh. Returns false if it is unknown. */
static bool estimate_plane(const patient *p, const cJSON *segment, const case_opening *o, unfed_plane *to) {
    double point[3] = {0}, normal[3] = {0};
    if (p->c.space == SPACE_VOXEL) /* voxel indices need the image, which is not read here */
        return false;
    case_point_lps(&p->c, o->point, NULL, point);
    if (!o->normal_auto)
        case_vector_lps(&p->c, o->normal, NULL, normal);
    return unfed_plane_estimate(segment, point, o->normal_auto ? NULL : normal, to);
}

/* Reads the planes of the openings from mesh.json, or estimates them before the first mesh. Returns their number. */
static int read_planes(const patient *p, const cJSON *segment, const cJSON *mesh, unfed_plane *plane) {
    int n = 0;
    for (int k = 0; k < p->c.n_opening; k++) {
        const case_opening *o = &p->c.opening[k];
        const cJSON *cut = cJSON_GetObjectItemCaseSensitive(json_find(mesh, "result/openings"), o->name);
        unfed_plane *to = &plane[n];
        if (!cut) {
            n += estimate_plane(p, segment, o, to);
            continue;
        }
        to->radius_mm = json_get_number(cut, "radius_mm");
        if (!json_get_vector(json_find(cut, "centre_mm"), to->centre_mm) ||
            !json_get_vector(json_find(cut, "normal"), to->normal) || !(to->radius_mm > 0))
            continue;
        vec_add(to->centre_mm, -o->extension_mm, to->normal, to->centre_mm);
        n++;
    }
    return n;
}

static cJSON *read_record(const patient *p, int number, const char *name) {
    char path[PATIENT_PATH_MAX];
    stage_state s;
    cJSON *record = NULL;
    stage_state_find(p, number, &s);
    if (s.kind != STATE_DONE || patient_path(path, p->out, name) != OK || json_read(path, &record) != OK)
        status_clear();
    return record;
}

/* Warns of each branch that the segmentation cut away. Does nothing if the results of segment are missing or not up to
 * date. */
static int warn_unfed_branches(const patient *p) {
    unfed_branch list[UNFED_BRANCHES_MAX];
    char where[CASE_WHERE];
    unfed_plane *plane = calloc((size_t)p->c.n_opening + 1, sizeof *plane);
    if (!plane)
        return fail_memory("the branches without flow", sizeof *plane * (double)p->c.n_opening);
    cJSON *segment = read_record(p, STAGE_SEGMENT, "segment/segment.json");
    cJSON *mesh = read_record(p, STAGE_MESH, "mesh/mesh.json");
    const int n = unfed_branches_list(segment, read_planes(p, segment, mesh, plane), plane, list);
    for (int k = 0; k < n; k++) {
        case_write_point(&p->c, list[k].point_mm, where);
        if (list[k].touches)
            message_warn("a branch %.2g mm wide near %s is cut away; it " UNFED_NARROW "; to include it, write "
                         "segment: {side_branches: 1} and add an opening at its end",
                         list[k].diameter_mm, where);
        else
            message_warn("a branch %.2g mm wide near %s is cut away, so no blood flows through it: include it "
                         "(segment: {side_branches: 1}) and give its end as an opening",
                         list[k].diameter_mm, where);
    }
    cJSON_Delete(segment);
    cJSON_Delete(mesh);
    free(plane);
    return OK;
}

/* Warns that an unknown blood model has no effect without a grid sequence, because only the grid sequence computes the
 * difference to shear-thinning blood. */
static void warn_about_blood(const patient *p) {
    if (p->c.blood.unknown && p->c.mesh.grid_levels < 2)
        message_warn("blood: model unknown has no effect with mesh.grid_levels 1 (the default of a shape, and --fast): "
                     "Newtonian blood is computed, and no interval includes the difference to shear-thinning blood; "
                     "write mesh: {grid_levels: 3}");
}

static void print_plan(const patient *p) {
    const char *before = NULL;
    const int warnings = message_warning_count();
    printf("%s: no problem found", p->case_path);
    if (warnings > 0)
        printf("; %d warning%s above", warnings, warnings == 1 ? "" : "s");
    printf("\n");
    for (int k = 0; k < STAGE_COUNT; k++) {
        stage_state s;
        stage_state_find_next(p, k, &before, &s);
        if (s.kind == STATE_DONE)
            printf("  %-8s  up to date\n", stages_table[k].name);
        else if (s.kind != STATE_NOT_NEEDED)
            printf("  %-8s  would run: %s\n", stages_table[k].name, s.reason);
    }
}

static int write_picture(const patient *p) {
    char path[PATIENT_PATH_MAX];
    bool written = false;
    int rc;
    TRY(patient_path(path, p->dir, "check.html"));
    TRY(setup_write_case(path, p, NULL, &written));
    if (written)
        printf("picture: %s\n", path);
    else if (!p->c.image.path && !p->c.segment.labels_path)
        message_warn(
            "check.html was not written: it shows the openings in the image or mask, and the case has neither; "
            "give the image (key image) to see them, or leave out --picture");
    else if (!setup_reads_images())
        message_warn("check.html was not written: this program was built without ITK and reads no images; use a build "
                     "with ITK, or leave out --picture");
    else
        message_warn("check.html was not written, because the image of the case cannot be read: %s", status_message());
    status_clear();
cleanup:
    return rc;
}

int check_patient(const char *dir, const options_list *set, bool picture) {
    patient p;
    problem_list *list = calloc(1, sizeof *list);
    bool solve_warned = false;
    double cells = NAN;
    int rc = OK;
    if (!list)
        return fail_memory("the list of problems", sizeof *list);
    TRY(patient_open_parts(dir, set, &p));
    const bool clean = status_message()[0] == '\0';
    if (!clean) {
        add_problem(list, "%s", status_message());
        status_clear();
    }
    check_images(list, &p, clean);
    check_liver(list, &p, clean);
    check_programs(list, &p);
    check_device(list, &p);
    check_output(list, &p);
    if (clean && dry_run_stages_of_case(&p, set) != OK)
        problem_from_status(list, &p, 0);
    if (list->n == 0)
        case_warn_plausible(&p.c);
    warn_about_stages(&p);
    warn_about_lost_shares(&p);
    warn_about_blood(&p);
    if (list->n == 0 && dry_run_stages(&p, set, &solve_warned, &cells) != OK)
        problem_from_status(list, &p, 0);
    warn_about_disk_space(&p, cells);
    if (picture && clean)
        TRY(write_picture(&p));
    if (list->n > 0)
        rc = fail(ERR_INPUT, "%s", list->text);
    else {
        if (!solve_warned)
            warn_supply(&p);
        TRY(warn_unfed_branches(&p));
        print_plan(&p);
        rc = summary_print_places(&p);
    }
cleanup:
    patient_close(&p);
    free(list);
    return rc;
}
