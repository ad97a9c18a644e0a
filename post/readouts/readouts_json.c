/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of readouts.h: writes the keys of readouts.json. */
#include "post/readouts/readouts.h"
#include "common/record/json.h"
#include "common/base/units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_units(cJSON *object) {
    static const char *const unit[][2] = {
        {"area", "mm2"},
        {"flow", "mL/s, positive into the vessel at an inlet and out of it at an outlet"},
        {"velocity", "m/s"},
        {"reynolds", "1, of the mean velocity and the diameter of the circle of equal area"},
        {"pressure", "Pa and mmHg (1 mmHg = 133.322387415 Pa), static, relative to the pressure 0 of the case"},
        {"wss", "Pa"},
        {"tawss", "Pa, mean magnitude of the wall shear stress over the last cycle; for a pulsatile flow all values "
                  "under wss, except at instants, refer to it"},
        {"osi", "1, (1 - magnitude of the mean wall shear stress / TAWSS) / 2 over the last cycle"},
        {"rrt", "1/Pa, 1 / ((1 - 2 OSI) TAWSS), in wall.vtp; none where OSI is 0.5"},
        {"flow_balance", "1, sum of the flows over the sum of inflows"},
        {"backflow", "mL/s, flow against the normal of the section in parts of it, 0: none"},
        {"uncertainty",
         "half-widths of 95 % intervals in the unit of the value: lattice (discretization error), image (segmentation "
         "uncertainty), inputs (flows, liver), blood_model (difference to shear-thinning blood; only with blood.model "
         "unknown), total, and known (parts that are not null, combined); finest_lattice: "
         "the value on the finest lattice, from which "
         "it was extrapolated, order: the observed order; by_input: change of the value if the wall moves outwards, or "
         "an input rises, by its half-width; null: unknown, see notes"},
        {"error_bound", "error bound in the unit of the value, for values without an interval: from the warning of the "
                        "resolution and the uncertainty of the given flows, or from the interval of a related value; "
                        "absent if unknown"},
        {"heat", "K mm3/s into the fluid, divided by its density and heat capacity; temperature degC; nusselt: heat "
                 "flux over the conductive flux over length_mm by difference_k; only with solve.heat"},
        {"perfusion",
         "mL/min/mL, portal blood per volume of liver, modelled; under liver, which exists only with model "
         "compartments. volume_ml of a branch: share-weighted, a part of the liver counts for each branch with its "
         "share of the blood; drop_mmhg: pressure at the end of a branch above that of the hepatic veins, modelled; "
         "off_mm: distance of an end from the liver"},
        {"measured",
         "mmHg, gradient measured by catheter, given in the case, with the half-width of its 95 % interval; "
         "not used in the computation"},
        {"time", "s, from the start of the cycle"}};
    cJSON *units = cJSON_AddObjectToObject(object, "units");
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        cJSON_AddStringToObject(units, unit[k][0], unit[k][1]);
}

/* Adds the interval of a value under `key`, in the unit of the value times `scale`; null if it has none. */
static void add_interval(cJSON *o, const char *key, const readouts *r, const double *value, double scale) {
    const interval *u = readouts_interval(r, value);
    if (!u) {
        cJSON_AddNullToObject(o, key);
        return;
    }
    cJSON *to = cJSON_AddObjectToObject(o, key);
    json_add_number(to, "lattice", scale * u->lattice);
    json_add_number(to, "image", scale * u->image);
    json_add_number(to, "inputs", scale * u->inputs);
    if (r->blood_unknown)
        json_add_number(to, "blood_model", scale * u->blood);
    json_add_number(to, "total", scale * u->total);
    json_add_number(to, "known", scale * interval_known(u));
    json_add_number(to, "finest_lattice", scale * u->finest);
    json_add_number(to, "order", u->order);
    cJSON *inputs = r->n_input > 0 ? cJSON_AddObjectToObject(to, "by_input") : NULL;
    for (int k = 0; inputs && k < r->n_input; k++)
        json_add_number(inputs, r->input_name[k],
                        scale * r->input_change[(u - r->interval) * r->n_input + k] + 0.0); /* -0 becomes 0 */
}

/* Adds the error bound of a value without an interval under `key`, in the unit of the value times `scale`. Adds nothing
 * if it is 0, nor if the discretization error is unknown: the given flows alone would be too small a bound. */
static void add_error_bound(cJSON *o, const char *key, const readouts *r, const double *value, double scale) {
    const double off = scale * readouts_off(r, value);
    if (off > 0 && (r->off > 0 || r->interval || readouts_has_pulse_error(r, value)))
        json_add_number(o, key, off);
}

/* A value and its key. scale: factor of the written number. off, interval: true if the value may have an error bound,
 * or an interval. */
typedef struct {
    const char *key;
    const double *value;
    double scale;
    bool off, interval;
} number;

static void add_values(cJSON *o, int n, const number *list) {
    for (int k = 0; k < n; k++)
        json_add_number(o, list[k].key, list[k].scale * *list[k].value);
}

/* Adds the object "error_bound" unless it is empty, and the object "uncertainty", which is null if no value has an
 * interval. */
static void add_known(cJSON *o, const readouts *r, int n, const number *list) {
    cJSON *off = cJSON_CreateObject();
    for (int k = 0; k < n; k++)
        if (list[k].off)
            add_error_bound(off, list[k].key, r, list[k].value, list[k].scale);
    if (cJSON_GetArraySize(off) == 0 || !cJSON_AddItemToObject(o, "error_bound", off))
        cJSON_Delete(off);
    cJSON *u = r->interval ? cJSON_AddObjectToObject(o, "uncertainty") : cJSON_AddNullToObject(o, "uncertainty");
    for (int k = 0; k < n && r->interval; k++)
        if (list[k].interval)
            add_interval(u, list[k].key, r, list[k].value, list[k].scale);
}

static void add_place(cJSON *list, const readouts *r, const place *p) {
    const number all[] = {{"area_mm2", &p->area_mm2, 1, false, true},
                          {"flow_ml_s", &p->flow_ml_s, 1, true, true},
                          {"mean_velocity_m_s", &p->mean_velocity_m_s, 1, true, true},
                          {"reynolds", &p->reynolds, 1, false, false},
                          {"pressure_pa", &p->pressure_pa, 1, true, true},
                          {"pressure_mmhg", &p->pressure_pa, units_pa_to_mmhg(1), true, true},
                          /* the following readouts exist for sections only */
                          {"velocity_max_m_s", &p->velocity_max_m_s, 1, true, false},
                          {"backflow_ml_s", &p->backflow_ml_s, 1, false, false},
                          {"wss_mean_pa", &p->wss_mean_pa, 1, true, false},
                          {"wss_max_pa", &p->wss_max_pa, 1, true, false}};
    const int n = p->role < 0 ? 10 : 6;
    cJSON *o = cJSON_AddObjectToObject(list, p->name);
    if (p->role >= 0)
        cJSON_AddStringToObject(o, "role", lattice_role_name[p->role]);
    if (p->model[0])
        cJSON_AddStringToObject(o, "model", p->model);
    if (isfinite(p->inflow_share))
        json_add_number(o, "share_of_inflow", p->inflow_share);
    add_values(o, n, all);
    add_known(o, r, n, all);
}

static void add_places(cJSON *object, const readouts *r) {
    cJSON *openings = cJSON_AddObjectToObject(object, "openings");
    for (int k = 0; k < r->n_opening; k++)
        add_place(openings, r, &r->place[k]);
    cJSON *sections = cJSON_AddObjectToObject(object, "sections");
    for (int k = 0; k < r->n_section; k++)
        add_place(sections, r, &r->place[r->n_opening + k]);
}

static cJSON *add_wss(cJSON *object, const readouts *r) {
    const number all[] = {{"area_mm2", &r->wss.area_mm2, 1, false, false},
                          {"mean_pa", &r->wss.mean, 1, true, true},
                          {"p99_pa", &r->wss.p99, 1, true, true},
                          {"max_pa", &r->wss.max, 1, true, false}};
    cJSON *wss = cJSON_AddObjectToObject(object, "wss");
    add_values(wss, 4, all);
    json_add_numbers(wss, "max_at_lps_mm", 3, r->wss.max_mm);
    add_known(wss, r, 4, all);
    return wss;
}

/* Add a text; NULL becomes null. */
static void add_text(cJSON *o, const char *key, const char *text) {
    if (text)
        cJSON_AddStringToObject(o, key, text);
    else
        cJSON_AddNullToObject(o, key);
}

static cJSON *drop_object(const readouts_drop *d) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "from", d->from);
    cJSON_AddStringToObject(o, "to", d->to);
    json_add_number(o, "value_pa", d->value_pa);
    json_add_number(o, "value_mmhg", units_pa_to_mmhg(d->value_pa));
    return o;
}

static cJSON *known_drop_object(const readouts *r, const readouts_drop *d) {
    cJSON *o = drop_object(d);
    add_interval(o, "uncertainty", r, &d->value_pa, 1);
    add_error_bound(o, "error_bound", r, &d->value_pa, 1);
    return o;
}

static void add_drops(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "pressure_drops");
    for (int k = 0; k < r->n_drop; k++)
        cJSON_AddItemToArray(list, known_drop_object(r, &r->drop[k]));
}

/* Add the largest pressure drop between two openings; null: there is none. */
static void add_largest_drop(cJSON *object, const readouts *r) {
    if (r->largest.from)
        cJSON_AddItemToObject(object, "largest_pressure_drop", known_drop_object(r, &r->largest));
    else
        cJSON_AddNullToObject(object, "largest_pressure_drop");
}

/* Add the branches without flow, widest first. */
static void add_unfed_branches(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "unfed_branches");
    for (int k = 0; k < r->n_unfed; k++) {
        cJSON *o = cJSON_CreateObject();
        json_add_number(o, "diameter_mm", r->unfed[k].diameter_mm);
        json_add_numbers(o, "point_lps_mm", 3, r->unfed[k].point_mm);
        cJSON_AddStringToObject(o, "place", r->unfed_place[k]);
        cJSON_AddBoolToObject(o, "touches", r->unfed[k].touches);
        cJSON_AddItemToArray(list, o);
    }
}

/* Add the peak of a pulsatile flow; null: unknown. */
static void add_peak(cJSON *object, const readouts_peak *peak) {
    if (!isfinite(peak->time_s)) {
        cJSON_AddNullToObject(object, "peak");
        return;
    }
    cJSON *o = cJSON_AddObjectToObject(object, "peak");
    json_add_number(o, "time_s", peak->time_s);
    json_add_number(o, "inflow_ml_s", peak->inflow_ml_s);
    json_add_number(o, "reynolds", peak->reynolds);
    add_text(o, "reynolds_at", peak->reynolds_at);
    if (peak->drop.from)
        cJSON_AddItemToObject(o, "pressure_drop", drop_object(&peak->drop));
    else
        cJSON_AddNullToObject(o, "pressure_drop");
}

/* Writes the quantities of the lobule law and the names of those that are assumptions. */
static void add_lobules(cJSON *parameters, const case_readout *liver) {
    static const char *const key[LOBULE_QUANTITIES] = {
        [LOBULE_VOLUME] = "liver_volume_ml",   [LOBULE_RADIUS] = "lobule_radius_mm",
        [LOBULE_VEIN] = "vein_radius_mm",      [LOBULE_PERMEABILITY] = "permeability_m2",
        [LOBULE_VISCOSITY] = "viscosity_pa_s", [LOBULE_SHARE] = "arterial_share"};
    cJSON_AddStringToObject(parameters, "stage", lobule_stage_name(liver->liver_stage));
    cJSON_AddBoolToObject(parameters, "stage_assumed", case_stage_is_assumed(liver));
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        cJSON *one = cJSON_AddObjectToObject(parameters, key[k]);
        json_add_number(one, "value", liver->lobules.quantity[k].value);
        json_add_number(one, "uncertainty", liver->lobules.quantity[k].error);
        cJSON_AddBoolToObject(one, "assumed", !liver->lobules_given[k]);
        if (k == LOBULE_VOLUME && liver->liver_labels.path)
            cJSON_AddStringToObject(one, "from", "label image");
    }
}

/* Adds the ends of an interval that is not symmetric. */
static void add_bounds(cJSON *o, const readouts *r, const double *value) {
    double bound[2];
    if (readouts_bounds_pa(r, value, bound))
        json_add_numbers(o, "interval_mmhg", 2,
                         (const double[2]){units_pa_to_mmhg(bound[0]), units_pa_to_mmhg(bound[1])});
}

static void add_term(cJSON *list, const readouts *r, const ppg *g, const ppg_term *t) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "kind", ppg_kind_name(g, t));
    add_text(o, "basis", ppg_basis(g, t));
    if (t->kind == PPG_MODELLED) {
        const bool lobules = t->liver && t->liver->liver_lobules;
        add_text(o, "model",
                 lobules && t->liver->compartments ? "compartments"
                 : lobules                         ? "lobules"
                 : isfinite(t->resistance_pa_s_m3) ? "resistance"
                                                   : NULL);
        cJSON *parameters = cJSON_AddObjectToObject(o, "parameters");
        json_add_number(parameters, "resistance_mmhg_min_per_l", t->resistance_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L);
        json_add_number(parameters, "resistance_uncertainty_mmhg_min_per_l",
                        t->resistance_error_pa_s_m3 > 0 ? t->resistance_error_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L
                                                        : NAN);
        if (t->liver && t->liver->liver_bound[0] > 0)
            json_add_numbers(parameters, "resistance_interval_mmhg_min_per_l", 2,
                             (const double[2]){t->liver->liver_bound[0] / UNITS_PA_S_M3_PER_MMHG_MIN_L,
                                               t->liver->liver_bound[1] / UNITS_PA_S_M3_PER_MMHG_MIN_L});
        json_add_number(parameters, "flow_ml_s", t->flow_ml_s);
        if (t->liver && t->liver->lost_share.value > 0) {
            cJSON *lost = cJSON_AddObjectToObject(parameters, "lost_share");
            json_add_number(lost, "value", t->liver->lost_share.value);
            json_add_number(lost, "uncertainty", t->liver->lost_share.error > 0 ? t->liver->lost_share.error : NAN);
        }
        if (lobules)
            add_lobules(parameters, t->liver);
    }
    json_add_number(o, "value_mmhg", units_pa_to_mmhg(t->value_pa));
    add_interval(o, "uncertainty", r, &t->value_pa, units_pa_to_mmhg(1));
    add_bounds(o, r, &t->value_pa);
    add_error_bound(o, "error_bound", r, &t->value_pa, units_pa_to_mmhg(1));
    cJSON_AddItemToArray(list, o);
}

static void add_gradients(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "ppg");
    for (int k = 0; k < r->n_ppg; k++) {
        const ppg *g = &r->ppg[k];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "portal", g->portal);
        add_text(o, "cava", g->cava);
        json_add_number(o, "value_mmhg", units_pa_to_mmhg(g->value_pa));
        add_interval(o, "uncertainty", r, &g->value_pa, units_pa_to_mmhg(1));
        add_bounds(o, r, &g->value_pa);
        add_error_bound(o, "error_bound", r, &g->value_pa, units_pa_to_mmhg(1));
        if (isfinite(g->measured_pa)) {
            cJSON *measured = cJSON_AddObjectToObject(o, "measured");
            json_add_number(measured, "value_mmhg", units_pa_to_mmhg(g->measured_pa));
            json_add_number(measured, "half_width_mmhg",
                            g->measured_error_pa > 0 ? units_pa_to_mmhg(g->measured_error_pa) : NAN);
        }
        cJSON *terms = cJSON_AddArrayToObject(o, "terms");
        for (int t = 0; t < g->n_term; t++)
            add_term(terms, r, g, &g->term[t]);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_heat(cJSON *object, const wall_heat *r) {
    if (!r)
        return;
    const number all[] = {{"length_mm", &r->length_mm, 1}, {"difference_k", &r->difference_k, 1},
                          {"prandtl", &r->prandtl, 1},     {"rayleigh", &r->rayleigh, 1},
                          {"balance", &r->balance, 1},     {"lowest_c", &r->lowest_c, 1},
                          {"highest_c", &r->highest_c, 1}};
    cJSON *o = cJSON_AddObjectToObject(object, "heat");
    add_values(o, 7, all);
    json_add_numbers(o, "velocity_max_at_lps_mm", 3, r->fastest_mm);
    cJSON *sides = cJSON_AddObjectToObject(o, "sides");
    for (int k = 0; k < r->n; k++) {
        const wall_heat_side *s = &r->side[k];
        const number of_side[] = {{"temperature_c", &s->temperature_c, 1},
                                  {"heat_k_mm3_s", &s->heat_k_mm3_s, 1},
                                  {"area_mm2", &s->area_mm2, 1},
                                  {"nusselt", &s->nusselt, 1}};
        cJSON *one = cJSON_AddObjectToObject(sides, s->name);
        cJSON_AddStringToObject(one, "kind", s->wall ? "wall" : "opening");
        add_values(one, 4, of_side);
    }
}

/* Adds the keys device and hardware. Of the text "cpu, 2 threads, avx512", device gets "cpu", and hardware gets the
 * whole text. */
static void add_device(cJSON *object, const char *device) {
    char kind[SOLUTION_DEVICE];
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(device, ","), device);
    cJSON_AddStringToObject(object, "device", kind);
    cJSON_AddStringToObject(object, "hardware", device);
}

static void add_solve(cJSON *object, const solution *s) {
    const number how[] = {{"unsteady_mean_of_s", &s->unsteady_s, 1},
                          {"steps", &s->steps, 1},
                          {"dx_mm", &s->dx_mm, 1},
                          {"dt_s", &s->dt_s, 1},
                          {"tau", &s->tau, 1},
                          {"reynolds", &s->reynolds, 1},
                          {"mach", &s->mach, 1}};
    const number cost[] = {{"mlups", &s->mlups, 1}, {"seconds", &s->seconds, 1}};
    cJSON *o = cJSON_AddObjectToObject(object, "solve");
    cJSON_AddBoolToObject(o, "converged", s->converged);
    cJSON_AddBoolToObject(o, "too_coarse", s->too_coarse);
    cJSON_AddBoolToObject(o, "usable", solution_unusable(s) == NULL);
    add_values(o, 7, how);
    add_device(o, s->device);
    add_values(o, 2, cost);
}

/* Adds the instants. Each instant has all keys of the readouts of the run, except averages over the cycle. */
static void add_instants(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "instants");
    for (int k = 0; k < r->n_instant; k++) {
        const readouts *at = &r->instant[k];
        cJSON *o = cJSON_CreateObject();
        json_add_number(o, "time_s", at->time_s);
        add_places(o, at);
        add_drops(o, at);
        add_wss(o, at);
        json_add_number(cJSON_AddObjectToObject(o, "velocity"), "max_m_s", at->velocity_max_m_s);
        json_add_number(o, "flow_balance", at->flow_balance);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_notes(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "notes"), *exact = cJSON_AddArrayToObject(object, "exact_inputs");
    for (int k = 0; k < r->notes.n; k++)
        cJSON_AddItemToArray(list, cJSON_CreateString(r->notes.text[k]));
    for (int k = 0; k < r->exact.n; k++)
        cJSON_AddItemToArray(exact, cJSON_CreateString(r->exact.text[k]));
}

cJSON *readouts_json(const readouts *r) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", r->case_name);
    add_units(object);
    add_places(object, r);
    add_drops(object, r);
    add_largest_drop(object, r);
    add_unfed_branches(object, r);
    add_gradients(object, r);
    if (r->perfusion)
        perfusion_add_json(object, r->perfusion);
    cJSON *wss = add_wss(object, r);
    json_add_number(wss, "tawss_mean_pa", r->tawss_mean_pa);
    json_add_number(wss, "osi_mean", r->osi_mean);
    cJSON *velocity = cJSON_AddObjectToObject(object, "velocity");
    json_add_number(velocity, "max_m_s", r->velocity_max_m_s);
    add_interval(velocity, "uncertainty", r, &r->velocity_max_m_s, 1);
    add_error_bound(velocity, "error_bound", r, &r->velocity_max_m_s, 1);
    add_heat(object, r->heat);
    json_add_number(object, "flow_balance", r->flow_balance);
    if (r->pulsatile) {
        add_peak(object, &r->peak);
        add_instants(object, r);
    }
    add_solve(object, r->solution);
    add_notes(object, r);
    return object;
}
