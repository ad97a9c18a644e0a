/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/study_case.h"
#include "common/base/csv.h"
#include "common/base/file.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_MAX = 1000000 }; /* size limit of a case file, bytes */

const char *study_path(const study_context *x, const char *name) {
    return results_format(x->page, "%s/%s", x->source, name);
}

int study_take_error(const study_context *x) {
    const int rc = x->page->error;
    x->page->error = OK;
    return rc;
}

bool study_read_numbers(const study_context *x, const char *name, int n_column, study_table *t) {
    if (x->page->error == OK)
        results_fail(x->page, study_table_read_numbers(x->source, name, n_column, t));
    return x->page->error == OK;
}

static int join(char path[STUDY_CASE_PATH_MAX], const char *folder, const char *name) {
    return file_path(path, STUDY_CASE_PATH_MAX, "%s/%s", folder, name);
}

/* Copies the CSV files of <source>/flow, if there are any, to the folder flow of the case. */
static int copy_flow(const char *source, const char *folder) {
    char from[STUDY_CASE_PATH_MAX], to[STUDY_CASE_PATH_MAX], path[STUDY_CASE_PATH_MAX], *text = NULL;
    size_t size;
    int rc = OK;
    struct dirent *entry;
    DIR *d = join(from, source, "flow") == OK ? opendir(from) : NULL;
    if (!d)
        return OK;
    TRY(join(to, folder, "flow"));
    TRY(file_create_folder(to));
    while ((entry = readdir(d))) {
        if (!file_ends_with(entry->d_name, ".csv"))
            continue;
        TRY(join(path, from, entry->d_name));
        TRY(file_read(path, 10000000, &text, &size));
        TRY(join(path, to, entry->d_name));
        TRY(file_write(path, text, size));
        free(text);
        text = NULL;
    }
cleanup:
    free(text);
    closedir(d);
    return rc;
}

void study_case_open(study_case *t, const study_context *x, const char *source, const char *format, ...) {
    char path[STUDY_CASE_PATH_MAX], name[128], *text = NULL;
    size_t size;
    va_list args;
    int rc = x->page->error;
    memset(t, 0, sizeof *t);
    t->x = x;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    TRY(rc);
    TRY(join(t->folder, x->work, name));
    TRY(file_create_folder(t->folder));
    TRY(join(path, source, "case.yaml"));
    TRY(file_read(path, CASE_MAX, &text, &size));
    TRY(join(path, t->folder, "case.yaml"));
    TRY(file_write(path, text, size));
    TRY(copy_flow(source, t->folder));
cleanup:
    free(text);
    results_fail(x->page, rc);
}

void study_case_close(study_case *t) {
    for (int k = 0; k < t->set.n; k++)
        free((char *)t->set.word[k]);
    t->set.n = 0;
}

void study_case_set(study_case *t, const char *key, const char *format, ...) {
    char value[1024], *setting = NULL;
    va_list args;
    if (t->x->page->error != OK)
        return;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    if (t->set.n == OPTIONS_LIST_MAX)
        results_fail(t->x->page, fail(ERR_INTERNAL, "the case of '%s' has more than %d settings (error in the study)",
                                      t->folder, OPTIONS_LIST_MAX));
    else if (asprintf(&setting, "%s=%s", key, value) < 0)
        results_fail(t->x->page, fail_memory("a setting", sizeof value));
    else
        t->set.word[t->set.n++] = setting;
}

int study_case_try(const study_case *t, const run_options *base, int to) {
    run_options o = *base;
    o.to = to;
    o.quiet = true;
    o.no_pictures = !t->pictures;
    o.set = t->set;
    return run_patient(t->folder, &o);
}

void study_case_run(study_case *t, int to) {
    if (t->x->page->error == OK)
        results_fail(t->x->page, study_case_try(t, t->x->run, to));
}

cJSON *study_case_json(const study_case *t, const char *file) {
    char path[STUDY_CASE_PATH_MAX], name[128];
    cJSON *object = NULL;
    snprintf(name, sizeof name, "out/%s", file);
    if (t->x->page->error == OK)
        results_fail(t->x->page, join(path, t->folder, name));
    if (t->x->page->error == OK)
        results_fail(t->x->page, json_read(path, &object));
    return object;
}

static double number_at(const study_case *t, const char *file, const char *format, va_list args) {
    char path[160];
    cJSON *object = study_case_json(t, file);
    vsnprintf(path, sizeof path, format, args);
    const cJSON *at = object ? json_find(object, path) : NULL;
    const double value = cJSON_IsNumber(at) ? at->valuedouble : NAN;
    if (object && isnan(value))
        results_fail(t->x->page, fail(ERR_NUMERIC,
                                      "'%s/out/%s' has no number at '%s' (error in the study, or a result of an older "
                                      "version; remove the folder and repeat)",
                                      t->folder, file, path));
    cJSON_Delete(object);
    return value;
}

double study_case_number(const study_case *t, const char *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const double value = number_at(t, file, format, args);
    va_end(args);
    return value;
}

double study_case_readout(const study_case *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const double value = number_at(t, "post/readouts.json", format, args);
    va_end(args);
    return value;
}

double study_case_solved(const study_case *t, const char *key) {
    return study_case_number(t, "solve/solve.json", "result/%s", key);
}

/* ------------------------------------------------------------------------------- values at points */

static int write_points(const char *path, int n, double (*point_mm)[3]) {
    file_text text;
    const int rc = file_text_open(&text, "points");
    if (rc != OK)
        return rc;
    fprintf(text.to, "x_mm,y_mm,z_mm\n");
    for (int k = 0; k < n; k++)
        fprintf(text.to, "%.12g,%.12g,%.12g\n", point_mm[k][0], point_mm[k][1], point_mm[k][2]);
    return file_text_write(&text, OK, path);
}

/* Parses a row of `post probe`: x,y,z,inside,u,v,w,speed,pressure or x,y,z,distance and the stress; a missing
 * value stays NaN. */
static int take_values(const csv *c, double velocity_m_s[3], double *pressure_pa) {
    int rc = OK;
    for (int a = 0; velocity_m_s && a < 3 && 4 + a < c->n; a++)
        TRY(csv_number(c, 4 + a, &velocity_m_s[a]));
    if (pressure_pa && c->n > 8)
        TRY(csv_number(c, 8, pressure_pa));
cleanup:
    return rc;
}

static int read_values(const char *path, int n, double (*velocity_m_s)[3], double *pressure_pa) {
    csv c = {0};
    int rc = OK, k = -1; /* row 0 is the header */
    TRY(csv_open(&c, path, 200000000));
    for (; csv_next(&c); k++)
        if (k >= 0 && k < n)
            TRY(take_values(&c, velocity_m_s ? velocity_m_s[k] : NULL, pressure_pa ? &pressure_pa[k] : NULL));
    if (k != n)
        rc = fail(ERR_INTERNAL, "'%s' has %d rows for %d points (error in the program)", path, k, n);
cleanup:
    csv_close(&c);
    return rc;
}

/* Runs `post probe` at n points. `kind`: option of post probe that takes `file`. */
static void probe(const study_case *t, const char *kind, const char *file, int n, double (*point_mm)[3],
                  double (*velocity_m_s)[3], double *pressure_pa) {
    char program[STUDY_CASE_PATH_MAX], fields[STUDY_CASE_PATH_MAX], points[STUDY_CASE_PATH_MAX];
    char values[STUDY_CASE_PATH_MAX];
    process_result r;
    int rc = t->x->page->error;
    for (int k = 0; k < n; k++) {
        for (int a = 0; velocity_m_s && a < 3; a++)
            velocity_m_s[k][a] = NAN;
        if (pressure_pa)
            pressure_pa[k] = NAN;
    }
    TRY(rc);
    TRY(process_program("post", program, sizeof program));
    TRY(join(fields, t->folder, file));
    TRY(join(points, t->folder, "points.csv"));
    TRY(join(values, t->folder, "values.csv"));
    TRY(write_points(points, n, point_mm));
    const char *argv[] = {program, "probe", kind, fields, "--points", points, "--frame", "LPS", NULL};
    TRY(process_capture(argv, values, &r));
    TRY(process_check("post probe", &r));
    TRY(read_values(values, n, velocity_m_s, pressure_pa));
cleanup:
    results_fail(t->x->page, rc);
}

void study_case_probe(const study_case *t, int n, double (*point_mm)[3], double (*velocity_m_s)[3],
                      double *pressure_pa) {
    probe(t, "--fields", "out/solve/fields.vtkhdf", n, point_mm, velocity_m_s, pressure_pa);
}

void study_case_probe_instant(const study_case *t, int instant, int n, double (*point_mm)[3], double (*velocity_m_s)[3],
                              double *pressure_pa) {
    char file[64];
    snprintf(file, sizeof file, "out/solve/fields_%04d.vtkhdf", instant);
    probe(t, "--fields", file, n, point_mm, velocity_m_s, pressure_pa);
}

void study_case_probe_wall(const study_case *t, int n, double (*point_mm)[3], double (*wss_pa)[3]) {
    probe(t, "--wall", "out/post/wall.vtp", n, point_mm, wss_pa, NULL);
}

void study_case_picture(const study_case *t, const char *figure, const char *name, const char *caption) {
    char from[STUDY_CASE_PATH_MAX];
    results *page = t->x->page;
    if (page->error == OK)
        results_fail(page, file_path(from, sizeof from, "%s/out/post/figures/%s.png", t->folder, figure));
    if (page->error == OK)
        results_copy_picture(page, from, name, caption);
}
