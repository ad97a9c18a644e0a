/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/output/stored_files.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/provenance.h"
#include "solve/output/solve_output.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const size_t monitors_limit = (size_t)1 << 30;

int stored_files_add(const char *path, char sum[STORED_FILES_SUM]) {
    char both[2 * STORED_FILES_SUM], hex[17];
    const int rc = provenance_checksum(path, hex);
    if (rc != OK)
        return rc;
    snprintf(both, sizeof both, "%s%s", sum, hex);
    snprintf(sum, STORED_FILES_SUM, "%016llx", (unsigned long long)XXH3_64bits(both, strlen(both)));
    return OK;
}

static int read_monitors(const char *folder, char **path, char **text, size_t *size) {
    *path = file_join(folder, "monitors.csv");
    return *path ? file_read(*path, monitors_limit, text, size) : fail_memory("a path", FILE_PATH_MAX);
}

static void make_mark(const char *text, size_t size, const char *sum, char mark[STORED_FILES_MARK]) {
    snprintf(mark, STORED_FILES_MARK, "%zu %016llx %.16s", size, (unsigned long long)XXH3_64bits(text, size), sum);
}

int stored_files_mark(const char *folder, const char *sum, char mark[STORED_FILES_MARK]) {
    char *path = NULL, *text = NULL;
    size_t size = 0;
    const int rc = read_monitors(folder, &path, &text, &size);
    if (rc == OK)
        make_mark(text, size, sum, mark);
    free(path);
    free(text);
    return rc;
}

static int sum_stored(const char *folder, int stored, char sum[STORED_FILES_SUM]) {
    int rc = OK;
    sum[0] = '\0';
    for (int k = 0; k < stored && rc == OK; k++) {
        char name[32];
        solve_output_store_name(k, name);
        char *path = file_join(folder, name);
        rc = path ? stored_files_add(path, sum) : fail_memory("a path", FILE_PATH_MAX);
        free(path);
    }
    return rc;
}

int stored_files_resume(const char *folder, const char *mark, int stored, char sum[STORED_FILES_SUM]) {
    char *path = NULL, *text = NULL, found[STORED_FILES_MARK] = "";
    size_t size = 0;
    const size_t kept = strtoul(mark, NULL, 10);
    int rc;
    TRY(sum_stored(folder, stored, sum));
    TRY(read_monitors(folder, &path, &text, &size));
    if (kept <= size)
        make_mark(text, kept, sum, found);
    if (strcmp(found, mark) != 0)
        GIVE_UP(fail(ERR_INPUT,
                     "monitors.csv or a stored instant in '%s' does not match the checkpoint: the file is damaged or "
                     "was changed; run solve without --resume",
                     folder));
    TRY(file_write(path, text, kept));
cleanup:
    free(path);
    free(text);
    return rc;
}
