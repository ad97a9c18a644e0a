/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of work.h: write the results. */
#include "post/stage/work.h"
#include "common/draw/vtk_draw.h"
#include "post/report/view_page.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/surface_vtk/vtk_surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORES_MAX = 1000 }; /* largest solve.stores */

typedef struct {
    const post_options *o;
    post_work *p;
    out_folder to;
} output;

static int write_surface(const output *w, const char *name, int n, const surface_array *array) {
    char path[FILE_PATH_MAX];
    int rc;
    TRY(out_folder_path(&w->to, name, path));
    TRY(surface_write(path, &w->p->w.shape, n, array));
    TRY(out_folder_record(&w->to, name));
cleanup:
    return rc;
}

static int write_wall(const output *w) {
    const post_work *p = w->p;
    surface_array array[] = {
        {"wss_pa", 1, p->wss_magnitude}, {"wss_vector_pa", 3, p->wss}, {"pressure_pa", 1, p->pressure},
        {"tawss_pa", 1, p->tawss},       {"osi", 1, p->osi},           {"rrt_per_pa", 1, p->rrt}};
    int n = p->run.pulsatile ? 6 : 3;
    if (p->r.heat) { /* heat is computed for steady flows only */
        array[n++] = (surface_array){"temperature_c", 1, p->r.heat->temperature_c};
        array[n++] = (surface_array){"nusselt", 1, p->r.heat->nusselt};
    }
    return write_surface(w, "wall.vtp", n, array);
}

/* Remove a file of an earlier run. */
static void discard_file(const output *w, const char *name) {
    char path[FILE_PATH_MAX];
    if (out_folder_path(&w->to, name, path) == OK)
        file_discard(path);
}

/* Write wall_0007.vtp for stored instant 7; files of instants that are no longer requested are removed. */
static int write_instants(const output *w) {
    const post_work *p = w->p;
    char name[32];
    int rc = OK;
    for (int k = 0; k < STORES_MAX; k++) { /* an earlier run may have stored more instants than this run */
        snprintf(name, sizeof name, "wall_%04d.vtp", k);
        discard_file(w, name);
    }
    for (int k = 0; k < p->shown.n && rc == OK; k++) {
        const instants_one *one = &p->shown.one[k];
        const surface_array array[] = {
            {"wss_pa", 1, one->shear}, {"wss_vector_pa", 3, one->wss}, {"pressure_pa", 1, one->pressure}};
        snprintf(name, sizeof name, "wall_%04d.vtp", one->stored);
        rc = write_surface(w, name, 3, array);
    }
    return rc;
}

/* A value that was not computed is an empty field. */
static void write_field(FILE *to, double x) {
    if (isfinite(x))
        fprintf(to, ",%.6g", x);
    else
        fputc(',', to);
}

/* Content of the column `usable`. porous: the values are from a section through porous tissue, where flow, velocity and
 * wall shear stress are not computed. */
static const char *usable_word(const post_work *p, bool porous) {
    return porous && !solution_unusable(&p->run) ? "POROUS" : solution_usable_word(&p->run);
}

static int write_profiles(const output *w) {
    const post_work *p = w->p;
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to)
        fprintf(to, "from,to,distance_mm,area_mm2,flow_ml_s,mean_velocity_m_s,pressure_pa,pressure_mmhg,usable\n");
    for (int k = 0; to && k < p->n_course; k++)
        for (int j = 0; j < p->course[k].n; j++) {
            const course_station *s = &p->course[k].station[j];
            const double value[] = {s->distance_mm,       s->area_mm2,    s->flow_ml_s,
                                    s->mean_velocity_m_s, s->pressure_pa, units_pa_to_mmhg(s->pressure_pa)};
            fprintf(to, "%s,%s", p->l.opening[p->course[k].from].name, p->l.opening[p->course[k].to].name);
            for (size_t i = 0; i < sizeof value / sizeof *value; i++)
                write_field(to, value[i]);
            fprintf(to, ",%s\n", usable_word(p, s->porous));
        }
    return out_folder_text(&w->to, "profiles.csv", to, &text, &n);
}

static int write_along(const output *w) {
    const post_work *p = w->p;
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (to)
        fputs("branch,arc_length_mm,x_lps_mm,y_lps_mm,z_lps_mm,area_mm2,equivalent_diameter_mm,flow_ml_s,"
              "mean_velocity_m_s,pressure_pa,pressure_mmhg,total_pressure_pa,wss_mean_pa,wss_min_pa,wss_max_pa,"
              "usable\n",
              to);
    for (int k = 0; to && k < p->along.n; k++) {
        const along_station *s = &p->along.station[k];
        const double value[] = {s->arc_mm,
                                s->point_mm[0],
                                s->point_mm[1],
                                s->point_mm[2],
                                s->area_mm2,
                                s->diameter_mm,
                                s->flow_ml_s,
                                s->mean_velocity_m_s,
                                s->pressure_pa,
                                units_pa_to_mmhg(s->pressure_pa),
                                s->total_pressure_pa,
                                s->wss_mean_pa,
                                s->wss_min_pa,
                                s->wss_max_pa};
        fputs(p->branches.name[s->branch], to);
        for (size_t i = 0; i < sizeof value / sizeof *value; i++)
            write_field(to, value[i]);
        fprintf(to, ",%s\n", usable_word(p, s->porous));
    }
    return out_folder_text(&w->to, "along.csv", to, &text, &n);
}

static int record_picture(const output *w, const char *file) {
    char name[sizeof "figures/" + PICTURE_FILE];
    snprintf(name, sizeof name, "figures/%.*s", PICTURE_FILE - 1, file);
    return out_folder_record(&w->to, name);
}

static int write_pictures(const output *w, const char *folder) {
    post_work *p = w->p;
    picture_input in = {.l = &p->l,
                        .s = &p->s,
                        .f = &p->f,
                        .w = &p->w,
                        .wss_pa = p->tawss ? p->tawss : p->wss_magnitude,
                        .osi = p->osi,
                        .pressure_pa = p->pressure,
                        .n_course = p->n_course,
                        .course = p->course,
                        .density_kg_m3 = p->c.blood.density_kg_m3,
                        .r = &p->r,
                        .shown = &p->shown};
    int rc = OK;
    p->no_picture = w->o->no_pictures ? "--no-pictures was given" : NULL;
    if (w->o->no_pictures)
        return OK;
    TRY(file_create_folder(folder));
    TRY(picture_draw_all(&in, folder, p->picture, &p->n_picture, &p->no_picture));
    if (p->no_picture)
        message_warn("no pictures: %s", p->no_picture);
    for (int k = 0; k < p->n_picture; k++)
        TRY(record_picture(w, p->picture[k].file));
cleanup:
    return rc;
}

/* Draw the image straightened along the paths of profiles.csv. */
static int write_straightened(const output *w, const char *folder) {
    post_work *p = w->p;
    int(*path)[2] = malloc(((size_t)p->n_course + 1) * sizeof *path), rc = OK;
    if (!path)
        return fail_memory("the straightened pictures", 8.0 * p->n_course);
    for (int k = 1; k <= STRAIGHTENED_MAX; k++) { /* removes pictures of an earlier run, which may have had more
                                                   * paths or an image */
        char name[64];
        snprintf(name, sizeof name, "figures/straightened_%d.png", k);
        discard_file(w, name);
    }
    if (w->o->no_pictures || p->no_picture || !p->image.value || !p->phi.value)
        goto cleanup;
    for (int k = 0; k < p->n_course; k++) {
        path[k][0] = p->course[k].from;
        path[k][1] = p->course[k].to;
    }
    TRY(straightened_draw(&p->image, &p->phi, &p->l, &p->branches, p->n_course, (const int(*)[2])path, folder,
                          p->straightened, &p->n_straightened));
    for (int k = 0; k < p->n_straightened; k++)
        TRY(record_picture(w, p->straightened[k].file));
cleanup:
    free(path);
    return rc;
}

/* Moves the warnings of one stage, with their subjects. serious true: the serious warnings; false: all other warnings.
 * A prefix such as "mesh: " names the stage; warnings of post have no prefix. Returns the number of warnings moved. */
static int move_warnings(const cJSON *from, const char *name, bool serious, cJSON *all, cJSON *subjects) {
    const int n = (int)fmax(json_get_number(from, "serious_warnings"), 0);
    const cJSON *item;
    int k = 0, moved = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(from, "warnings")) {
        char text[1100];
        const char *said = cJSON_GetStringValue(item);
        const cJSON *about = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(from, "warning_subjects"), k);
        if ((k++ < n) != serious)
            continue;
        snprintf(text, sizeof text, "%s%s%s", name, *name ? ": " : "", said ? said : "");
        cJSON_AddItemToArray(all, cJSON_CreateString(text));
        if (serious)
            cJSON_AddItemToArray(subjects, cJSON_CreateString(cJSON_IsString(about) ? about->valuestring : ""));
        moved++;
    }
    return moved;
}

/* Adds the warnings of all stages, because warnings of earlier stages also affect the readouts. Serious warnings come
 * first. */
static void add_warnings(const post_work *p, cJSON *object) {
    static const char *const name[] = {"segment", "mesh", "solve", ""};
    cJSON *own = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(object, "warnings");
    cJSON *said = cJSON_AddArrayToObject(own, "warnings"), *about = cJSON_AddArrayToObject(own, "warning_subjects");
    int serious = 0;
    for (int k = 0; k < message_warning_count(); k++)
        cJSON_AddItemToArray(said, cJSON_CreateString(message_warning(k)));
    for (int k = 0; k < message_serious_count(); k++)
        cJSON_AddItemToArray(about, cJSON_CreateString(message_warning_subject(k)));
    cJSON_AddNumberToObject(own, "serious_warnings", message_serious_count());
    cJSON *subjects = cJSON_CreateArray();
    for (int which = 1; which >= 0; which--)
        for (int k = 0; k <= REPORT_POST; k++) {
            const int n = move_warnings(k < REPORT_POST ? p->stage[k] : own, name[k], which == 1, all, subjects);
            serious += which * n;
        }
    cJSON_AddNumberToObject(object, "serious_warnings", serious);
    cJSON_AddItemToObject(object, "warning_subjects", subjects);
    cJSON_Delete(own);
}

static int write_readouts(const output *w) {
    cJSON *object = readouts_json(&w->p->r);
    const cJSON *accuracy = json_find(w->p->stage[REPORT_SOLVE], "result/accuracy");
    if (object && accuracy)
        cJSON_AddItemToObject(object, "accuracy", cJSON_Duplicate(accuracy, 1));
    add_warnings(w->p, object);
    return out_folder_json(&w->to, "readouts.json", object);
}

static int write_report(const output *w, const char *folder) {
    post_work *p = w->p;
    char path[FILE_PATH_MAX];
    int rc;
    report_input in = {.c = &p->c,
                       .l = &p->l,
                       .r = &p->r,
                       .w = &p->w,
                       .n_course = p->n_course,
                       .course = p->course,
                       .branches = &p->branches,
                       .along = &p->along,
                       .n_picture = p->n_picture,
                       .picture = p->picture,
                       .n_straightened = p->n_straightened,
                       .straightened = p->straightened,
                       .figure_folder = folder,
                       .no_picture = p->no_picture,
                       .monitors = &p->monitors,
                       .wss_instant = p->instant,
                       .qc_path = p->qc_path[0] ? p->qc_path : NULL,
                       .image = p->image.value && p->phi.value ? &p->image : NULL,
                       .phi = p->phi.value ? &p->phi : NULL};
    p->stage[REPORT_POST] = w->to.record;
    for (int k = 0; k < REPORT_STAGES; k++)
        in.stage[k] = p->stage[k];
    TRY(out_folder_path(&w->to, "report.html", path));
    TRY(report_write(path, &in));
    TRY(out_folder_record(&w->to, "report.html"));
    discard_file(w, "view.html");
    if (view_page_available() && !w->o->no_pictures) {
        TRY(out_folder_path(&w->to, "view.html", path));
        TRY(view_values_write(path, &in, p));
        TRY(out_folder_record(&w->to, "view.html"));
    }
cleanup:
    p->stage[REPORT_POST] = NULL; /* from here on, the caller frees the record */
    return rc;
}

static void add_instants(const post_work *p, cJSON *list) {
    for (int k = 0; k < p->run.n_instant; k++) {
        cJSON *i = cJSON_CreateObject();
        json_add_number(i, "time_s", p->run.instant[k].time_s);
        json_add_number(i, "wss_mean_pa", p->instant[k].mean);
        json_add_number(i, "wss_max_pa", p->instant[k].max);
        cJSON_AddItemToArray(list, i);
    }
}

static int add_result(const output *w) {
    const post_work *p = w->p;
    cJSON *result = cJSON_AddObjectToObject(w->to.record, "result");
    if (!result)
        return fail_memory("post.json", 65536);
    json_add_number(result, "wall_points", (double)p->w.shape.n_point);
    json_add_number(result, "wall_area_mm2", surface_area_mm2(&p->w.shape));
    json_add_number(result, "wall_without_value_mm2", p->w.lost_mm2);
    cJSON *sections = cJSON_AddObjectToObject(result, "sections");
    for (int k = 0; k < p->r.n_section; k++) {
        cJSON *s = cJSON_AddObjectToObject(sections, p->c.section[k].name);
        json_add_numbers(s, "point_lps_mm", 3, p->r.section[k].point_mm);
        json_add_numbers(s, "centroid_lps_mm", 3, p->r.section[k].centroid_mm);
        json_add_numbers(s, "normal_lps", 3, p->r.section[k].normal);
    }
    if (p->instant)
        add_instants(p, cJSON_AddArrayToObject(result, "instants"));
    cJSON *courses = cJSON_AddArrayToObject(result, "profiles");
    for (int k = 0; k < p->n_course; k++) {
        cJSON *c = cJSON_CreateObject();
        cJSON_AddStringToObject(c, "from", p->l.opening[p->course[k].from].name);
        cJSON_AddStringToObject(c, "to", p->l.opening[p->course[k].to].name);
        json_add_number(c, "length_mm", p->course[k].length_mm);
        json_add_number(c, "stations", p->course[k].n);
        cJSON_AddItemToArray(courses, c);
    }
    json_add_number(result, "pictures", p->n_picture);
    return OK;
}

int outputs_write(const post_options *o, post_work *p, cJSON *json) {
    output w = {o, p, {o->out, p->c.folder, json}};
    char figures[FILE_PATH_MAX], path[FILE_PATH_MAX];
    int rc;
    TRY(out_folder_path(&w.to, "figures", figures));
    TRY(out_folder_path(&w.to, "post.json", path));
    file_group_begin();
    file_discard(path); /* first removes the old record: outputs without post.json count as incomplete */
    TRY(write_wall(&w));
    TRY(write_instants(&w));
    TRY(write_profiles(&w));
    TRY(write_along(&w));
    TRY(exports_write(&w.to, p));
    TRY(write_pictures(&w, figures));
    TRY(write_straightened(&w, figures));
    TRY(write_readouts(&w));
    TRY(add_result(&w));
    TRY(write_report(&w, figures));
    TRY(provenance_write(json, path));
cleanup:
    return file_group_end(rc);
}
