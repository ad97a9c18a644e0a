/* SPDX-License-Identifier: Apache-2.0 */
/* See case_reader.h: resistances and Windkessels at openings, and the flow split among outlets. */
#include "common/case/case_reader.h"
#include "common/cli/spelling.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define DISTAL(name_)                                                                                                  \
    {                                                                                                                  \
        .name = (name_), .kind = KEY_QUANTITY, .offset = offsetof(case_opening, distal_pa),                            \
        .error = offsetof(case_opening, distal_error), .unit = UNIT_PRESSURE_PA, .low = "-1000 mmHg",                  \
        .high = "1000 mmHg"                                                                                            \
    }
#define RESISTANCE_HIGH "1e6 mmHg min/L"

const case_key case_resistance_keys[] = {{.name = "value",
                                          .kind = KEY_QUANTITY,
                                          .offset = offsetof(case_opening, value),
                                          .error = offsetof(case_opening, value_error),
                                          .unit = UNIT_RESISTANCE,
                                          .low = "0 mmHg min/L",
                                          .high = RESISTANCE_HIGH},
                                         DISTAL("distal"),
                                         DISTAL("source"),
                                         {0}};

/* Values of a Windkessel as written; the errors are half-widths in the unit of the value. */
typedef struct {
    double unused; /* padding, so that no error has the offset 0, which means "no error" (case_key.error) */
    double proximal, proximal_error, distal, distal_error;
} windkessel_values;

#define PART(key, member, error_, high_, unit_, zero, above_)                                                          \
    {                                                                                                                  \
        .name = (key), .kind = KEY_QUANTITY, .offset = offsetof(windkessel_values, member), .error = (error_),         \
        .unit = (unit_), .low = (zero), .high = (high_), .above = (above_)                                             \
    }
static const case_key part_keys[] = {PART("proximal", proximal, offsetof(windkessel_values, proximal_error),
                                          RESISTANCE_HIGH, UNIT_RESISTANCE, "0 mmHg min/L", false),
                                     PART("distal_resistance", distal, offsetof(windkessel_values, distal_error),
                                          RESISTANCE_HIGH, UNIT_RESISTANCE, "0 mmHg min/L", true)};

static void read_part(case_reader *r, const case_node *node, const case_key *key, void *target) {
    case_opening *o = target;
    windkessel_values w = {.proximal = NAN};
    double *value = (double *)((char *)&w + key->offset);
    *value = NAN;
    if (!case_value(r, node, key, &w))
        return;
    /* The value of the opening is the sum of both resistances. Independent errors add in quadrature. */
    const double other = isfinite(o->value) ? o->value : 0;
    o->value = other + *value;
    o->value_error = hypot(o->value_error, *(double *)((char *)&w + key->error));
    if (key == &part_keys[0])
        o->proximal_part = *value; /* proximal resistance, Pa s/m3, until case_read_windkessel divides it by the sum
                                    * of both resistances */
}

static void read_proximal(case_reader *r, const case_node *node, void *target) {
    read_part(r, node, &part_keys[0], target);
}

static void read_distal_resistance(case_reader *r, const case_node *node, void *target) {
    read_part(r, node, &part_keys[1], target);
}

const case_key case_windkessel_keys[] = {
    {.name = "proximal", .kind = KEY_FUNCTION, .read = read_proximal},
    {.name = "capacitance",
     .kind = KEY_QUANTITY,
     .offset = offsetof(case_opening, capacitance_m3_pa),
     .error = offsetof(case_opening, capacitance_error),
     .unit = UNIT_CAPACITANCE,
     .low = "0 mL/mmHg",
     .high = "100 mL/mmHg",
     .above = true},
    {.name = "distal_resistance", .kind = KEY_FUNCTION, .read = read_distal_resistance},
    DISTAL("distal"),
    {0}};

/* Adds a problem for the first missing key of a block. */
static void require_keys(case_reader *r, const case_node *node, int n, const char *const (*key)[2]) {
    for (int k = 0; k < n && node->kind == NODE_BLOCK; k++)
        if (!case_node_find(node, key[k][0])) {
            case_problem_value(&r->problems, node, "has no %s: give %s", key[k][0], key[k][1]);
            return;
        }
}

void case_read_resistance(case_reader *r, const case_node *node, void *target) {
    static const char *const required[][2] = {{"value", "the resistance, such as value: 5 mmHg min/L"}};
    if (node->kind == NODE_SCALAR) {
        case_problem_value(&r->problems, node,
                           "needs a reference pressure: write {value: 5 mmHg min/L, distal: 8 mmHg}, at an inlet "
                           "source instead of distal");
        return;
    }
    case_block(r, node, case_resistance_keys, target);
    require_keys(r, node, 1, required);
}

void case_read_windkessel(case_reader *r, const case_node *node, void *target) {
    static const char *const required[][2] = {
        {"proximal", "the resistance in front of the capacitance (0 mmHg min/L: none)"},
        {"capacitance", "the compliance, such as capacitance: 0.01 mL/mmHg"},
        {"distal_resistance", "the resistance behind the capacitance"},
        {"distal", "the pressure behind the distal resistance, such as distal: 5 mmHg"}};
    case_opening *o = target;
    case_block(r, node, case_windkessel_keys, o);
    require_keys(r, node, 4, required);
    o->proximal_part = o->value > 0 ? o->proximal_part / o->value : 0;
}

void case_check_model(case_reader *r, const case_node *opening, const case_opening *o) {
    const case_node *block = case_node_find(opening, "resistance"), *collateral = case_node_find(opening, "collateral");
    if (collateral && o->role != ROLE_OUTLET)
        case_problem_key(&r->problems, collateral, "belongs to an outlet; remove it from this opening");
    if (case_opening_is_model(o) && r->c->solve.opening == OPENING_ZOU_HE)
        case_problem_value(&r->problems, opening,
                           "a resistance or windkessel needs solve.opening: half-way; write it in the case");
    if (case_opening_is_model(o) && r->c->solve.heat.on)
        case_problem_value(&r->problems, opening,
                           "a resistance or windkessel is not possible with solve.heat; remove one of the two");
    if (o->condition != CONDITION_RESISTANCE || !block || block->kind != NODE_BLOCK)
        return;
    const char *const key = o->role == ROLE_INLET ? "source" : "distal";
    const case_node *other = case_node_find(block, o->role == ROLE_INLET ? "distal" : "source");
    if (other)
        case_problem_key(&r->problems, other, "belongs to an %s; write %s", o->role == ROLE_INLET ? "outlet" : "inlet",
                         key);
    else if (!case_node_find(block, key))
        case_problem_value(&r->problems, block, "has no %s: give the pressure %s the resistance, such as %s: 8 mmHg",
                           key, o->role == ROLE_INLET ? "in front of" : "behind", key);
}

/* ------------------------------------------------------------------------------------------ split */

const char *const case_split_pressures[SPLIT_PRESSURES] = {"mean_pressure", "distal"};

/* Keys of a split that make resistances or Windkessels of the outlets. */
/* clang-format off */
static const case_key model_keys[] = {
    {.name = "mean_pressure", .kind = KEY_QUANTITY, .offset = offsetof(case_file, split.mean_pressure_pa),
     .error = offsetof(case_file, split.pressure_error[SPLIT_MEAN_PRESSURE]), .unit = UNIT_PRESSURE_PA,
     .low = "-1000 mmHg", .high = "1000 mmHg"},
    {.name = "distal", .kind = KEY_QUANTITY, .offset = offsetof(case_file, split.distal_pa),
     .error = offsetof(case_file, split.pressure_error[SPLIT_DISTAL]), .unit = UNIT_PRESSURE_PA,
     .low = "-1000 mmHg", .high = "1000 mmHg"},
    {.name = "capacitance", .kind = KEY_QUANTITY, .offset = offsetof(case_file, split.capacitance_m3_pa),
     .error = offsetof(case_file, split.capacitance_error),
     .unit = UNIT_CAPACITANCE, .low = "0 mL/mmHg", .high = "100 mL/mmHg", .above = true},
    {.name = "proximal_fraction", .kind = KEY_QUANTITY, .offset = offsetof(case_file, split.proximal_fraction),
     .unit = UNIT_SHARE, .low = "0 %", .high = "90 %"},
    {0}};
/* clang-format on */

static const case_key *find_model_key(const char *name) {
    for (const case_key *key = model_keys; key->name; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

/* Reads a value of model_keys. */
static void read_model_value(case_reader *r, const case_node *node, void *target) {
    const case_key *key = find_model_key(node->key);
    if (key->error == 0 && node->kind == NODE_SCALAR &&
        (strstr(node->text, "+-") || strstr(node->text, "\u00b1") || strstr(node->text, " to ")))
        case_problem_value(&r->problems, node,
                           "takes no uncertainty, because a steady flow does not depend on it; give the value alone");
    else
        case_value(r, node, key, target);
}

#define MODEL_KEYS                                                                                                     \
    {.name = "mean_pressure", .kind = KEY_FUNCTION, .read = read_model_value},                                         \
        {.name = "distal", .kind = KEY_FUNCTION, .read = read_model_value},                                            \
        {.name = "capacitance", .kind = KEY_FUNCTION, .read = read_model_value}, {                                     \
        .name = "proximal_fraction", .kind = KEY_FUNCTION, .read = read_model_value                                    \
    }

const case_key case_murray_keys[] = {{.name = "murray",
                                      .kind = KEY_QUANTITY,
                                      .offset = offsetof(case_file, split.power),
                                      .unit = UNIT_NONE,
                                      .low = "1",
                                      .high = "4"},
                                     {.name = "uncertainty",
                                      .kind = KEY_QUANTITY,
                                      .offset = offsetof(case_file, split.error),
                                      .unit = UNIT_SHARE,
                                      .low = "0 %",
                                      .high = "100 %"},
                                     MODEL_KEYS,
                                     {0}};

/* Only checks that the block exists: case_apply_split reads its entries after the openings. */
static void read_territories(case_reader *r, const case_node *node, void *target) {
    (void)target;
    if (node->kind != NODE_BLOCK || node->n == 0)
        case_problem_value(&r->problems, node,
                           "give the labels of the territory of each outlet: territory: {RPV: [5, 6, 7, 8], LPV: [2, "
                           "3, 4]}");
}

static const case_key split_labels_keys[] = {
    {.name = "path", .kind = KEY_PATH, .offset = offsetof(case_file, split.labels_path)}, {0}};

const case_key case_territory_keys[] = {{.name = "territory", .kind = KEY_FUNCTION, .read = read_territories},
                                        {.name = "labels", .kind = KEY_BLOCK, .block = split_labels_keys},
                                        {.name = "uncertainty",
                                         .kind = KEY_QUANTITY,
                                         .offset = offsetof(case_file, split.error),
                                         .unit = UNIT_SHARE,
                                         .low = "0 %",
                                         .high = "100 %"},
                                        MODEL_KEYS,
                                        {0}};

static bool is_share(const case_node *node) {
    return node->kind == NODE_SCALAR && (strcmp(node->text, "rest") == 0 || strchr(node->text, '%'));
}

/* True if a split gives pressures, capacitances or uncertainties and no shares. Two of these keys have values in %. */
static bool has_only_model_keys(const case_node *node) {
    for (int k = 0; k < node->n; k++) {
        const char *key = node->child[k].key;
        const bool percent = strcmp(key, "proximal_fraction") == 0 || strcmp(key, "uncertainty") == 0;
        if (!percent && (!find_model_key(key) || is_share(&node->child[k])))
            return false;
    }
    return true;
}

void case_read_split(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    c->split.line = node->line;
    c->split.power = 3;
    if (node->kind == NODE_SCALAR && strcmp(node->text, "murray") == 0)
        c->split.law = SPLIT_MURRAY;
    else if (node->kind == NODE_SCALAR && strcmp(node->text, "territory") == 0) {
        c->split.law = SPLIT_TERRITORY;
        case_problem_value(&r->problems, node,
                           "has no territories: write {labels: {path: images/segments.nii.gz}, territory: {RPV: [5, 6, "
                           "7, 8], LPV: [2, 3, 4]}}");
    } else if (node->kind != NODE_BLOCK || node->n == 0)
        case_problem_value(&r->problems, node,
                           "write murray, {murray: 2, uncertainty: 20 %%}, a share of each outlet: {RPV: 60 %%, LPV: "
                           "rest}, or labels and territory");
    else if (case_node_find(node, "murray")) {
        c->split.law = SPLIT_MURRAY;
        case_block(r, node, case_murray_keys, c);
    } else if (case_node_find(node, "territory") || case_node_find(node, "labels")) {
        static const char *const required[][2] = {
            {"labels", "the label image of the territories: labels: {path: images/segments.nii.gz}"},
            {"territory", "the labels of each outlet: territory: {RPV: [5, 6, 7, 8], LPV: [2, 3, 4]}"}};
        c->split.law = SPLIT_TERRITORY;
        case_block(r, node, case_territory_keys, c);
        require_keys(r, node, 2, required);
        const case_node *labels = case_node_find(node, "labels");
        if (labels && labels->kind == NODE_BLOCK && !case_node_find(labels, "path"))
            case_problem_value(&r->problems, labels, "has no path: labels: {path: images/segments.nii.gz}");
    } else if (has_only_model_keys(node)) {
        c->split.law = SPLIT_MURRAY; /* the key counts as given, so that no second problem is reported for it */
        case_problem_value(&r->problems, node,
                           "does not say how the outlets share the flow: add murray: 3, a share of each outlet, or "
                           "labels and territory");
        case_block(r, node, case_murray_keys, c);
    } else
        c->split.law = SPLIT_SHARES;
}

/* The outlet that an entry of the split names; NULL: a problem was added. */
static case_opening *find_outlet(case_reader *r, const case_node *node) {
    const case_file *c = r->c;
    const char *name[256];
    int n = 0;
    for (int k = 0; k < c->n_opening && n < 256; k++) {
        if (!c->opening[k].name || c->opening[k].role != ROLE_OUTLET)
            continue;
        if (strcmp(c->opening[k].name, node->key) == 0)
            return &c->opening[k];
        name[n++] = c->opening[k].name;
    }
    const char *near = spelling_nearest_word(node->key, name, n);
    case_problem_key(&r->problems, node, "no outlet of the case has this name%s%s%s", near ? "; did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
    return NULL;
}

/* Reads the share of one outlet. */
static void read_share(case_reader *r, const case_node *node) {
    static const case_key share = {.name = "share",
                                   .kind = KEY_QUANTITY,
                                   .offset = offsetof(case_opening, value),
                                   .error = offsetof(case_opening, value_error),
                                   .unit = UNIT_SHARE,
                                   .low = "0 %",
                                   .high = "100 %"};
    case_opening *o = find_outlet(r, node);
    if (!o)
        return;
    if (o->condition >= 0 && o->condition != CONDITION_SPLIT) {
        case_problem_key(&r->problems, node,
                         "this outlet has both a share and a condition of its own; remove one of the two");
        return;
    }
    o->condition = CONDITION_SPLIT;
    o->split_rest = node->kind == NODE_SCALAR && strcmp(node->text, "rest") == 0;
    if (!o->split_rest)
        case_value(r, node, &share, o);
}

/* True if an outlet before `o`, or `o` itself among its first n labels, has this label; names the outlet. */
static bool label_is_used(const case_file *c, const case_opening *o, int n, int label, const char **by) {
    for (const case_opening *other = c->opening; other <= o; other++)
        for (int k = 0; k < (other == o ? n : other->n_territory); k++)
            if (other->territory[k] == label) {
                *by = other->name;
                return true;
            }
    return false;
}

/* Reads the labels of the territory of one outlet. */
static void read_territory(case_reader *r, const case_node *node) {
    static const case_key value = {.name = "territory", .kind = KEY_INTEGER, .low = "1", .high = "1000000"};
    enum { LABELS = 1000 };
    case_opening *o = find_outlet(r, node);
    if (!o)
        return;
    if (o->condition >= 0) {
        case_problem_key(&r->problems, node,
                         "this outlet has both a territory and a condition of its own; remove one of the two");
        return;
    }
    o->condition = CONDITION_SPLIT;
    o->value = 1;
    if (!case_list(r, node, 1, LABELS, "whole numbers: the labels of the territory"))
        return;
    o->territory = case_allocate(r, node->n, sizeof *o->territory);
    for (int k = 0; o->territory && k < node->n; k++)
        if (case_value(r, &node->child[k], &value, &o->territory[o->n_territory]))
            o->n_territory++;
}

/* Checks that each label belongs to one outlet, and that each outlet without a condition has a territory. */
static void check_territories(case_reader *r, const case_node *node) {
    const case_file *c = r->c;
    const char *by = "";
    for (const case_opening *o = c->opening; o < c->opening + c->n_opening; o++) {
        if (o->role == ROLE_OUTLET && o->condition < 0)
            case_problem_key(&r->problems, node,
                             "the outlet '%s' has no territory; give its labels in 'territory', or give the "
                             "outlet a condition of its own",
                             o->name ? o->name : "");
        for (int k = 0; k < o->n_territory; k++)
            if (label_is_used(c, o, k, o->territory[k], &by)) {
                case_problem_key(&r->problems, node, "label %d belongs to '%s' and to '%s'; give it to one outlet",
                                 o->territory[k], by, o->name);
                return;
            }
    }
}

/* Checks the sum of the shares. The outlet `rest` gets the remaining share. */
static void check_shares(case_reader *r, const case_node *node) {
    const double rounding = 1e-9;
    case_opening *rest = NULL;
    double sum = 0;
    for (int k = 0; k < r->c->n_opening; k++) {
        case_opening *o = &r->c->opening[k];
        if (o->condition != CONDITION_SPLIT)
            continue;
        if (o->split_rest && rest) {
            case_problem_key(&r->problems, node, "only one outlet can have the rest, but '%s' and '%s' do", rest->name,
                             o->name);
            return;
        }
        rest = o->split_rest ? o : rest;
        sum += o->split_rest ? 0 : o->value;
    }
    if (sum > 1 + rounding || (rest && sum >= 1))
        case_problem_key(&r->problems, node, "the shares add up to %.6g %%%s (limit 100 %%)", 100 * sum,
                         rest ? " before the rest" : "");
    else if (!rest && sum < 1 - rounding)
        case_problem_key(&r->problems, node,
                         "the shares add up to %.6g %%, not to 100 %%: give the last outlet the share rest", 100 * sum);
    if (!rest)
        for (int k = 0; k < r->c->n_opening; k++)
            rest = r->c->opening[k].condition == CONDITION_SPLIT ? &r->c->opening[k] : rest;
    if (!rest)
        return;
    sum -= rest->split_rest ? 0 : rest->value; /* if all shares are given, the last one follows from the others */
    rest->split_rest = true;
    rest->value = 1 - sum;
    rest->value_error = 0;
}

/* True if an entry of the split is the share of an outlet that has the name of a key of model_keys. */
static bool is_share_of_outlet(const case_file *c, const case_node *node) {
    if (c->split.law != SPLIT_SHARES || !is_share(node))
        return false;
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role == ROLE_OUTLET && c->opening[k].name && strcmp(c->opening[k].name, node->key) == 0)
            return true;
    return false;
}

/* The entry of a split with a key of model_keys; NULL: none. */
static const case_node *find_model(const case_file *c, const case_node *split, const char *key) {
    const case_node *node = case_node_find(split, key);
    return node && !is_share_of_outlet(c, node) ? node : NULL;
}

/* Refuses, in a split by shares: an outlet whose name is also a key of the split, and an outlet with a share of 0,
 * which has no resistance. */
static void check_model_outlets(case_reader *r, const case_node *node) {
    const double rounding = 1e-9;
    for (int k = 0; r->c->split.law == SPLIT_SHARES && k < node->n; k++) {
        const case_node *entry = &node->child[k];
        if (find_model_key(entry->key) && is_share_of_outlet(r->c, entry))
            case_problem_key(&r->problems, entry,
                             "is also a key of split, which mean_pressure needs; give this outlet another name");
    }
    for (int k = 0; r->c->split.law == SPLIT_SHARES && k < r->c->n_opening; k++) {
        const case_opening *o = &r->c->opening[k];
        if (o->condition == CONDITION_SPLIT && !o->split_rest && o->value <= rounding)
            case_problem_key(&r->problems, case_node_find(node, o->name),
                             "without a share of the flow an outlet has no resistance; give it a share above 0 %%, or "
                             "a flow");
    }
}

/* Checks the keys that make resistances or Windkessels of the outlets. */
static void check_split_models(case_reader *r, const case_node *node) {
    const case_file *c = r->c;
    const bool given = find_model(c, node, "mean_pressure") != NULL;
    for (const case_key *key = model_keys + 1; key->name && !given; key++)
        if (find_model(c, node, key->name)) {
            case_problem_key(&r->problems, find_model(c, node, key->name),
                             "has no effect without mean_pressure; add the mean pressure at the outlets, such as "
                             "mean_pressure: 93 mmHg, or remove this key");
            return;
        }
    if (!given)
        return;
    check_model_outlets(r, node);
    if (!case_node_find(node, "distal"))
        case_problem_value(&r->problems, node,
                           "has mean_pressure but no distal: give the pressure behind the resistances, such as "
                           "distal: 5 mmHg");
    else if (c->split.mean_pressure_pa <= c->split.distal_pa)
        case_problem_key(&r->problems, case_node_find(node, "mean_pressure"),
                         "%.4g mmHg must exceed distal, %.4g mmHg; correct one of the two",
                         units_pa_to_mmhg(c->split.mean_pressure_pa), units_pa_to_mmhg(c->split.distal_pa));
    else if (c->split.mean_pressure_pa - c->split.distal_pa <=
             hypot(c->split.pressure_error[SPLIT_MEAN_PRESSURE], c->split.pressure_error[SPLIT_DISTAL]))
        case_problem_key(&r->problems, case_node_find(node, "mean_pressure"),
                         "the resistances follow from its difference to distal, %.4g +- %.2g mmHg, which must be "
                         "above 0 in its whole interval; give smaller uncertainties",
                         units_pa_to_mmhg(c->split.mean_pressure_pa - c->split.distal_pa),
                         units_pa_to_mmhg(hypot(c->split.pressure_error[SPLIT_MEAN_PRESSURE],
                                                c->split.pressure_error[SPLIT_DISTAL])));
    if (find_model(c, node, "proximal_fraction") && !find_model(c, node, "capacitance"))
        case_problem_key(&r->problems, case_node_find(node, "proximal_fraction"),
                         "belongs to capacitance; give the capacitance of all outlets together, such as capacitance: "
                         "1 mL/mmHg, or remove this key");
    if (c->solve.opening == OPENING_ZOU_HE || c->solve.heat.on)
        case_problem_key(&r->problems, case_node_find(node, "mean_pressure"),
                         "resistances need %s; remove mean_pressure or change solve",
                         c->solve.heat.on ? "a case without solve.heat" : "solve.opening: half-way");
}

/* Gives the uncertainty of the split to the outlets whose share a run of the grid sequence changes. The shares of two
 * outlets are one input: the second follows from the first. */
static void set_split_errors(case_file *c) {
    case_opening *first = NULL;
    int n = 0;
    for (int k = 0; k < c->n_opening; k++)
        n += c->opening[k].condition == CONDITION_SPLIT;
    for (int k = 0; k < c->n_opening; k++) {
        case_opening *o = &c->opening[k];
        if (o->condition == CONDITION_SPLIT && (n > 2 || (n == 2 && !first)))
            o->value_error = c->split.error;
        first = !first && o->condition == CONDITION_SPLIT ? o : first;
    }
}

static bool inflow_is_known(const case_file *c) {
    int n = 0;
    for (int k = 0; k < c->n_opening; k++) {
        n += c->opening[k].role == ROLE_INLET;
        if (c->opening[k].role == ROLE_INLET && case_opening_is_free(&c->opening[k]))
            return false;
    }
    return n > 0;
}

void case_apply_split(case_reader *r, const case_node *root) {
    case_file *c = r->c;
    const case_node *node = case_node_find(root, "split");
    int n = 0;
    if (!node || c->split.law == SPLIT_NONE)
        return;
    for (int k = 0; c->split.law == SPLIT_SHARES && k < node->n; k++) {
        const case_node *entry = &node->child[k];
        if (find_model_key(entry->key) && !is_share_of_outlet(c, entry))
            read_model_value(r, entry, c);
        else
            read_share(r, entry);
    }
    const case_node *territory = c->split.law == SPLIT_TERRITORY ? case_node_find(node, "territory") : NULL;
    for (int k = 0; territory && territory->kind == NODE_BLOCK && k < territory->n; k++)
        read_territory(r, &territory->child[k]);
    if (territory && territory->kind == NODE_BLOCK && territory->n > 0)
        check_territories(r, territory);
    for (int k = 0; k < c->n_opening; k++) {
        case_opening *o = &c->opening[k];
        /* with territories, each outlet that has none was named above */
        if (c->split.law != SPLIT_SHARES && o->role == ROLE_OUTLET && o->condition < 0) {
            o->condition = CONDITION_SPLIT;
            o->value = 1;
        }
        n += o->condition == CONDITION_SPLIT;
    }
    check_split_models(r, node);
    if (c->split.law == SPLIT_SHARES)
        check_shares(r, node);
    else
        set_split_errors(c);
    if (n == 0 && c->split.law == SPLIT_MURRAY)
        case_problem_key(&r->problems, node, "every outlet has a condition of its own; remove split or the conditions");
    if (!inflow_is_known(c))
        case_problem_key(&r->problems, node,
                         "needs a flow or velocity at every inlet; an inlet with a pressure has none");
    for (int k = 0; k < c->n_opening && n > 0; k++)
        if (c->opening[k].role == ROLE_OUTLET && case_opening_is_free(&c->opening[k])) {
            case_problem_key(&r->problems, node,
                             "divides the inflow among the outlets, but the flow of '%s' follows from its pressure; "
                             "remove split or the condition of this outlet",
                             c->opening[k].name ? c->opening[k].name : "");
            return;
        }
}

/* ------------------------------------------------------------------------------------------- text */

static double clinical(double resistance_pa_s_m3) {
    return resistance_pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L;
}

/* Writes the interval of a pressure, such as " +- 2"; "" if the pressure is exact. */
static void write_pressure_error(double error_pa, const char *plus_minus, char text[40]) {
    text[0] = '\0';
    if (error_pa > 0)
        snprintf(text, 40, " %s %.2g", plus_minus, units_pa_to_mmhg(error_pa));
}

/* Writes the share of an outlet of a split; "" for all other openings. Returns the length. */
static size_t write_share(const case_file *c, const case_opening *o, const char *plus_minus, char text[CASE_MODEL]) {
    const bool given = c->split.law == SPLIT_SHARES;
    const double error = !given ? c->split.error : o->value > 0 ? o->value_error / o->value : 0;
    const bool model = isfinite(c->split.mean_pressure_pa);
    char uncertainty[40] = "", law[80] = "", pressure[120] = "", pressure_error[40];
    text[0] = '\0';
    if (!isfinite(o->split_share) && o->condition != CONDITION_SPLIT)
        return 0;
    if (c->split.law == SPLIT_MURRAY)
        snprintf(law, sizeof law, " by Murray's law, radius to the power %.3g", c->split.power);
    else if (c->split.law == SPLIT_TERRITORY)
        snprintf(law, sizeof law, " by the volume of its territory, %.4g mL", o->territory_ml);
    write_pressure_error(c->split.pressure_error[SPLIT_MEAN_PRESSURE], plus_minus, pressure_error);
    if (model) /* the vessel's own pressure drop changes the share, so the share is no result */
        snprintf(pressure, sizeof pressure, "%s at %.4g%s mmHg", *law ? "," : "",
                 units_pa_to_mmhg(c->split.mean_pressure_pa), pressure_error);
    const double share = isfinite(o->split_share) ? o->split_share : given ? o->value : NAN;
    /* half-width in percent of the inflow, or of the share if it is unknown; less above 1/2 (case_split_error) */
    const double points = !isfinite(share) ? error : error * (given ? share : fmin(share, 1 - share));
    if (error > 0)
        snprintf(uncertainty, sizeof uncertainty, " %s %.2g", plus_minus, 100 * points);
    int n = snprintf(text, CASE_MODEL, "%s%s%s", given ? "" : "assumed: ",
                     !model                                 ? ""
                     : isfinite(c->split.capacitance_m3_pa) ? "Windkessel"
                                                            : "resistance",
                     model ? " chosen for " : "");
    if (isfinite(share))
        n += snprintf(text + n, CASE_MODEL - (size_t)n, "%.4g%s %%", 100 * share, uncertainty);
    else
        n += snprintf(text + n, CASE_MODEL - (size_t)n, "%sshare%s%s", model ? "a " : "", uncertainty,
                      error > 0 ? " %" : "");
    n += snprintf(text + n, CASE_MODEL - (size_t)n, " of the inflow%s%s%s", given && o->split_rest ? " (the rest)" : "",
                  law, pressure);
    return (size_t)n;
}

const char *case_write_model(const case_file *c, const case_opening *o, const char *plus_minus, char text[CASE_MODEL]) {
    char error[40] = "", capacitance_error[40] = "", distal_error[40] = "";
    size_t n = write_share(c, o, plus_minus, text);
    if (n > 0 && case_opening_is_model(o))
        n += (size_t)snprintf(text + n, CASE_MODEL - n, ": ");
    if (n == 0 && o->value_error > 0 && o->value > 0)
        snprintf(error, sizeof error, " %s %.2g %%", plus_minus, 100 * o->value_error / o->value);
    if (o->capacitance_error > 0)
        snprintf(capacitance_error, sizeof capacitance_error, " %s %.2g %%", plus_minus,
                 100 * o->capacitance_error / o->capacitance_m3_pa);
    write_pressure_error(n > 0 ? c->split.pressure_error[SPLIT_DISTAL] : o->distal_error, plus_minus, distal_error);
    if (o->condition == CONDITION_RESISTANCE)
        snprintf(text + n, CASE_MODEL - n, "%s%.4g mmHg min/L%s, %s pressure %.4g%s mmHg", n > 0 ? "" : "resistance ",
                 clinical(o->value), error, o->role == ROLE_INLET ? "source" : "distal", units_pa_to_mmhg(o->distal_pa),
                 distal_error);
    else if (o->condition == CONDITION_WINDKESSEL)
        snprintf(text + n, CASE_MODEL - n,
                 "%sresistances %.4g (proximal) and %.4g mmHg min/L%s, capacitance %.4g mL/mmHg%s, distal "
                 "pressure %.4g%s mmHg",
                 n > 0 ? "" : "Windkessel: ", clinical(o->value * o->proximal_part),
                 clinical(o->value * (1 - o->proximal_part)), error, 1e6 * o->capacitance_m3_pa * UNITS_PA_PER_MMHG,
                 capacitance_error, units_pa_to_mmhg(o->distal_pa), distal_error);
    return text;
}
