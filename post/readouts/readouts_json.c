/* See readouts.h: the keys of readouts.json. */
#include "post/readouts/readouts.h"
#include "common/base/message.h"
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

/* "may_be_off": {..}, not where it is empty. */
static void add_all_off(cJSON *o, cJSON *off) {
    if (cJSON_GetArraySize(off) == 0 || !cJSON_AddItemToObject(o, "may_be_off", off))
        cJSON_Delete(off);
}

static void add_place_off(cJSON *o, const readouts *r, const place *p) {
    cJSON *to = cJSON_CreateObject();
    add_off(to, "flow_ml_s", r, &p->flow_ml_s, 1);
    add_off(to, "mean_velocity_m_s", r, &p->mean_velocity_m_s, 1);
    add_off(to, "pressure_pa", r, &p->pressure_pa, 1);
    add_off(to, "pressure_mmhg", r, &p->pressure_pa, units_mmhg(1));
    if (p->role < 0) {
        add_off(to, "velocity_max_m_s", r, &p->velocity_max_m_s, 1);
        add_off(to, "wss_mean_pa", r, &p->wss_mean_pa, 1);
        add_off(to, "wss_max_pa", r, &p->wss_max_pa, 1);
    }
    add_all_off(o, to);
}

static void add_place(cJSON *list, const readouts *r, const place *p) {
    cJSON *o = cJSON_AddObjectToObject(list, p->name);
    if (p->role >= 0)
        cJSON_AddStringToObject(o, "role", lattice_role_name[p->role]);
    json_number(o, "area_mm2", p->area_mm2);
    json_number(o, "flow_ml_s", p->flow_ml_s);
    json_number(o, "mean_velocity_m_s", p->mean_velocity_m_s);
    json_number(o, "reynolds", p->reynolds);
    json_number(o, "pressure_pa", p->pressure_pa);
    json_number(o, "pressure_mmhg", units_mmhg(p->pressure_pa));
    if (p->role < 0) {
        json_number(o, "velocity_max_m_s", p->velocity_max_m_s);
        json_number(o, "backflow_ml_s", p->backflow_ml_s);
        json_number(o, "wss_mean_pa", p->wss_mean_pa);
        json_number(o, "wss_max_pa", p->wss_max_pa);
    }
    add_place_off(o, r, p);
    if (!r->interval) {
        cJSON_AddNullToObject(o, "uncertainty");
        return;
    }
    cJSON *u = cJSON_AddObjectToObject(o, "uncertainty");
    add_interval(u, "area_mm2", r, &p->area_mm2, 1);
    add_interval(u, "flow_ml_s", r, &p->flow_ml_s, 1);
    add_interval(u, "mean_velocity_m_s", r, &p->mean_velocity_m_s, 1);
    add_interval(u, "pressure_pa", r, &p->pressure_pa, 1);
    add_interval(u, "pressure_mmhg", r, &p->pressure_pa, units_mmhg(1));
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
    cJSON *wss = cJSON_AddObjectToObject(object, "wss");
    json_number(wss, "area_mm2", r->wss.area_mm2);
    json_number(wss, "mean_pa", r->wss.mean);
    json_number(wss, "p99_pa", r->wss.p99);
    json_number(wss, "max_pa", r->wss.max);
    json_numbers(wss, "max_at_lps_mm", 3, r->wss.max_mm);
    cJSON *off = cJSON_CreateObject();
    add_off(off, "mean_pa", r, &r->wss.mean, 1);
    add_off(off, "p99_pa", r, &r->wss.p99, 1);
    add_off(off, "max_pa", r, &r->wss.max, 1);
    add_all_off(wss, off);
    if (!r->interval) {
        cJSON_AddNullToObject(wss, "uncertainty");
        return wss;
    }
    cJSON *u = cJSON_AddObjectToObject(wss, "uncertainty");
    add_interval(u, "mean_pa", r, &r->wss.mean, 1);
    add_interval(u, "p99_pa", r, &r->wss.p99, 1);
    return wss;
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
        if (isfinite(t->resistance_pa_s_m3))
            cJSON_AddStringToObject(o, "model", "resistance");
        else
            cJSON_AddNullToObject(o, "model");
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
        if (g->cava)
            cJSON_AddStringToObject(o, "cava", g->cava);
        else
            cJSON_AddNullToObject(o, "cava");
        json_number(o, "value_mmhg", units_mmhg(g->value_pa));
        add_interval(o, "uncertainty", r, &g->value_pa, units_mmhg(1));
        add_off(o, "may_be_off", r, &g->value_pa, units_mmhg(1));
        cJSON *terms = cJSON_AddArrayToObject(o, "terms");
        for (int t = 0; t < g->n_term; t++)
            add_term(terms, r, &g->term[t]);
        cJSON_AddItemToArray(list, o);
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
    cJSON *o = cJSON_AddObjectToObject(object, "solve");
    cJSON_AddBoolToObject(o, "converged", s->converged);
    cJSON_AddBoolToObject(o, "too_coarse", s->too_coarse);
    cJSON_AddBoolToObject(o, "usable", solution_unusable(s) == NULL);
    json_number(o, "unsteady_mean_of_s", s->unsteady_s);
    json_number(o, "steps", s->steps);
    json_number(o, "dx_mm", s->dx_mm);
    json_number(o, "dt_s", s->dt_s);
    json_number(o, "tau", s->tau);
    json_number(o, "reynolds", s->reynolds);
    json_number(o, "mach", s->mach);
    add_device(o, s->device);
    json_number(o, "mlups", s->mlups);
    json_number(o, "seconds", s->seconds);
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

static void add_sentences(cJSON *object, const readouts *r) {
    cJSON *list = cJSON_AddArrayToObject(object, "notes");
    for (int k = 0; k < r->notes.n; k++)
        cJSON_AddItemToArray(list, cJSON_CreateString(r->notes.text[k]));
    cJSON *warnings = cJSON_AddArrayToObject(object, "warnings");
    for (int k = 0; k < message_warning_count(); k++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(message_warning(k)));
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
    wall_heat_json(r->heat, object);
    json_number(object, "flow_balance", r->flow_balance);
    if (r->pulsatile)
        add_instants(object, r);
    add_solve(object, r->solution);
    add_sentences(object, r);
    return object;
}
