/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of export_parts.h: RO-Crate metadata (https://w3id.org/ro/crate/1.1). */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/cli/version.h"
#include "common/record/json.h"
#include "pipeline/export/export_parts.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static cJSON *add_entity(cJSON *graph, const char *id, const char *type) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "@id", id);
    cJSON_AddStringToObject(o, "@type", type);
    cJSON_AddItemToArray(graph, o);
    return o;
}

static cJSON *make_reference(const char *id) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "@id", id);
    return o;
}

static const char *file_format(const char *name) {
    static const struct {
        const char *ending, *format;
    } table[] = {{".json", "application/json"},
                 {".csv", "text/csv"},
                 {".png", "image/png"},
                 {".html", "text/html"},
                 {".yaml", "application/yaml"},
                 {".h5", "application/x-hdf5"},
                 {".vtkhdf", "application/x-hdf5"},
                 {".vtp", "application/xml"},
                 {".nii.gz", "application/gzip"},
                 {".stl", "model/stl"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (file_ends_with(name, table[k].ending))
            return table[k].format;
    return "application/octet-stream";
}

static void add_dataset(cJSON *graph, int n, char *const *file) {
    char today[16];
    const time_t now = time(NULL);
    struct tm local;
    localtime_r(&now, &local);
    strftime(today, sizeof today, "%Y-%m-%d", &local);
    cJSON *root = add_entity(graph, "./", "Dataset");
    cJSON_AddStringToObject(root, "name", "Blood flow in a vessel, computed by Portaflow");
    cJSON_AddStringToObject(
        root, "description",
        "Lumen, lattice, flow, readouts and report. Research, not for clinical use. The image and all "
        "names were removed.");
    cJSON_AddStringToObject(root, "datePublished", today);
    cJSON_AddStringToObject(root, "license", "Not stated; the sender decides who may use these data.");
    cJSON *parts = cJSON_AddArrayToObject(root, "hasPart");
    for (int k = 0; k < n; k++)
        cJSON_AddItemToArray(parts, make_reference(file[k]));
    cJSON_AddItemToObject(root, "mentions", make_reference("#computation"));
}

static void add_computation(cJSON *graph, int n, char *const *file) {
    cJSON *action = add_entity(graph, "#computation", "CreateAction");
    cJSON_AddStringToObject(action, "name", "Segmentation, lattice, flow and readouts");
    cJSON_AddItemToObject(action, "instrument", make_reference("#portaflow"));
    cJSON_AddItemToObject(action, "object", make_reference("case.yaml"));
    cJSON *result = cJSON_AddArrayToObject(action, "result");
    for (int k = 0; k < n; k++)
        if (strcmp(file[k], "case.yaml") != 0)
            cJSON_AddItemToArray(result, make_reference(file[k]));
    cJSON *program = add_entity(graph, "#portaflow", "SoftwareApplication");
    cJSON_AddStringToObject(program, "name", "Portaflow");
    cJSON_AddStringToObject(program, "version", PORTAFLOW_VERSION);
    cJSON_AddStringToObject(program, "license", "https://spdx.org/licenses/Apache-2.0");
}

int export_write_crate(const char *folder, int n, char *const *file) {
    char path[FILE_PATH_MAX];
    int rc = OK;
    cJSON *all = cJSON_CreateObject();
    cJSON_AddStringToObject(all, "@context", "https://w3id.org/ro/crate/1.1/context");
    cJSON *graph = cJSON_AddArrayToObject(all, "@graph");
    cJSON *descriptor = add_entity(graph, "ro-crate-metadata.json", "CreativeWork");
    cJSON_AddItemToObject(descriptor, "conformsTo", make_reference("https://w3id.org/ro/crate/1.1"));
    cJSON_AddItemToObject(descriptor, "about", make_reference("./"));
    add_dataset(graph, n, file);
    add_computation(graph, n, file);
    for (int k = 0; k < n; k++) {
        struct stat s;
        char size[32] = "";
        TRY(file_path(path, sizeof path, "%s/%s", folder, file[k]));
        if (stat(path, &s) == 0)
            snprintf(size, sizeof size, "%lld", (long long)s.st_size);
        cJSON *o = add_entity(graph, file[k], "File");
        cJSON_AddStringToObject(o, "name", file_name(file[k]));
        cJSON_AddStringToObject(o, "encodingFormat", file_format(file[k]));
        cJSON_AddStringToObject(o, "contentSize", size);
    }
    TRY(file_path(path, sizeof path, "%s/ro-crate-metadata.json", folder));
    TRY(json_write(path, all));
cleanup:
    cJSON_Delete(all);
    return rc;
}
