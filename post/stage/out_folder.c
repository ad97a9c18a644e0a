/* SPDX-License-Identifier: Apache-2.0 */
#include "post/stage/out_folder.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <stdlib.h>

int out_folder_path(const out_folder *to, const char *name, char path[FILE_PATH_MAX]) {
    return file_path(path, FILE_PATH_MAX, "%s/%s", to->folder, name);
}

int out_folder_record(const out_folder *to, const char *name) {
    char path[FILE_PATH_MAX];
    const int rc = out_folder_path(to, name, path);
    return rc == OK ? provenance_add_output(to->record, to->case_folder, path) : rc;
}

int out_folder_text(const out_folder *to, const char *name, FILE *from, char **text, const size_t *size) {
    char path[FILE_PATH_MAX];
    int rc = from && fclose(from) == 0 ? OK : fail_memory(name, (double)*size);
    TRY(rc);
    TRY(out_folder_path(to, name, path));
    TRY(file_write(path, *text, *size));
    TRY(out_folder_record(to, name));
cleanup:
    free(*text);
    return rc;
}

int out_folder_json(const out_folder *to, const char *name, cJSON *object) {
    char path[FILE_PATH_MAX];
    int rc = object ? OK : fail_memory(name, 65536);
    TRY(rc);
    TRY(out_folder_path(to, name, path));
    TRY(json_write(path, object));
    TRY(out_folder_record(to, name));
cleanup:
    cJSON_Delete(object);
    return rc;
}
