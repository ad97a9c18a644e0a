/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/status.h"
#include "library/handles.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranges of case.yaml (common/case/case_keys.c) */
static const double DENSITY_LOW = 100, DENSITY_HIGH = 5000, VISCOSITY_LOW = 1e-5, VISCOSITY_HIGH = 1;
static const double TOLERANCE_HIGH = 0.1;
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
    case_free(&c->c);
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
    int rc = case_read_set(path, &set, CASE_WAVEFORMS, &c->c);
    if (rc == OK && (case_is_shear_thinning(&c->c) || c->c.blood.unknown))
        rc =
            fail(ERR_INPUT,
                 "'%s' has a blood.model other than newtonian, which this library does not compute; use blood: {model: "
                 "newtonian}, or the program solve",
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
        return fail(ERR_USAGE, "pf_case_create: lattice or c is NULL; pass both");
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

static int set_condition(pf_case *c, const char *opening, int condition, double value, const char *what) {
    if (!c || !opening)
        return fail(ERR_USAGE, "the case or the name of the opening is NULL; pass both");
    if (!isfinite(value))
        return fail(ERR_INPUT, "opening '%s': the %s is %g; it must be a finite number", opening, what, value);
    for (int k = 0; k < c->c.n_opening; k++) {
        case_opening *o = &c->c.opening[k];
        if (strcmp(o->name, opening) != 0)
            continue;
        if (o->role == ROLE_MOVING_WALL)
            return fail(ERR_INPUT, "'%s' is a moving wall, which has no %s", opening, what);
        c->needs_pressure |= condition == CONDITION_FLOW; /* a flow may replace the only pressure of the case */
        o->condition = condition;
        o->value = value;
        o->value_error = 0;
        return OK;
    }
    return fail(ERR_INPUT, "the case has no opening '%s'; pass a name that the lattice has", opening);
}

pf_status pf_case_set_flow(pf_context *context, pf_case *c, const char *opening, double flow_m3_s) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_condition(c, opening, CONDITION_FLOW, flow_m3_s, "flow"));
}

pf_status pf_case_set_pressure(pf_context *context, pf_case *c, const char *opening, double pressure_pa) {
    if (!context)
        return PF_ERROR_USAGE;
    const call_state before = call_begin(context);
    return call_end(context, before, set_condition(c, opening, CONDITION_PRESSURE, pressure_pa, "pressure"));
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
