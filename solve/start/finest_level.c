/* SPDX-License-Identifier: Apache-2.0 */
/* See finest_level.h. */
#include "solve/start/finest_level.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/lattice/resolution.h"
#include "common/record/interval.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4 };
/* Values (pressure drops or flows) below this fraction of the largest value do not take part in the decision */
static const double SMALL = 0.1;
/* For finest_level_expect: the pressure drop grows with these powers of the flow and of the inverse diameter. In a CT
 * phantom, the half-widths of the intervals that finest_level_expect derives for flow and wall differ by 10 % or less
 * from the computed ones. */
static const double FLOW_POWER = 1.5, DIAMETER_POWER = 4;

/* A value of a run, and its interval on the coarser levels. `to` not NULL: the pressure drop from `from` to `to`. `to`
 * NULL: the flow through `from`. */
typedef struct {
    const char *from, *to;
    interval u;
} judged_value;

static double number_at(const grid_run *g, const char *opening, const char *key) {
    return json_get_number(cJSON_GetObjectItemCaseSensitive(json_find(g->result, "openings"), opening), key);
}

static double value_of(const grid_run *g, const judged_value *v) {
    return v->to ? number_at(g, v->from, "pressure_pa") - number_at(g, v->to, "pressure_pa")
                 : number_at(g, v->from, "flow_ml_s");
}

static double wall_shift_mm(const grid_run *g) {
    return g->of_mesh ? json_get_number(g->of_mesh, "wall_shift_mm") : 0;
}

/* Lists the runs of the coarser levels, coarsest first. Returns their number. */
static int list_levels(const grid_sequence *a, int level[LEVELS]) {
    int n = 0;
    for (int k = 0; k + 1 < a->n && n < LEVELS; k++)
        if (strncmp(a->run[k].name, "level", strlen("level")) == 0)
            level[n++] = k;
    return n;
}

static bool is_settled(const grid_run *g) {
    return cJSON_IsTrue(json_find(g->result, "converged")) && !json_find(g->result, "unsteady") &&
           !json_find(g->result, "share_used");
}

static double image_part(const grid_sequence *a, const judged_value *v) {
    double narrower = NAN, wider = NAN;
    for (int k = 1; k + 1 < a->n; k++) {
        const double shift_mm = wall_shift_mm(&a->run[k]);
        if (shift_mm != 0)
            *(shift_mm < 0 ? &narrower : &wider) = value_of(&a->run[k], v);
    }
    return interval_of_image(&v->u, narrower, value_of(&a->run[0], v), wider);
}

/* Half-width of the 95 % interval of the prescribed value of opening k, in the unit of the value. A split by Murray's
 * law or by territories prescribes a factor of the share; its half-width belongs to the run that changes this share
 * alone (case_split_error). Share of an outlet: its flow over the sum of all such outlets, in the first run. */
static double value_error(const case_file *c, const grid_sequence *a, int k) {
    const case_opening *o = &c->opening[k];
    if (o->condition != CONDITION_SPLIT || c->split.law == SPLIT_SHARES)
        return o->value_error;
    double *share = malloc((size_t)c->n_opening * sizeof *share), sum = 0;
    for (int i = 0; share && i < c->n_opening; i++) {
        share[i] =
            c->opening[i].condition == CONDITION_SPLIT ? number_at(&a->run[0], c->opening[i].name, "flow_ml_s") : NAN;
        sum += isfinite(share[i]) ? share[i] : 0;
    }
    for (int i = 0; share && i < c->n_opening; i++)
        share[i] /= sum;
    const double error = share ? o->value * case_split_error(c->n_opening, share, k, c->split.error) : NAN;
    free(share);
    return error;
}

static double input_part(const case_file *c, const grid_sequence *a, const judged_value *v) {
    double square = 0, liver = 0; /* the parts of a liver at several outlets share one error, so they are added with
                                   * their signs, not as squares */
    for (int k = 1; k + 1 < a->n; k++) {
        const grid_run *g = &a->run[k];
        if (g->porous >= 0) {
            const case_porous *p = &c->porous[g->porous];
            const double one = interval_of_input(value_of(g, v), value_of(&a->run[0], v),
                                                 p->permeability_m2 * (g->factor - 1), p->permeability_error);
            square += isfinite(one) ? one * one : 0;
        }
        if (g->split_pressure >= 0) {
            const double one = interval_of_input(value_of(g, v), value_of(&a->run[0], v), g->pressure_change_pa,
                                                 c->split.pressure_error[g->split_pressure]);
            square += isfinite(one) ? one * one : 0;
        }
        if (g->opening < 0)
            continue;
        const case_opening *o = &c->opening[g->opening];
        const bool distal = g->pressure_change_pa != 0;
        const double part = interval_of_input(value_of(g, v), value_of(&a->run[0], v),
                                              distal ? g->pressure_change_pa : o->value * (g->factor - 1),
                                              distal ? o->distal_error : value_error(c, a, g->opening));
        if (!isfinite(part)) /* an uncertainty of unknown size does not justify a coarse lattice */
            continue;
        if (!distal && case_opening_is_liver(c, o))
            liver += part;
        else
            square += part * part;
    }
    return sqrt(square + liver * liver);
}

/* Difference that shear-thinning blood makes, from the run with this blood; 0: there is no such run, or the difference
 * is unknown. An unknown difference thus does not justify a coarse lattice. */
static double blood_part(const grid_sequence *a, const judged_value *v) {
    double part = 0;
    for (int k = 1; k + 1 < a->n; k++)
        if (a->run[k].blood)
            part = fabs(value_of(&a->run[k], v) - value_of(&a->run[0], v));
    return isfinite(part) ? part : 0;
}

static void form_interval(const case_file *c, const grid_sequence *a, judged_value *v) {
    double spacing_mm[LEVELS], value[LEVELS];
    int level[LEVELS];
    const int levels = list_levels(a, level);
    for (int k = 0; k < levels; k++) { /* finest first */
        spacing_mm[k] = a->run[level[levels - 1 - k]].spacing_mm;
        value[k] = value_of(&a->run[level[levels - 1 - k]], v);
    }
    v->u = interval_of_lattices(levels, spacing_mm, value, case_uses_cumulants(c));
    v->u.image = image_part(a, v);
    v->u.inputs = input_part(c, a, v);
    v->u.blood = blood_part(a, v);
}

static bool prescribes_flow(const case_opening *o) {
    return o->condition == CONDITION_FLOW || o->condition == CONDITION_WAVEFORM ||
           o->condition == CONDITION_VELOCITY_MEAN || o->condition == CONDITION_VELOCITY_PEAK;
}

static bool prescribes_pressure(const case_opening *o) {
    return o->condition == CONDITION_PRESSURE || o->condition == CONDITION_DEVELOPED;
}

/* First opening with a prescribed pressure (prescribed), or first opening with neither pressure nor flow prescribed,
 * such as an outlet with a resistance. NULL: none. */
static const char *find_reference(const case_file *c, bool prescribed) {
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (prescribes_pressure(o) == prescribed && !prescribes_flow(o) && o->role != ROLE_MOVING_WALL)
            return o->name;
    }
    return NULL;
}

/* Lists the values that decide. With prescribed flows: the pressure drop from each opening with a prescribed flow to
 * the reference, and from the first of them to each other opening whose pressure follows from the flow. Without
 * prescribed flows: the flows, if a pressure is prescribed. Returns the number of values. list: [c->n_opening]. */
static int list_values(const case_file *c, judged_value *list) {
    const bool drops = case_prescribes_flow(c);
    const char *reference = find_reference(c, true), *first = NULL;
    int n = 0;
    if (!reference && drops)
        reference = find_reference(c, false);
    if (!reference)
        return 0;
    for (int k = 0; k < c->n_opening; k++)
        if (drops ? prescribes_flow(&c->opening[k]) : c->opening[k].role != ROLE_MOVING_WALL) {
            list[n++] = (judged_value){.from = c->opening[k].name, .to = drops ? reference : NULL};
            first = first ? first : c->opening[k].name;
        }
    for (int k = 0; k < c->n_opening && drops; k++) {
        const case_opening *o = &c->opening[k];
        if (!prescribes_flow(o) && !prescribes_pressure(o) && o->role != ROLE_MOVING_WALL && o->name != reference)
            list[n++] = (judged_value){.from = first, .to = o->name};
    }
    return n;
}

/* Discretization error divided by its limit. NaN: unknown. */
static double over_limit(const case_file *c, const judged_value *v) {
    return v->u.measured > 0 ? v->u.measured / interval_lattice_limit(&v->u, c->solve.accuracy) : v->u.measured;
}

/* Finds the value with the largest or an unknown ratio of discretization error to limit. NULL: no values. */
static const judged_value *find_worst(const case_file *c, int n, const judged_value *list) {
    const judged_value *worst = NULL;
    double largest = 0;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(list[k].u.finest)); /* fmax ignores NaN */
    for (int k = 0; k < n; k++) {
        if (fabs(list[k].u.finest) < SMALL * largest)
            continue;
        if (isnan(over_limit(c, &list[k])))
            return &list[k];
        if (!worst || over_limit(c, &list[k]) > over_limit(c, worst))
            worst = &list[k];
    }
    return worst;
}

/* Writes the record of the decision and its message. last: run on the finest of the coarser levels. */
static void record_choice(const case_file *c, grid_sequence *a, const grid_run *last, const judged_value *v,
                          bool omits) {
    const grid_run *finest = &a->run[a->n - 1];
    const double size = fabs(v->u.value), part = v->u.measured / size, rest = interval_rest(&v->u) / size,
                 limit = interval_lattice_limit(&v->u, c->solve.accuracy) / size;
    const char *causes = v->u.blood > 0 ? "image, given flows and blood model" : "image and given flows";
    char text[480], what[160], why[120];
    if (v->to)
        snprintf(what, sizeof what, "pressure drop from '%s' to '%s'", v->from, v->to);
    else
        snprintf(what, sizeof what, "flow through '%s'", v->from);
    if (isfinite(c->solve.accuracy))
        snprintf(why, sizeof why, "solve.accuracy");
    else if (limit > 1.01 * rest / 3)
        snprintf(why, sizeof why, "1 %% of the value; %s cause %.2g %%", causes, 100 * rest);
    else
        snprintf(why, sizeof why, "a third of the 95 %% half-width that %s cause, %.2g %%", causes, 100 * rest);
    snprintf(text, sizeof text,
             "the lattice of %.3g mm is %s: on the lattice of %.3g mm the discretization error of the %s is %.2g %%, "
             "%s the limit of %.2g %% (%s)",
             finest->spacing_mm, omits ? "omitted" : "solved", last->spacing_mm, what, 100 * part,
             omits ? "below" : "above", 100 * limit, why);
    if (isnan(part))
        snprintf(
            text, sizeof text,
            "the lattice of %.3g mm is solved, because the coarser lattices give no discretization error of the %s",
            finest->spacing_mm, what);
    message_info("grid sequence: %s", text);
    if (isfinite(c->solve.accuracy))
        json_add_number(a->accuracy, "requested", c->solve.accuracy);
    else
        cJSON_AddStringToObject(a->accuracy, "requested", "auto");
    cJSON_AddStringToObject(a->accuracy, "of", what);
    json_add_number(a->accuracy, "spacing_mm", last->spacing_mm);
    json_add_number(a->accuracy, "lattice", part);
    json_add_number(a->accuracy, "rest", rest);
    json_add_number(a->accuracy, "limit", limit);
    json_add_number(a->accuracy, "omitted_mm", omits ? finest->spacing_mm : NAN);
    cJSON_AddStringToObject(a->accuracy, "message", text);
}

/* Omits the finest level. The last run then replaces the run on the finest of the coarser levels: it continues from the
 * checkpoint of that run to the tolerance of a result. */
static void omit_finest(grid_sequence *a, int level) {
    const grid_run g = a->run[level];
    grid_run *last = &a->run[a->n - 1];
    last->spacing_mm = g.spacing_mm;
    last->finest_part = g.finest_part;
    last->coarsest_part = g.coarsest_part;
    last->of_mesh = g.of_mesh;
    snprintf(last->lattice, sizeof last->lattice, "%s", g.lattice);
    a->cells = json_get_number(g.of_mesh, "cells");
}

bool finest_level_may_be_omitted(const case_file *c, const grid_sequence *a) {
    const bool given = isfinite(c->mesh.spacing_mm) || isfinite(c->mesh.cells_per_diameter);
    int level[LEVELS];
    return c->solve.mode == MODE_STEADY && c->n_wall == 0 && list_levels(a, level) >= 2 &&
           (!given || c->solve.accuracy_is_given);
}

bool finest_level_may_continue(const case_file *c, const grid_sequence *a, const grid_run *g) {
    return finest_level_may_be_omitted(c, a) && g == &a->run[a->run[a->n - 1].start];
}

/* Lists the values that decide, with their intervals on the coarser levels. *list: owned by the caller. Errors:
 * ERR_RESOURCE. */
static int judge_values(const case_file *c, const grid_sequence *a, judged_value **list, int *n) {
    *list = calloc((size_t)c->n_opening + 1, sizeof **list);
    if (!*list)
        return fail_memory("the grid sequence", (double)sizeof **list * c->n_opening);
    *n = list_values(c, *list);
    for (int k = 0; k < *n; k++)
        form_interval(c, a, &(*list)[k]);
    return OK;
}

int finest_level_choose(const case_file *c, grid_sequence *a) {
    int level[LEVELS];
    const int levels = list_levels(a, level);
    a->omits_finest = false;
    if (!finest_level_may_be_omitted(c, a))
        return OK;
    judged_value *list = NULL;
    int n;
    a->accuracy = cJSON_CreateObject();
    const int rc = a->accuracy ? judge_values(c, a, &list, &n) : fail_memory("the grid sequence", 4096);
    if (rc != OK)
        return rc;
    bool settled = true;
    for (int k = 0; k < levels; k++)
        settled &= is_settled(&a->run[level[k]]);
    const judged_value *worst = find_worst(c, n, list);
    const bool too_coarse = cJSON_IsTrue(json_find(a->run[level[levels - 1]].result, "too_coarse"));
    if (settled && worst && !too_coarse) {
        a->omits_finest = over_limit(c, worst) <= 1;
        record_choice(c, a, &a->run[level[levels - 1]], worst, a->omits_finest);
    } else {
        cJSON_Delete(a->accuracy);
        a->accuracy = NULL;
    }
    if (a->omits_finest)
        omit_finest(a, level[levels - 1]);
    free(list);
    return OK;
}

int finest_level_accepted_error(const case_file *c, const grid_sequence *a, double *part) {
    const interval without = {.value = 1, .image = NAN, .inputs = NAN};
    int level[LEVELS];
    double largest = 0, smallest = INFINITY;
    *part = interval_lattice_limit(&without, c->solve.accuracy);
    if (!a || list_levels(a, level) == 0)
        return OK;
    judged_value *list;
    int n;
    const int rc = judge_values(c, a, &list, &n);
    if (rc != OK)
        return rc;
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(list[k].u.value)); /* fmax ignores NaN */
    for (int k = 0; k < n; k++)
        if (fabs(list[k].u.value) >= SMALL * largest && largest > 0)
            smallest = fmin(smallest, interval_lattice_limit(&list[k].u, c->solve.accuracy) / fabs(list[k].u.value));
    if (isfinite(smallest))
        *part = smallest;
    free(list);
    return OK;
}

/* Relative half-width of the interval of the pressure drops that the uncertainty of the given flows causes. */
static double expected_inputs(const case_file *c) {
    double total = 0, square = 0;
    bool velocity = false;
    int n = 0;
    for (int k = 0; k < c->n_opening; k++) {
        n += prescribes_flow(&c->opening[k]);
        velocity |= prescribes_flow(&c->opening[k]) && c->opening[k].condition != CONDITION_FLOW;
    }
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (!prescribes_flow(o) || !(fabs(o->value) > 0))
            continue;
        const double share = velocity ? 1.0 / n : fabs(o->value); /* flows that follow from given velocities are
                                                                   * unknown here, so equal shares are assumed */
        total += share;
        square += pow(share * o->value_error / fabs(o->value), 2);
    }
    return total > 0 ? FLOW_POWER * sqrt(square) / total : 0;
}

void finest_level_expect(const case_file *c, const finest_level_vessel *v, grid_sequence *a) {
    int level[LEVELS];
    const int levels = list_levels(a, level);
    a->omits_finest = false;
    if (!finest_level_may_be_omitted(c, a))
        return;
    double friction[2]; /* on the two finest of the coarser levels */
    for (int k = 0; k < 2; k++) {
        const double coarser = a->run[level[levels - 1 - k]].spacing_mm / v->spacing_mm;
        friction[k] =
            resolution_friction(case_uses_cumulants(c), v->cell_reynolds * coarser, v->cells_per_diameter / coarser);
    }
    const double spacing_mm[2] = {a->run[level[levels - 1]].spacing_mm, a->run[level[levels - 2]].spacing_mm},
                 drop[2] = {1 + RESOLUTION_FRICTION_EXPECTED * friction[0],
                            1 + RESOLUTION_FRICTION_EXPECTED * friction[1]};
    interval u = interval_of_lattices(2, spacing_mm, drop, case_uses_cumulants(c));
    u.inputs = expected_inputs(c);
    u.image = 2 * DIAMETER_POWER * v->wall_uncertainty_mm / v->diameter_mm;
    a->omits_finest =
        friction[0] <= RESOLUTION_FRICTION_USELESS && u.measured <= interval_lattice_limit(&u, c->solve.accuracy);
}
