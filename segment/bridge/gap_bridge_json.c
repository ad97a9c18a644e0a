/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/bridge/gap_bridge_json.h"
#include "common/record/json.h"

cJSON *gap_bridge_json(const gap_bridges *gaps) {
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < gaps->n; k++) {
        const gap_bridge *g = &gaps->found[k];
        cJSON *o = cJSON_CreateObject();
        json_add_numbers(o, "point_mm", 3, g->point_mm);
        json_add_number(o, "length_mm", g->length_mm);
        json_add_number(o, "turn_degrees", g->turn_degrees);
        json_add_numbers(o, "radius_mm", 2, g->radius_mm);
        json_add_number(o, "radius_uncertainty_mm", g->radius_95_mm);
        json_add_number(o, "signal_part", g->signal);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

void gap_bridge_read(const cJSON *result, gap_bridges *gaps) {
    const cJSON *o;
    *gaps = (gap_bridges){0};
    cJSON_ArrayForEach(o, cJSON_GetObjectItemCaseSensitive(result, "bridged_gaps")) {
        gap_bridge *g = &gaps->found[gaps->n];
        const cJSON *radius = cJSON_GetObjectItemCaseSensitive(o, "radius_mm");
        if (gaps->n == GAP_BRIDGES_MAX ||
            !json_get_vector(cJSON_GetObjectItemCaseSensitive(o, "point_mm"), g->point_mm))
            break;
        for (int k = 0; k < 2; k++)
            g->radius_mm[k] = cJSON_GetNumberValue(cJSON_GetArrayItem(radius, k));
        g->length_mm = json_get_number(o, "length_mm");
        g->turn_degrees = json_get_number(o, "turn_degrees");
        g->radius_95_mm = json_get_number(o, "radius_uncertainty_mm");
        g->signal = json_get_number(o, "signal_part");
        gaps->n++;
    }
}
