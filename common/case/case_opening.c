/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: reads the entries of `openings`. */
#include "common/case/case_reader.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPENING_MAX = 250 };

static const char *const profiles = "developed|parabolic|plug";

static void set_condition(case_reader *r, const case_node *node, case_opening *o, int condition) {
    if (o->condition >= 0)
        case_problem_key(&r->problems, node,
                         "this opening already has a condition; give only one of flow, velocity, pressure, developed, "
                         "resistance, windkessel");
    o->condition = condition;
}

static const case_key flow_key = {.name = "flow",
                                  .kind = KEY_QUANTITY,
                                  .offset = offsetof(case_opening, value),
                                  .error = offsetof(case_opening, value_error),
                                  .unit = UNIT_FLOW_M3_S,
                                  .low = "0 L/min",
                                  .high = "100 L/min"};
static const case_key flow_keys[] = {{.name = "waveform", .kind = KEY_PATH, .offset = offsetof(case_opening, waveform)},
                                     {.name = "period",
                                      .kind = KEY_QUANTITY,
                                      .offset = offsetof(case_opening, period_s),
                                      .unit = UNIT_TIME_S,
                                      .low = "1 ms",
                                      .high = "1000 s"},
                                     {0}};

static void read_flow(case_reader *r, const case_node *node, void *target) {
    case_opening *o = target;
    set_condition(r, node, o, node->kind == NODE_BLOCK ? CONDITION_WAVEFORM : CONDITION_FLOW);
    if (node->kind != NODE_BLOCK) {
        case_value(r, node, &flow_key, o);
        return;
    }
    case_block(r, node, flow_keys, o);
    if (node->n == 0)
        case_problem_value(&r->problems, node, "is empty: write 0.6 L/min or {waveform: flow/name.csv}");
}

static const case_key velocity_keys[] = {
    {.name = "mean",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, value),
     .error = offsetof(case_opening, value_error),
     .unit = UNIT_VELOCITY_M_S,
     .low = "0 m/s",
     .high = "20 m/s"},
    {.name = "peak",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, value),
     .error = offsetof(case_opening, value_error),
     .unit = UNIT_VELOCITY_M_S,
     .low = "0 m/s",
     .high = "20 m/s"},
    {.name = "profile", .kind = KEY_CHOICE, .offset = offsetof(case_opening, profile), .choices = profiles},
    {0}};

static void read_velocity(case_reader *r, const case_node *node, void *target) {
    case_opening *o = target;
    const case_node *mean = case_node_find(node, "mean"), *peak = case_node_find(node, "peak");
    if (node->kind == NODE_SCALAR) {
        set_condition(r, node, o, CONDITION_VELOCITY_MEAN);
        case_problem_value(&r->problems, node,
                           "is the velocity mean or peak? Write {mean: 0.1 m/s} or {peak: 0.1 m/s}");
        return;
    }
    if (case_node_find(node, "vector")) {
        set_condition(r, node, o, CONDITION_VECTOR);
        case_vector(r, node, UNIT_VELOCITY_M_S, o->vector_m_s);
        return;
    }
    set_condition(r, node, o, peak ? CONDITION_VELOCITY_PEAK : CONDITION_VELOCITY_MEAN);
    case_block(r, node, velocity_keys, o);
    if (node->kind == NODE_BLOCK && (mean != NULL) == (peak != NULL))
        case_problem_value(&r->problems, node,
                           "needs either mean or peak; a moving wall needs vector and unit instead");
}

static void read_pressure(case_reader *r, const case_node *node, void *target) {
    static const case_key pressure = {.name = "pressure",
                                      .kind = KEY_QUANTITY,
                                      .offset = offsetof(case_opening, value),
                                      .unit = UNIT_PRESSURE_PA,
                                      .low = "-1000 mmHg",
                                      .high = "1000 mmHg"};
    set_condition(r, node, target, CONDITION_PRESSURE);
    case_value(r, node, &pressure, target);
}

static void read_developed(case_reader *r, const case_node *node, void *target) {
    static const case_key developed = {.name = "developed", .kind = KEY_BOOL};
    bool yes = true;
    set_condition(r, node, target, CONDITION_DEVELOPED);
    case_value(r, node, &developed, &yes);
    if (!yes)
        case_problem_value(&r->problems, node, "must be true; otherwise remove it");
}

static void read_resistance(case_reader *r, const case_node *node, void *target) {
    set_condition(r, node, target, CONDITION_RESISTANCE);
    case_read_resistance(r, node, target);
}

static void read_windkessel(case_reader *r, const case_node *node, void *target) {
    set_condition(r, node, target, CONDITION_WINDKESSEL);
    case_read_windkessel(r, node, target);
}

static void read_normal(case_reader *r, const case_node *node, void *target) {
    case_opening *o = target;
    case_read_normal(r, node, &o->normal_auto, o->normal);
}

/* The plane that mesh found before a treatment; by pipeline treat. */
static void read_found_normal(case_reader *r, const case_node *node, void *target) {
    case_opening *o = target;
    read_normal(r, node, target);
    o->plane_found = !o->normal_auto;
}

const case_key case_opening_keys[] = {
    {.name = "name", .kind = KEY_NAME, .offset = offsetof(case_opening, name)},
    {.name = "role", .kind = KEY_CHOICE, .offset = offsetof(case_opening, role), .choices = "inlet|outlet|moving_wall"},
    {.name = "point", .kind = KEY_POINT, .offset = offsetof(case_opening, point)},
    {.name = "normal", .kind = KEY_FUNCTION, .read = read_normal},
    {.name = "found_normal", .kind = KEY_FUNCTION, .read = read_found_normal},
    {.name = "extension",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, extension_mm),
     .unit = UNIT_LENGTH_MM,
     .low = "0 mm",
     .high = "1 m"},
    {.name = "radius",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, radius_mm),
     .unit = UNIT_LENGTH_MM,
     .low = "0 mm",
     .high = "1 m",
     .above = true},
    {.name = "flow", .kind = KEY_FUNCTION, .read = read_flow},
    {.name = "velocity", .kind = KEY_FUNCTION, .read = read_velocity},
    {.name = "pressure", .kind = KEY_FUNCTION, .read = read_pressure},
    {.name = "developed", .kind = KEY_FUNCTION, .read = read_developed},
    {.name = "resistance", .kind = KEY_FUNCTION, .read = read_resistance},
    {.name = "windkessel", .kind = KEY_FUNCTION, .read = read_windkessel},
    {.name = "collateral", .kind = KEY_BOOL, .offset = offsetof(case_opening, collateral)},
    {.name = "profile", .kind = KEY_CHOICE, .offset = offsetof(case_opening, profile), .choices = profiles},
    {.name = "temperature",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, temperature_c),
     .unit = UNIT_TEMPERATURE_C,
     .low = "-100 degC",
     .high = "1000 degC"},
    {0}};

void case_read_openings(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 0, OPENING_MAX, "openings"))
        return;
    c->opening = case_allocate(r, node->n, sizeof *c->opening);
    for (int k = 0; c->opening && k < node->n; k++) {
        case_opening *o = &c->opening[c->n_opening++];
        *o = (case_opening){.role = -1,
                            .condition = -1,
                            .point = {NAN, NAN, NAN},
                            .normal_auto = true,
                            .radius_mm = NAN,
                            .value = NAN,
                            .distal_pa = NAN,
                            .capacitance_m3_pa = NAN,
                            .proximal_part = NAN,
                            .split_share = NAN,
                            .period_s = NAN,
                            .temperature_c = NAN,
                            .vector_m_s = {NAN, NAN, NAN},
                            .profile = PROFILE_DEVELOPED,
                            .line = node->child[k].line};
        case_block(r, &node->child[k], case_opening_keys, o);
    }
}
