/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/inspect/mask_names.h"
#include "common/base/file.h"
#include "common/image/label_kind.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { ORGAN_FILES_MIN = 12 };

/* First letters of the file names that TotalSegmentator writes. */
static const char organs[] =
    "adrenal_gland aorta atrial_appendage autochthon brachiocephalic brain clavicula colon common_car "
    "costal_cart cricoid_cart duodenum esophagus face femur gallbladder gluteus heart hip_ humerus hyoid "
    "iliac_ iliopsoas inferior_vena internal_carotid internal_jugular interverte kidney larynx_air liver "
    "lung_ pancreas portal_vein prostate pulmonary_ rib_ sacrum scapula skull small_bowel spinal_cord spleen "
    "sternum stomach styloid_proc subclavian superior_ thyroid trachea urinary_bl vertebrae zygomatic_arch";

static bool is_organ(const char *name) {
    const char *base = file_name(name);
    for (const char *word = organs; *word; word += strcspn(word, " "), word += *word == ' ')
        if (strncasecmp(base, word, strcspn(word, " ")) == 0)
            return true;
    return false;
}

int mask_names_rank(const char *name) {
    return label_kind_from_name(file_name(name));
}

static bool same_folder(const char *a, const char *b) {
    const size_t n = (size_t)(file_name(a) - a), m = (size_t)(file_name(b) - b);
    return n == m && strncmp(a, b, n) == 0;
}

/* Number of files in the same folder that are named after organs. */
static int count_organs_in_folder(const patient_files *found, const char *name) {
    int n = 0;
    for (int kind = FILES_IMAGE; kind <= FILES_MASK; kind++)
        for (int k = 0; k < found->n[kind]; k++)
            n += is_organ(found->name[kind][k]) && same_folder(found->name[kind][k], name);
    return n;
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

int mask_names_remove_organs(patient_files *found) {
    /* computed for all files before one is removed, because a removal changes the count */
    static bool part[FILES_KINDS][FILES_MAX];
    int n_removed = 0;
    for (int kind = FILES_IMAGE; kind <= FILES_MASK; kind++)
        for (int k = 0; k < found->n[kind]; k++) {
            const char *name = found->name[kind][k];
            part[kind][k] = is_organ(name) && count_organs_in_folder(found, name) >= ORGAN_FILES_MIN;
        }
    for (int kind = FILES_MASK; kind >= FILES_IMAGE; kind--)
        for (int k = found->n[kind] - 1; k >= 0; k--) {
            if (!part[kind][k])
                continue;
            if (mask_names_rank(found->name[kind][k]) == LABEL_OTHER) {
                patient_files_remove(found, kind, k);
                n_removed++;
            } else if (kind == FILES_IMAGE && found->n[FILES_MASK] < FILES_MAX) {
                patient_files_move(found, FILES_IMAGE, k, FILES_MASK);
            }
        }
    if (n_removed > 0)
        qsort(found->name[FILES_MASK], (size_t)found->n[FILES_MASK], FILES_PATH_MAX, by_name);
    return n_removed;
}
