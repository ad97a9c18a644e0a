/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "library/handles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ranges of case.yaml (common/case/case_keys.c) */
static const double DENSITY_LOW = 100, DENSITY_HIGH = 5000, VISCOSITY_LOW = 1e-5, VISCOSITY_HIGH = 1;
static const double TOLERANCE_HIGH = 0.1;
/* 100 L/min and 1000 mmHg, for either sign */
static const double FLOW_HIGH = 100 / 6e4, PRESSURE_HIGH = 133322;
static const double PERIOD_LOW = 1e-3, PERIOD_HIGH = 1000;
enum { CYCLES_HIGH = 1000, PHASES_LOW = 3, PHASES_HIGH = 1000, SAMPLES_HIGH = 1000000 };
enum { NO_CONDITION = -1 };

static pf_case *case_allocate_handle(void) {
    pf_case *c = calloc(1, sizeof *c);
    if (c)
        atomic_init(&c->references, 1);
    return c;
}

pf_case *case_share(const pf_case *c) {
    pf_case *handle = (pf_case *)c; /* the cast drops `const`; only the number of references changes */
    atomic_fetch_add(&handle->references, 1);
    return handle;
}

void pf_case_free(pf_case *c) {
    if (!c || atomic_fetch_sub(&c->references, 1) > 1)
        return;
    for (int k = 0; k < c->c.n_opening; k++) /* the list owns the names of these waveforms */
        if (c->c.opening[k].samples)
            c->c.opening[k].waveform = NULL;
    case_free(&c->c);
    while (c->wave) {
        case_wave *next = c->wave->next;
        waveform_free(&c->wave->w);
        free(c->wave->file);
        free(c->wave);
        c->wave = next;
    }
    free(c);
}

static int read_case(const char *path, const char *const *settings, int n_setting, pf_case **out) {
    options_list set = {0};
    if (!path || !out || (n_setting > 0 && !settings))
        return fail(ERR_USAGE, "pf_case_read: path, settings or c is NULL; pass all three");
    *out = NULL;
    if (n_setting < 0 || n_setting > OPTIONS_LIST_MAX)
        return fail(ERR_USAGE, "%d settings are given; the number must be 0 to %d", n_setting, OPTIONS_LIST_MAX);
    for (int k = 0; k < n_setting; k++) {
        if (!settings[k] || !strchr(settings[k], '='))
            return fail(ERR_USAGE, "setting %d, '%s', has no '='; write KEY=VALUE", k,
                        settings[k] ? settings[k] : "NULL");
        set.word[set.n++] = settings[k];
    }
    pf_case *c = case_allocate_handle();
    if (!c)
        return fail_memory("the case", sizeof *c);
    int rc = case_read_set(path, &set, CASE_WAVEFORMS | CASE_GIVEN, &c->c);
    if (rc == OK && c->c.blood.unknown)
        rc = fail(ERR_INPUT,
                  "'%s' has blood: {model: unknown}, which needs several flows; give the model, such as blood: {model: "
                  "newtonian}, or use the program solve",
                  path);
    if (rc == OK)
        *out = c;
    else
        pf_case_free(c);
    return rc;
}

pf_status pf_case_read(pf_context *context, const char *path, const char *const *settings, int n_setting, pf_case **c) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, read_case(path, settings, n_setting, c));
}

/* Adds an opening without a condition. */
static int add_opening(const lattice_opening *from, case_file *c) {
    if (from->role == LATTICE_MOVING_WALL)
        return fail(ERR_INPUT, "'%s' is a moving wall: read the case of this lattice with pf_case_read", from->name);
    case_opening *o = &c->opening[c->n_opening];
    *o = (case_opening){.role = from->role,
                        .condition = NO_CONDITION,
                        .radius_mm = NAN,
                        .value = NAN,
                        .distal_pa = NAN,
                        .capacitance_m3_pa = NAN,
                        .proximal_part = NAN,
                        .split_share = NAN,
                        .period_s = NAN,
                        .temperature_c = NAN,
                        .profile = PROFILE_DEVELOPED};
    memcpy(o->point, from->centre_mm, sizeof o->point);
    memcpy(o->normal, from->normal, sizeof o->normal);
    o->name = strdup(from->name);
    if (!o->name)
        return fail_memory("the case", LATTICE_NAME_MAX);
    c->n_opening++;
    return OK;
}

static int create_case(const pf_lattice *vessel, pf_case **out) {
    int rc = OK;
    if (!vessel || !out)
        return fail(ERR_USAGE, "pf_case_create: vessel or c is NULL; pass both");
    *out = NULL;
    pf_case *handle = case_allocate_handle();
    if (!handle)
        return fail_memory("the case", sizeof *handle);
    case_file *c = &handle->c;
    handle->needs_pressure = true;
    case_set_defaults(c);
    c->solve.tolerance = 1e-6;
    c->solve.tolerance_is_default = true;
    c->solve.collision = vessel->l.directions == LATTICE_D3Q27 ? COLLISION_CUMULANT : COLLISION_TRT;
    c->space = SPACE_LPS; /* as the coordinates of the lattice's openings */
    c->mesh.grid_levels = 1;
    c->path = strdup("case");
    c->folder = strdup(".");
    c->name = strdup("case");
    c->opening = calloc((size_t)vessel->l.n_opening + 1, sizeof *c->opening);
    if (!c->path || !c->folder || !c->name || !c->opening)
        GIVE_UP(fail_memory("the case", sizeof *c));
    for (int k = 0; k < vessel->l.n_opening; k++)
        TRY(add_opening(&vessel->l.opening[k], c));
    *out = handle;
    handle = NULL;
cleanup:
    pf_case_free(handle);
    return rc;
}

pf_status pf_case_create(pf_context *context, const pf_lattice *vessel, pf_case **c) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, create_case(vessel, c));
}

/* Finds an opening that can have a flow or a pressure. */
static int find_opening(pf_case *c, const char *opening, const char *what, case_opening **found) {
    if (!c || !opening)
        return fail(ERR_USAGE, "the case or the name of the opening is NULL; pass both");
    for (int k = 0; k < c->c.n_opening; k++) {
        *found = &c->c.opening[k];
        if (strcmp((*found)->name, opening) != 0)
            continue;
        return (*found)->role == ROLE_MOVING_WALL
                   ? fail(ERR_INPUT, "'%s' is a moving wall, which has no %s", opening, what)
                   : OK;
    }
    return fail(ERR_INPUT, "the case has no opening '%s'; pass a name that the lattice has", opening);
}

static int set_condition(pf_case *c, const char *opening, int condition, double value) {
    const bool is_flow = condition == CONDITION_FLOW;
    const double high = is_flow ? FLOW_HIGH : PRESSURE_HIGH;
    case_opening *o = NULL;
    const int rc = find_opening(c, opening, is_flow ? "flow" : "pressure", &o);
    if (rc != OK)
        return rc;
    if (!(fabs(value) <= high))
        return fail(ERR_INPUT, "opening '%s': the %s is %g %s; it must be %.4g to %.4g %s", opening,
                    is_flow ? "flow" : "pressure", value, is_flow ? "m3/s" : "Pa", -high, high,
                    is_flow ? "m3/s (100 L/min)" : "Pa (1000 mmHg)");
    c->needs_pressure |= is_flow; /* a flow may replace the only pressure of the case */
    o->condition = condition;
    o->value = value;
    o->value_error = 0;
    return OK;
}

static int check_samples(const char *opening, const double *time_s, const double *flow_m3_s, int n, double period_s) {
    if (!time_s || !flow_m3_s)
        return fail(ERR_USAGE, "opening '%s': the times or the flows of the waveform are NULL; pass both", opening);
    if (n < 2 || n > SAMPLES_HIGH)
        return fail(ERR_INPUT, "opening '%s': the waveform has %d samples; it must have 2 to %d", opening, n,
                    SAMPLES_HIGH);
    if (!(period_s >= PERIOD_LOW && period_s <= PERIOD_HIGH))
        return fail(ERR_INPUT, "opening '%s': the period is %g s; it must be %g to %g s", opening, period_s, PERIOD_LOW,
                    PERIOD_HIGH);
    for (int k = 0; k < n; k++)
        if (!(fabs(flow_m3_s[k]) <= FLOW_HIGH))
            return fail(ERR_INPUT,
                        "opening '%s': sample %d of the waveform is %g m3/s; it must be %.4g to %.4g m3/s (100 L/min)",
                        opening, k, flow_m3_s[k], -FLOW_HIGH, FLOW_HIGH);
    return OK;
}

static int set_waveform(pf_case *c, const char *opening, const double *time_s, const double *flow_m3_s, int n,
                        double period_s) {
    case_opening *o = NULL;
    case_wave *wave = NULL;
    int rc;
    TRY(find_opening(c, opening, "flow", &o));
    TRY(check_samples(opening, time_s, flow_m3_s, n, period_s));
    wave = calloc(1, sizeof *wave);
    if (!wave)
        GIVE_UP(fail_memory("a waveform", sizeof *wave));
    TRY(waveform_create(&wave->w, n, time_s, flow_m3_s, period_s));
    snprintf(wave->name, sizeof wave->name, "of opening %.80s", opening);
    wave->file = o->samples ? NULL : o->waveform;
    wave->next = c->wave;
    c->wave = wave;
    c->needs_pressure = true;
    o->condition = CONDITION_WAVEFORM;
    o->samples = &wave->w;
    o->waveform = wave->name;
    o->value = NAN;
    o->value_error = 0;
    wave = NULL;
cleanup:
    free(wave);
    return rc;
}

pf_status pf_case_set_flow_waveform(pf_context *context, pf_case *c, const char *opening, const double *time_s,
                                    const double *flow_m3_s, int n, double period_s) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_waveform(c, opening, time_s, flow_m3_s, n, period_s));
}

static int set_pulsatile(pf_case *c, int cycles, int phases) {
    if (!c)
        return fail(ERR_USAGE, "the case is NULL; create it with pf_case_create or pf_case_read");
    if (case_is_shear_thinning(&c->c) || c->c.solve.heat.on)
        return fail(ERR_INPUT, "the case has %s, which needs a steady flow",
                    c->c.solve.heat.on ? "heat (solve.heat)" : "shear-thinning blood (blood.model)");
    if (cycles < 1 || cycles > CYCLES_HIGH || phases < PHASES_LOW || phases > PHASES_HIGH)
        return fail(ERR_INPUT, "%d cycles and %d phases are requested; it must be 1 to %d cycles, and %d to %d phases",
                    cycles, phases, CYCLES_HIGH, PHASES_LOW, PHASES_HIGH);
    c->c.solve.mode = MODE_PULSATILE;
    c->c.solve.cycles = cycles;
    c->c.solve.stores = phases;
    return OK;
}

pf_status pf_case_set_pulsatile(pf_context *context, pf_case *c, int cycles, int phases) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_pulsatile(c, cycles, phases));
}

pf_status pf_case_set_flow(pf_context *context, pf_case *c, const char *opening, double flow_m3_s) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_condition(c, opening, CONDITION_FLOW, flow_m3_s));
}

pf_status pf_case_set_pressure(pf_context *context, pf_case *c, const char *opening, double pressure_pa) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_condition(c, opening, CONDITION_PRESSURE, pressure_pa));
}

static int set_blood(pf_case *c, double density_kg_m3, double viscosity_pa_s) {
    if (!c)
        return fail(ERR_USAGE, "the case is NULL; create it with pf_case_create or pf_case_read");
    if (!(density_kg_m3 >= DENSITY_LOW && density_kg_m3 <= DENSITY_HIGH))
        return fail(ERR_INPUT, "the density is %g kg/m3; it must be %g to %g kg/m3", density_kg_m3, DENSITY_LOW,
                    DENSITY_HIGH);
    if (!(viscosity_pa_s >= VISCOSITY_LOW && viscosity_pa_s <= VISCOSITY_HIGH))
        return fail(ERR_INPUT, "the viscosity is %g Pa s; it must be %g to %g Pa s", viscosity_pa_s, VISCOSITY_LOW,
                    VISCOSITY_HIGH);
    c->c.blood.density_kg_m3 = density_kg_m3;
    c->c.blood.viscosity_pa_s = viscosity_pa_s;
    return OK;
}

pf_status pf_case_set_blood(pf_context *context, pf_case *c, double density_kg_m3, double viscosity_pa_s) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_blood(c, density_kg_m3, viscosity_pa_s));
}

/* Sets *value to the index of `word` in names. */
static int set_choice(int *value, const char *word, const char *key, const char *const names[], int n) {
    for (int k = 0; word && k < n; k++)
        if (strcmp(word, names[k]) == 0) {
            *value = k;
            return OK;
        }
    char all[64] = "";
    for (int k = 0; k < n; k++) {
        strcat(all, k > 0 ? ", " : "");
        strcat(all, names[k]);
    }
    return fail(ERR_INPUT, "%s '%.64s' is unknown; it is one of %s", key, word ? word : "NULL", all);
}

pf_status pf_case_set_collision(pf_context *context, pf_case *c, const char *collision) {
    static const char *const names[] = {"trt", "bgk", "cumulant"}; /* enum case_collision from COLLISION_TRT on */
    int chosen = 0;
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    const int rc = c ? set_choice(&chosen, collision, "collision", names, 3)
                     : fail(ERR_USAGE, "the case is NULL; create it with pf_case_create or pf_case_read");
    if (rc == OK)
        c->c.solve.collision = COLLISION_TRT + chosen;
    return call_end(context, before, rc);
}

pf_status pf_case_set_precision(pf_context *context, pf_case *c, const char *precision) {
    static const char *const names[] = {"float", "double"}; /* enum case_precision */
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before,
                    c ? set_choice(&c->c.solve.precision, precision, "precision", names, 2)
                      : fail(ERR_USAGE, "the case is NULL; create it with pf_case_create or pf_case_read"));
}

pf_status pf_case_set_tolerance(pf_context *context, pf_case *c, double tolerance) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    int rc = OK;
    if (!c)
        rc = fail(ERR_USAGE, "the case is NULL; create it with pf_case_create or pf_case_read");
    else if (!(tolerance > 0 && tolerance <= TOLERANCE_HIGH))
        rc = fail(ERR_INPUT, "the tolerance is %g; it must be above 0, up to %g", tolerance, TOLERANCE_HIGH);
    else {
        c->c.solve.tolerance = tolerance;
        c->c.solve.tolerance_is_default = false;
    }
    return call_end(context, before, rc);
}
