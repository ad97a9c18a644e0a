/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/mesh_preview.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/case/case_chain.h"
#include "common/lattice/lattice_file.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <stdlib.h>

int mesh_preview_write(const mesh_job *j, const char *out, cJSON *json) {
    char *lattice_path = file_join(out, CASE_CHAIN_DRY_RUN ".h5"),
         *json_path = file_join(out, CASE_CHAIN_DRY_RUN ".json");
    cJSON *result = cJSON_AddObjectToObject(json, "result");
    int rc = OK;
    if (!lattice_path || !json_path || !result)
        GIVE_UP(fail_memory("preview.json", FILE_PATH_MAX));
    if (j->lattice.n_cell == 0)
        goto cleanup;
    json_add_number(result, "spacing_mm", j->asked_mm);
    json_add_number(result, "wall_uncertainty_mm", j->wall_uncertainty_mm);
    TRY(file_create_folder(out));
    file_group_begin();
    TRY(lattice_file_write(lattice_path, &j->lattice));
    TRY(provenance_add_output(json, j->c.folder, lattice_path));
    TRY(provenance_write(json, json_path));
cleanup:
    free(lattice_path);
    free(json_path);
    return file_group_end(rc);
}
