/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/pressure_drops.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>

static const char *word(const cJSON *object, const char *key) {
    const char *text = json_get_text(object, key);
    return text ? text : "";
}

void pressure_drops_read(const study_case *t, pressure_drops *d) {
    cJSON *all = study_case_json(t, "post/readouts.json");
    const cJSON *one;
    d->n = 0;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(all, "pressure_drops")) {
        const cJSON *u = cJSON_GetObjectItemCaseSensitive(one, "uncertainty");
        const int k = d->n;
        if (k == PRESSURE_DROPS_MAX)
            break;
        snprintf(d->what[k], PRESSURE_DROPS_NAME, "%.20s to %.20s", word(one, "from"), word(one, "to"));
        d->value_pa[k] = json_get_number(one, "value_pa");
        d->finest_pa[k] = json_get_number(u, "finest_lattice");
        if (isnan(d->finest_pa[k]))
            d->finest_pa[k] = d->value_pa[k];
        d->total_pa[k] = json_get_number(u, "total");
        d->lattice_pa[k] = json_get_number(u, "lattice");
        d->image_pa[k] = json_get_number(u, "image");
        d->n++;
    }
    cJSON_Delete(all);
}

int pressure_drops_largest(const pressure_drops *d) {
    int most = 0;
    for (int k = 1; k < d->n; k++)
        if (d->value_pa[k] > d->value_pa[most])
            most = k;
    return most;
}
