/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/checksum.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/dicom_head.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { BLOCK = 1 << 16, DEPTH_MAX = 32, HEADER_LINES = 1000 };

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

/* One DICOM file of a folder or its sub-folders. */
typedef struct {
    char *path;
    dicom_head head;
    bool covered;
} dicom_file;

typedef struct {
    dicom_file *file;
    int n, room;
    char *root; /* path of the folder with links resolved; NULL: unknown */
} dicom_list;

/* Bytewise order of names, independent of the locale (the order of alphasort depends on the locale). */
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int not_hidden_parent(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Appends the file to the list if it is DICOM. */
static int list_file(dicom_list *list, const char *path) {
    dicom_head head;
    if (!dicom_head_read(path, &head))
        return OK;
    if (list->n == list->room) {
        const int room = 2 * list->room + 64;
        dicom_file *more = realloc(list->file, (size_t)room * sizeof *more);
        if (!more)
            return fail_memory("a list of files", (double)room * sizeof *more);
        list->file = more;
        list->room = room;
    }
    char *copy = strdup(path);
    if (!copy)
        return fail_memory("a path", FILE_PATH_MAX);
    list->file[list->n++] = (dicom_file){copy, head, false};
    return OK;
}

/* True if a link leads to a file in the folder `root`. */
static bool leads_into(const char *path, const char *root) {
    char *target = realpath(path, NULL);
    const size_t n = root ? strlen(root) : 0;
    const bool inside = target && n > 0 && strncmp(target, root, n) == 0 && target[n] == '/';
    free(target);
    return inside;
}

static int list_folder(dicom_list *list, const char *path, int depth);

static int list_entry(dicom_list *list, const char *path, int depth) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return fail(ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
    if (S_ISLNK(info.st_mode) && leads_into(path, list->root))
        return OK; /* a link to another file of the folder is skipped ('pipeline sweep' makes such links) */
    return S_ISDIR(info.st_mode) ? list_folder(list, path, depth + 1) : list_file(list, path);
}

static int list_folder(dicom_list *list, const char *path, int depth) {
    struct dirent **entry = NULL;
    if (depth > DEPTH_MAX)
        return fail(ERR_INPUT, "'%s' is more than %d folders deep; move it up or remove links that repeat folders",
                    path, DEPTH_MAX);
    int n = scandir(path, &entry, not_hidden_parent, by_name), rc = OK;
    if (n < 0)
        return fail(ERR_INPUT, "cannot read the folder '%s': %s; check its permissions", path, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *inner = rc == OK ? file_join(path, entry[k]->d_name) : NULL;
        if (rc == OK)
            rc = inner ? list_entry(list, inner, depth) : fail_memory("a path", FILE_PATH_MAX);
        free(inner);
        free(entry[k]);
    }
    free(entry);
    return rc;
}

typedef struct {
    const char *series; /* requested series, borrowed */
    int file;
} series_of_file;

static int order_series(const void *a, const void *b) {
    return strcmp(((const series_of_file *)a)->series, ((const series_of_file *)b)->series);
}

/* Marks each file that is alone in its series as part of the checksum, because the reader joins single slices to one
 * volume. */
static int cover_single_files(dicom_list *list) {
    series_of_file *all = malloc(((size_t)list->n + 1) * sizeof *all);
    if (!all)
        return fail_memory("a list of files", (double)list->n * sizeof *all);
    for (int k = 0; k < list->n; k++)
        all[k] = (series_of_file){list->file[k].head.series, k};
    qsort(all, (size_t)list->n, sizeof *all, order_series);
    for (int k = 0; k < list->n; k++) {
        dicom_file *f = &list->file[all[k].file];
        const bool before = k > 0 && order_series(&all[k - 1], &all[k]) == 0;
        const bool after = k + 1 < list->n && order_series(&all[k], &all[k + 1]) == 0;
        f->covered = f->covered || (!before && !after && f->head.image);
    }
    free(all);
    return OK;
}

/* Marks the files of the series in use as part of the checksum, with files of unknown series. `series`: as
 * checksum_path. */
static int cover_series(dicom_list *list, const char *series) {
    const bool labels = series && strcmp(series, DICOM_HEAD_LABELS) == 0;
    int n = 0, n_named = 0;
    for (int k = 0; k < list->n; k++) {
        dicom_file *f = &list->file[k];
        const bool segmentation = dicom_head_is_segmentation(f->head.sop_class);
        const bool of_series = !series || labels || !f->head.series[0] || strcmp(f->head.series, series) == 0;
        f->covered = labels ? segmentation : f->head.image && !segmentation && of_series;
        n += f->covered;
        n_named += f->covered && series && strcmp(f->head.series, series) == 0;
    }
    if (n == 0 && labels)
        return cover_series(list, NULL);
    for (int k = 0; k < list->n && n == 0; k++)
        list->file[k].covered = true;
    return n_named == 1 && !labels ? cover_single_files(list) : OK;
}

static int add_folder(XXH3_state_t *state, const char *path, const char *series) {
    dicom_list list = {.root = realpath(path, NULL)};
    int rc = OK;
    TRY(list_folder(&list, path, 0));
    TRY(cover_series(&list, series));
    for (int k = 0; k < list.n; k++)
        if (list.file[k].covered)
            TRY(add_file(state, list.file[k].path));
cleanup:
    for (int k = 0; k < list.n; k++)
        free(list.file[k].path);
    free(list.file);
    free(list.root);
    return rc;
}

/* Value of a header line "key = value" or "key: value", without blanks at its end; NULL: another key. */
static const char *line_value(char *line, const char *key) {
    const size_t m = strlen(key);
    if (strncasecmp(line, key, m) != 0)
        return NULL;
    char *value = line + m + strspn(line + m, ":= \t");
    for (size_t n = strlen(value); n > 0 && strchr(" \t\r\n", value[n - 1]); n--)
        value[n - 1] = 0;
    return value;
}

/* Path of the file with the voxels that the header of a MetaImage or NRRD names. Caller frees; NULL: none. */
static char *detached_voxels(const char *path) {
    static const char *const ending[] = {".mhd", ".mha", ".nhdr", ".nrrd"};
    static const char *const key[] = {"ElementDataFile", "data file", "datafile"};
    char line[FILE_PATH_MAX];
    const char *name = NULL;
    bool header = false;
    for (int k = 0; k < 4; k++)
        header = header || file_ends_with(path, ending[k]);
    FILE *f = header ? fopen(path, "rbe") : NULL;
    /* the header of an NRRD ends with an empty line, the header of a MetaImage with one of the keys */
    for (int n = 0; f && !name && n < HEADER_LINES && fgets(line, sizeof line, f) && line[strspn(line, "\r\n")]; n++)
        for (int k = 0; k < 3 && !name; k++)
            name = line_value(line, key[k]);
    if (f)
        fclose(f);
    char *folder = name ? file_folder(path) : NULL, *voxels = folder ? file_join(folder, name) : NULL;
    free(folder);
    if (voxels && file_is_regular(voxels))
        return voxels;
    free(voxels);
    return NULL;
}

/* Adds a file, and the file with the other part of the same image: NIfTI pairs, headers with separate voxels. */
static int add_parts(XXH3_state_t *state, const char *path) {
    char *header = file_partner(path, ".img", ".hdr"), *other = header ? header : file_partner(path, ".hdr", ".img");
    int rc = add_file(state, path);
    other = other ? other : detached_voxels(path);
    if (rc == OK && other)
        rc = add_file(state, other);
    free(other);
    return rc;
}

int checksum_path(const char *path, const char *series, char hex[17]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return fail_memory("a checksum", 1024);
    XXH3_64bits_reset(state);
    int rc = file_is_folder(path) ? add_folder(state, path, series) : add_parts(state, path);
    if (rc == OK)
        snprintf(hex, 17, "%016" PRIx64, (uint64_t)XXH3_64bits_digest(state));
    XXH3_freeState(state);
    return rc;
}
