/* SPDX-License-Identifier: Apache-2.0 */
#include "common/case/case_chain.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/record/dicom_head.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const stage_name[] = {"segment", "mesh", "solve", "post"};
enum { STAGES = sizeof stage_name / sizeof *stage_name };
static const char parts_key[] = "case_parts";

static const char *text_of(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

/* Lists the stages of this case up to `last`; returns their number. */
static int stages_to(const case_file *c, const char *last, const char *stage[STAGES]) {
    int n = 0;
    if (strcmp(last, CASE_CHAIN_DRY_RUN) == 0)
        last = "mesh";
    for (int k = c->mesh.has_shape ? 1 : 0; k < STAGES; k++) {
        stage[n++] = stage_name[k];
        if (strcmp(stage_name[k], last) == 0)
            break;
    }
    return n;
}

int case_chain_add_parts(const case_file *c, const char *stage, cJSON *json) {
    const char *list[STAGES];
    cJSON *parts = cJSON_AddObjectToObject(json, parts_key);
    const int n = stages_to(c, stage, list);
    for (int k = 0; k < n; k++) {
        char digest[17];
        case_digest(c, list[k], digest);
        if (!cJSON_AddStringToObject(parts, list[k], digest))
            return fail_memory("the digests of the case", 64);
    }
    char digest[17];
    case_digest_without_names(c, strcmp(stage, CASE_CHAIN_DRY_RUN) == 0 ? "mesh" : stage, digest);
    if (!cJSON_AddStringToObject(json, CASE_CHAIN_WITHOUT_NAMES, digest))
        return fail_memory("the digests of the case", 64);
    return OK;
}

const char *case_chain_changed_part(const case_file *c, const char *stage, const cJSON *record) {
    const char *list[STAGES];
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(record, parts_key);
    const int n = stages_to(c, stage, list);
    for (int k = 0; k < n; k++) {
        char digest[17];
        case_digest(c, list[k], digest);
        if (strcmp(text_of(parts, list[k]), digest) != 0)
            return list[k];
    }
    return NULL;
}

static int check_parts(const case_file *c, const char *stage, const char *path, const cJSON *record) {
    const char *list[STAGES];
    const cJSON *parts = cJSON_GetObjectItemCaseSensitive(record, parts_key);
    const int n = stages_to(c, stage, list);
    const char *changed = case_chain_changed_part(c, stage, record);
    if (changed)
        return fail(ERR_INPUT,
                    "'%s' belongs to another case: the keys of '%s' for %s have changed since it was written; run %s "
                    "again with this case, or use the case it belongs to",
                    path, c->path, changed, changed);
    if (cJSON_GetArraySize(parts) != n)
        return fail(ERR_INPUT,
                    "'%s' belongs to another case: it was computed with other stages than '%s' needs (with or without "
                    "segment); run %s again",
                    path, c->path, list[0]);
    return OK;
}

/* Checksum of a file that the user supplied; false if the file does not exist here, as on a machine that only
 * solves. */
static bool checksum_of(const case_file *c, const char *name, const char *series, char hex[17]) {
    char *path = name ? case_resolve_path(c, name) : NULL;
    const bool known = path && file_exists(path) && provenance_checksum_image(path, series, hex) == OK;
    free(path);
    status_clear();
    return known;
}

/* Two cases may have the same keys but different images. Therefore the recorded checksum of each image and surface is
 * compared with the file that the case names, if this file exists here. */
static int check_user_files(const case_file *c, const char *stage, const char *path, const cJSON *record) {
    char phi_name[FILE_PATH_MAX], *phi = case_before_phi(c);
    snprintf(phi_name, sizeof phi_name, "%s/out/segment/phi.nii.gz", phi ? c->segment.before_path : "");
    const char *const name[] = {c->image.path,         c->segment.labels_path, c->segment.surface_path,
                                phi ? phi_name : NULL, c->split.labels_path,   case_liver_path(c)};
    const char *const series[] = {c->image.series, DICOM_HEAD_LABELS, NULL, NULL, DICOM_HEAD_LABELS, DICOM_HEAD_LABELS};
    static const char *const label[] = {"image", "labels", "surface", "before", "territories", "liver"};
    enum { FILES = sizeof label / sizeof *label };
    char hex[17], wall[80];
    free(phi);
    for (int k = 0; k < FILES + c->n_wall; k++) {
        if (k >= FILES)
            snprintf(wall, sizeof wall, "wall %s", c->wall[k - FILES].name);
        const char *what = k < FILES ? label[k] : wall, *file = k < FILES ? name[k] : c->wall[k - FILES].surface_path;
        const char *recorded = provenance_recorded_checksum(record, "inputs", what, 0);
        if (recorded && checksum_of(c, file, k < FILES ? series[k] : NULL, hex) && strcmp(recorded, hex) != 0)
            return fail(ERR_INPUT,
                        "'%s' was not made from the file that '%s' names as '%s': the result belongs to another case, "
                        "or the file has changed; run %s again with this case, or use the case of the result",
                        path, c->path, what, stage);
    }
    return OK;
}

int case_chain_open(const case_file *c, const char *stage, const char *folder, cJSON **record) {
    char name[32], *path;
    int rc;
    *record = NULL;
    snprintf(name, sizeof name, "%s.json", stage);
    path = file_join(folder, name);
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (!file_exists(path))
        GIVE_UP(fail(ERR_INPUT,
                     "'%s' is missing: it records how the other files of its folder were made, and for which case; run "
                     "%s first (or copy it together with them)",
                     path, stage));
    TRY(json_read_sealed(path, record));
    if (strcmp(text_of(*record, "stage"), stage) != 0)
        GIVE_UP(fail(ERR_INPUT, "'%s' is the record of '%s'; run %s again", path, text_of(*record, "stage"), stage));
    TRY(check_parts(c, stage, path, *record));
    TRY(check_user_files(c, stage, path, *record));
cleanup:
    if (rc != OK) {
        cJSON_Delete(*record);
        *record = NULL;
    }
    free(path);
    return rc;
}

int case_chain_accept(const case_file *c, const cJSON *record, const char *folder, const char *name, cJSON *json) {
    const char *stage = text_of(record, "stage"), *recorded = provenance_recorded_checksum(record, "outputs", name, 1);
    char *path = file_join(folder, name);
    int rc;
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    if (!file_exists(path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing; run %s first", path, stage));
    TRY(provenance_add_stage_input(json, c->folder, path)); /* computes the checksum, which is compared below */
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "inputs");
    const char *found = text_of(cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1), "xxh3");
    if (!recorded || strcmp(recorded, found) != 0)
        GIVE_UP(fail(
            ERR_INPUT,
            "'%s' is not the file that %s wrote: it was truncated, damaged, changed or replaced later; run %s again",
            path, stage, stage));
cleanup:
    free(path);
    return rc;
}

int case_chain_check_order(const cJSON *earlier, const cJSON *later, const char *name) {
    const char *made = provenance_recorded_checksum(earlier, "outputs", name, 1);
    const char *used = provenance_recorded_checksum(later, "inputs", name, 1);
    if (made && used && strcmp(made, used) == 0)
        return OK;
    return fail(ERR_INPUT, "the results of %s were computed from another version of '%s'; run %s again",
                text_of(later, "stage"), name, text_of(later, "stage"));
}
