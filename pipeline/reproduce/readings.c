/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/readings.h"
#include "common/base/order.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds the number at `key` of an object with its interval at u. */
static void take(readings *all, enum reading_kind kind, const cJSON *object, const char *key, const cJSON *u,
                 const char *what) {
    const double value = json_get_number(object, key), finest = json_get_number(u, "finest_lattice");
    if (all->n == READINGS_MAX)
        return;
    reading *r = &all->r[all->n++];
    *r = (reading){.kind = kind,
                   .value = value,
                   .finest = isnan(finest) ? value : finest,
                   .total = json_get_number(u, "total"),
                   .lattice = json_get_number(u, "lattice"),
                   .image = json_get_number(u, "image"),
                   .order = json_get_number(u, "order")};
    snprintf(r->what, sizeof r->what, "%s", what);
}

static bool is_outlet(const cJSON *opening) {
    const char *role = json_get_text(opening, "role");
    return role && strcmp(role, "outlet") == 0;
}

void readings_read(const study_case *t, readings *all) {
    cJSON *json = study_case_json(t, "post/readouts.json");
    const cJSON *one, *wss = json_find(json, "wss"), *openings = json_find(json, "openings");
    char what[READINGS_NAME];
    int outlets = 0;
    all->n = 0;
    cJSON_ArrayForEach(one, json_find(json, "pressure_drops")) {
        const char *from = json_get_text(one, "from"), *to = json_get_text(one, "to");
        snprintf(what, sizeof what, "%.20s to %.20s", from ? from : "", to ? to : "");
        take(all, READING_DROP, one, "value_pa", json_find(one, "uncertainty"), what);
    }
    all->n_drop = all->n;
    take(all, READING_WSS_MEAN, wss, "mean_pa", json_find(wss, "uncertainty/mean_pa"), "");
    take(all, READING_WSS_P99, wss, "p99_pa", json_find(wss, "uncertainty/p99_pa"), "");
    cJSON_ArrayForEach(one, openings) {
        outlets += is_outlet(one);
    }
    cJSON_ArrayForEach(one, openings) {
        if (outlets > 1 && is_outlet(one))
            take(all, READING_FLOW, one, "flow_ml_s", json_find(one, "uncertainty/flow_ml_s"), one->string);
    }
    cJSON_Delete(json);
}

int readings_largest_drop(const readings *all) {
    int most = 0;
    for (int k = 1; k < all->n_drop; k++)
        if (all->r[k].value > all->r[most].value)
            most = k;
    return most;
}

bool readings_tally_add(readings_tally *t, double value, double truth, double half) {
    if (!isfinite(half) || t->known == READINGS_TALLY_MAX) {
        t->without++;
        return false;
    }
    const bool inside = fabs(value - truth) <= half;
    t->inside += inside;
    t->width[t->known++] = 100 * half / fabs(truth);
    return inside;
}

double readings_tally_inside(const readings_tally *t) {
    return t->known ? 100.0 * t->inside / t->known : 0;
}

double readings_tally_median(readings_tally *t) {
    return t->known ? order_median(t->width, t->known) : NAN;
}
