/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/saved_result.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "common/record/json.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const char *const NOTE = "kept.json";

bool saved_result_exists(const study_case *t) {
    char path[STUDY_CASE_PATH_MAX];
    cJSON *note = NULL;
    bool same = false;
    if (file_path(path, sizeof path, "%s/%s", t->folder, NOTE) != OK || !file_exists(path) ||
        json_read(path, &note) != OK) {
        status_clear();
        return false;
    }
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(note, "version"));
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(note, "settings");
    same = version && strcmp(version, PORTAFLOW_VERSION) == 0 && cJSON_GetArraySize(set) == t->set.n;
    for (int k = 0; same && k < t->set.n; k++) {
        const char *word = cJSON_GetStringValue(cJSON_GetArrayItem(set, k));
        same = word && strcmp(word, t->set.word[k]) == 0;
    }
    cJSON_Delete(note);
    return same;
}

/* Removes those files of a stage whose size grows with the lattice. */
static int remove_large(const study_case *t, const char *stage) {
    static const char *const ending[] = {".h5", ".vtkhdf", ".vtp", ".hdf.series"};
    char folder[STUDY_CASE_PATH_MAX], path[STUDY_CASE_PATH_MAX];
    const struct dirent *entry;
    int rc = OK;
    DIR *d = NULL;
    TRY(file_path(folder, sizeof folder, "%s/out/%s", t->folder, stage));
    d = opendir(folder);
    while (d && (entry = readdir(d)))
        for (size_t k = 0; k < sizeof ending / sizeof *ending; k++)
            if (file_ends_with(entry->d_name, ending[k])) {
                TRY(file_path(path, sizeof path, "%s/%s", folder, entry->d_name));
                remove(path);
            }
cleanup:
    if (d)
        closedir(d);
    return rc;
}

int saved_result_write(const study_case *t) {
    char path[STUDY_CASE_PATH_MAX];
    int rc = OK;
    cJSON *note = cJSON_CreateObject(), *set = cJSON_AddArrayToObject(note, "settings");
    cJSON_AddStringToObject(note, "version", PORTAFLOW_VERSION);
    for (int k = 0; k < t->set.n; k++)
        cJSON_AddItemToArray(set, cJSON_CreateString(t->set.word[k]));
    TRY(file_path(path, sizeof path, "%s/%s", t->folder, NOTE));
    TRY(json_write(path, note));
    TRY(remove_large(t, "mesh"));
    TRY(remove_large(t, "solve"));
    TRY(remove_large(t, "post"));
cleanup:
    cJSON_Delete(note);
    return rc;
}
