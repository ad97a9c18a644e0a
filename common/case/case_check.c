/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: consistency of the keys. A rule is skipped if one of its values was refused:
 * one mistake gives one problem. */
#include "common/case/case_reader.h"
#include "common/cli/spelling.h"
#include "common/cli/word_list.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The node of the key "first.second", or of "first" when second is NULL; NULL: no such key. */
static const case_node *find_node(const case_node *root, const char *first, const char *second) {
    const case_node *node = case_node_find(root, first);
    return node && second ? case_node_find(node, second) : node;
}

static void problem_in(case_reader *r, const case_node *root, const char *block, const char *sentence) {
    const case_node *node = case_node_find(root, block);
    if (node)
        case_problem_key(&r->problems, node, "%s", sentence);
    else
        case_problem_at(&r->problems, root->line, root->column, "%s: %s", block, sentence);
}

/* ---------------------------------------------------------------------------------------- segment */

/* Sets a missing segment.method from the source (seeds, labels or surface) if exactly one source is given. */
static void guess_method(case_reader *r, const case_node *root) {
    const case_node *segment = case_node_find(root, "segment");
    const char *const source[] = {"seeds", "labels", "surface", "before"}; /* indexed by enum case_method */
    int n = 0, method = 0;
    for (int k = 0; k < 4; k++)
        if (case_node_find(segment, source[k])) {
            n++;
            method = k;
        }
    if (n == 1)
        r->c->segment.method = method;
    else
        problem_in(r, root, "segment", "has no method: write method: level-set, labels or surface");
}

static void check_sources(case_reader *r, const case_node *root) {
    const case_node *segment = case_node_find(root, "segment");
    int method = r->c->segment.method;
    if (method == METHOD_LEVEL_SET && !find_node(root, "image", "path"))
        problem_in(r, root, "image", "has no path: method level-set needs {path: images/name.nii.gz}");
    if (method == METHOD_LEVEL_SET && !case_node_find(segment, "seeds"))
        problem_in(r, root, "segment",
                   "has no seeds: method level-set needs points inside the vessels [[x, y, z], ..]");
    if (method == METHOD_LABELS && !case_node_find(case_node_find(segment, "labels"), "path"))
        problem_in(r, root, "segment", "has no labels: method labels needs labels: {path: images/name.nii.gz}");
    if (method == METHOD_SURFACE && !case_node_find(case_node_find(segment, "surface"), "path"))
        problem_in(r, root, "segment",
                   "has no surface: method surface needs surface: {path: images/name.stl, frame: LPS}");
    const case_node *treat = case_node_find(root, "treat"), *before = case_node_find(segment, "before");
    if (method == METHOD_TREATED && (!before || !treat))
        problem_in(r, root, "segment",
                   "method treated needs before: folder of the patient before the treatment, and the list treat; "
                   "pipeline treat writes such a case");
    if (method != METHOD_TREATED && (before || treat))
        case_problem_key(&r->problems, before ? before : treat,
                         "belongs to method treated; write the treatment into a file of its own for pipeline treat");
    const case_node *crop = find_node(root, "image", "crop"), *box = find_node(root, "image", "box");
    if (crop && box)
        case_problem_key(&r->problems, box, "cannot be combined with image.crop; remove one of the two");
    if (box && box->kind == NODE_BLOCK && (!case_node_find(box, "low") || !case_node_find(box, "high")))
        case_problem_key(&r->problems, box, "needs both low and high");
    if ((crop || box) && method != METHOD_LEVEL_SET)
        case_problem_key(&r->problems, crop ? crop : box, "is for method level-set; remove it");
    static const char *const level_set_only[] = {"side_branches", "bridge_signal_loss"};
    for (int k = 0; k < 2; k++) {
        const case_node *node = case_node_find(segment, level_set_only[k]);
        if (node && method != METHOD_LEVEL_SET)
            case_problem_key(&r->problems, node, "is for method level-set; remove it");
    }
    const char *const block[] = {NULL, "labels", "surface"};
    for (int k = METHOD_LABELS; k <= METHOD_SURFACE; k++) {
        const case_node *node = case_node_find(segment, block[k]);
        if (node && method != k)
            case_problem_key(&r->problems, node, "belongs to another method; write method: %s or remove it", block[k]);
    }
}

static void check_segment(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *segment = case_node_find(root, "segment");
    if (c->mesh.has_shape) {
        if (segment)
            case_problem_key(&r->problems, segment,
                             "cannot be combined with mesh.shape, which already is the lumen; remove one of the two");
        return;
    }
    if (!segment) {
        if (!(r->need & CASE_GIVEN))
            problem_in(r, root, "segment", "is missing: it describes how to find the vessel");
        return;
    }
    if (segment->kind != NODE_BLOCK)
        return;
    if (!case_node_find(segment, "method"))
        guess_method(r, root);
    if (c->segment.method >= 0)
        check_sources(r, root);
    if (c->segment.edge_low >= c->segment.edge_high)
        case_problem_key(&r->problems, case_node_find(segment, "edge"), "low must be below high");
    if (c->segment.threshold_low >= c->segment.threshold_high)
        case_problem_key(&r->problems, case_node_find(segment, "threshold"), "low must be below high");
}

static void check_space(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *space = case_node_find(root, "space");
    if (c->space != SPACE_VOXEL || !space)
        return;
    if (!c->image.path && !c->segment.labels_path)
        case_problem_value(
            &r->problems, space,
            "voxel needs an image, because the coordinates are its voxel indices: give image: or segment.labels:");
    if (find_node(root, "solve", "force"))
        case_problem_value(&r->problems, space,
                           "voxel cannot be combined with solve.force; write space: LPS or space: RAS");
}

/* ------------------------------------------------------------------------------------------- mesh */

static void check_box(case_reader *r, const case_node *mesh) {
    const case_file *c = r->c;
    const case_node *box = case_node_find(mesh, "box");
    if (!box) {
        case_problem_key(&r->problems, mesh, "has no box: a shape needs box: {low: [x, y, z], high: [x, y, z]}");
        return;
    }
    if (box->kind == NODE_BLOCK && (!case_node_find(box, "low") || !case_node_find(box, "high")))
        case_problem_key(&r->problems, box, "needs both low and high");
    for (int a = 0; a < 3; a++)
        if (c->mesh.box_low_mm[a] >= c->mesh.box_high_mm[a]) {
            case_problem_key(&r->problems, box, "low must be below high in x, y and z");
            return;
        }
}

/* Checks the block mesh.before, which pipeline treat writes. */
static void check_before(case_reader *r, const case_node *mesh) {
    const case_file *c = r->c;
    const case_node *before = case_node_find(mesh, "before");
    if (!before || before->kind != NODE_BLOCK)
        return;
    if (c->mesh.has_shape)
        case_problem_key(&r->problems, before, "is for a vessel, not for mesh.shape; remove it");
    for (int a = 0; a < 3; a++)
        if (isnan(c->mesh.before_spacing_mm) || !(c->mesh.before_low_mm[a] < c->mesh.before_high_mm[a])) {
            case_problem_key(&r->problems, before, "needs spacing, low and high, with low below high in x, y and z");
            return;
        }
}

static void check_mesh(case_reader *r, const case_node *root) {
    case_file *c = r->c;
    const case_node *mesh = case_node_find(root, "mesh");
    const case_node *spacing = case_node_find(mesh, "spacing"), *across = case_node_find(mesh, "cells_per_diameter");
    if (spacing && across)
        case_problem_key(&r->problems, across, "cannot be combined with spacing; remove one of the two");
    const case_node *most = case_node_find(mesh, "max_cells");
    if (most && (spacing || across))
        case_problem_key(&r->problems, most, "is for a spacing chosen from the flow, but %s is given; remove one",
                         spacing ? "spacing" : "cells_per_diameter");
    const char *const only_shape[] = {"box", "periodic"};
    for (int k = 0; k < 2 && !c->mesh.has_shape; k++)
        if (case_node_find(mesh, only_shape[k]))
            case_problem_key(&r->problems, case_node_find(mesh, only_shape[k]),
                             "is only for a case with mesh.shape; remove it");
    if (c->mesh.has_shape)
        check_box(r, mesh);
    check_before(r, mesh);
    if (c->n_opening == 0 && !spacing && (c->mesh.has_shape || c->solve.heat.on) && !(r->need & CASE_LUMEN))
        problem_in(r, root, "mesh",
                   "has no spacing: give mesh.spacing, because a case without openings has no diameter for "
                   "cells_per_diameter");
}

/* --------------------------------------------------------------------------------------- openings */

const char *case_quote_name(const char *name, char text[CASE_QUOTED]) {
    snprintf(text, CASE_QUOTED, name ? "'%.200s'" : "without a name", name ? name : "");
    return text;
}

static void check_condition(case_reader *r, const case_node *node, const case_opening *o) {
    const case_node *profile = case_node_find(node, "profile");
    char name[CASE_QUOTED];
    int condition = o->condition;
    bool flow = condition == CONDITION_FLOW || condition == CONDITION_WAVEFORM;
    bool velocity = condition == CONDITION_VELOCITY_MEAN || condition == CONDITION_VELOCITY_PEAK;
    case_quote_name(o->name, name);
    if (condition < 0) {
        static const char *const wanted[] = {"flow, velocity, pressure or resistance",
                                             "pressure, developed: true, flow, resistance or windkessel",
                                             "velocity: {vector: [x, y, z], unit: m/s}"};
        case_problem_value(&r->problems, node, "the %s %s has no condition: give %s",
                           o->role == ROLE_MOVING_WALL ? "moving wall" : lattice_role_name[o->role], name,
                           wanted[o->role]);
        return;
    }
    if (o->role == ROLE_INLET && !flow && !velocity && condition != CONDITION_PRESSURE &&
        condition != CONDITION_RESISTANCE)
        case_problem_value(&r->problems, node, "the inlet %s needs flow, velocity%s, pressure or resistance%s", name,
                           condition == CONDITION_VECTOR ? " (mean or peak)" : "",
                           condition == CONDITION_DEVELOPED    ? "; developed belongs to an outlet"
                           : condition == CONDITION_WINDKESSEL ? "; a windkessel belongs to an outlet"
                                                               : "");
    if (o->role == ROLE_OUTLET && !flow && !case_opening_is_free(o) && condition != CONDITION_SPLIT)
        case_problem_value(&r->problems, node,
                           "the outlet %s needs one of: flow, pressure, 'developed: true', "
                           "resistance, windkessel",
                           name);
    if (o->role == ROLE_MOVING_WALL && condition != CONDITION_VECTOR)
        case_problem_value(&r->problems, node, "the moving wall %s needs velocity: {vector: [x, y, z], unit: m/s}",
                           name);
    if (profile && !flow && !velocity)
        case_problem_key(&r->problems, profile, "applies to flow or velocity only; remove it");
    else if (profile && find_node(node, "velocity", "profile"))
        case_problem_key(&r->problems, profile, "is given inside velocity too; remove one of the two");
}

static void check_opening(case_reader *r, const case_node *node, const case_opening *o) {
    if (node->kind != NODE_BLOCK)
        return;
    static const char *const required[] = {"name", "role", "point"};
    for (int k = 0; k < 3; k++)
        if (!case_node_find(node, required[k]))
            case_problem_value(&r->problems, node, "an opening needs a %s", required[k]);
    if (o->role < 0)
        return;
    check_condition(r, node, o);
    case_check_model(r, node, o);
    if (o->role != ROLE_MOVING_WALL)
        return;
    if (!r->c->mesh.has_shape)
        case_problem_value(&r->problems, node,
                           "a moving wall is only for a case with mesh.shape; use role inlet or outlet");
    if (o->normal_auto)
        case_problem_value(&r->problems, node, "a moving wall needs its normal [x, y, z], pointing out of the fluid");
}

static bool all_read(const case_file *c) {
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role < 0 || c->opening[k].condition < 0)
            return false;
    return true;
}

/* Checks that a case has a condition that drives the flow, and a pressure where blood can leave. A closed or periodic
 * box of an analytic shape needs neither. */
static void check_balance(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    int n_in = 0, n_free = 0, n_pressure = 0, n_prescribed = 0;
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        n_in += o->role == ROLE_INLET;
        n_free += case_opening_is_free(o) || o->condition == CONDITION_SPLIT;
        n_pressure += o->condition == CONDITION_PRESSURE || case_opening_is_model(o);
        n_prescribed += o->condition == CONDITION_FLOW || o->condition == CONDITION_WAVEFORM ||
                        o->condition == CONDITION_VELOCITY_MEAN || o->condition == CONDITION_VELOCITY_PEAK;
    }
    if (c->n_opening == 0 && r->need & CASE_LUMEN)
        return;
    if (!c->mesh.has_shape && c->n_opening == 0 && !c->solve.heat.on)
        problem_in(r, root, "openings",
                   "is missing: name where blood enters and leaves, at least one inlet and one outlet");
    else if (n_prescribed > 0 && n_free == 0)
        problem_in(r, root, "openings",
                   "no outlet has pressure, resistance, windkessel or developed: true, and no inlet has a pressure; "
                   "give one, or the blood cannot leave");
    else if (!c->mesh.has_shape && c->n_opening > 0 && n_in == 0 && n_pressure < 2)
        problem_in(r, root, "openings",
                   "there is no inlet: write 'role: inlet' for one opening, with flow, velocity or pressure");
}

/* Refuses two openings at one point, which is usually a copied entry that was not edited. */
static void check_apart(case_reader *r, const case_node *list, int index) {
    const case_opening *o = r->c->opening;
    const case_node *point = case_node_find(&list->child[index], "point");
    for (int k = 0; point && k < index; k++) {
        const bool near = fabs(o[k].point[0] - o[index].point[0]) < 1e-3 &&
                          fabs(o[k].point[1] - o[index].point[1]) < 1e-3 &&
                          fabs(o[k].point[2] - o[index].point[2]) < 1e-3;
        if (near && o[k].name && case_node_find(&list->child[k], "point") && o[k].role != ROLE_MOVING_WALL &&
            o[index].role != ROLE_MOVING_WALL) {
            case_problem_value(&r->problems, point, "is also the point of opening '%s'; openings need different points",
                               o[k].name);
            return;
        }
    }
}

static void check_openings(case_reader *r, const case_node *root) {
    const case_node *list = case_node_find(root, "openings");
    for (int k = 1; list && list->kind == NODE_LIST && k < r->c->n_opening; k++)
        check_apart(r, list, k);
    case_apply_split(r, root);
    for (int k = 0; list && list->kind == NODE_LIST && k < r->c->n_opening; k++)
        check_opening(r, &list->child[k], &r->c->opening[k]);
    if (all_read(r->c) && (!list || list->kind == NODE_LIST))
        check_balance(r, root);
}

/* ---------------------------------------------------------------------------------- names, readouts */

enum { NAMES_MAX = 512 };

static int list_names(const case_file *c, const char *name[NAMES_MAX]) {
    int n = 0;
    for (int k = 0; k < c->n_opening && n < NAMES_MAX; k++)
        if (c->opening[k].name)
            name[n++] = c->opening[k].name;
    for (int k = 0; k < c->n_section && n < NAMES_MAX; k++)
        if (c->section[k].name)
            name[n++] = c->section[k].name;
    return n;
}

/* Checks that a name is unique: openings and sections share one set of names. */
static void check_name(case_reader *r, const case_node *node, const char *name, int index) {
    const char *all[NAMES_MAX];
    int n = list_names(r->c, all);
    for (int k = 0; k < index && k < n; k++)
        if (all[k] != name && strcasecmp(all[k], name) == 0) {
            const bool same = strcmp(all[k], name) == 0;
            if (same)
                case_problem_value(&r->problems, case_node_find(node, "name"),
                                   "'%s' is the name of another opening or section: give another name", name);
            else
                case_problem_value(&r->problems, case_node_find(node, "name"),
                                   "'%s' differs from '%s', another opening or section, only in upper and lower case; "
                                   "their files would overwrite each other on some computers: give another name",
                                   name, all[k]);
            return;
        }
}

/* A section has either a point or a place on a branch. */
static void check_section(case_reader *r, const case_node *node) {
    const case_node *point = case_node_find(node, "point"), *branch = case_node_find(node, "branch"),
                    *at = case_node_find(node, "at"), *normal = case_node_find(node, "normal");
    if (!case_node_find(node, "name"))
        case_problem_value(&r->problems, node, "a section needs a name, such as {name: PV, ..}");
    if (!point && !branch && !at)
        case_problem_value(&r->problems, node, "a section needs a point, or a branch with at: {branch: PV, at: 50 %%}");
    else if (point && (branch || at))
        case_problem_key(&r->problems, branch ? branch : at,
                         "the section has a point: write either point, or branch "
                         "with at");
    else if (!point && !(branch && at))
        case_problem_value(&r->problems, node, "a section on a branch needs %s, such as {branch: PV, at: 50 %%}",
                           branch ? "at" : "branch");
    else if (branch && normal)
        case_problem_key(&r->problems, normal, "a section on a branch is across its centerline: leave normal out");
}

/* Openings and sections with a point: each names the branch on which it is. */
static int list_branch_names(const case_file *c, const char *name[NAMES_MAX]) {
    int n = 0;
    for (int k = 0; k < c->n_opening && n < NAMES_MAX; k++)
        if (c->opening[k].name)
            name[n++] = c->opening[k].name;
    for (int k = 0; k < c->n_section && n < NAMES_MAX; k++)
        if (c->section[k].name && !c->section[k].branch)
            name[n++] = c->section[k].name;
    return n;
}

/* Refuses a branch that no vessel has: besides the names of list_branch_names() a branch has a number, or the names of
 * both of its openings (vessel_table.h). Whether the branch exists is known only with the centerline. */
static void check_branch(case_reader *r, const case_node *node, const char *branch) {
    const char *all[NAMES_MAX];
    char both[64];
    const int n = list_branch_names(r->c, all);
    if (!branch || n == 0 || branch[strspn(branch, "0123456789")] == '\0')
        return;
    for (int k = 0; k < n; k++) {
        if (strcmp(all[k], branch) == 0)
            return;
        for (int i = 0; i < n; i++) {
            snprintf(both, sizeof both, "%.30s-%.30s", all[k], all[i]);
            if (strcmp(both, branch) == 0)
                return;
        }
    }
    const char *near = spelling_nearest_word(branch, all, n);
    if (near)
        case_problem_value(&r->problems, node, "there is no branch '%s'; did you mean '%s'?", branch, near);
    else
        case_problem_value(&r->problems, node,
                           "there is no branch '%s': name an opening, or a section with a point, on the branch, or "
                           "give its number in along.csv",
                           branch);
}

static void check_names(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *openings = case_node_find(root, "openings"), *sections = case_node_find(root, "sections");
    int index = 0;
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].name)
            check_name(r, &openings->child[k], c->opening[k].name, index++);
    for (int k = 0; k < c->n_section; k++) {
        const case_node *node = &sections->child[k];
        if (c->section[k].name)
            check_name(r, node, c->section[k].name, index++);
        if (node->kind == NODE_BLOCK) {
            check_section(r, node);
            check_branch(r, case_node_find(node, "branch"), c->section[k].branch);
        }
    }
}

static void check_reference(case_reader *r, const case_node *block, const char *key, const char *name, bool required) {
    const char *all[NAMES_MAX];
    const case_node *node = case_node_find(block, key);
    if (!node && required)
        case_problem_value(&r->problems, block, "has no '%s': the name of an opening or section", key);
    if (!node || !name)
        return;
    int n = list_names(r->c, all);
    for (int k = 0; k < n; k++)
        if (strcmp(all[k], name) == 0)
            return;
    const char *near = spelling_nearest_word(name, all, n);
    case_problem_value(&r->problems, node, "there is no opening or section '%s'%s%s%s%s", name,
                       near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "",
                       near || required ? "" : "; remove it if that vessel is not in the model");
}

static void check_readouts(case_reader *r, const case_node *root) {
    const case_node *list = case_node_find(root, "readouts");
    for (int k = 0; k < r->c->n_readout; k++) {
        const case_readout *o = &r->c->readout[k];
        const case_node *drop = case_node_find(&list->child[k], "pressure_drop");
        const case_node *ppg = case_node_find(&list->child[k], "ppg");
        if (drop && drop->kind == NODE_BLOCK) {
            check_reference(r, drop, "from", o->from, true);
            check_reference(r, drop, "to", o->to, true);
            if (o->from && o->to && strcmp(o->from, o->to) == 0)
                case_problem_value(&r->problems, drop, "goes from '%s' to itself; name two different places", o->from);
        }
        if (ppg && ppg->kind == NODE_BLOCK) {
            check_reference(r, ppg, "portal", o->portal, true);
            check_reference(r, ppg, "cava", o->cava, false);
        }
    }
}

/* ------------------------------------------------------------------------------------------ solve */

/* Checks solve.accuracy, which needs three lattices: the sequence ends before the finest lattice if the two coarser
 * ones suffice. --fast overrides the key. */
static void check_accuracy(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *node = find_node(root, "solve", "accuracy");
    const int levels = c->mesh.grid_levels > 0 ? c->mesh.grid_levels : c->mesh.has_shape ? 1 : 3;
    if (!node || isnan(c->solve.accuracy) || c->mesh.fast)
        return;
    if (c->solve.mode == MODE_PULSATILE || c->solve.wall == WALL_VLBM || c->solve.heat.on)
        case_problem_key(&r->problems, node, "needs mode steady, wall interpolated and no heat; remove accuracy");
    else if (levels < 3)
        case_problem_key(&r->problems, node, "needs mesh: {grid_levels: 3} or 4, and the case has %d; remove one",
                         levels);
}

static void check_solve(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    int n_waveform = 0;
    for (int k = 0; k < c->n_opening; k++)
        n_waveform += c->opening[k].condition == CONDITION_WAVEFORM;
    if (c->solve.mode == MODE_PULSATILE && n_waveform == 0)
        problem_in(r, root, "solve", "mode pulsatile needs a waveform at an opening: flow: {waveform: flow/name.csv}");
    const case_node *rule = find_node(root, "solve", "opening"), *step = find_node(root, "solve", "time_step");
    if (rule && c->solve.opening == OPENING_ZOU_HE && c->solve.wall == WALL_VLBM)
        case_problem_key(
            &r->problems, rule,
            "'opening: zou-he' works only with 'wall: interpolated'; change one of them, or write 'opening: half-way'");
    const case_node *mixed = find_node(root, "solve", "acceleration");
    if (mixed && c->solve.precision == PRECISION_HALF && c->solve.acceleration == ACCELERATION_ANDERSON)
        case_problem_key(&r->problems, mixed,
                         "anderson is not possible with precision: half, because Anderson acceleration amplifies "
                         "16-bit rounding; write acceleration: none");
    const case_node *collision = find_node(root, "solve", "collision");
    if (collision && c->solve.collision == COLLISION_CUMULANT &&
        (c->solve.wall == WALL_VLBM || c->solve.opening == OPENING_ZOU_HE || c->solve.precision == PRECISION_HALF ||
         c->solve.heat.on))
        case_problem_key(&r->problems, collision,
                         "cumulant needs wall: interpolated, opening: half-way and precision float or double, and does "
                         "not compute heat; write collision: trt");
    check_accuracy(r, root);
    if (step && find_node(root, "solve", "tau"))
        case_problem_key(&r->problems, step,
                         "cannot be combined with tau: with spacing and viscosity, each gives the other; remove one");
}

/* ---------------------------------------------------------------------------------------- blood */

/* Refuses keys that cannot be combined with shear-thinning blood. An unknown model is compared with such blood. */
static void check_shear_thinning(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const struct {
        bool wrong;
        const char *key, *instead;
    } rule[] = {{c->blood.unknown && c->solve.mode == MODE_PULSATILE, "mode", "steady"},
                {c->solve.wall == WALL_VLBM, "wall", "interpolated"},
                {c->solve.opening == OPENING_ZOU_HE, "opening", "half-way"},
                {c->solve.collision == COLLISION_BGK, "collision", "trt"},
                {c->solve.precision == PRECISION_HALF, "precision", "float"}};
    for (size_t k = 0; k < sizeof rule / sizeof *rule; k++) {
        const case_node *node = find_node(root, "solve", rule[k].key);
        if (rule[k].wrong && node)
            case_problem_key(&r->problems, node, "is not possible with %s; write %s: %s",
                             c->blood.unknown ? "blood.model unknown" : "a blood.model other than newtonian",
                             rule[k].key, rule[k].instead);
    }
    const case_node *heat = find_node(root, "solve", "heat");
    if (heat)
        case_problem_key(&r->problems, heat,
                         "is not possible with a blood.model other than newtonian; remove one of the two");
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].role == ROLE_MOVING_WALL)
            case_problem_value(
                &r->problems, &case_node_find(root, "openings")->child[k],
                "a moving wall is not possible with a blood.model other than newtonian; remove one of the two");
}

/* Model unknown: newtonian is computed and compared with a parameter set of carreau-yasuda. */
static void check_unknown_blood(case_reader *r, const case_node *root) {
    case_file *c = r->c;
    c->blood.unknown = true;
    c->blood.model = VISCOSITY_NEWTONIAN;
    if (c->blood.set >= 0 && !viscosity_law_fits(VISCOSITY_CARREAU_YASUDA, c->blood.set))
        case_problem_value(&r->problems, find_node(root, "blood", "set"),
                           "is not compared with newtonian blood; write cho-kensey or abraham, or remove the key set");
    if (!viscosity_law_fits(VISCOSITY_CARREAU_YASUDA, c->blood.set))
        c->blood.set = VISCOSITY_CHO_KENSEY;
    check_shear_thinning(r, root);
}

static void check_blood(case_reader *r, const case_node *root) {
    case_file *c = r->c;
    const case_node *set = find_node(root, "blood", "set"), *hematocrit = find_node(root, "blood", "hematocrit"),
                    *viscosity = find_node(root, "blood", "viscosity");
    const bool thinning = case_is_shear_thinning(c);
    if (hematocrit && c->blood.model != VISCOSITY_QUEMADA)
        case_problem_key(&r->problems, hematocrit, "belongs to model quemada; write model: quemada, or remove it");
    if (c->blood.model == VISCOSITY_UNKNOWN) {
        check_unknown_blood(r, root);
        return;
    }
    if (set && !thinning)
        case_problem_key(&r->problems, set,
                         "belongs to a model of shear-thinning blood; write a model such as carreau-yasuda, or remove "
                         "it");
    if (!thinning)
        return;
    if (viscosity)
        case_problem_key(
            &r->problems, viscosity,
            "belongs to model newtonian; the parameter set gives the viscosity of other models: remove it");
    if (c->blood.set < 0) /* not given, or refused */
        c->blood.set = viscosity_law_default_set(c->blood.model);
    else if (!viscosity_law_fits(c->blood.model, c->blood.set)) {
        c->blood.set = viscosity_law_default_set(c->blood.model);
        const char *model, *fitting;
        const int model_size = word_list_get(VISCOSITY_MODELS, c->blood.model, &model),
                  size = word_list_get(VISCOSITY_SETS, c->blood.set, &fitting);
        case_problem_value(&r->problems, set,
                           "'%.40s' has no parameters for model %.*s; write set: %.*s, or remove the key set",
                           set->text, model_size, model, size, fitting);
    }
    check_shear_thinning(r, root);
    const viscosity_law law = case_viscosity_law(c);
    c->blood.viscosity_pa_s = viscosity_law_pa_s(&law, VISCOSITY_NOMINAL_RATE);
}

static void check_post(case_reader *r, const case_node *root) {
    const case_node *list = find_node(root, "post", "instants");
    if (list && r->c->post.n_instant > 0 && r->c->solve.mode != MODE_PULSATILE)
        case_problem_key(&r->problems, list,
                         "a steady flow has no instants: set solve: {mode: pulsatile} or remove it");
}

void case_check(case_reader *r, const case_node *root) {
    case_check_heat(r, root);
    check_segment(r, root);
    check_space(r, root);
    check_mesh(r, root);
    check_openings(r, root);
    check_names(r, root);
    check_readouts(r, root);
    check_solve(r, root);
    check_blood(r, root);
    case_check_porous(r, root);
    check_post(r, root);
    case_apply_livers(r, root);
}
