/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: flows and conditions of the openings, labels of the liver, model of the blood, and
 * case_write_friction. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/blood/shear_profile.h"
#include "common/cli/word_list.h"
#include "common/lattice/resolution.h"
#include <math.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

int case_open_waveform(const case_file *c, const case_opening *o, waveform *w) {
    const waveform *s = o->samples;
    *w = (waveform){0};
    if (s)
        return waveform_create(w, s->n, s->time_s, s->flow_m3_s, s->period_s);
    char *path = case_resolve_path(c, o->waveform);
    const int rc = path ? waveform_read(path, w) : fail_memory("a path", 1);
    free(path);
    return rc;
}

static int waveform_flow(const case_file *c, const case_opening *o, double *flow) {
    waveform w;
    const int rc = case_open_waveform(c, o, &w);
    if (rc == OK)
        *flow = c->solve.mode == MODE_PULSATILE ? waveform_peak_m3_s(&w) : waveform_mean_m3_s(&w);
    waveform_free(&w);
    return rc;
}

/* Ratio of the highest to the mean velocity in the cross-section of opening o, which prescribes the highest
 * velocity. */
static double peak_over_mean(const case_file *c, const case_opening *o, const lattice_opening *cut) {
    const shear_section s = {1e-6 * cut->area_mm2, 1e-3 * cut->perimeter_mm, lattice_profile_peak(cut)};
    if (o->profile != PROFILE_DEVELOPED)
        return o->profile == PROFILE_PLUG ? 1 : 2;
    if (!case_is_shear_thinning(c) || s.peak < SHEAR_PROFILE_PEAK || !(s.perimeter_m > 0) || o->velocity_m_s == 0)
        return s.peak;
    const viscosity_law law = case_viscosity_law(c);
    shear_profile p;
    shear_profile_of_peak(&law, &s, fabs(o->velocity_m_s), &p);
    return p.velocity[0];
}

int case_flow_m3_s(const case_file *c, int k, const lattice_opening *cut, double *flow) {
    const case_opening *o = &c->opening[k];
    const double sign = o->role == ROLE_OUTLET ? -1 : 1, area_m2 = 1e-6 * cut->area_mm2;
    int rc = OK;
    *flow = NAN;
    switch (o->condition) {
    case CONDITION_FLOW:
        *flow = sign * o->flow_m3_s;
        break;
    case CONDITION_WAVEFORM:
        rc = waveform_flow(c, o, flow);
        *flow *= sign;
        break;
    case CONDITION_VELOCITY_MEAN:
        *flow = sign * o->velocity_m_s * area_m2;
        break;
    case CONDITION_VELOCITY_PEAK:
        *flow = sign * o->velocity_m_s * area_m2 / peak_over_mean(c, o, cut);
        break;
    case CONDITION_VECTOR:
        *flow = 0;
        break;
    default:
        break;
    }
    return rc;
}

bool case_sets_time_step(const case_file *c) {
    return isfinite(c->solve.tau) || isfinite(c->solve.dt_s) || isfinite(c->solve.max_lattice_velocity);
}

/* True if opening k drives a flow. *pressure: pressure of the first opening so far with a pressure; NaN: none so
 * far. */
static bool opening_drives(const case_file *c, int k, double *pressure) {
    static const lattice_opening unit = {.area_mm2 = 1e6};
    const case_opening *o = &c->opening[k];
    double value = o->value;
    switch (o->condition) {
    case CONDITION_VECTOR:
        return vec_length(o->vector_m_s) > 0;
    case CONDITION_SPLIT:
        return false;
    case CONDITION_PRESSURE:
    case CONDITION_DEVELOPED:
    case CONDITION_RESISTANCE:
    case CONDITION_WINDKESSEL:
        value = case_opening_is_model(o) ? o->distal_pa : o->condition == CONDITION_PRESSURE ? o->pressure_pa : 0;
        if (isnan(*pressure))
            *pressure = value;
        return value != *pressure;
    case CONDITION_WAVEFORM:
        if (case_flow_m3_s(c, k, &unit, &value) != OK)
            status_clear(); /* the stage that needs the file reports the error */
        return value != 0;
    default:
        return value != 0;
    }
}

const case_opening *case_find_opening(const case_file *c, const char *name) {
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].name && strcmp(c->opening[k].name, name) == 0)
            return &c->opening[k];
    return NULL;
}

bool case_opening_is_model(const case_opening *o) {
    return o->condition == CONDITION_RESISTANCE || o->condition == CONDITION_WINDKESSEL;
}

bool case_opening_is_free(const case_opening *o) {
    return o->condition == CONDITION_PRESSURE || o->condition == CONDITION_DEVELOPED || case_opening_is_model(o);
}

bool case_liver_at_outlets(const case_file *c) {
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].kind == READOUT_PPG && c->readout[k].liver_outlets)
            return true;
    return false;
}

case_readout *case_find_liver_labels(const case_file *c) {
    for (int k = 0; k < c->n_readout; k++)
        if (c->readout[k].liver_labels.path)
            return &c->readout[k];
    return NULL;
}

const char *case_liver_path(const case_file *c) {
    const case_readout *o = case_find_liver_labels(c);
    return o ? o->liver_labels.path : NULL;
}

bool case_opening_feeds(const case_readout *o, const case_opening *opening) {
    return opening->role == ROLE_OUTLET && !opening->collateral && strcmp(opening->name, o->portal) != 0;
}

bool case_opening_is_liver(const case_file *c, const case_opening *o) {
    /* the resistances of a split do not share one error: each follows from its share */
    return o->role == ROLE_OUTLET && case_opening_is_model(o) && !o->collateral && !isfinite(o->split_share) &&
           case_liver_at_outlets(c);
}

const case_opening *case_inlet_of_unknown_error(const case_file *c) {
    for (int k = 0; k < c->n_opening && case_liver_at_outlets(c); k++)
        if (c->opening[k].role == ROLE_INLET && c->opening[k].condition == CONDITION_PRESSURE)
            return &c->opening[k];
    return NULL;
}

bool case_is_driven(const case_file *c) {
    double pressure = NAN;
    bool found = vec_length(c->solve.force_m_s2) > 0 || c->solve.heat.on;
    for (int k = 0; k < c->n_opening && !found; k++)
        found = opening_drives(c, k, &pressure);
    return found;
}

bool case_prescribes_flow(const case_file *c) {
    return case_count_free_openings(c) < c->n_opening;
}

int case_count_free_openings(const case_file *c) {
    int n = 0;
    for (int k = 0; k < c->n_opening; k++)
        n += case_opening_is_free(&c->opening[k]);
    return n;
}

int case_balancing_inlet(const case_file *c) {
    if (c->solve.mode != MODE_STEADY || c->solve.opening != OPENING_HALF_WAY || case_count_free_openings(c) != 1)
        return -1;
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role == ROLE_INLET && case_opening_is_free(&c->opening[k]))
            return k;
    return -1;
}

bool case_uses_cumulants(const case_file *c) {
    return c->solve.collision == COLLISION_CUMULANT;
}

viscosity_law case_viscosity_law(const case_file *c) {
    return case_is_shear_thinning(c) ? viscosity_law_of(c->blood.model, c->blood.set, c->blood.hematocrit)
                                     : viscosity_law_newtonian(c->blood.viscosity_pa_s);
}

bool case_is_shear_thinning(const case_file *c) {
    return c->blood.model != VISCOSITY_NEWTONIAN;
}

void case_take_shear_thinning(case_file *c) {
    c->blood.unknown = false;
    c->blood.model = VISCOSITY_CARREAU_YASUDA;
    const viscosity_law law = case_viscosity_law(c);
    c->blood.viscosity_pa_s = viscosity_law_pa_s(&law, VISCOSITY_NOMINAL_RATE);
}

const char *case_write_blood(const case_file *c, char text[CASE_BLOOD_NAME]) {
    const char *model, *set;
    const int model_size = word_list_get(VISCOSITY_MODELS, c->blood.model, &model),
              set_size = word_list_get(VISCOSITY_SETS, c->blood.set, &set);
    int n = snprintf(text, CASE_BLOOD_NAME, "%.*s", model_size, model);
    if (c->blood.unknown)
        snprintf(text, CASE_BLOOD_NAME, "unknown: newtonian, compared with carreau-yasuda, set %.*s", set_size, set);
    if (case_is_shear_thinning(c))
        n += snprintf(text + n, CASE_BLOOD_NAME - (size_t)n, ", set %.*s", set_size, set);
    if (c->blood.model == VISCOSITY_QUEMADA)
        snprintf(text + n, CASE_BLOOD_NAME - (size_t)n, ", haematocrit %.3g %%", 100 * c->blood.hematocrit);
    return text;
}

const char *case_write_friction(const case_file *c, double friction, char text[CASE_FRICTION]) {
    const bool flow = case_prescribes_flow(c);
    friction = resolution_friction_bound(friction);
    snprintf(text, CASE_FRICTION, "%s come out up to about %.0f %% too %s", flow ? "pressure drops" : "flows",
             100 * (flow ? friction : friction / (1 + friction)), flow ? "high" : "low");
    return text;
}
