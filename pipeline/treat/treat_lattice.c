/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat_lattice.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/study/results_row.h"
#include <math.h>
#include <string.h>

static void keep_settings(const options_list *set, treat_lattice *l) {
    static const char *const dropped[] = {"image.", "segment.", "name="};
    options_list kept = {.n = 0};
    for (int k = 0; k < set->n; k++) {
        bool keeps = true;
        for (int d = 0; d < 3; d++)
            keeps = keeps && strncmp(set->word[k], dropped[d], strlen(dropped[d])) != 0;
        if (keeps)
            kept.word[kept.n++] = set->word[k];
    }
    patient_settings(&kept, l->settings, sizeof l->settings);
}

/* Converts a box from LPS to RAS. */
static void turn_box(double low[3], double high[3]) {
    for (int a = 0; a < 2; a++) {
        const double kept = low[a];
        low[a] = 0 - high[a];
        high[a] = 0 - kept;
    }
}

int treat_lattice_read(const char *dir, treat_lattice *l) {
    char path[PATIENT_PATH_MAX];
    results_row row = {.n = 0};
    stage_state mesh;
    patient p = {.lock = -1};
    cJSON *json = NULL;
    int rc = OK;
    *l = (treat_lattice){.known = false};
    TRY(results_row_open_case(dir, NULL, &p, &row));
    keep_settings(&p.c.set, l);
    stage_state_find(&p, STAGE_MESH, &mesh);
    if (mesh.kind != STATE_DONE)
        goto cleanup;
    TRY(patient_path(path, p.out, "mesh/mesh.json"));
    TRY(json_read(path, &json));
    l->spacing_mm = json_get_number(json_find(json, "result"), "spacing_mm");
    l->known = l->spacing_mm > 0 && json_get_vector(json_find(json, "result/box_low_mm"), l->low_mm) &&
               json_get_vector(json_find(json, "result/box_high_mm"), l->high_mm);
    l->ras = p.c.space == SPACE_RAS;
    if (l->known && l->ras)
        turn_box(l->low_mm, l->high_mm);
    cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
    if (l->known && p.c.space != SPACE_VOXEL)
        l->openings = cJSON_DetachItemFromObjectCaseSensitive(result, "openings");
cleanup:
    cJSON_Delete(json);
    results_row_free(&row);
    patient_close(&p);
    return rc;
}

bool treat_lattice_plane(const treat_lattice *l, const char *opening, double point[3], double normal[3]) {
    const cJSON *o = cJSON_GetObjectItemCaseSensitive(l->openings, opening);
    if (!json_get_vector(cJSON_GetObjectItemCaseSensitive(o, "plane_point_mm"), point) ||
        !json_get_vector(cJSON_GetObjectItemCaseSensitive(o, "plane_normal"), normal))
        return false;
    for (int a = 0; a < 2 && l->ras; a++) {
        point[a] = 0 - point[a];
        normal[a] = 0 - normal[a];
    }
    return true;
}

void treat_lattice_free(treat_lattice *l) {
    cJSON_Delete(l->openings);
    *l = (treat_lattice){.known = false};
}
