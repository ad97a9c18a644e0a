/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat_folder.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the outermost folder of the path that does not exist. */
static void find_first_new(treat_folder *f) {
    char step[PATIENT_PATH_MAX];
    struct stat is;
    for (size_t k = 1; k <= strlen(f->path) && k < sizeof step; k++) {
        if (f->path[k] != '/' && f->path[k] != '\0')
            continue;
        memcpy(step, f->path, k);
        step[k] = '\0';
        if (lstat(step, &is) != 0) {
            memcpy(f->first_new, step, k + 1);
            return;
        }
    }
}

/* Removes the new folder with its contents, and its new parent folders that are empty. Parents that are not empty stay,
 * because other programs may have written into them meanwhile. */
static void remove_new(const treat_folder *f) {
    char step[PATIENT_PATH_MAX];
    snprintf(step, sizeof step, "%s", f->path);
    for (size_t n = strlen(step); n > 1 && step[n - 1] == '/';)
        step[--n] = '\0';
    file_remove_folder(step);
    while (strlen(step) > strlen(f->first_new)) {
        char *slash = strrchr(step, '/');
        if (!slash || slash == step)
            return;
        *slash = '\0';
        if (rmdir(step) != 0)
            return;
    }
}

void treat_folder_free(treat_folder *f) {
    free(f->case_text);
    *f = (treat_folder){0};
}

int treat_folder_open(const char *path, treat_folder *f) {
    char results[PATIENT_PATH_MAX];
    int rc = OK;
    *f = (treat_folder){.path = path};
    find_first_new(f);
    TRY(file_create_folder(path));
    TRY(patient_path(f->case_path, path, "case.yaml"));
    TRY(patient_path(results, path, "out"));
    f->has_results = file_exists(results);
    if (!file_exists(f->case_path))
        return OK;
    TRY(file_read(f->case_path, CASE_BYTES_MAX, &f->case_text, &f->case_size));
    if (strncmp(f->case_text, TREAT_CASE_MARK, strlen(TREAT_CASE_MARK)) != 0)
        rc = fail(ERR_INPUT, "'%s' is not from pipeline treat and is kept; give another --out", f->case_path);
cleanup:
    if (rc != OK) {
        if (f->first_new[0])
            remove_new(f);
        treat_folder_free(f);
    }
    return rc;
}

void treat_folder_undo(const treat_folder *f) {
    char results[PATIENT_PATH_MAX];
    if (!f->path)
        return;
    if (f->first_new[0]) {
        remove_new(f);
        return;
    }
    if (f->case_text && file_write(f->case_path, f->case_text, f->case_size) != OK)
        return;
    if (!f->case_text)
        unlink(f->case_path);
    if (!f->has_results && patient_path(results, f->path, "out") == OK)
        file_remove_folder(results);
}
