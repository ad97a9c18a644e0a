/* SPDX-License-Identifier: Apache-2.0 */
#include "post/readouts/perfusion.h"
#include "common/base/units.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void perfusion_free(perfusion *f) {
    liver_grid_free(&f->g);
    free(f->pressure_pa);
    free(f->share);
    free(f->branch);
    free(f->label);
    memset(f, 0, sizeof *f);
}

double perfusion_ml_min_ml(double flow_ml_s, double volume_ml) {
    return 60 * flow_ml_s / volume_ml;
}

double perfusion_of_cell(const perfusion *f, int64_t cell) {
    return perfusion_ml_min_ml(1e6 * compartments_exchange(&f->g, &f->law, f->pressure_pa, cell),
                               1e-3 * f->g.volume_mm3[cell]);
}

int perfusion_branch_of_cell(const perfusion *f, int64_t cell) {
    int most = 0;
    for (int e = 1; e < f->n_branch; e++)
        if (f->share[e * f->g.n + cell] > f->share[most * f->g.n + cell])
            most = e;
    return most;
}

static cJSON *add_part(cJSON *list, const char *key, const perfusion_part *part) {
    cJSON *o = cJSON_AddObjectToObject(list, key);
    json_add_number(o, "volume_ml", part->volume_ml);
    json_add_number(o, "flow_ml_s", part->flow_ml_s);
    json_add_number(o, "perfusion_ml_min_ml", perfusion_ml_min_ml(part->flow_ml_s, part->volume_ml));
    json_add_number(o, "drop_mmhg", units_pa_to_mmhg(part->pressure_pa));
    return o;
}

void perfusion_add_json(cJSON *object, const perfusion *f) {
    static const char *const key[] = {"portal_permeability_m2", "hepatic_permeability_m2"};
    if (!f->liver)
        return;
    const case_compartments *c = f->liver->compartments;
    cJSON *o = cJSON_AddObjectToObject(object, "liver");
    cJSON_AddStringToObject(o, "kind", "modelled");
    cJSON_AddStringToObject(o, "model", "compartments");
    json_add_number(o, "volume_ml", 1e-3 * f->g.all_mm3);
    if (f->g.lost_mm3 > 0)
        json_add_number(o, "lost_ml", 1e-3 * f->g.lost_mm3);
    json_add_number(o, "cells", (double)f->g.n);
    json_add_number(o, "flow_ml_s", f->flow_ml_s);
    json_add_number(o, "perfusion_ml_min_ml", perfusion_ml_min_ml(f->flow_ml_s, 1e-3 * f->g.all_mm3));
    json_add_number(o, "balance", f->balance);
    json_add_number(o, "lobules_mmhg", units_pa_to_mmhg(1e-6 * f->lobules_pa_s_m3 * f->flow_ml_s));
    json_add_number(o, "portal_veins_mmhg", units_pa_to_mmhg(f->portal_loss_pa));
    json_add_number(o, "hepatic_veins_mmhg", units_pa_to_mmhg(f->hepatic_loss_pa));
    json_add_number(o, "hepatic_pressure_mmhg", units_pa_to_mmhg(c->hepatic_pa));
    for (int k = 0; k < (c->n_end > 0 ? 2 : 1); k++) {
        cJSON *one = cJSON_AddObjectToObject(o, key[k]);
        json_add_number(one, "value", c->permeability_m2[k].value);
        json_add_number(one, "uncertainty", c->permeability_m2[k].error);
        cJSON_AddBoolToObject(one, "assumed", !c->permeability_given[k]);
    }
    cJSON *radius = cJSON_AddObjectToObject(o, "end_radius_mm");
    json_add_number(radius, "value", COMPARTMENTS_END_MM);
    json_add_number(radius, "low", COMPARTMENTS_END_LOW_MM);
    json_add_number(radius, "high", COMPARTMENTS_END_HIGH_MM);
    cJSON_AddBoolToObject(radius, "assumed", true);
    cJSON *branches = cJSON_AddObjectToObject(o, "branches");
    for (int k = 0; k < f->n_branch; k++) {
        cJSON *one = add_part(branches, f->branch[k].name, &f->branch[k]);
        json_add_number(one, "territory", f->branch[k].value);
        if (f->branch[k].off_mm > 0)
            json_add_number(one, "off_mm", f->branch[k].off_mm);
    }
    cJSON *labels = cJSON_AddObjectToObject(o, "labels");
    for (int k = 0; k < f->n_label; k++) {
        char value[16];
        snprintf(value, sizeof value, "%d", f->label[k].value);
        cJSON *one = add_part(labels, value, &f->label[k]);
        cJSON_AddStringToObject(one, "name", f->label[k].name);
    }
}
