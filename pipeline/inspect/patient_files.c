/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/patient_files.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/utf8.h"
#include "common/record/dicom_head.h"
#include "pipeline/inspect/markups.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool contains_word(const char *text, const char *word) {
    return strcasestr(text, word) != NULL;
}

static bool is_mask_name(const char *name) {
    return contains_word(name, "seg") || contains_word(name, "mask") || contains_word(name, "label");
}

static bool ends_with_any(const char *name, const char *const *ending) {
    for (; *ending; ending++)
        if (file_ends_with(name, *ending))
            return true;
    return false;
}

static bool is_waveform(const char *path) {
    char line[64] = "";
    FILE *f = file_ends_with(path, ".csv") && file_is_regular(path) ? fopen(path, "re") : NULL;
    if (!f)
        return false;
    bool good = fgets(line, sizeof line, f) && strncmp(line, "t_s,flow_ml_s", 13) == 0;
    fclose(f);
    return good;
}

/* True if the file is the header of a NIfTI pair (.hdr, .img). */
static bool is_pair_header(const char *path) {
    char bytes[348] = "";
    FILE *f = file_ends_with(path, ".hdr") && file_is_regular(path) ? fopen(path, "rbe") : NULL;
    const size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f)
        fclose(f);
    return n == sizeof bytes && (memcmp(bytes + 344, "ni1", 4) == 0 || memcmp(bytes + 4, "ni2", 4) == 0);
}

/* Kind of the file (FILES_...), -1: not used. */
static int kind_of(const char *path) {
    static const char *const image[] = {".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd", NULL};
    static const char *const surface[] = {".stl", ".vtp", ".ply", ".vtk", NULL};
    if (ends_with_any(path, image) || is_pair_header(path))
        return is_mask_name(file_name(path)) ? FILES_MASK : FILES_IMAGE;
    if (ends_with_any(path, surface))
        return FILES_SURFACE;
    if (markups_is(path))
        return FILES_POINTS;
    return is_waveform(path) ? FILES_WAVEFORM : -1;
}

static void add_found(patient_files *found, int kind, const char *name) {
    if (kind >= 0 && found->n[kind] < FILES_MAX)
        snprintf(found->name[kind][found->n[kind]++], FILES_PATH_MAX, "%s", name);
}

bool patient_files_is_text(const char *name) {
    const unsigned char *c = (const unsigned char *)name;
    for (size_t n; *c; c += n) {
        n = utf8_length(c);
        if (n == 0 || *c < 0x20 || *c == 0x7f)
            return false;
    }
    return true;
}

/* Adds a DICOM file: a segmentation is a mask. *image: the file holds an image or a part of one. */
static void add_dicom(patient_files *found, const char *path, const char *name, bool *image) {
    dicom_head head;
    if (!dicom_head_read(path, &head))
        return;
    if (dicom_head_is_segmentation(head.sop_class))
        add_found(found, FILES_MASK, name);
    else if (dicom_head_is_structure_set(head.sop_class))
        found->structure_sets++;
    else
        *image = *image || head.image;
}

/* Scans `dir/inside`. A folder with DICOM files is added as one image, other files one by one. */
static int scan_folder(const char *dir, const char *inside, int depth, patient_files *found) {
    struct dirent **entry = NULL;
    bool dicom = false;
    char *folder = file_join(dir, inside);
    int n = folder ? scandir(*inside ? folder : dir, &entry, NULL, alphasort) : -1;
    int rc = n < 0 && depth == 0
                 ? fail(ERR_INPUT, "cannot read the folder '%s': %s; check the path and its permissions", dir,
                        strerror(errno))
                 : OK;
    for (int k = 0; k < n; k++) {
        const char *base = entry[k]->d_name;
        char *name = *inside ? file_join(inside, base) : strdup(base);
        char *path = name ? file_join(dir, name) : NULL;
        bool skip = !path || base[0] == '.' || (depth == 0 && (strcmp(base, "out") == 0 || strcmp(base, "sweep") == 0));
        if (!skip && !patient_files_is_text(base)) {
            found->unnamed++;
            skip = true;
        }
        if (!skip && file_is_folder(path) && depth < FILES_DEPTH_MAX) {
            scan_folder(dir, name, depth + 1, found);
        } else if (!skip && !file_is_folder(path)) {
            int kind = kind_of(path);
            add_found(found, kind, name);
            if (kind < 0)
                add_dicom(found, path, name, &dicom);
        }
        free(name);
        free(path);
        free(entry[k]);
    }
    if (dicom)
        add_found(found, FILES_IMAGE, *inside ? inside : ".");
    free(entry);
    free(folder);
    return rc;
}

int patient_files_find(const char *dir, patient_files *found) {
    memset(found, 0, sizeof *found);
    return scan_folder(dir, "", 0, found);
}

void patient_files_remove(patient_files *found, int kind, int k) {
    found->n[kind]--;
    memmove(found->name[kind][k], found->name[kind][k + 1], (size_t)(found->n[kind] - k) * FILES_PATH_MAX);
}

void patient_files_move(patient_files *found, int from, int k, int to) {
    memcpy(found->name[to][found->n[to]++], found->name[from][k], FILES_PATH_MAX);
    patient_files_remove(found, from, k);
}
