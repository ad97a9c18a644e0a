/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/clock.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/record/checksum.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int provenance_checksum(const char *path, char hex[17]) {
    return checksum_path(path, NULL, hex);
}

int provenance_checksum_image(const char *path, const char *series, char hex[17]) {
    return checksum_path(path, series, hex);
}

/* Absolute path of the folder of the file given with --case; NULL when there is none. Caller frees. */
static char *case_folder(int argc, char **argv) {
    const char *path = NULL;
    for (int k = 1; k < argc && argv[k] && !path; k++) {
        if (strncmp(argv[k], "--case=", 7) == 0)
            path = argv[k] + 7;
        else if (strcmp(argv[k], "--case") == 0 && k + 1 < argc)
            path = argv[k + 1];
    }
    char *folder = path ? file_folder(path) : NULL;
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

/* True for a path such as "../x" or "a/../../x" that leads out of its starting folder. */
static bool leaves_folder(const char *path) {
    int depth = 0;
    while (*path && depth >= 0) {
        const size_t n = strcspn(path, "/");
        if (n == 2 && strncmp(path, "..", 2) == 0)
            depth--;
        else if (n > 0 && !(n == 1 && path[0] == '.'))
            depth++;
        path += n + (path[n] == '/');
    }
    return depth < 0;
}

/* Finds the beginning of `path` that resolves to `folder` (absolute), and returns the rest of `path`; NULL if no
 * beginning does. Links in the rest are not resolved, because out/ may be on another disk. */
static const char *path_behind_folder(const char *folder, const char *path) {
    char part[FILE_PATH_MAX];
    for (const char *end = path + strlen(path); end > path; end--) {
        if (end[-1] != '/' || end - path >= FILE_PATH_MAX || leaves_folder(end))
            continue;
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        char *real = realpath(part, NULL);
        const bool found = real && strcmp(real, folder) == 0;
        free(real);
        if (found)
            return end;
    }
    char *here = path[0] != '/' && !leaves_folder(path) ? realpath(".", NULL) : NULL;
    const bool found = here && strcmp(here, folder) == 0;
    free(here);
    return found ? path : NULL;
}

/* The path relative to `folder` (absolute; NULL: none) when it is inside, otherwise `other`. Caller frees. */
static char *path_from_folder(const char *folder, const char *path, const char *other) {
    char *real = realpath(path, NULL);
    const size_t n = folder ? strlen(folder) : 0;
    const bool within = real && folder && strncmp(real, folder, n) == 0 && (real[n] == '/' || real[n] == '\0');
    const char *behind = within || !folder || !real ? NULL : path_behind_folder(folder, path);
    char *text = strdup(behind ? behind : !within ? other : real[n] == '/' ? real + n + 1 : ".");
    free(real);
    return text;
}

char *provenance_relative_name(const char *folder, const char *path) {
    char *real = folder ? realpath(folder, NULL) : NULL;
    char *name = path_from_folder(real, path, file_name(path));
    free(real);
    return name;
}

const char *provenance_safe_label(const char *label) {
    const char *name = label[0] == '/' || leaves_folder(label) ? file_name(label) : label;
    return name[0] ? name : "input"; /* the name is empty if the path ends in '/', such as "/images/dicom/" */
}

/* Start of the value in a command-line word: behind "--name=", behind "--set=key=", or behind "key=" after the word
 * --set. */
static const char *find_value(const char *word, const char *before) {
    const bool set = strncmp(word, "--set=", 6) == 0;
    const char *start = set ? word + 6 : word;
    const char *equals = set || word[0] == '-' || strcmp(before, "--set") == 0 ? strchr(start, '=') : NULL;
    return equals ? equals + 1 : word;
}

/* The value of a setting "KEY=VALUE"; "..." for a file of the user, whose name may identify the patient, and for the
 * name of the case. Caller frees; NULL: no memory. */
static char *setting_value(const char *word, const char *value) {
    static const char *const key[] = {"path", "waveform", "before"};
    bool file = false;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        const size_t n = strlen(key[k]);
        const bool ends = (size_t)(value - word) > n && strncmp(value - 1 - n, key[k], n) == 0;
        file = file || ends || strstr(value, key[k]);
    }
    const char *start = strncmp(word, "--set=", 6) == 0 ? word + 6 : word;
    return strdup(file || strncmp(start, "name=", 5) == 0 ? "..." : value);
}

/* One word of the command line for the record. A path is shortened; the name in "--name=path" is kept. */
static cJSON *command_word(const char *word, const char *before, const char *folder) {
    const char *value = find_value(word, before);
    const bool set = strcmp(before, "--set") == 0 || strncmp(word, "--set=", 6) == 0;
    char *text = set ? setting_value(word, value)
                     /* the label contains neither the home folder nor the machine */
                     : path_from_folder(folder, value, provenance_safe_label(value));
    size_t n = (size_t)(value - word) + (text ? strlen(text) : 0);
    char *whole = malloc(n + 1);
    cJSON *item = NULL;
    if (whole && text) {
        memcpy(whole, word, (size_t)(value - word));
        memcpy(whole + (value - word), text, strlen(text) + 1);
        item = cJSON_CreateString(whole);
    }
    free(whole);
    free(text);
    return item;
}

static char program_hex[17];

static void read_program(void) {
    if (checksum_path("/proc/self/exe", NULL, program_hex) != OK) {
        program_hex[0] = '\0';
        status_clear();
    }
}

const char *provenance_program(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_program);
    return program_hex;
}

cJSON *provenance_start(const char *stage, int argc, char **argv, const char *case_xxh3) {
    cJSON *object = cJSON_CreateObject();
    if (!object)
        return NULL;
    cJSON_AddStringToObject(object, "stage", stage);
    cJSON *program = cJSON_AddObjectToObject(object, "program");
    cJSON_AddStringToObject(program, "name", argc > 0 ? file_name(argv[0]) : stage);
    cJSON_AddStringToObject(program, "version", PORTAFLOW_VERSION);
    if (*provenance_program())
        /* checksum of the program, since another build of the same version may compute different numbers */
        cJSON_AddStringToObject(program, "xxh3", provenance_program());
    cJSON *command = cJSON_AddArrayToObject(object, "command");
    char *folder = case_folder(argc, argv);
    for (int k = 0; k < argc; k++)
        cJSON_AddItemToArray(command, k == 0 ? cJSON_CreateString(file_name(argv[0]))
                                             : command_word(argv[k], argv[k - 1], folder));
    free(folder);
    if (case_xxh3)
        cJSON_AddStringToObject(object, "case_xxh3", case_xxh3);
    else
        cJSON_AddNullToObject(object, "case_xxh3");
    cJSON_AddArrayToObject(object, "inputs");
    cJSON_AddArrayToObject(object, "outputs");
    /* start time; provenance_write replaces it by the duration */
    cJSON_AddNumberToObject(object, "seconds", clock_s());
    return object;
}

static int add_file(cJSON *object, const char *list, const char *label, const char *path, const char *series) {
    char hex[17];
    int rc = checksum_path(path, series, hex);
    if (rc != OK)
        return rc;
    cJSON *entry = cJSON_CreateObject();
    if (!cJSON_AddStringToObject(entry, "file", label) || !cJSON_AddStringToObject(entry, "xxh3", hex) ||
        !cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(object, list), entry)) {
        cJSON_Delete(entry);
        return fail_memory("a checksum", 64);
    }
    return OK;
}

int provenance_add_input(cJSON *object, const char *label, const char *path) {
    return add_file(object, "inputs", provenance_safe_label(label), path, NULL);
}

int provenance_add_image(cJSON *object, const char *label, const char *path, const char *series) {
    return add_file(object, "inputs", provenance_safe_label(label), path, series);
}

static int add_named(cJSON *object, const char *list, const char *folder, const char *path) {
    char *name = provenance_relative_name(folder, path);
    const int rc = name ? add_file(object, list, name, path, NULL) : fail_memory("a path", FILE_PATH_MAX);
    free(name);
    return rc;
}

int provenance_add_stage_input(cJSON *object, const char *folder, const char *path) {
    return add_named(object, "inputs", folder, path);
}

int provenance_add_output(cJSON *object, const char *folder, const char *path) {
    return add_named(object, "outputs", folder, path);
}

/* Add "warnings", "serious_warnings" (their number) and "warning_subjects" (message.h). */
static int add_warnings(cJSON *object) {
    static const char *const key[] = {"warnings", "serious_warnings", "warning_subjects"};
    for (int k = 0; k < 3; k++)
        cJSON_DeleteItemFromObjectCaseSensitive(object, key[k]);
    cJSON *warnings = cJSON_AddArrayToObject(object, key[0]);
    cJSON_AddNumberToObject(object, key[1], message_serious_count());
    cJSON *subjects = cJSON_AddArrayToObject(object, key[2]);
    for (int k = 0; k < message_warning_count(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(message_warning(k)));
    for (int k = 0; k < message_serious_count(); k++)
        cJSON_AddItemToArray(subjects, cJSON_CreateString(message_warning_subject(k)));
    return warnings && subjects ? OK : fail_memory("the warnings", 4096);
}

int provenance_write(cJSON *object, const char *path) {
    double started = json_get_number(object, "seconds");
    cJSON *seconds = cJSON_CreateNumber(json_round(clock_s() - started));
    if (!seconds || !cJSON_ReplaceItemInObjectCaseSensitive(object, "seconds", seconds)) {
        cJSON_Delete(seconds);
        return fail_memory(path, 4096);
    }
    const int rc = add_warnings(object);
    return rc == OK ? json_write_sealed(path, object) : rc;
}

int provenance_write_plan(const char *folder, const char *stage, cJSON *result) {
    char path[FILE_PATH_MAX];
    cJSON *object = cJSON_CreateObject();
    int rc = OK;
    if (!object || (result && !cJSON_AddItemToObject(object, "result", result))) {
        cJSON_Delete(result);
        GIVE_UP(fail_memory("a plan", 4096));
    }
    if (!file_is_folder(folder))
        goto cleanup;
    TRY(add_warnings(object));
    TRY(file_path(path, sizeof path, "%s/%s_plan.json", folder, stage));
    TRY(json_write(path, object));
cleanup:
    cJSON_Delete(object);
    return rc;
}

/* -------------------------------------------------------------------- change detection */

/* Text of a key, "" when missing. */
static const char *get_text(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

const char *provenance_recorded_checksum(const cJSON *object, const char *list, const char *label, int by_name) {
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(object, list)) {
        const char *file = get_text(entry, "file");
        if (strcmp(by_name ? file_name(file) : file, label) == 0)
            return get_text(entry, "xxh3");
    }
    return NULL;
}

/* True when the file has the recorded checksum; false also when it cannot be read. Records no error. */
static int file_unchanged(const char *path, const char *series, const char *recorded) {
    char hex[17];
    if (!file_exists(path) || access(path, R_OK) != 0)
        return 0;
    if (checksum_path(path, series, hex) == OK)
        return strcmp(hex, recorded) == 0;
    status_clear();
    return 0;
}

static enum provenance_change inputs_change(const cJSON *object, int n, const char *const *label,
                                            const char *const *input, const char *const *series, char reason[256]) {
    for (int k = 0; k < n; k++) {
        if (!input[k])
            continue;
        const char *recorded = provenance_recorded_checksum(object, "inputs", label[k], 0);
        const bool there = file_exists(input[k]);
        if (recorded && file_unchanged(input[k], series ? series[k] : NULL, recorded))
            continue;
        snprintf(reason, 256, "'%.200s' %s", label[k],
                 !recorded ? "was not an input before"
                 : there   ? "has changed"
                           : "is missing");
        return recorded && there ? PROVENANCE_INPUT_CHANGED : PROVENANCE_INPUTS;
    }
    if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "inputs")) == n)
        return PROVENANCE_CURRENT;
    snprintf(reason, 256, "it was computed from other inputs");
    return PROVENANCE_INPUTS;
}

static enum provenance_change outputs_change(const cJSON *object, const char *folder, char reason[256]) {
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(object, "outputs")) {
        const char *label = get_text(entry, "file");
        char *path = file_join(folder, label);
        int present = path && file_exists(path), same = present && file_unchanged(path, NULL, get_text(entry, "xxh3"));
        free(path);
        if (!same) {
            snprintf(reason, 256, "its output '%.200s' %s", label, present ? "has changed" : "is missing");
            return PROVENANCE_OUTPUT;
        }
    }
    return PROVENANCE_CURRENT;
}

static enum provenance_change find_change(const cJSON *object, const char *folder, const char *case_xxh3, int n_input,
                                          const char *const *label, const char *const *input, const char *const *series,
                                          char reason[256]) {
    const char *version = get_text(cJSON_GetObjectItemCaseSensitive(object, "program"), "version");
    if (strcmp(version, PORTAFLOW_VERSION) != 0) {
        snprintf(reason, 256, "it was computed by version '%.40s' of the program", version);
        return PROVENANCE_VERSION;
    }
    if (case_xxh3 && strcmp(get_text(object, "case_xxh3"), case_xxh3) != 0) {
        snprintf(reason, 256, "its part of the case has changed");
        return PROVENANCE_CASE;
    }
    const enum provenance_change found = inputs_change(object, n_input, label, input, series, reason);
    return found == PROVENANCE_CURRENT ? outputs_change(object, folder, reason) : found;
}

enum provenance_change provenance_find_change(const char *path, const char *folder, const char *case_xxh3, int n_input,
                                              const char *const *label, const char *const *input,
                                              const char *const *series, char reason[256]) {
    cJSON *object = NULL;
    reason[0] = '\0';
    if (!file_exists(path)) {
        snprintf(reason, 256, "it was not computed yet");
        return PROVENANCE_NOT_MADE;
    }
    if (json_read_sealed(path, &object) != OK) {
        status_clear();
        snprintf(reason, 256, "'%.200s' was changed after it was written", file_name(path));
        return PROVENANCE_RECORD;
    }
    const enum provenance_change found = find_change(object, folder, case_xxh3, n_input, label, input, series, reason);
    cJSON_Delete(object);
    return found;
}

int provenance_check_output(const char *path, const char *stage, cJSON **record) {
    char hex[17], name[64];
    char *folder = file_folder(path), *json_path;
    cJSON *json = NULL;
    int rc;
    snprintf(name, sizeof name, "%s.json", stage);
    json_path = folder ? file_join(folder, name) : NULL;
    TRY(json_path ? OK : fail_memory("a path", FILE_PATH_MAX));
    TRY(provenance_checksum(path, hex));
    if (!file_exists(json_path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing: it records the checksum of '%s'; copy it back, or run %s again",
                     json_path, path, stage));
    TRY(json_read_sealed(json_path, &json));
    const char *recorded = provenance_recorded_checksum(json, "outputs", file_name(path), 1);
    if (!recorded || strcmp(recorded, hex) != 0)
        rc = fail(ERR_INPUT,
                  "'%s' is not the file that %s wrote: it was damaged, changed or replaced since; run %s again", path,
                  stage, stage);
cleanup:
    if (rc == OK && record) {
        *record = json;
        json = NULL;
    }
    cJSON_Delete(json);
    free(json_path);
    free(folder);
    return rc;
}
