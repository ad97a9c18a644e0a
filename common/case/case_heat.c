/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: named regions of the wall, and heat transport. */
#include "common/case/case_reader.h"
#include "common/surface/surface.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WALL_MAX = 250 };

static void read_unit(case_reader *r, const case_node *node, void *target) {
    static const case_key unit = {.name = "unit", .kind = KEY_CHOICE, .choices = SURFACE_UNITS};
    int choice;
    if (case_value(r, node, &unit, &choice))
        ((case_wall_region *)target)->surface_unit_mm = surface_units_mm[choice];
}

static const case_key surface_keys[] = {
    {.name = "path", .kind = KEY_PATH, .offset = offsetof(case_wall_region, surface_path)},
    {.name = "unit", .kind = KEY_FUNCTION, .read = read_unit},
    {.name = "frame",
     .kind = KEY_CHOICE,
     .offset = offsetof(case_wall_region, surface_space),
     .choices = "RAS|LPS"}, /* indexed by enum case_space */
    {0}};

const case_key case_wall_keys[] = {
    {.name = "name", .kind = KEY_NAME, .offset = offsetof(case_wall_region, name)},
    {.name = "part", .kind = KEY_NAME, .offset = offsetof(case_wall_region, part)},
    {.name = "surface", .kind = KEY_BLOCK, .block = surface_keys},
    {.name = "label", .kind = KEY_INTEGER, .offset = offsetof(case_wall_region, label), .low = "1", .high = "1000000"},
    {.name = "temperature",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_wall_region, temperature_c),
     .unit = UNIT_TEMPERATURE_C,
     .low = "-100 degC",
     .high = "1000 degC"},
    {.name = "insulated", .kind = KEY_BOOL, .offset = offsetof(case_wall_region, insulated)},
    {0}};

void case_read_walls(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 1, WALL_MAX, "walls"))
        return;
    c->wall = case_allocate(r, node->n, sizeof *c->wall);
    for (int k = 0; c->wall && k < node->n; k++) {
        case_wall_region *w = &c->wall[c->n_wall++];
        *w = (case_wall_region){
            .surface_unit_mm = 1, .surface_space = -1, .temperature_c = NAN, .line = node->child[k].line};
        case_block(r, &node->child[k], case_wall_keys, w);
    }
}

bool case_wall_is_rest(const case_wall_region *w) {
    return !w->part && !w->surface_path && w->label == 0;
}

/* ------------------------------------------------------------------------- checks of walls and heat */

static void check_region(case_reader *r, const case_node *node, int index) {
    const case_file *c = r->c;
    const case_wall_region *w = &c->wall[index];
    const int ways = (w->part != NULL) + (case_node_find(node, "surface") != NULL) + (w->label > 0);
    if (!case_node_find(node, "name"))
        case_problem_value(&r->problems, node, "a wall needs a name, such as {name: cornea, ..}");
    for (int k = 0; k < index; k++)
        if (w->name && c->wall[k].name && strcmp(w->name, c->wall[k].name) == 0)
            case_problem_value(&r->problems, node, "'%s' is also the name of another wall; give each wall its own name",
                               w->name);
    if (w->name && case_find_opening(c, w->name))
        case_problem_value(&r->problems, node, "'%s' is also the name of an opening; give the wall another name",
                           w->name);
    if (ways > 1)
        case_problem_value(&r->problems, node, "has more than one of part, surface and label; keep only one");
    if (case_node_find(node, "surface") && !case_node_find(case_node_find(node, "surface"), "path"))
        case_problem_value(&r->problems, node, "the surface of a wall needs {path: name.stl}");
    if (w->part && !c->mesh.has_shape)
        case_problem_key(&r->problems, case_node_find(node, "part"),
                         "is for a case with mesh.shape; use surface or label");
    c->wall[index].part_number = w->part ? shape_part_number(&c->mesh.shape, w->part) : -1;
    if (w->part && c->mesh.has_shape && w->part_number < 0)
        case_problem_key(&r->problems, case_node_find(node, "part"), "'%.40s' is not a part of this shape (%s)",
                         w->part, shape_parts(c->mesh.shape.kind));
    if (w->label > 0 && !c->segment.labels_path)
        case_problem_key(&r->problems, case_node_find(node, "label"),
                         "needs segment: {labels: {path: ..}}; the label marks voxels next to the lumen");
}

/* With solve.heat each wall needs a temperature or `insulated` and each inlet a temperature; without it none may be
 * given. */
static void check_temperatures(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *walls = case_node_find(root, "walls"), *openings = case_node_find(root, "openings");
    char name[CASE_QUOTED];
    int given = 0;
    for (int k = 0; k < c->n_wall; k++) {
        const case_node *node = &walls->child[k];
        const bool has = case_node_find(node, "temperature") != NULL;
        given += has;
        if (c->solve.heat.on && has == c->wall[k].insulated)
            case_problem_value(&r->problems, node, "the wall %s needs %s", case_quote_name(c->wall[k].name, name),
                               has ? "either a temperature or insulated: true, not both"
                                   : "a temperature (34 degC) or insulated: true");
        if (!c->solve.heat.on && (has || c->wall[k].insulated))
            case_problem_value(
                &r->problems, node,
                has ? "its temperature has no effect without solve.heat; add solve.heat or remove the temperature"
                    : "insulated has no effect without solve.heat; add solve.heat or remove insulated");
    }
    for (int k = 0; k < c->n_opening; k++) {
        const case_node *node = &openings->child[k];
        const bool has = case_node_find(node, "temperature") != NULL;
        given += has;
        if (c->solve.heat.on && !has && c->opening[k].role == ROLE_INLET)
            case_problem_value(&r->problems, node, "the inlet %s needs the temperature of the inflow (37 degC)",
                               case_quote_name(c->opening[k].name, name));
        if (!c->solve.heat.on && has)
            case_problem_value(
                &r->problems, node,
                "its temperature has no effect without solve.heat; add solve.heat or remove the temperature");
    }
    if (c->solve.heat.on && given == 0 && c->n_wall > 0)
        case_problem_value(&r->problems, walls,
                           "no wall and no opening has a temperature: give one of them a temperature");
}

static void check_gravity(case_reader *r, const case_node *heat) {
    const case_node *expansion = case_node_find(heat, "expansion"), *gravity = case_node_find(heat, "gravity");
    const double *g = r->c->solve.heat.gravity_m_s2;
    if (expansion && !gravity && r->c->solve.heat.expansion_1_k != 0)
        case_problem_key(&r->problems, expansion, "has no effect without gravity: add gravity: [x, y, z] in m/s2");
    if (gravity && !expansion)
        case_problem_key(&r->problems, gravity,
                         "has no effect without expansion: add expansion (0.0003 1/K for water at 37 degC)");
    if (gravity && g[0] == 0 && g[1] == 0 && g[2] == 0)
        case_problem_value(&r->problems, gravity,
                           "is zero: give a direction, such as [0, 0, -9.81], or remove gravity and expansion");
}

/* Refuses options that cannot be combined with heat. */
static void check_company(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *solve = case_node_find(root, "solve"), *mesh = case_node_find(root, "mesh");
    const struct {
        bool wrong;
        const case_node *block;
        const char *key, *instead;
    } rule[] = {{c->solve.mode == MODE_PULSATILE, solve, "mode", "steady"},
                {c->solve.wall == WALL_VLBM, solve, "wall", "interpolated"},
                {c->solve.opening == OPENING_ZOU_HE, solve, "opening", "half-way"},
                {c->solve.precision == PRECISION_HALF, solve, "precision", "float"},
                {c->mesh.grid_levels > 1, mesh, "grid_levels", "1"}};
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++) {
        const case_node *node = case_node_find(rule[k].block, rule[k].key);
        if (rule[k].wrong && node)
            case_problem_key(&r->problems, node, "is not possible with solve.heat; write %s: %s", rule[k].key,
                             rule[k].instead);
    }
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role == ROLE_MOVING_WALL)
            case_problem_value(&r->problems, &case_node_find(root, "openings")->child[k],
                               "a moving wall is not possible with solve.heat; remove one of the two");
}

void case_check_heat(case_reader *r, const case_node *root) {
    case_file *c = r->c;
    const case_node *heat = case_node_find(case_node_find(root, "solve"), "heat"),
                    *walls = case_node_find(root, "walls");
    int rest = 0;
    c->solve.heat.on = heat != NULL;
    for (int k = 0; k < c->n_wall; k++) {
        check_region(r, &walls->child[k], k);
        rest += case_wall_is_rest(&c->wall[k]);
        if (rest == 2 && case_wall_is_rest(&c->wall[k]))
            case_problem_value(
                &r->problems, &walls->child[k],
                "only one wall, the rest of the surface, may be without part, surface and label; add one of them here");
    }
    check_temperatures(r, root);
    if (!heat || heat->kind != NODE_BLOCK)
        return;
    if (!case_node_find(heat, "diffusivity"))
        case_problem_key(&r->problems, heat,
                         "has no diffusivity: add one, such as diffusivity: 1.5e-7 m2/s (water at 37 degC)");
    if (!walls)
        case_problem_key(&r->problems, heat, "needs walls: a list of {name: .., temperature: 37 degC}");
    check_gravity(r, heat);
    check_company(r, root);
}
