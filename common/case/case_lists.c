/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: reads lists, vectors, the unit of a surface, sections, readouts and instants.
 * Also case_stage_is_assumed and case_write_liver of case.h. */
#include "common/case/case_reader.h"
#include "common/liver/compartments.h"
#include "common/surface/surface.h"
#include "common/cli/spelling.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED_MAX = 1000, LABEL_MAX = 1000, SECTION_MAX = 250, READOUT_MAX = 250, INSTANT_MAX = 12 };

void case_read_seeds(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 1, SEED_MAX, "points [x, y, z]"))
        return;
    c->segment.seed = case_allocate(r, node->n, sizeof *c->segment.seed);
    c->segment.seed_line = case_allocate(r, node->n, sizeof *c->segment.seed_line);
    for (int k = 0; c->segment.seed && c->segment.seed_line && k < node->n; k++) {
        c->segment.seed_line[c->segment.n_seed] = node->child[k].line;
        c->segment.n_seed += case_point(r, &node->child[k], c->segment.seed[c->segment.n_seed]);
    }
}

void case_read_label_values(case_reader *r, const case_node *node, void *target) {
    static const case_key value = {.name = "values", .kind = KEY_INTEGER, .low = "1", .high = "1000000"};
    case_file *c = target;
    if (!case_list(r, node, 1, LABEL_MAX, "whole numbers"))
        return;
    c->segment.label_value = case_allocate(r, node->n, sizeof *c->segment.label_value);
    for (int k = 0; c->segment.label_value && k < node->n; k++)
        c->segment.n_label_value +=
            case_value(r, &node->child[k], &value, &c->segment.label_value[c->segment.n_label_value]);
}

void case_read_surface_unit(case_reader *r, const case_node *node, void *target) {
    static const case_key unit = {.name = "unit", .kind = KEY_CHOICE, .choices = SURFACE_UNITS};
    case_file *c = target;
    int choice;
    if (case_value(r, node, &unit, &choice))
        c->segment.surface_unit_mm = surface_units_mm[choice];
}

void case_read_periodic(case_reader *r, const case_node *node, void *target) {
    static const case_key axis = {.name = "periodic", .kind = KEY_CHOICE, .choices = "x|y|z"};
    case_file *c = target;
    int choice;
    if (!case_list(r, node, 0, 3, "axes (x, y, z)"))
        return;
    for (int k = 0; k < node->n; k++) {
        if (!case_value(r, &node->child[k], &axis, &choice))
            continue;
        if (c->mesh.periodic[choice])
            case_problem_value(&r->problems, &node->child[k], "the axis '%s' is given twice; keep one of the two",
                               node->child[k].text);
        c->mesh.periodic[choice] = true;
    }
}

/* Values of the block {vector: .., unit: ..}. */
typedef struct {
    double vector[3];
    char *unit;
} vector_block;

static const case_key vector_keys[] = {{.name = "vector", .kind = KEY_POINT, .offset = offsetof(vector_block, vector)},
                                       {.name = "unit", .kind = KEY_TEXT, .offset = offsetof(vector_block, unit)},
                                       {0}};

bool case_vector(case_reader *r, const case_node *node, enum units_kind kind, double vector[3]) {
    vector_block read = {{NAN, NAN, NAN}, NULL};
    char text[64], reason[UNITS_REASON_MAX];
    double factor = 0;
    int before = r->problems.n + r->problems.n_more;
    case_block(r, node, vector_keys, &read);
    bool good = r->problems.n + r->problems.n_more == before;
    if (good && (isnan(read.vector[0]) || !read.unit)) {
        case_problem_value(&r->problems, node, "needs both: {vector: [x, y, z], unit: ..} with a unit of %s",
                           units_list(kind));
        good = false;
    }
    if (good) {
        snprintf(text, sizeof text, "1 %.40s", read.unit);
        if (units_check(text, kind, &factor, reason) != 0) {
            case_problem_value(&r->problems, case_node_find(node, "unit"), "'%.40s' is not one of the units %s",
                               read.unit, units_list(kind));
            good = false;
        }
    }
    for (int a = 0; good && a < 3; a++)
        vector[a] = factor * read.vector[a];
    free(read.unit);
    return good;
}

void case_read_force(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    case_vector(r, node, UNIT_ACCELERATION_M_S2, c->solve.force_m_s2);
}

void case_read_accuracy(case_reader *r, const case_node *node, void *target) {
    static const double low = 2, high = 50; /* range of solve.accuracy, percent; interval_of_lattices gives no
                                             * discretization error below 2 % (cumulants: 1.25 %) */
    case_file *c = target;
    char number[24], reason[UNITS_REASON_MAX];
    double percent = NAN;
    const char *text = node->kind == NODE_SCALAR ? node->text : "";
    const size_t n = strcspn(text, "%");
    snprintf(number, sizeof number, "%.*s", (int)(n < sizeof number ? n : 0), text);
    if (strcmp(text, "auto") != 0 &&
        (strcmp(text + n, "%") != 0 || units_check(number, UNIT_NONE, &percent, reason) != OK || percent < low ||
         percent > high)) {
        case_problem_value(&r->problems, node, "must be auto or a percentage of %.0f %% to %.0f %%, such as 5 %%", low,
                           high);
        return;
    }
    c->solve.accuracy = 0.01 * percent;
    c->solve.accuracy_is_given = true;
}

void case_read_normal(case_reader *r, const case_node *node, bool *is_auto, double normal[3]) {
    double n[3];
    if (node->kind == NODE_SCALAR) {
        if (strcmp(node->text, "auto") != 0)
            case_problem_value(&r->problems, node, "'%.40s' is neither auto nor a direction [x, y, z]", node->text);
        *is_auto = true;
        return;
    }
    if (!case_point(r, node, n))
        return;
    double length = vec_length(n);
    if (!(length > 1e-9)) {
        case_problem_value(&r->problems, node, "has no length: write a direction other than [0, 0, 0], or auto");
        return;
    }
    *is_auto = false;
    const double unit = fabs(length - 1) < 1e-12 ? 1 : length; /* a unit vector keeps all bits */
    for (int a = 0; a < 3; a++)
        normal[a] = n[a] / unit;
}

static void read_section_normal(case_reader *r, const case_node *node, void *target) {
    case_section *s = target;
    case_read_normal(r, node, &s->normal_auto, s->normal);
}

/* A length, or a share of the length of the branch. */
static void read_section_at(case_reader *r, const case_node *node, void *target) {
    static const case_key length = {.name = "at",
                                    .kind = KEY_QUANTITY,
                                    .offset = offsetof(case_section, at_mm),
                                    .unit = UNIT_LENGTH_MM,
                                    .low = "0 mm",
                                    .high = "10000 mm"},
                          part = {.name = "at",
                                  .kind = KEY_QUANTITY,
                                  .offset = offsetof(case_section, at_part),
                                  .unit = UNIT_SHARE,
                                  .low = "0 %",
                                  .high = "100 %"};
    case_value(r, node, node->kind == NODE_SCALAR && strchr(node->text, '%') ? &part : &length, target);
}

const case_key case_section_keys[] = {{.name = "name", .kind = KEY_NAME, .offset = offsetof(case_section, name)},
                                      {.name = "point", .kind = KEY_POINT, .offset = offsetof(case_section, point)},
                                      {.name = "normal", .kind = KEY_FUNCTION, .read = read_section_normal},
                                      {.name = "branch", .kind = KEY_NAME, .offset = offsetof(case_section, branch)},
                                      {.name = "at", .kind = KEY_FUNCTION, .read = read_section_at},
                                      {0}};

void case_read_sections(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 0, SECTION_MAX, "sections"))
        return;
    c->section = case_allocate(r, node->n, sizeof *c->section);
    for (int k = 0; c->section && k < node->n; k++) {
        case_section *s = &c->section[c->n_section++];
        *s = (case_section){
            .normal_auto = true, .point = {NAN, NAN, NAN}, .at_mm = NAN, .at_part = NAN, .line = node->child[k].line};
        case_block(r, &node->child[k], case_section_keys, s);
    }
}

enum { LIVER_RESISTANCE, LIVER_LOBULES, LIVER_OUTLETS, LIVER_COMPARTMENTS }; /* order of the choices of the key model */

/* Values of the block `liver` before they are copied into the readout. */
typedef struct {
    int model;
    double value, error;
    lobule_quantity lost_share;
    int stage;
    lobule_liver lobules;
    case_liver_labels labels;
    case_compartments compartments;
} liver_block;

static void read_liver_values(case_reader *r, const case_node *node, void *target) {
    static const case_key value = {.name = "values", .kind = KEY_INTEGER, .low = "1", .high = "1000000"};
    case_liver_labels *l = &((liver_block *)target)->labels;
    if (!case_list(r, node, 1, LABEL_MAX, "whole numbers"))
        return;
    l->value = case_allocate(r, node->n, sizeof *l->value);
    for (int k = 0; l->value && k < node->n; k++)
        l->n += case_value(r, &node->child[k], &value, &l->value[l->n]);
}

static void read_vein_ends(case_reader *r, const case_node *node, void *target) {
    case_compartments *c = &((liver_block *)target)->compartments;
    if (!case_list(r, node, 1, SEED_MAX, "points [[x, y, z]]"))
        return;
    if (node->child[0].kind == NODE_SCALAR) {
        case_problem_value(&r->problems, node, "each end of a hepatic vein is a point: [[x, y, z], ...]");
        return;
    }
    c->end = case_allocate(r, node->n, sizeof *c->end);
    for (int k = 0; c->end && k < node->n; k++)
        c->n_end += case_point(r, &node->child[k], c->end[c->n_end]);
    for (int k = 1; k < c->n_end; k++)
        for (int m = 0; m < k; m++)
            if (memcmp(c->end[m], c->end[k], sizeof *c->end) == 0) {
                case_problem_value(&r->problems, node, "two ends of hepatic veins are the same point; remove one");
                return;
            }
}

static const case_key liver_labels_keys[] = {
    {.name = "path", .kind = KEY_PATH, .offset = offsetof(liver_block, labels.path)},
    {.name = "values", .kind = KEY_FUNCTION, .read = read_liver_values},
    {0}};

#define LOBULE(name_, member, unit_, low_, high_)                                                                      \
    {                                                                                                                  \
        .name = (name_), .kind = KEY_QUANTITY, .offset = offsetof(liver_block, lobules.member.value),                  \
        .error = offsetof(liver_block, lobules.member.error), .unit = (unit_), .low = (low_), .high = (high_)          \
    }
#define VEINS(name_, k_)                                                                                               \
    {                                                                                                                  \
        .name = (name_), .kind = KEY_QUANTITY,                                                                         \
        .offset = offsetof(liver_block, compartments.permeability_m2[k_].value),                                       \
        .error = offsetof(liver_block, compartments.permeability_m2[k_].error), .unit = UNIT_PERMEABILITY_M2,          \
        .low = "1e-11 m2", .high = "1e-5 m2"                                                                           \
    }
static const case_key liver_keys[] = {
    {.name = "model",
     .kind = KEY_CHOICE,
     .offset = offsetof(liver_block, model),
     .choices = "resistance|lobules|outlets|compartments"},
    {.name = "value",
     .kind = KEY_QUANTITY,
     .offset = offsetof(liver_block, value),
     .error = offsetof(liver_block, error),
     .unit = UNIT_RESISTANCE,
     .low = "0 mmHg min/L",
     .high = "1000 mmHg min/L"},
    {.name = "lost_share",
     .kind = KEY_QUANTITY,
     .offset = offsetof(liver_block, lost_share.value),
     .error = offsetof(liver_block, lost_share.error),
     .unit = UNIT_SHARE,
     .low = "0 %",
     .high = "95 %"},
    /* F0 (no fibrosis) and F4 (cirrhosis) of the METAVIR score are other names of healthy and cirrhosis */
    {.name = "stage",
     .kind = KEY_CHOICE,
     .offset = offsetof(liver_block, stage),
     .choices = LOBULE_STAGE_CHOICES "|F0|F4"},
    LOBULE("volume", volume_ml, UNIT_VOLUME_ML, "0.1 L", "10 L"),
    LOBULE("lobule_radius", radius_mm, UNIT_LENGTH_MM, "0.1 mm", "5 mm"),
    LOBULE("vein_radius", vein_radius_mm, UNIT_LENGTH_MM, "0.001 mm", "1 mm"),
    LOBULE("permeability", permeability_m2, UNIT_PERMEABILITY_M2, "1e-18 m2", "1e-9 m2"),
    LOBULE("arterial_share", arterial_share, UNIT_SHARE, "0 %", "90 %"),
    {.name = "labels", .kind = KEY_BLOCK, .block = liver_labels_keys},
    {.name = "hepatic_pressure",
     .kind = KEY_QUANTITY,
     .offset = offsetof(liver_block, compartments.hepatic_pa),
     .unit = UNIT_PRESSURE_PA,
     .low = "-50 mmHg",
     .high = "100 mmHg"},
    {.name = "hepatic_veins", .kind = KEY_FUNCTION, .read = read_vein_ends},
    VEINS("portal_permeability", COMPARTMENT_PORTAL),
    VEINS("hepatic_permeability", COMPARTMENT_HEPATIC),
    {0}};

/* Gives the missing keys of the block their default values. case_apply_livers sets the viscosity later. */
static void take_lobules(const liver_block *liver, case_readout *o) {
    o->liver_lobules = true;
    o->liver_stage = liver->stage < LOBULE_STAGES    ? liver->stage
                     : liver->stage == LOBULE_STAGES ? LOBULE_HEALTHY    /* F0 */
                                                     : LOBULE_CIRRHOSIS; /* F4 */
    o->lobules = lobule_default_liver(o->liver_stage);
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        o->lobules_given[k] = !isnan(liver->lobules.quantity[k].value);
        if (o->lobules_given[k])
            o->lobules.quantity[k] = liver->lobules.quantity[k];
    }
    o->liver_labels = liver->labels;
}

static void take_compartments(case_reader *r, const case_node *node, const liver_block *liver, case_readout *o) {
    o->compartments = case_allocate(r, 1, sizeof *o->compartments);
    if (!o->compartments) {
        free(liver->compartments.end);
        return;
    }
    *o->compartments = liver->compartments;
    for (int k = 0; k < 2; k++) {
        lobule_quantity *q = &o->compartments->permeability_m2[k];
        o->compartments->permeability_given[k] = !isnan(q->value);
        if (isnan(q->value))
            *q = compartments_default_permeability_m2();
        if (q->error >= q->value)
            case_problem_value(&r->problems, node,
                               "%s_permeability must be above 0 over its whole interval; give a smaller uncertainty",
                               k == COMPARTMENT_PORTAL ? "portal" : "hepatic");
    }
}

/* The first problem of the keys of a liver with its model; NULL: none. */
static const char *find_liver_problem(const liver_block *l, bool lobules) {
    const case_compartments *c = &l->compartments;
    if (!isnan(l->lost_share.value) && l->model != LIVER_RESISTANCE && l->model != LIVER_LOBULES)
        return "lost_share belongs to model: resistance and model: lobules; with model: compartments take the lost "
               "part out of the label image, with model: outlets remove its outlet";
    if (l->lost_share.value + l->lost_share.error >= 1)
        return "lost_share must be below 100 % over its whole interval; give a smaller uncertainty";
    const bool value = !isnan(l->value), measured = !isnan(l->lobules.volume_ml.value);
    const bool labels = l->labels.path || l->labels.n > 0;
    const bool compartments =
        c->end || !isnan(c->hepatic_pa) || !isnan(c->permeability_m2[0].value) || !isnan(c->permeability_m2[1].value);
    if (l->model == LIVER_COMPARTMENTS) {
        if (value || measured)
            return "model: compartments takes the volume and the resistance of the liver from its label; remove volume "
                   "and value";
        if (!l->labels.path || l->stage < 0)
            return "needs the label of the liver and its stage: {model: compartments, labels: {path: labels.nii.gz, "
                   "values: [5]}, stage: healthy, hepatic_pressure: 5 mmHg}";
        return isnan(c->hepatic_pa) ? "needs the pressure at the ends of the hepatic veins, such as hepatic_pressure: "
                                      "5 mmHg; measured, or an assumption"
                                    : NULL;
    }
    if (compartments)
        return "hepatic_veins, hepatic_pressure and the permeabilities of the veins belong to model: compartments; "
               "remove them or change model";
    if (labels && l->model != LIVER_LOBULES)
        return "labels belongs to model: lobules and model: compartments; remove it or change model";
    if (l->model == LIVER_OUTLETS)
        return value || l->stage >= 0 || lobules
                   ? "with model: outlets the resistances are those of the openings; remove the other keys of liver"
                   : NULL;
    if (l->model == LIVER_LOBULES && value)
        return "value belongs to model: resistance; model: lobules computes the resistance, so remove value";
    if (l->model == LIVER_LOBULES && measured && labels)
        return "volume and labels both give the volume of the liver; remove one of them";
    if (l->model == LIVER_LOBULES)
        return l->stage < 0 || !(measured || l->labels.path)
                   ? "needs the stage, and the volume or a label image of the liver: {model: lobules, volume: 1.5 L, "
                     "stage: healthy}, or labels: {path: labels.nii.gz, values: [5]} in place of volume"
                   : NULL;
    return l->model < 0 || !value || l->stage >= 0 || lobules
               ? "needs the keys model and value and no other: {model: resistance, value: 4.0 mmHg min/L}"
               : NULL;
}

static void read_liver(case_reader *r, const case_node *node, void *target) {
    case_readout *o = target;
    const case_node *size = case_node_find(node, "volume");
    liver_block liver = {.model = -1,
                         .value = NAN,
                         .stage = -1,
                         .lost_share = {NAN, 0},
                         .compartments = {.hepatic_pa = NAN, .permeability_m2 = {{NAN, 0}, {NAN, 0}}}};
    bool lobules = false;
    for (int k = 0; k < LOBULE_QUANTITIES; k++)
        liver.lobules.quantity[k].value = NAN;
    const int before = r->problems.n + r->problems.n_more;
    if (size && size->kind == NODE_SCALAR && strncmp(size->text, "from", 4) == 0) {
        case_problem_value(&r->problems, size,
                           "is a value such as 1.5 L; to take it from a label image, write labels: {path: "
                           "labels.nii.gz, values: [5]} in place of volume");
        return;
    }
    case_block(r, node, liver_keys, &liver);
    for (int k = 0; k < LOBULE_QUANTITIES; k++)
        lobules |= !isnan(liver.lobules.quantity[k].value);
    const bool readable = r->problems.n + r->problems.n_more == before;
    const char *problem = readable ? find_liver_problem(&liver, lobules) : NULL;
    const bool lobule_law = readable && !problem && (liver.model == LIVER_COMPARTMENTS || liver.model == LIVER_LOBULES);
    o->lost_share = liver.lost_share;
    if (problem)
        case_problem_value(&r->problems, node, "%s", problem);
    else if (lobule_law && liver.labels.path && case_find_liver_labels(r->c))
        case_problem_value(&r->problems, node, "only one ppg can have labels of the liver; remove the other");
    else if (lobule_law) {
        take_lobules(&liver, o);
        if (liver.model == LIVER_COMPARTMENTS)
            take_compartments(r, node, &liver, o);
    } else if (readable && liver.model == LIVER_RESISTANCE) {
        case_lose_liver(o, liver.value, liver.error);
    }
    o->liver_outlets = readable && !problem && liver.model == LIVER_OUTLETS;
    if (!o->liver_labels.path)
        case_free_liver(&liver.labels, &liver.compartments);
}

/* Describes the first quantity of a liver that lobule_is_valid refuses: key, value, uncertainty and limit. */
static void write_invalid_lobule(const lobule_liver *l, char *text, size_t size) {
    static const struct {
        const char *key, *unit;
        double factor;
    } keys[LOBULE_QUANTITIES] = {[LOBULE_VOLUME] = {"volume", "L", 1e-3},
                                 [LOBULE_RADIUS] = {"lobule_radius", "mm", 1},
                                 [LOBULE_VEIN] = {"vein_radius", "mm", 1},
                                 [LOBULE_PERMEABILITY] = {"permeability", "m2", 1},
                                 [LOBULE_VISCOSITY] = {"blood viscosity", "mPa s", 1e3},
                                 [LOBULE_SHARE] = {"arterial_share", "%", 100}};
    for (int k = 0; k < LOBULE_QUANTITIES; k++) {
        const lobule_quantity *q = &l->quantity[k];
        const bool is_share = k == LOBULE_SHARE;
        if ((is_share ? q->value >= q->error : q->value > q->error) && (!is_share || q->value + q->error < 1))
            continue;
        snprintf(text, size, "%s is %.3g %s +- %.3g %s, but %s over the whole interval; give a smaller uncertainty",
                 keys[k].key, keys[k].factor * q->value, keys[k].unit, keys[k].factor * q->error, keys[k].unit,
                 is_share ? "must be 0 % to below 100 %" : "must be above 0");
        return;
    }
    snprintf(text, size,
             "vein_radius is %.3g mm +- %.3g mm and lobule_radius %.3g mm +- %.3g mm, but the central vein must be "
             "narrower than the lobule, also at the ends of both intervals; correct a radius or its uncertainty",
             l->vein_radius_mm.value, l->vein_radius_mm.error, l->radius_mm.value, l->radius_mm.error);
}

void case_apply_livers(case_reader *r, const case_node *root) {
    const double viscosity_error = 0.2; /* relative error of the viscosity of blood in sinusoids, assumed */
    for (int k = 0; k < r->c->n_readout; k++) {
        case_readout *o = &r->c->readout[k];
        if (!o->liver_lobules)
            continue;
        const case_node *item = &case_node_find(root, "readouts")->child[k];
        const case_node *liver = case_node_find(case_node_find(item, "ppg"), "liver");
        const double viscosity_pa_s = r->c->blood.viscosity_pa_s;
        lobule_liver l = o->lobules;
        o->lobules.viscosity_pa_s = l.viscosity_pa_s =
            (lobule_quantity){viscosity_pa_s, viscosity_error * viscosity_pa_s};
        if (o->liver_labels.path)
            l.volume_ml = (lobule_quantity){1000, 0}; /* any valid volume; post measures it */
        if (lobule_is_valid(&l)) {
            if (!o->liver_labels.path)
                case_take_lobules(o, &l);
            continue;
        }
        char text[300];
        write_invalid_lobule(&l, text, sizeof text);
        case_problem_key(&r->problems, liver, "%s", text);
    }
}

void case_lose_liver(case_readout *o, double resistance, double error) {
    const bool loses = o->lost_share.value > 0;
    const double rest = loses ? 1 - o->lost_share.value : 1, half = loses ? o->lost_share.error : 0;
    const double by_share = 0.5 * (1 / (rest - half) - 1 / (rest + half));
    o->liver_resistance = resistance / rest;
    o->liver_error = hypot(error / rest, resistance * by_share);
}

void case_take_lobules(case_readout *o, const lobule_liver *l) {
    double error, resistance = lobule_resistance(l, &error);
    case_lose_liver(o, resistance, error);
    lobule_bounds(l, o->liver_bound);
    for (int k = 0; k < 2; k++)
        o->liver_bound[k] *= o->liver_resistance / resistance;
}

bool case_has_whole_liver(const case_readout *o) {
    return o->kind == READOUT_PPG && (o->liver_resistance > 0 || o->liver_labels.path);
}

bool case_stage_is_assumed(const case_readout *o) {
    return o->liver_lobules && lobule_stage_is_assumed(o->liver_stage) && !o->lobules_given[LOBULE_PERMEABILITY];
}

/* "healthy liver", "stage F2 (an assumption)" */
static void write_stage(const case_readout *o, char *text, size_t size) {
    if (o->liver_stage == LOBULE_HEALTHY || o->liver_stage == LOBULE_CIRRHOSIS)
        snprintf(text, size, "%s liver", o->liver_stage == LOBULE_CIRRHOSIS ? "cirrhotic" : "healthy");
    else
        snprintf(text, size, "stage %s%s", lobule_stage_name(o->liver_stage),
                 case_stage_is_assumed(o) ? " (an assumption)" : "");
}

const char *case_write_liver(const case_readout *o, const char *plus_minus, char text[CASE_LIVER]) {
    static const struct {
        const char *name, *unit;
        double factor;
    } quantity[LOBULE_QUANTITIES] = {[LOBULE_VOLUME] = {"liver volume", "L", 1e-3},
                                     [LOBULE_RADIUS] = {"lobule radius", "mm", 1},
                                     [LOBULE_VEIN] = {"central vein radius", "mm", 1},
                                     [LOBULE_PERMEABILITY] = {"permeability of the sinusoids", "m2", 1},
                                     [LOBULE_VISCOSITY] = {"blood viscosity", "mPa s", 1e3},
                                     [LOBULE_SHARE] = {"share of the hepatic artery", "%", 100}};
    text[0] = '\0';
    if (!o->liver_lobules)
        return text;
    char stage[40];
    write_stage(o, stage, sizeof stage);
    int n =
        snprintf(text, CASE_LIVER, "%slobule law, %s", o->compartments ? "compartments of the veins and " : "", stage);
    for (int given = 1; given >= 0; given--) {
        const char *comma = given ? ", " : "; assumed: ";
        for (int k = 0; k < LOBULE_QUANTITIES; k++) {
            const lobule_quantity *q = &o->lobules.quantity[k];
            if (o->lobules_given[k] != given || n >= CASE_LIVER)
                continue;
            const bool of_label = k == LOBULE_VOLUME && o->liver_labels.path;
            const double factor = of_label ? 1 : quantity[k].factor;
            n += snprintf(text + n, CASE_LIVER - (size_t)n,
                          of_label ? "%s%s from the label image %.0f %s" : "%s%s %.3g %s", comma, quantity[k].name,
                          factor * q->value, of_label ? "mL" : quantity[k].unit);
            if (q->error > 0 && n < CASE_LIVER)
                n += snprintf(text + n, CASE_LIVER - (size_t)n, of_label ? " %s %.0f %s" : " %s %.2g %s", plus_minus,
                              factor * q->error, of_label ? "mL" : quantity[k].unit);
            comma = ", ";
        }
    }
    return text;
}

static const case_key drop_keys[] = {{.name = "from", .kind = KEY_NAME, .offset = offsetof(case_readout, from)},
                                     {.name = "to", .kind = KEY_NAME, .offset = offsetof(case_readout, to)},
                                     {0}};
static const case_key ppg_keys[] = {{.name = "portal", .kind = KEY_NAME, .offset = offsetof(case_readout, portal)},
                                    {.name = "cava", .kind = KEY_NAME, .offset = offsetof(case_readout, cava)},
                                    {.name = "liver", .kind = KEY_FUNCTION, .read = read_liver},
                                    {.name = "measured",
                                     .kind = KEY_QUANTITY,
                                     .offset = offsetof(case_readout, measured_pa),
                                     .error = offsetof(case_readout, measured_error_pa),
                                     .unit = UNIT_PRESSURE_PA,
                                     .low = "-50 mmHg",
                                     .high = "200 mmHg"},
                                    {0}};
static const case_key readout_keys[] = {{.name = "pressure_drop", .kind = KEY_BLOCK, .block = drop_keys},
                                        {.name = "ppg", .kind = KEY_BLOCK, .block = ppg_keys},
                                        {0}};

void case_read_readouts(case_reader *r, const case_node *node, void *target) {
    case_file *c = target;
    if (!case_list(r, node, 0, READOUT_MAX, "readouts"))
        return;
    c->readout = case_allocate(r, node->n, sizeof *c->readout);
    for (int k = 0; c->readout && k < node->n; k++) {
        const case_node *item = &node->child[k];
        case_readout *o = &c->readout[c->n_readout++];
        o->liver_resistance = o->measured_pa = o->lost_share.value = o->liver_bound[0] = o->liver_bound[1] = NAN;
        o->line = item->line;
        o->kind = case_node_find(item, "ppg") ? READOUT_PPG : READOUT_PRESSURE_DROP;
        case_block(r, item, readout_keys, o);
        if (o->compartments && o->cava)
            case_problem_value(&r->problems, item,
                               "with model: compartments the pressure behind the liver is hepatic_pressure; remove "
                               "cava");
        if (item->kind == NODE_BLOCK && item->n != 1)
            case_problem_value(&r->problems, item, "an entry is one readout: either pressure_drop or ppg");
    }
}

void case_read_instants(case_reader *r, const case_node *node, void *target) {
    static const case_key time = {
        .name = "instants", .kind = KEY_QUANTITY, .unit = UNIT_TIME_S, .low = "0 s", .high = "1000 s"};
    case_file *c = target;
    if (!case_list(r, node, 1, INSTANT_MAX, "times in the cycle"))
        return;
    c->post.instant_s = case_allocate(r, node->n, sizeof *c->post.instant_s);
    for (int k = 0; c->post.instant_s && k < node->n; k++) {
        const int n = c->post.n_instant;
        if (!case_value(r, &node->child[k], &time, &c->post.instant_s[n]))
            continue;
        if (n > 0 && c->post.instant_s[n] <= c->post.instant_s[n - 1])
            case_problem_value(&r->problems, &node->child[k],
                               "%.40s must be later than the previous instant; sort the list", node->child[k].text);
        c->post.n_instant++;
    }
}
