/* See trial.h. */
#include "pipeline/reproduce/trial.h"
#include "common/file.h"
#include "common/provenance.h"
#include "common/status.h"
#include "pipeline/patient.h"
#include "pipeline/process.h"
#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* "IN.point": the first point behind "name: IN"; "spacing": the only one of the file. NULL: not there (once). */
static char *find_once(char *text, const char *key) {
    const char *dot = strchr(key, '.');
    if (!dot) {
        char *at = find_key(text, key, 0);
        return at && !find_key(text, key, 1) ? at : NULL;
    }
    char *name;
    for (int n = 0; (name = find_key(text, "name", n)); n++) {
        char *value = name + strspn(name, " ");
        size_t length = (size_t)(value_end(value) - value);
        if (length == (size_t)(dot - key) && strncmp(value, key, length) == 0)
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
