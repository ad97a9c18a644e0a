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

void study_case_create(study_case *t, const char *source, const char *folder, const char *name) {
    char path[STUDY_CASE_PATH_MAX], *text = NULL;
    size_t size;
    int rc = OK;
    memset(t, 0, sizeof *t);
    TRY(join(t->folder, folder, name));
    TRY(file_create_folder(t->folder));
    TRY(join(path, source, "case.yaml"));
    TRY(file_read(path, CASE_MAX, &text, &size));
    TRY(join(path, t->folder, "case.yaml"));
    TRY(file_write(path, text, size));
    TRY(copy_flow(source, t->folder));
cleanup:
    free(text);
    t->error = rc;
}

void study_case_free(study_case *t) {
    for (int k = 0; k < t->set.n; k++)
        free((char *)t->set.word[k]);
    t->set.n = 0;
}

void study_case_set(study_case *t, const char *key, const char *format, ...) {
    char value[1024], *setting = NULL;
    va_list args;
    if (t->error != OK)
        return;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    if (t->set.n == OPTIONS_LIST_MAX)
        t->error = fail(ERR_INTERNAL, "the case of '%s' has more than %d settings (error in the study)", t->folder,
                        OPTIONS_LIST_MAX);
    else if (asprintf(&setting, "%s=%s", key, value) < 0)
        t->error = fail_memory("a setting", sizeof value);
    else
        t->set.word[t->set.n++] = setting;
}

int study_case_run(study_case *t, const run_options *base, int to) {
    run_options o = *base;
    int rc = OK;
    TRY(t->error);
    o.to = to;
    o.quiet = true;
    o.no_pictures = !t->pictures;
    o.set = t->set;
    TRY(run_patient(t->folder, &o));
cleanup:
    return rc;
}

int study_case_result(const study_case *t, const char *file, cJSON **object) {
    char path[STUDY_CASE_PATH_MAX], name[128];
    *object = NULL;
    snprintf(name, sizeof name, "out/%s", file);
    int rc = join(path, t->folder, name);
    return rc != OK ? rc : json_read(path, object);
}

int study_case_text(const study_case *t, const char *file, const char *path, size_t size, char *text) {
    cJSON *object = NULL;
    const int rc = study_case_result(t, file, &object);
    const char *found = rc == OK ? cJSON_GetStringValue(json_find(object, path)) : NULL;
    snprintf(text, size, "%s", found ? found : "");
    cJSON_Delete(object);
    return rc;
}

int study_case_number(const study_case *t, const char *file, const char *path, double *value) {
    cJSON *object = NULL;
    int rc = study_case_result(t, file, &object);
    if (rc != OK)
        return rc;
    const cJSON *at = json_find(object, path);
    *value = at && cJSON_IsNumber(at) ? at->valuedouble : NAN;
    if (isnan(*value))
        rc = fail(ERR_NUMERIC,
                  "'%s/out/%s' has no number at '%s' (error in the study, or a result of an older version; remove the "
                  "folder and repeat)",
                  t->folder, file, path);
    cJSON_Delete(object);
    return rc;
}

/* ------------------------------------------------------------------------------- values at points */

static int write_points(const char *path, int n, const double (*point_mm)[3]) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return fail_memory("points", 60.0 * n);
    fprintf(f, "x_mm,y_mm,z_mm\n");
    for (int k = 0; k < n; k++)
        fprintf(f, "%.12g,%.12g,%.12g\n", point_mm[k][0], point_mm[k][1], point_mm[k][2]);
    int rc = fclose(f) == 0 ? file_write(path, text, size) : fail_memory("points", 60.0 * n);
    free(text);
    return rc;
}

/* Parses a row of `post probe`: x,y,z,inside,u,v,w,speed,pressure or x,y,z,distance and the stress; missing values are
 * empty. */
static int take_values(const csv *c, double velocity_m_s[3], double *pressure_pa) {
    int rc = OK;
    for (int a = 0; velocity_m_s && a < 3; a++) {
        velocity_m_s[a] = NAN;
        if (4 + a < c->n)
            TRY(csv_number(c, 4 + a, &velocity_m_s[a]));
    }
    if (pressure_pa)
        *pressure_pa = NAN;
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
static int probe(const study_case *t, const char *kind, const char *file, int n, const double (*point_mm)[3],
                 double (*velocity_m_s)[3], double *pressure_pa) {
    char bin[STUDY_CASE_PATH_MAX], program[STUDY_CASE_PATH_MAX], fields[STUDY_CASE_PATH_MAX],
        points[STUDY_CASE_PATH_MAX];
    char values[STUDY_CASE_PATH_MAX];
    process_result r;
    int rc = OK;
    TRY(process_bin_folder(bin, sizeof bin));
    TRY(join(program, bin, "post"));
    TRY(join(fields, t->folder, file));
    TRY(join(points, t->folder, "points.csv"));
    TRY(join(values, t->folder, "values.csv"));
    TRY(write_points(points, n, point_mm));
    const char *argv[] = {program, "probe", kind, fields, "--points", points, "--frame", "LPS", NULL};
    TRY(process_capture(argv, values, &r));
    TRY(process_check("post probe", &r));
    TRY(read_values(values, n, velocity_m_s, pressure_pa));
cleanup:
    return rc;
}

int study_case_probe(const study_case *t, int n, const double (*point_mm)[3], double (*velocity_m_s)[3],
                     double *pressure_pa) {
    return probe(t, "--fields", "out/solve/fields.vtkhdf", n, point_mm, velocity_m_s, pressure_pa);
}

int study_case_probe_instant(const study_case *t, int instant, int n, const double (*point_mm)[3],
                             double (*velocity_m_s)[3], double *pressure_pa) {
    char file[64];
    snprintf(file, sizeof file, "out/solve/fields_%04d.vtkhdf", instant);
    return probe(t, "--fields", file, n, point_mm, velocity_m_s, pressure_pa);
}

int study_case_probe_wall(const study_case *t, int n, const double (*point_mm)[3], double (*wss_pa)[3]) {
    return probe(t, "--wall", "out/post/wall.vtp", n, point_mm, wss_pa, NULL);
}
