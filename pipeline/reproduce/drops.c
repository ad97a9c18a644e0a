/* See drops.h. */
#include "pipeline/reproduce/drops.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>

static const char *word(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

int drops_read(const trial *t, drops *d) {
    cJSON *all = NULL;
    const cJSON *one;
    d->n = 0;
    const int rc = trial_result(t, "post/readouts.json", &all);
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(all, "pressure_drops")) {
        const cJSON *u = cJSON_GetObjectItemCaseSensitive(one, "uncertainty");
        const int k = d->n;
        if (k == DROPS_MAX)
            break;
        snprintf(d->what[k], DROPS_NAME, "%.20s to %.20s", word(one, "from"), word(one, "to"));
        d->value_pa[k] = json_get(one, "value_pa");
        d->finest_pa[k] = json_get(u, "finest_lattice");
        if (isnan(d->finest_pa[k]))
            d->finest_pa[k] = d->value_pa[k];
        d->total_pa[k] = json_get(u, "total");
        d->lattice_pa[k] = json_get(u, "lattice");
        d->image_pa[k] = json_get(u, "image");
        d->n++;
    }
    cJSON_Delete(all);
    return rc;
}

int drops_largest(const drops *d) {
    int most = 0;
    for (int k = 1; k < d->n; k++)
        if (d->value_pa[k] > d->value_pa[most])
            most = k;
    return most;
}
