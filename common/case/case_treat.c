/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: the changes of the lumen in the list `treat`. */
#include "common/case/case_reader.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREAT_MAX = 50, VIA_MAX = 20 };

/* A length, or a share of the length of the branch. */
static void read_place(case_reader *r, const case_node *node, case_spot *spot) {
    static const case_key length = {.name = "at",
                                    .kind = KEY_QUANTITY,
                                    .offset = offsetof(case_spot, at_mm),
                                    .unit = UNIT_LENGTH_MM,
                                    .low = "0 mm",
                                    .high = "10000 mm"},
                          part = {.name = "at",
                                  .kind = KEY_QUANTITY,
                                  .offset = offsetof(case_spot, at_part),
                                  .unit = UNIT_SHARE,
                                  .low = "0 %",
                                  .high = "100 %"};
    case_value(r, node, node->kind == NODE_SCALAR && strchr(node->text, '%') ? &part : &length, spot);
}

static void read_at(case_reader *r, const case_node *node, void *target) {
    read_place(r, node, target);
}

static const case_key spot_keys[] = {{.name = "branch", .kind = KEY_NAME, .offset = offsetof(case_spot, branch)},
                                     {.name = "at", .kind = KEY_FUNCTION, .read = read_at},
                                     {0}};

/* A point [x, y, z], or {branch: PV, at: 50 %}. */
static void read_spot(case_reader *r, const case_node *node, case_spot *spot) {
    if (node->kind != NODE_BLOCK) {
        case_point(r, node, spot->point);
        return;
    }
    case_block(r, node, spot_keys, spot);
    if (!case_node_find(node, "branch") || !case_node_find(node, "at"))
        case_problem_value(&r->problems, node, "needs a point [x, y, z], or {branch: PV, at: 50 %%}");
}

static void read_dilate_from(case_reader *r, const case_node *node, void *target) {
    read_place(r, node, &((case_treatment *)target)->from);
}

static void read_dilate_to(case_reader *r, const case_node *node, void *target) {
    read_place(r, node, &((case_treatment *)target)->to);
}

static void read_stent_from(case_reader *r, const case_node *node, void *target) {
    read_spot(r, node, &((case_treatment *)target)->from);
}

static void read_stent_to(case_reader *r, const case_node *node, void *target) {
    read_spot(r, node, &((case_treatment *)target)->to);
}

static void read_via(case_reader *r, const case_node *node, void *target) {
    case_treatment *t = target;
    if (!case_list(r, node, 0, VIA_MAX, "points [x, y, z]"))
        return;
    t->via = case_allocate(r, node->n, sizeof *t->via);
    for (int k = 0; t->via && k < node->n; k++)
        t->n_via += case_point(r, &node->child[k], t->via[t->n_via]);
}

#define DIAMETER                                                                                                       \
    {                                                                                                                  \
        .name = "diameter", .kind = KEY_QUANTITY, .offset = offsetof(case_treatment, diameter_mm),                     \
        .unit = UNIT_LENGTH_MM, .low = "0 mm", .high = "30 mm", .above = true                                          \
    }
static const case_key dilate_keys[] = {
    {.name = "branch", .kind = KEY_NAME, .offset = offsetof(case_treatment, from.branch)},
    {.name = "from", .kind = KEY_FUNCTION, .read = read_dilate_from},
    {.name = "to", .kind = KEY_FUNCTION, .read = read_dilate_to},
    DIAMETER,
    {0}};
static const case_key close_keys[] = {
    {.name = "branch", .kind = KEY_NAME, .offset = offsetof(case_treatment, from.branch)},
    {.name = "at", .kind = KEY_FUNCTION, .read = read_dilate_from},
    {0}};
static const case_key stent_keys[] = {
    {.name = "from", .kind = KEY_FUNCTION, .read = read_stent_from},
    {.name = "via", .kind = KEY_FUNCTION, .read = read_via},
    {.name = "to", .kind = KEY_FUNCTION, .read = read_stent_to},
    DIAMETER,
    {.name = "opening", .kind = KEY_NAME, .offset = offsetof(case_treatment, opening)},
    {.name = "pressure",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_treatment, pressure_pa),
     .unit = UNIT_PRESSURE_PA,
     .low = "-1000 mmHg",
     .high = "1000 mmHg"},
    {.name = "resistance",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_treatment, resistance_pa_s_m3),
     .error = offsetof(case_treatment, resistance_error),
     .unit = UNIT_RESISTANCE,
     .low = "0 mmHg min/L",
     .high = "1e6 mmHg min/L",
     .above = true},
    {0}};
static const case_key treatment_keys[] = {{.name = "dilate", .kind = KEY_BLOCK, .block = dilate_keys},
                                          {.name = "close", .kind = KEY_BLOCK, .block = close_keys},
                                          {.name = "stent", .kind = KEY_BLOCK, .block = stent_keys},
                                          {0}};

/* Checks that the entry has one kind of change with all keys that it requires. */
static void check_treatment(case_reader *r, const case_node *item, const case_treatment *t) {
    static const char *const required[][5] = {[TREAT_DILATE] = {"branch", "from", "to", "diameter"},
                                              [TREAT_CLOSE] = {"branch", "at"},
                                              [TREAT_STENT] = {"from", "to", "diameter"}};
    static const char *const example[] = {
        [TREAT_DILATE] = "{dilate: {branch: PV, from: 20 %, to: 60 %, diameter: 8 mm}}",
        [TREAT_CLOSE] = "{close: {branch: LPV, at: 50 %}}",
        [TREAT_STENT] = "{stent: {from: {branch: PV, at: 50 %}, to: [x, y, z], diameter: 10 mm}}"};
    if (item->kind != NODE_BLOCK || item->n != 1 || item->child[0].kind != NODE_BLOCK) {
        case_problem_value(&r->problems, item, "an entry is one change: dilate, close or stent, such as %s",
                           example[TREAT_DILATE]);
        return;
    }
    for (int k = 0; required[t->kind][k]; k++)
        if (!case_node_find(&item->child[0], required[t->kind][k])) {
            case_problem_value(&r->problems, &item->child[0], "has no %s: write %s", required[t->kind][k],
                               example[t->kind]);
            return;
        }
}

void case_read_treat(case_reader *r, const case_node *node, void *target) {
    static const case_spot nowhere = {.point = {NAN, NAN, NAN}, .at_mm = NAN, .at_part = NAN};
    case_file *c = target;
    if (!case_list(r, node, 1, TREAT_MAX, "changes"))
        return;
    c->treat = case_allocate(r, node->n, sizeof *c->treat);
    for (int k = 0; c->treat && k < node->n; k++) {
        const case_node *item = &node->child[k];
        case_treatment *t = &c->treat[c->n_treat++];
        *t = (case_treatment){.kind = case_node_find(item, "close")   ? TREAT_CLOSE
                                      : case_node_find(item, "stent") ? TREAT_STENT
                                                                      : TREAT_DILATE,
                              .from = nowhere,
                              .to = nowhere,
                              .diameter_mm = NAN,
                              .pressure_pa = NAN,
                              .resistance_pa_s_m3 = NAN,
                              .line = item->line};
        case_block(r, item, treatment_keys, t);
        check_treatment(r, item, t);
    }
}

/* ---------------------------------------------------------------------------------- the file of pipeline treat */

typedef struct {
    case_file *c;
    int inflow;
} plan;

static void read_plan_treat(case_reader *r, const case_node *node, void *target) {
    case_read_treat(r, node, ((plan *)target)->c);
}

static const case_key plan_keys[] = {{.name = "treat", .kind = KEY_FUNCTION, .read = read_plan_treat},
                                     {.name = "inflow",
                                      .kind = KEY_CHOICE,
                                      .offset = offsetof(plan, inflow),
                                      .choices = "constant|constant-pressure|source"}, /* indexed by enum case_inflow */
                                     {0}};

/* Checks that a new opening has both a name and a pressure, or neither. */
static void check_plan(case_reader *r, const case_node *root) {
    const case_node *list = case_node_find(root, "treat");
    if (!list)
        case_problem_at(&r->problems, 0, 0, "has no list treat: write treat: [{close: {branch: LPV, at: 50 %%}}]");
    for (int k = 0; list && list->kind == NODE_LIST && k < r->c->n_treat; k++) {
        const case_treatment *t = &r->c->treat[k];
        if ((t->opening != NULL) != isfinite(t->pressure_pa))
            case_problem_value(&r->problems, &list->child[k],
                               "a stent to a new opening needs its name and its pressure: opening: HV, pressure: "
                               "5 mmHg; a stent between two points of the lumen has neither");
        if (isfinite(t->resistance_pa_s_m3) && !t->opening)
            case_problem_value(&r->problems, &list->child[k],
                               "the resistance is between the end of a stent and the pressure of a new opening; give "
                               "opening and pressure, or remove the resistance");
    }
}

int case_read_treatment(const char *path, case_file *c, int *inflow) {
    case_reader *r = calloc(1, sizeof *r);
    plan p = {.c = c, .inflow = INFLOW_CONSTANT};
    case_node root = {0};
    char *text = NULL;
    size_t size = 0;
    bool whole = false;
    int rc = OK;
    case_set_defaults(c);
    if (!r)
        return fail_memory("the treatment", sizeof *r);
    TRY(file_read(path, CASE_BYTES_MAX, &text, &size));
    r->problems.path = path;
    r->c = c;
    case_tree_parse(text, size, &root, &whole, &r->problems);
    if (whole && !r->problems.no_memory) {
        case_block(r, &root, plan_keys, &p);
        check_plan(r, &root);
    }
    case_tree_free(&root);
    rc = case_problems_report(&r->problems);
    *inflow = p.inflow;
cleanup:
    case_problems_free(&r->problems);
    free(r);
    free(text);
    if (rc != OK)
        case_free(c);
    return rc;
}
