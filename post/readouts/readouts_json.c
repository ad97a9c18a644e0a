/* See readouts.h: the keys of readouts.json. */
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
        {"reynolds", "1, of the mean velocity and the width of a circle of the same area"},
        {"pressure", "Pa and mmHg (1 mmHg = 133.322387415 Pa), static, above the "
                     "case's 0"},
        {"wss", "Pa"},
        {"tawss",
         "Pa, mean of the magnitude of the wall shear stress over the last cycle; pulsatile, all of wss but the "
         "instants' is of it"},
        {"osi", "1, (1 - magnitude of the mean wall shear stress / TAWSS) / 2 over the last cycle"},
        {"rrt", "1/Pa, 1 / ((1 - 2 OSI) TAWSS), in wall.vtp; none where OSI is 0.5"},
        {"flow_balance", "1, sum of the flows over the inflow"},
        {"backflow", "mL/s, what flows against the section's normal in parts of it, 0 when nothing does"},
        {"uncertainty",
         "half-width of a 95 % interval in the value's unit: what the lattice, the image (where the wall is) and the "
         "inputs (flows, liver) leave open, and together; finest_lattice: the value on the finest lattice, from which "
         "it was extrapolated, order: the observed one; null: could not be made, see notes"},
        {"may_be_off",
         "in the value's unit, of values without an interval: how far the lattice may put them off, as the warning of "
         "its resolution says, or as far as the interval of the value most like it leaves open; not there where "
         "nothing says so"},
        {"heat",
         "K mm3/s into the fluid, over its density and heat capacity; temperature degC; nusselt: heat over that of "
         "conduction over length_mm by difference_k; only of a case with solve.heat"},
        {"time", "s, from the start of the cycle"}};
    cJSON *units = cJSON_AddObjectToObject(object, "units");
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++)
        cJSON_AddStringToObject(units, unit[k][0], unit[k][1]);
}

/* The interval of a number, in its unit times `scale`, under `key` (the number's own); null where none was made. */
static void add_interval(cJSON *o, const char *key, const readouts *r, const double *value, double scale) {
    const interval *u = readouts_interval(r, value);
    if (!u) {
        cJSON_AddNullToObject(o, key);
        return;
    }
    cJSON *to = cJSON_AddObjectToObject(o, key);
    json_number(to, "lattice", scale * u->lattice);
    json_number(to, "image", scale * u->image);
    json_number(to, "inputs", scale * u->inputs);
    json_number(to, "total", scale * u->total);
    json_number(to, "finest_lattice", scale * u->finest);
    json_number(to, "order", u->order);
}

/* How far a number without an interval may be off, in its unit times `scale`, under `key`; nothing where 0. */
static void add_off(cJSON *o, const char *key, const readouts *r, const double *value, double scale) {
    const double off = scale * readouts_off(r, value);
    if (off > 0)
        json_number(o, key, off);
}

/* A number under its key: its value times `scale`, whether it may be off, whether it has an interval. */
typedef struct {
    const char *key;
    const double *value;
    double scale;
    bool off, interval;
} number;

static void add_values(cJSON *o, int n, const number *list) {
    for (int k = 0; k < n; k++)
        json_number(o, list[k].key, list[k].scale * *list[k].value);
}

/* "may_be_off": {..}, not where it is empty, and "uncertainty": {..}, null where no intervals were made. */
static void add_known(cJSON *o, const readouts *r, int n, const number *list) {
    cJSON *off = cJSON_CreateObject();
    for (int k = 0; k < n; k++)
        if (list[k].off)
            add_off(off, list[k].key, r, list[k].value, list[k].scale);
    if (cJSON_GetArraySize(off) == 0 || !cJSON_AddItemToObject(o, "may_be_off", off))
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
                          {"pressure_mmhg", &p->pressure_pa, units_mmhg(1), true, true},
                          {"velocity_max_m_s", &p->velocity_max_m_s, 1, true, false}, /* of sections, from here on */
                          {"backflow_ml_s", &p->backflow_ml_s, 1, false, false},
                          {"wss_mean_pa", &p->wss_mean_pa, 1, true, false},
                          {"wss_max_pa", &p->wss_max_pa, 1, true, false}};
    const int n = p->role < 0 ? 10 : 6;
    cJSON *o = cJSON_AddObjectToObject(list, p->name);
    if (p->role >= 0)
        cJSON_AddStringToObject(o, "role", lattice_role_name[p->role]);
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
    json_numbers(wss, "max_at_lps_mm", 3, r->wss.max_mm);
    add_known(wss, r, 4, all);
    return wss;
}

/* null: NULL */
static void add_text(cJSON *o, const char *key, const char *text) {
    if (text)
        cJSON_AddStringToObject(o, key, text);
    else
        cJSON_AddNullToObject(o, key);
}

static void add_drops(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "pressure_drops");
    for (int k = 0; k < r->n_drop; k++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "from", r->drop[k].from);
        cJSON_AddStringToObject(o, "to", r->drop[k].to);
        json_number(o, "value_pa", r->drop[k].value_pa);
        json_number(o, "value_mmhg", units_mmhg(r->drop[k].value_pa));
        add_interval(o, "uncertainty", r, &r->drop[k].value_pa, 1);
        add_off(o, "may_be_off", r, &r->drop[k].value_pa, 1);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_term(cJSON *list, const readouts *r, const ppg_term *t) {
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", t->name);
    cJSON_AddStringToObject(o, "kind", t->kind == PPG_RESOLVED ? "resolved" : "modelled");
    if (t->kind == PPG_MODELLED) {
        add_text(o, "model", isfinite(t->resistance_pa_s_m3) ? "resistance" : NULL);
        cJSON *parameters = cJSON_AddObjectToObject(o, "parameters");
        json_number(parameters, "resistance_mmhg_min_per_l", t->resistance_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L);
        json_number(parameters, "resistance_uncertainty_mmhg_min_per_l",
                    t->resistance_error_pa_s_m3 > 0 ? t->resistance_error_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L : NAN);
        json_number(parameters, "flow_ml_s", t->flow_ml_s);
    }
    json_number(o, "value_mmhg", units_mmhg(t->value_pa));
    add_interval(o, "uncertainty", r, &t->value_pa, units_mmhg(1));
    add_off(o, "may_be_off", r, &t->value_pa, units_mmhg(1));
    cJSON_AddItemToArray(list, o);
}

static void add_gradients(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "ppg");
    for (int k = 0; k < r->n_ppg; k++) {
        const ppg *g = &r->ppg[k];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "portal", g->portal);
        add_text(o, "cava", g->cava);
        json_number(o, "value_mmhg", units_mmhg(g->value_pa));
        add_interval(o, "uncertainty", r, &g->value_pa, units_mmhg(1));
        add_off(o, "may_be_off", r, &g->value_pa, units_mmhg(1));
        cJSON *terms = cJSON_AddArrayToObject(o, "terms");
        for (int t = 0; t < g->n_term; t++)
            add_term(terms, r, &g->term[t]);
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
    json_numbers(o, "velocity_max_at_lps_mm", 3, r->fastest_mm);
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

/* "cpu, 2 threads, avx512" is the device cpu; all of it is reported as the hardware. */
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

/* the keys of the whole, without those that only the averages have */
static void add_instants(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "instants");
    for (int k = 0; k < r->n_instant; k++) {
        const readouts *at = &r->instant[k];
        cJSON *o = cJSON_CreateObject();
        json_number(o, "time_s", at->time_s);
        add_places(o, at);
        add_drops(o, at);
        add_wss(o, at);
        json_number(cJSON_AddObjectToObject(o, "velocity"), "max_m_s", at->velocity_max_m_s);
        json_number(o, "flow_balance", at->flow_balance);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_notes(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "notes");
    for (int k = 0; k < r->notes.n; k++)
        cJSON_AddItemToArray(list, cJSON_CreateString(r->notes.text[k]));
}

cJSON *readouts_json(const readouts *r) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", r->case_name);
    add_units(object);
    add_places(object, r);
    add_drops(object, r);
    add_gradients(object, r);
    cJSON *wss = add_wss(object, r);
    json_number(wss, "tawss_mean_pa", r->tawss_mean_pa);
    json_number(wss, "osi_mean", r->osi_mean);
    cJSON *velocity = cJSON_AddObjectToObject(object, "velocity");
    json_number(velocity, "max_m_s", r->velocity_max_m_s);
    add_interval(velocity, "uncertainty", r, &r->velocity_max_m_s, 1);
    add_off(velocity, "may_be_off", r, &r->velocity_max_m_s, 1);
    add_heat(object, r->heat);
    json_number(object, "flow_balance", r->flow_balance);
    if (r->pulsatile)
        add_instants(object, r);
    add_solve(object, r->solution);
    add_notes(object, r);
    return object;
}
