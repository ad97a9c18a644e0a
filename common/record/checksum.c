/* See checksum.h. */
#include "common/record/checksum.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { BLOCK = 1 << 16, DEPTH_MAX = 32 };

static int add_file(XXH3_state_t *state, const char *path) {
    int rc = file_check(path);
    if (rc != OK)
        return rc;
    FILE *f = fopen(path, "rb");
    char *block = malloc(BLOCK);
    if (!f || !block) {
        rc = f ? fail_memory(path, BLOCK) : fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
        goto cleanup;
    }
    for (size_t n; (n = fread(block, 1, BLOCK, f)) > 0;)
        XXH3_64bits_update(state, block, n);
    if (ferror(f))
        rc = fail(ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
cleanup:
    free(block);
    if (f)
        fclose(f);
    return rc;
}

/* Bytewise order of names, independent of the locale (alphasort depends on it). */
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden_parent(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int add_folder(XXH3_state_t *state, const char *path, int depth);

static int add_entry(XXH3_state_t *state, const char *path, int depth) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return fail(ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return add_folder(state, path, depth + 1);
    if (S_ISLNK(info.st_mode) && (stat(path, &info) != 0 || !S_ISREG(info.st_mode)))
        return OK;
    return S_ISREG(info.st_mode) ? add_file(state, path) : OK;
}

static int add_folder(XXH3_state_t *state, const char *path, int depth) {
    struct dirent **entry = NULL;
    if (depth > DEPTH_MAX)
        return fail(ERR_INPUT, "'%s' is more than %d folders deep; move it up or remove links that repeat folders",
                    path, DEPTH_MAX);
    int n = scandir(path, &entry, not_hidden_parent, by_name), rc = OK;
    if (n < 0)
        return fail(ERR_INPUT, "cannot read the folder '%s': %s", path, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *inner = rc == OK ? file_join(path, entry[k]->d_name) : NULL;
        if (rc == OK)
            rc = inner ? add_entry(state, inner, depth) : fail_memory("a path", FILE_PATH_MAX);
        free(inner);
        free(entry[k]);
    }
    free(entry);
    return rc;
}

int checksum_path(const char *path, char hex[17]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return fail_memory("a checksum", 1024);
    XXH3_64bits_reset(state);
    int rc = file_is_folder(path) ? add_folder(state, path, 0) : add_file(state, path);
    if (rc == OK)
        snprintf(hex, 17, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(state));
    XXH3_freeState(state);
    return rc;
}
