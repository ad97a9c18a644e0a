/* See trial.h. */
#include "pipeline/trial/trial.h"
#include "common/base/file.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASE_MAX = 65536 };

static int join(char path[TRIAL_PATH_MAX], const char *folder, const char *name) {
    if (snprintf(path, TRIAL_PATH_MAX, "%s/%s", folder, name) >= TRIAL_PATH_MAX)
        return fail(ERR_INPUT, "the path '%.60s...' is too long", folder);
    return OK;
}

/* Files of <source>/flow beside the case. */
static int copy_flow(const char *source, const char *folder) {
    char from[TRIAL_PATH_MAX], to[TRIAL_PATH_MAX], path[TRIAL_PATH_MAX], *text = NULL;
    size_t size;
    int rc = OK;
    struct dirent *entry;
    DIR *d = join(from, source, "flow") == OK ? opendir(from) : NULL;
    if (!d)
        return OK;
    TRY(join(to, folder, "flow"));
    TRY(file_make_folder(to));
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

void trial_create(trial *t, const char *source, const char *folder, const char *name) {
    char path[TRIAL_PATH_MAX];
    int rc = OK;
    memset(t, 0, sizeof *t);
    TRY(join(t->folder, folder, name));
    TRY(file_make_folder(t->folder));
    TRY(join(path, source, "case.yaml"));
    TRY(file_read(path, CASE_MAX, &t->text, NULL));
    TRY(copy_flow(source, t->folder));
cleanup:
    t->error = rc;
}

void trial_free(trial *t) {
    free(t->text);
    t->text = NULL;
}

/* Where "key:" stands in the text as a whole word, outside comments; the n-th from 0. */
static char *find_key(char *text, const char *key, int n) {
    size_t length = strlen(key);
    bool comment = false;
    for (char *c = text; *c; c++) {
        comment = *c == '\n' ? false : comment || *c == '#';
        bool start = c == text || !(isalnum((unsigned char)c[-1]) || c[-1] == '_');
        if (!comment && start && strncmp(c, key, length) == 0 && c[length] == ':' && n-- == 0)
            return c + length + 1;
    }
    return NULL;
}

/* End of a value that starts here, without the spaces behind it. */
static char *value_end(char *c) {
    char *start = c;
    int depth = 0;
    for (; *c && *c != '\n'; c++) {
        if (depth == 0 && (*c == ',' || *c == '}' || *c == '#'))
            break;
        depth += (*c == '[' || *c == '{') - (*c == ']' || *c == '}');
    }
    while (c > start && c[-1] == ' ')
        c--;
    return c;
}

/* "IN.point": the first point behind "name: IN"; "shape.from": the first from behind the only "shape:"; "spacing": the
 * only one of the file. NULL: not there (once). */
static char *find_once(char *text, const char *key) {
    const char *dot = strchr(key, '.');
    char first[64], *name;
    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - key) : (int)strlen(key), key);
    char *at = find_key(text, first, 0);
    if (at)
        return find_key(text, first, 1) ? NULL : dot ? find_key(at, dot + 1, 0) : at;
    if (!dot)
        return NULL;
    for (int n = 0; (name = find_key(text, "name", n)); n++) {
        char *value = name + strspn(name, " ");
        size_t length = (size_t)(value_end(value) - value);
        if (length == strlen(first) && strncmp(value, first, length) == 0)
            return find_key(name, dot + 1, 0);
    }
    return NULL;
}

void trial_set(trial *t, const char *key, const char *format, ...) {
    char value[256];
    va_list args;
    if (t->error != OK)
        return;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    char *at = find_once(t->text, key);
    if (!at) {
        t->error = fail(ERR_INTERNAL, "the case of '%s' must hold the key '%s' once", t->folder, key);
        return;
    }
    char *end = value_end(at), *changed = NULL;
    if (asprintf(&changed, "%.*s %s%s", (int)(at - t->text), t->text, value, end) < 0) {
        t->error = fail_memory("a case", CASE_MAX);
        return;
    }
    free(t->text);
    t->text = changed;
}

void trial_add(trial *t, const char *format, ...) {
    char line[256], *longer = NULL;
    va_list args;
    if (t->error != OK)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (asprintf(&longer, "%s%s", t->text, line) < 0) {
        t->error = fail_memory("a case", CASE_MAX);
        return;
    }
    free(t->text);
    t->text = longer;
}

int trial_run(trial *t, const run_options *base, int to) {
    char path[TRIAL_PATH_MAX];
    run_options o = *base;
    int rc = OK;
    TRY(t->error);
    TRY(join(path, t->folder, "case.yaml"));
    TRY(file_write(path, t->text, strlen(t->text)));
    o.to = to;
    o.quiet = true;
    TRY(run_patient(t->folder, &o));
cleanup:
    return rc;
}

int trial_result(const trial *t, const char *file, cJSON **object) {
    char path[TRIAL_PATH_MAX], name[128];
    *object = NULL;
    snprintf(name, sizeof name, "out/%s", file);
    int rc = join(path, t->folder, name);
    return rc != OK ? rc : json_read(path, object);
}

/* "pressure_drops/0/value_pa"; NULL when it is not there. */
static const cJSON *follow(const cJSON *at, const char *path) {
    char words[256], *rest = words, *word;
    snprintf(words, sizeof words, "%s", path);
    while (at && (word = strsep(&rest, "/")))
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(word)) : cJSON_GetObjectItemCaseSensitive(at, word);
    return at;
}

int trial_text(const trial *t, const char *file, const char *path, size_t size, char *text) {
    cJSON *object = NULL;
    const int rc = trial_result(t, file, &object);
    const char *found = rc == OK ? cJSON_GetStringValue(follow(object, path)) : NULL;
    snprintf(text, size, "%s", found ? found : "");
    cJSON_Delete(object);
    return rc;
}

int trial_number(const trial *t, const char *file, const char *path, double *value) {
    cJSON *object = NULL;
    int rc = trial_result(t, file, &object);
    if (rc != OK)
        return rc;
    const cJSON *at = follow(object, path);
    *value = at && cJSON_IsNumber(at) ? at->valuedouble : NAN;
    if (isnan(*value))
        rc = fail(ERR_NUMERIC, "'%s/out/%s' has no number at '%s'", t->folder, file, path);
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

/* A row of `post probe`: x,y,z,inside,u,v,w,speed,pressure or x,y,z,distance and the stress; missing ones are empty. */
static void take_values(char *row, double velocity_m_s[3], double *pressure_pa) {
    for (int field = 0; field < 9; field++) {
        const char *text = row ? strsep(&row, ",") : "";
        double value = *text ? strtod(text, NULL) : NAN;
        if (velocity_m_s && field >= 4 && field < 7)
            velocity_m_s[field - 4] = value;
        if (pressure_pa && field == 8)
            *pressure_pa = value;
    }
}

static int read_values(const char *path, int n, double (*velocity_m_s)[3], double *pressure_pa) {
    char *text = NULL;
    int rc = file_read(path, 200000000, &text, NULL), k = 0;
    char *rest = text;
    if (rc == OK)
        strsep(&rest, "\n"); /* the names of the columns */
    for (char *row; rc == OK && (row = strsep(&rest, "\n")) && *row; k++)
        if (k < n)
            take_values(row, velocity_m_s ? velocity_m_s[k] : NULL, pressure_pa ? &pressure_pa[k] : NULL);
    if (rc == OK && k != n)
        rc = fail(ERR_INTERNAL, "'%s' has %d rows for %d points", path, k, n);
    free(text);
    return rc;
}

/* `kind`: what `file` is, an option of post probe. */
static int probe(const trial *t, const char *kind, const char *file, int n, const double (*point_mm)[3],
                 double (*velocity_m_s)[3], double *pressure_pa) {
    char bin[TRIAL_PATH_MAX], program[TRIAL_PATH_MAX], fields[TRIAL_PATH_MAX], points[TRIAL_PATH_MAX];
    char values[TRIAL_PATH_MAX];
    process_result r;
    int rc = OK;
    TRY(process_bin_folder(bin, sizeof bin));
    TRY(join(program, bin, "post"));
    TRY(join(fields, t->folder, file));
    TRY(join(points, t->folder, "points.csv"));
    TRY(join(values, t->folder, "values.csv"));
    TRY(write_points(points, n, point_mm));
    const char *argv[] = {program, "probe", kind, fields, "--points", points, NULL};
    TRY(process_capture(argv, values, &r));
    TRY(process_check("post probe", &r));
    TRY(read_values(values, n, velocity_m_s, pressure_pa));
cleanup:
    return rc;
}

int trial_probe(const trial *t, int n, const double (*point_mm)[3], double (*velocity_m_s)[3], double *pressure_pa) {
    return probe(t, "--fields", "out/solve/fields.vtkhdf", n, point_mm, velocity_m_s, pressure_pa);
}

int trial_probe_instant(const trial *t, int instant, int n, const double (*point_mm)[3], double (*velocity_m_s)[3],
                        double *pressure_pa) {
    char file[64];
    snprintf(file, sizeof file, "out/solve/fields_%04d.vtkhdf", instant);
    return probe(t, "--fields", file, n, point_mm, velocity_m_s, pressure_pa);
}

int trial_probe_wall(const trial *t, int n, const double (*point_mm)[3], double (*wss_pa)[3]) {
    return probe(t, "--wall", "out/post/wall.vtp", n, point_mm, wss_pa, NULL);
}
