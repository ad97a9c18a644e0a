/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/start/grid_sequence.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 4 };

static const char *entry_text(const cJSON *entry, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(entry, key));
    return text && !strchr(text, '/') ? text : "";
}

static grid_run *add_run(grid_sequence *a, const cJSON *entry, const char *name, double finest_mm) {
    grid_run *g = &a->run[a->n++];
    *g = (grid_run){.opening = -1,
                    .split_pressure = -1,
                    .porous = -1,
                    .factor = 1,
                    .start = -1,
                    .start_coarser = -1,
                    .of_mesh = entry};
    snprintf(g->name, sizeof g->name, "%s", name);
    snprintf(g->lattice, sizeof g->lattice, "%s", entry ? entry_text(entry, "lattice") : "lattice.h5");
    g->spacing_mm = entry ? json_get_number(entry, "spacing_mm") : finest_mm;
    g->finest_part = finest_mm / g->spacing_mm;
    g->coarsest_part = a->run[0].spacing_mm / g->spacing_mm; /* run[0] is the coarsest run */
    return g;
}

static bool is_level(const cJSON *entry) {
    return json_get_number(entry, "wall_shift_mm") == 0;
}

static grid_run *add_changed(grid_sequence *a, const case_file *c, const char *what, int opening, double finest_mm) {
    char name[GRID_RUN_NAME];
    snprintf(name, sizeof name, "%s_%s", what, c->opening[opening].name);
    grid_run *g = add_run(a, a->run[0].of_mesh, name, finest_mm);
    g->start = 0;
    g->opening = opening;
    return g;
}

/* Adds runs on the coarsest level: one run for an unknown blood model, and one run for each flow, velocity, resistance,
 * share, distal pressure, pressure of the split and permeability with an uncertainty. Such a run changes the uncertain
 * quantity by its half-width, but at most by half of its value; it changes a pressure by half of its half-width. post
 * scales the effect to the uncertainty. A flow is lowered, because a lowered flow stays steady if the nominal flow is
 * steady. A pressure is changed in the direction in which the flow falls, a pressure of the split in the direction in
 * which the resistances rise: they cannot become 0. */
static void plan_inputs(const case_file *c, double finest_mm, grid_sequence *a) {
    if (c->blood.unknown && a->n < GRID_SEQUENCE_RUNS - LEVELS) {
        grid_run *g = add_run(a, a->run[0].of_mesh, "blood", finest_mm);
        g->start = 0;
        g->blood = true;
    }
    for (int k = 0; k < c->n_porous; k++) {
        const case_porous *p = &c->porous[k];
        char name[GRID_RUN_NAME];
        if (!(p->permeability_error > 0) || a->n >= GRID_SEQUENCE_RUNS - LEVELS)
            continue;
        snprintf(name, sizeof name, "porous_%s", p->name);
        grid_run *g = add_run(a, a->run[0].of_mesh, name, finest_mm);
        g->start = 0;
        g->porous = k;
        g->change = fmin(p->permeability_error / p->permeability_m2, 0.5);
        g->factor = 1 - g->change;
    }
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        if (o->value_error > 0 && fabs(o->value) > 0 && a->n < GRID_SEQUENCE_RUNS - LEVELS) {
            grid_run *g = add_changed(a, c, "flow", k, finest_mm);
            g->change = fmin(o->value_error / fabs(o->value), 0.5);
            g->factor = 1 - g->change;
        }
        if (o->distal_error > 0 && a->n < GRID_SEQUENCE_RUNS - LEVELS)
            add_changed(a, c, "distal", k, finest_mm)->pressure_change_pa =
                0.5 * (o->role == ROLE_INLET ? -o->distal_error : o->distal_error);
    }
    for (int k = 0; k < SPLIT_PRESSURES; k++) {
        char name[GRID_RUN_NAME];
        const double error = c->split.pressure_error[k];
        if (!(error > 0) || a->n >= GRID_SEQUENCE_RUNS - LEVELS)
            continue;
        snprintf(name, sizeof name, "split_%s", case_split_pressures[k]);
        grid_run *g = add_run(a, a->run[0].of_mesh, name, finest_mm);
        g->start = 0;
        g->split_pressure = k;
        g->pressure_change_pa = 0.5 * (k == SPLIT_DISTAL ? -error : error);
        g->change = 0.5 * error / (c->split.mean_pressure_pa - c->split.distal_pa);
    }
}

/* Plans a pulsatile case: the mean flow on the coarsest level, then the finest level. */
static void plan_pulsatile(const cJSON *list, double finest_mm, grid_sequence *a) {
    const cJSON *entry, *coarsest = NULL;
    cJSON_ArrayForEach(entry, list) {
        if (is_level(entry))
            coarsest = entry;
    }
    if (coarsest) {
        grid_run *g = add_run(a, coarsest, "mean", finest_mm);
        g->mean = true;
        g->finest_part = g->coarsest_part = 1; /* no extrapolation between the levels, so each level chooses its
                                                * collision by its own spacing */
    }
    grid_run *last = add_run(a, NULL, "", finest_mm);
    last->start = coarsest ? 0 : -1;
    last->coarsest_part = 1;
}

/* Adds the runs with a moved wall or a changed input, on the coarsest level. */
static void plan_coarsest(const case_file *c, const cJSON *list, int n, double finest_mm, grid_sequence *a) {
    for (int k = 0; k < n; k++) {
        const cJSON *entry = cJSON_GetArrayItem(list, k);
        if (!is_level(entry) && a->n < GRID_SEQUENCE_RUNS - LEVELS)
            add_run(a, entry, entry_text(entry, "name"), finest_mm)->start = 0;
    }
    plan_inputs(c, finest_mm, a);
}

void grid_sequence_plan(const case_file *c, const cJSON *mesh, double finest_mm, grid_sequence *a) {
    const cJSON *list = json_find(mesh, "result/grid_sequence"), *entry;
    a->n = 0;
    a->omits_finest = false;
    const int n = c->mesh.grid_levels > 1 && c->solve.wall == WALL_INTERPOLATED ? cJSON_GetArraySize(list) : 0;
    if (c->solve.mode == MODE_PULSATILE) {
        plan_pulsatile(n > 0 ? list : NULL, finest_mm, a);
        return;
    }
    int level[LEVELS], levels = 0;                        /* indices of the runs of the levels, coarsest first */
    for (int k = n - 1; k >= 0 && levels < LEVELS; k--) { /* the list of mesh begins with the finest level */
        entry = cJSON_GetArrayItem(list, k);
        if (!is_level(entry))
            continue;
        grid_run *g = add_run(a, entry, entry_text(entry, "name"), finest_mm);
        g->start = levels > 0 ? level[levels - 1] : -1;
        g->start_coarser = levels > 1 ? level[levels - 2] : -1;
        level[levels++] = a->n - 1;
        if (levels == 1)
            plan_coarsest(c, list, n, finest_mm, a);
    }
    grid_run *last = add_run(a, NULL, "", finest_mm);
    last->start = levels > 0 ? level[levels - 1] : -1;
    last->start_coarser = levels > 1 ? level[levels - 2] : -1;
}

void grid_sequence_expect(const case_file *c, double finest_mm, grid_sequence *a) {
    const bool steady = c->solve.mode == MODE_STEADY && c->solve.wall == WALL_INTERPOLATED;
    a->n = 0;
    a->omits_finest = false;
    for (int k = steady ? c->mesh.grid_levels - 1 : 0; k > 0 && a->n < LEVELS; k--)
        add_run(a, NULL, "level", finest_mm)->spacing_mm = finest_mm * pow(CASE_GRID_RATIO, k);
    if (a->n > 0) {
        for (int k = 0; k < 2 && !c->mesh.has_shape; k++)
            add_run(a, NULL, "moved", finest_mm)->spacing_mm = a->run[0].spacing_mm;
        const int first = a->n;
        plan_inputs(c, finest_mm, a);
        for (int k = first; k < a->n; k++)
            a->run[k].spacing_mm = a->run[0].spacing_mm;
    }
    add_run(a, NULL, "", finest_mm);
}

/* Work of the last run. If the finest level is omitted, the last run continues the run on the next coarser level to the
 * tolerance of a result. */
static double last_work(const grid_sequence *a) {
    const double continued = 0.15; /* work of this continuation, as a fraction of the work of the continued run */
    double spacing_mm = INFINITY;
    for (int k = 0; k + 1 < a->n; k++)
        spacing_mm = fmin(spacing_mm, a->run[k].spacing_mm);
    return a->omits_finest ? continued * pow(spacing_mm / a->run[a->n - 1].spacing_mm, -3) : 1;
}

double grid_sequence_work(const grid_sequence *a, int k) {
    const double coarsest = 0.7; /* work per cell on the coarsest level, relative to the other levels: its tolerance is
                                  * looser */
    const grid_run *g = &a->run[k], *finest = &a->run[a->n - 1];
    const double coarser = g->spacing_mm / finest->spacing_mm;
    if (g == finest)
        return last_work(a);
    if (g->mean) /* The finest level computes whole cycles: 500 times the work of the mean flow, measured. 0.01 is
                  * above 1/500 because progress counts in percent. */
        return 0.01;
    return pow(coarser, -3) * (g->spacing_mm == a->run[0].spacing_mm ? coarsest : 1);
}

void grid_sequence_free(grid_sequence *a) {
    for (int k = 0; k < a->n; k++)
        cJSON_Delete(a->run[k].result);
    cJSON_Delete(a->accuracy);
    a->accuracy = NULL;
    a->n = 0;
}

/* Upper limit of the tolerance of a run with a changed value, relative to the change */
static const double CHANGE_PART = 5e-3;

double grid_sequence_tolerance(const grid_run *g, double tolerance, bool chosen) {
    const bool level = *g->name && g->opening < 0 && g->split_pressure < 0 && g->porous < 0 && g->of_mesh &&
                       is_level(g->of_mesh); /* true also for "blood" */
    const double loosest = level ? 1e-4 : 5e-4, mean = 1e-3;
    if (g->mean)
        return fmax(tolerance, mean);
    if (!*g->name)
        return tolerance;
    return fmax(tolerance, fmin(chosen ? loosest : fmin((level ? 10 : 100) * tolerance, loosest),
                                g->change > 0 ? CHANGE_PART * g->change : INFINITY));
}

long grid_sequence_share_steps(const grid_sequence *a, const grid_run *g, double finest_steps) {
    const cJSON *before = g->start >= 0 ? a->run[g->start].result : NULL;
    const double share = cJSON_IsTrue(json_find(before, "share_used")) ? 0.225 : 0.45;
    return (long)(share * finest_steps * pow(g->finest_part, -3));
}

double grid_sequence_share_mean_s(const grid_run *g) {
    const bool used = cJSON_IsTrue(json_find(g->result, "share_used"));
    return used ? json_get_number(json_find(g->result, "unsteady"), "mean_of_s") : NAN;
}

const char *grid_sequence_file(const grid_run *g, const char *stem, const char *ending, char file[128]) {
    snprintf(file, 128, "%s%s%s.%s", stem, *stem && *g->name ? "_" : "", g->name, ending);
    return file;
}

int grid_sequence_take(const char *folder, const char *key, double tolerance, grid_run *g) {
    char name[128], sum[17];
    cJSON *record = NULL;
    char *path = file_join(folder, grid_sequence_file(g, "", "json", name)),
         *fields = file_join(folder, grid_sequence_file(g, "fields", "vtkhdf", name));
    int rc = path && fields ? OK : fail_memory("a path", FILE_PATH_MAX);
    if (rc == OK && file_exists(path) && json_read_sealed(path, &record) == OK) {
        const char *found = cJSON_GetStringValue(json_find(record, "result/key"));
        const char *recorded = provenance_recorded_checksum(record, "outputs", name, 1);
        if (found && strcmp(found, key) == 0 &&
            json_get_number(json_find(record, "result"), "tolerance") <= 1.001 * tolerance && recorded &&
            provenance_checksum(fields, sum) == OK && strcmp(sum, recorded) == 0)
            g->result = cJSON_DetachItemFromObjectCaseSensitive(record, "result");
        g->taken = g->result != NULL;
    }
    if (rc == OK)
        status_clear(); /* the run is solved again if its record is damaged or of another case */
    cJSON_Delete(record);
    free(path);
    free(fields);
    return rc;
}

static void discard_files(const char *folder, const grid_run *g) {
    static const char *const part[][2] = {{"", "json"}, {"fields", "vtkhdf"}};
    char name[128];
    for (int k = 0; k < 2; k++) {
        char *path = file_join(folder, grid_sequence_file(g, part[k][0], part[k][1], name));
        if (path)
            file_discard(path);
        free(path);
    }
}

static bool is_planned(const grid_sequence *a, const char *name) {
    for (int k = 0; k < a->n; k++)
        if (strcmp(a->run[k].name, name) == 0)
            return true;
    return false;
}

void grid_sequence_clean(const grid_sequence *a, const case_file *c, const char *folder) {
    static const char *const fixed[] = {
        "level2", "level3", "level4", "wider", "narrower", "mean", "blood", "split_mean_pressure", "split_distal"};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    const int inputs = FIXED + 2 * c->n_opening;
    for (int k = 0; k < inputs + c->n_porous; k++) {
        grid_run g = {0};
        if (k < FIXED)
            snprintf(g.name, sizeof g.name, "%s", fixed[k]);
        else if (k < inputs)
            snprintf(g.name, sizeof g.name, "%s_%s", (k - FIXED) % 2 ? "distal" : "flow",
                     c->opening[(k - FIXED) / 2].name);
        else
            snprintf(g.name, sizeof g.name, "porous_%s", c->porous[k - inputs].name);
        if (!is_planned(a, g.name))
            discard_files(folder, &g);
    }
}

/* Adds to result: the decision of finest_level_choose, and the files of the lattice that is solved instead of the
 * finest one. */
static int record_finest(const grid_sequence *a, cJSON *result) {
    const grid_run *last = &a->run[a->n - 1];
    cJSON *accuracy = a->accuracy ? cJSON_Duplicate(a->accuracy, 1) : NULL;
    if (a->accuracy && (!accuracy || !cJSON_AddItemToObject(result, "accuracy", accuracy)))
        return fail_memory("solve.json", 4096);
    if (last->of_mesh) {
        cJSON_AddStringToObject(result, "lattice", last->lattice);
        cJSON_AddStringToObject(result, "surface", entry_text(last->of_mesh, "surface"));
    }
    return OK;
}

int grid_sequence_record(const grid_sequence *a, const case_file *c, const char *folder, cJSON *json, cJSON *result) {
    cJSON *list = a->n > 1 && !a->run[0].mean ? cJSON_AddArrayToObject(result, "grid_sequence") : NULL;
    int rc = record_finest(a, result);
    for (int k = 0; rc == OK && k + 1 < a->n; k++) {
        const grid_run *g = &a->run[k];
        char name[128];
        if (!g->result)
            continue;
        cJSON *entry = cJSON_Duplicate(g->of_mesh, 1);
        char *path = file_join(folder, grid_sequence_file(g, "fields", "vtkhdf", name));
        if (!entry || !path)
            rc = fail_memory("solve.json", 4096);
        else {
            cJSON_ReplaceItemInObjectCaseSensitive(entry, "name", cJSON_CreateString(g->name));
            if (g->porous >= 0) {
                cJSON_AddStringToObject(entry, "porous_of", c->porous[g->porous].name);
                json_add_number(entry, "permeability_factor", g->factor);
            }
            if (g->opening >= 0) {
                cJSON_AddStringToObject(entry, "flow_of", c->opening[g->opening].name);
                if (g->pressure_change_pa != 0)
                    json_add_number(entry, "distal_change_pa", g->pressure_change_pa);
                else
                    json_add_number(entry, "flow_factor", g->factor);
            }
            if (g->split_pressure >= 0) {
                cJSON_AddStringToObject(entry, "split_of", case_split_pressures[g->split_pressure]);
                json_add_number(entry, "split_change_pa", g->pressure_change_pa);
            }
            if (g->blood)
                cJSON_AddStringToObject(entry, "blood", json_get_text(g->result, "blood"));
            cJSON_AddItemToObject(entry, "result", cJSON_Duplicate(g->result, 1));
            if (g->mean)
                cJSON_AddItemToObject(result, "mean_flow", entry);
            else if (g->of_mesh == a->run[a->n - 1].of_mesh) /* the last run has continued this run */
                cJSON_Delete(entry);
            else
                cJSON_AddItemToArray(list, entry);
            entry = NULL;
            rc = provenance_add_output(json, c->folder, path);
        }
        cJSON_Delete(entry);
        free(path);
        if (rc != OK)
            break;
    }
    return rc;
}
