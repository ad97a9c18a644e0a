/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: reading a whole case. */
#include "common/case/case.h"
#include "common/case/case_reader.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Converts a position or vector from RAS to LPS. */
static void flip_xy(double p[3]) {
    p[0] = 0 - p[0]; /* 0 - p keeps a zero positive; -p gives -0 */
    p[1] = 0 - p[1];
}

static void sort_pair(double *low, double *high) {
    if (*low > *high) {
        double kept = *low;
        *low = *high;
        *high = kept;
    }
}

static void turn_to_lps(case_file *c) {
    shape *s = &c->mesh.shape;
    if (c->space != SPACE_RAS)
        return;
    flip_xy(s->a);
    flip_xy(s->b);
    flip_xy(c->mesh.box_low_mm);
    flip_xy(c->mesh.box_high_mm);
    flip_xy(c->mesh.before_low_mm);
    flip_xy(c->mesh.before_high_mm);
    for (int a = 0; a < 2; a++) {
        sort_pair(&c->mesh.box_low_mm[a], &c->mesh.box_high_mm[a]);
        sort_pair(&c->mesh.before_low_mm[a], &c->mesh.before_high_mm[a]);
        if (c->mesh.has_shape && s->kind == SHAPE_BOX)
            sort_pair(&s->a[a], &s->b[a]);
    }
    for (int k = 0; k < s->n_segment; k++) {
        flip_xy(((shape_segment *)s->segment)[k].a);
        flip_xy(((shape_segment *)s->segment)[k].b);
    }
    for (int k = 0; k < s->n_ellipsoid; k++)
        flip_xy(((shape_ellipsoid *)s->ellipsoid)[k].centre);
    flip_xy(c->solve.force_m_s2);
    flip_xy(c->solve.heat.gravity_m_s2);
    for (int k = 0; k < c->n_opening; k++)
        flip_xy(c->opening[k].vector_m_s);
    for (int k = 0; k < c->n_wall; k++) /* flip_xy exchanges the low and high faces in x and y */
        if (c->mesh.has_shape && s->kind == SHAPE_BOX && c->wall[k].part && c->wall[k].part_number < 4)
            c->wall[k].part_number ^= 1;
}

/* Default number of grid levels: 3 for a steady flow in a vessel; 2 for a pulsatile flow, which starts from the mean
 * flow on the coarser level. 1 where a grid sequence does not help (first-order wall vlbm, heat), and for a shape,
 * because a shape is solved at the requested spacing. */
static void choose_grid_levels(case_file *c) {
    const bool one = c->mesh.has_shape || c->solve.wall == WALL_VLBM || c->solve.heat.on;
    if (c->mesh.grid_levels == 0 || c->mesh.fast)
        c->mesh.grid_levels = one || c->mesh.fast ? 1 : c->solve.mode == MODE_PULSATILE ? 2 : 3;
}

static bool is_set(const options_list *set, const char *key) {
    for (int k = 0; set && k < set->n; k++)
        if (strncmp(set->word[k], key, strlen(key)) == 0 && set->word[k][strlen(key)] == '=')
            return true;
    return false;
}

/* If --set gives mesh.fast, the spacing of the file is only a lower limit of the spacing that follows from the flow.
 * A fast run is then never more work than the run of the file. A shape, or a vessel without openings, keeps its
 * spacing. */
static void limit_fast_spacing(case_file *c, const options_list *set) {
    if (!c->mesh.fast || c->mesh.has_shape || c->n_opening == 0 || !is_set(set, "mesh.fast") ||
        is_set(set, "mesh.spacing") || is_set(set, "mesh.cells_per_diameter"))
        return;
    c->mesh.finest_spacing_mm = c->mesh.spacing_mm;
    c->mesh.most_cells_per_diameter = c->mesh.cells_per_diameter;
    c->mesh.spacing_mm = c->mesh.cells_per_diameter = NAN;
}

/* A fast run is a first look: instead of a pulsatile flow, which takes many cycles on a fine lattice, it is the steady
 * flow with the means of the waveforms. --set solve.mode=pulsatile keeps the pulsatile flow. */
static void choose_fast_mode(case_file *c, const options_list *set) {
    if (c->mesh.fast && !is_set(set, "solve.mode"))
        c->solve.mode = MODE_STEADY;
}

static void choose_tolerance(case_file *c) {
    c->solve.tolerance_is_default = isnan(c->solve.tolerance);
    if (c->solve.tolerance_is_default)
        c->solve.tolerance = 1e-6;
}

/* Replaces collision auto: cumulants in steady flow where the solver has them, otherwise two relaxation times. */
static void choose_collision(case_file *c) {
    bool cumulants = c->solve.mode == MODE_STEADY && c->solve.wall == WALL_INTERPOLATED &&
                     c->solve.opening == OPENING_HALF_WAY && c->solve.precision != PRECISION_HALF &&
                     !c->solve.heat.on && c->n_porous == 0;
    for (int k = 0; k < c->n_opening; k++)
        cumulants = cumulants && c->opening[k].role != ROLE_MOVING_WALL;
    c->solve.collision_is_auto = c->solve.collision == COLLISION_AUTO;
    if (c->solve.collision_is_auto)
        c->solve.collision = cumulants ? COLLISION_CUMULANT : COLLISION_TRT;
}

static int set_texts(case_file *c, const char *path, const options_list *set) {
    for (int k = 0; set && k < set->n; k++) {
        char *copy = strdup(set->word[k]);
        if (!copy)
            return fail_memory("the case file", FILE_PATH_MAX);
        c->set.word[c->set.n++] = copy;
    }
    c->path = strdup(path);
    c->folder = file_folder(path);
    if (!c->name)
        c->name = strdup("case");
    return c->path && c->folder && c->name ? OK : fail_memory("the case file", FILE_PATH_MAX);
}

static int line_of(const case_node *root, const char *block, const char *inner, const char *key) {
    const case_node *node = case_node_find(root, block);
    node = inner ? case_node_find(node, inner) : node;
    node = case_node_find(node, key);
    return node ? node->line : 0;
}

static void set_lines(case_file *c, const case_node *root) {
    c->image.line = line_of(root, "image", NULL, "path");
    c->segment.labels_line = line_of(root, "segment", "labels", "path");
    c->segment.surface_line = line_of(root, "segment", "surface", "path");
    c->segment.before_line = line_of(root, "segment", NULL, "before");
}

/* Parses, reads and checks a text. Problems are collected in r. */
static void read_text(case_reader *r, const char *text, size_t size, int stage_files) {
    case_node root;
    bool whole;
    case_tree_parse(text, size, &root, &whole, &r->problems);
    if (whole) {
        case_tree_rename_keys(&root, &r->problems);
        case_tree_set(&root, &r->problems);
    }
    if (whole && !r->problems.no_memory) {
        case_block(r, &root, case_keys, r->c);
        set_lines(r->c, &root);
        if (root.kind == NODE_BLOCK && !r->problems.no_memory)
            case_check(r, &root);
        if (root.kind == NODE_BLOCK && stage_files & (CASE_FILES | CASE_WAVEFORMS) && !r->problems.no_memory)
            case_check_files(r, &root);
    }
    case_tree_free(&root);
}

static int read_case(const char *text, size_t size, const char *path, const options_list *set, int stage_files,
                     case_file *c) {
    case_reader *r = calloc(1, sizeof *r);
    int rc, kept = OK;
    case_set_defaults(c);
    if (!r)
        return fail_memory("the case file", sizeof *r);
    r->problems.path = path;
    r->problems.set = set;
    r->c = c;
    r->need = stage_files;
    c->folder = file_folder(path);
    read_text(r, text, size, stage_files);
    free(c->folder);
    c->folder = NULL;
    kept = case_problems_report(&r->problems);
    if (kept != ERR_INPUT || !(stage_files & CASE_KEEP))
        TRY(kept);
    TRY(set_texts(c, path, set));
    limit_fast_spacing(c, set);
    choose_fast_mode(c, set);
    choose_grid_levels(c);
    choose_tolerance(c);
    choose_collision(c);
    if (c->solve.precision == PRECISION_HALF) /* case_check refuses an explicit anderson with half */
        c->solve.acceleration = ACCELERATION_NONE;
    turn_to_lps(c);
    rc = kept;
cleanup:
    case_problems_free(&r->problems);
    free(r);
    if (rc != OK && (rc != ERR_INPUT || kept != rc || !(stage_files & CASE_KEEP)))
        case_free(c);
    return rc;
}

int case_read_text(const char *text, size_t size, const char *path, int stage_files, case_file *c) {
    return read_case(text, size, path, NULL, stage_files, c);
}

int case_read(const char *path, int stage_files, case_file *c) {
    return case_read_set(path, NULL, stage_files, c);
}

int case_read_set(const char *path, const options_list *set, int stage_files, case_file *c) {
    char *text = NULL;
    size_t size;
    memset(c, 0, sizeof *c);
    int rc = file_read(path, CASE_BYTES_MAX, &text, &size);
    if (rc == OK)
        rc = read_case(text, size, path, set, stage_files, c);
    free(text);
    return rc;
}
