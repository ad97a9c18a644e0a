/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat_case.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/units.h"
#include "common/lattice/lattice.h"
#include "pipeline/treat/treat_folder.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef struct {
    FILE *to;
    yaml_document_t *doc;
    const char *to_before; /* path from the new folder to the folder before the treatment: prefix of relative paths */
    const patient *before;
    const treated_conditions *t;
    const treat_lattice *cells;
} writer;

static const char *text_of(const yaml_node_t *n) {
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

static yaml_node_t *node_at(const writer *w, int index) {
    return yaml_document_get_node(w->doc, index);
}

static yaml_node_t *find_value(const writer *w, const yaml_node_t *block, const char *key) {
    if (!block || block->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = block->data.mapping.pairs.start; p < block->data.mapping.pairs.top; p++)
        if (strcmp(text_of(node_at(w, p->key)), key) == 0)
            return node_at(w, p->value);
    return NULL;
}

static void put_quoted(FILE *to, const char *text) {
    putc('\'', to);
    for (; *text; text++)
        fputs(*text == '\'' ? "''" : (const char[]){*text, 0}, to);
    putc('\'', to);
}

/* A scalar within {} or []. */
static void put_scalar(const writer *w, const char *key, const yaml_node_t *n) {
    const char *text = text_of(n);
    const bool path = strcmp(key, "path") == 0 || strcmp(key, "waveform") == 0;
    char joined[2 * FILE_PATH_MAX];
    if (path && text[0] != '/') {
        snprintf(joined, sizeof joined, "%s/%s", w->to_before, text);
        put_quoted(w->to, joined);
    } else if (path || n->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || strpbrk(text, ",[]{}#:'\"") || !*text) {
        put_quoted(w->to, text);
    } else {
        fputs(text, w->to);
    }
}

static bool is_in(const char *word, const char *const *list) {
    for (; list && *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static void put_node(const writer *w, const char *key, const yaml_node_t *n, const char *const *without);

/* The entries of a block without braces. */
static int put_entries(const writer *w, const yaml_node_t *n, const char *const *without) {
    int count = 0;
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const char *key = text_of(node_at(w, p->key));
        if (is_in(key, without))
            continue;
        fprintf(w->to, "%s%s: ", count++ ? ", " : "", key);
        put_node(w, key, node_at(w, p->value), NULL);
    }
    return count;
}

static void put_node(const writer *w, const char *key, const yaml_node_t *n, const char *const *without) {
    if (n->type == YAML_SCALAR_NODE) {
        put_scalar(w, key, n);
    } else if (n->type == YAML_SEQUENCE_NODE) {
        putc('[', w->to);
        for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
            fputs(i > n->data.sequence.items.start ? ", " : "", w->to);
            put_node(w, key, node_at(w, *i), NULL);
        }
        putc(']', w->to);
    } else {
        putc('{', w->to);
        put_entries(w, n, without);
        putc('}', w->to);
    }
}

/* ------------------------------------------------------------------------------------------------------- openings */

/* A resistance or Windkessel against a new pressure. end: key of this pressure; error_pa: half-width of its 95 %
 * interval, 0: exact. */
static void put_model(const writer *w, const yaml_node_t *opening, const char *key, const char *end, double end_pa,
                      double error_pa) {
    const char *const replaced[] = {end, NULL};
    fprintf(w->to, ", %s: {", key);
    put_entries(w, find_value(w, opening, key), replaced);
    fprintf(w->to, ", %s: %.6g mmHg", end, end_pa / UNITS_PA_PER_MMHG);
    if (error_pa > 0)
        fprintf(w->to, " +- %.6g mmHg", error_pa / UNITS_PA_PER_MMHG);
    fputs("}", w->to);
}

/* error: half-width of the 95 % interval, relative; 0: exact. */
static void put_resistance(FILE *to, double pa_s_m3, double error, double distal_mmhg) {
    fprintf(to, "resistance: {value: %.6g mmHg min/L", pa_s_m3 / UNITS_PA_S_M3_PER_MMHG_MIN_L);
    if (error > 0)
        fprintf(to, " +- %.3g %%", 100 * error);
    fprintf(to, ", distal: %.6g mmHg}", distal_mmhg);
}

/* The plane of a kept opening whose normal was found: a search after the treatment could find another one. */
static void put_plane(const writer *w, const double point[3], const double normal[3]) {
    fprintf(w->to, ", point: [%.17g, %.17g, %.17g], found_normal: [%.17g, %.17g, %.17g]", point[0], point[1], point[2],
            normal[0], normal[1], normal[2]);
}

static void put_opening(const writer *w, const yaml_node_t *n, int k) {
    static const char *const plane[] = {"point", "normal"};
    static const char *const conditions[] = {"flow",       "velocity",   "pressure", "developed",
                                             "resistance", "windkessel", "profile"};
    enum { PLANE = sizeof plane / sizeof *plane, CONDITIONS = sizeof conditions / sizeof *conditions };
    const char *without[PLANE + CONDITIONS + 1] = {NULL};
    double point[3], normal[3];
    int n_without = 0;
    const case_opening *o = &w->before->c.opening[k];
    const treated_opening *now = &w->t->opening[k];
    const double vein_pa = w->t->tips ? w->t->tips->pressure_pa : NAN;
    const bool model = w->t->tips && o->role == ROLE_OUTLET && case_opening_is_model(o);
    const bool changed =
        model || isfinite(now->resistance_pa_s_m3) || isfinite(now->pressure_pa) || isfinite(now->flow_ml_s);
    const bool found = o->normal_auto && treat_lattice_plane(w->cells, o->name, point, normal);
    for (int j = 0; j < PLANE && found; j++)
        without[n_without++] = plane[j];
    for (int j = 0; j < CONDITIONS && changed; j++)
        without[n_without++] = conditions[j];
    fputs("  - {", w->to);
    put_entries(w, n, without);
    if (found)
        put_plane(w, point, normal);
    if (now->keeps_resistance) {
        put_model(w, n, "resistance", "source", now->pressure_pa, o->distal_error);
    } else if (model) {
        put_model(w, n, o->condition == CONDITION_RESISTANCE ? "resistance" : "windkessel", "distal",
                  isfinite(now->pressure_pa) ? now->pressure_pa : vein_pa,
                  isfinite(now->pressure_pa) ? o->distal_error : 0);
    } else if (isfinite(now->resistance_pa_s_m3)) {
        fputs(", ", w->to);
        put_resistance(w->to, now->resistance_pa_s_m3, now->resistance_error, vein_pa / UNITS_PA_PER_MMHG);
    } else if (isfinite(now->pressure_pa)) {
        fprintf(w->to, ", pressure: %.6g mmHg", now->pressure_pa / UNITS_PA_PER_MMHG);
    } else if (isfinite(now->flow_ml_s)) {
        fprintf(w->to, ", flow: %.6g mL/s", now->flow_ml_s);
    }
    fputs("}\n", w->to);
}

/* Writes the opening at the end of a stent: with the pressure of the hepatic vein, or with a resistance against this
 * pressure. */
static void put_stent_end(FILE *to, const case_treatment *t) {
    const double mmhg = t->pressure_pa / UNITS_PA_PER_MMHG;
    fprintf(to, "  - {name: %s, role: outlet, point: [%.6g, %.6g, %.6g], ", t->opening, t->to.point[0], t->to.point[1],
            t->to.point[2]);
    if (isfinite(t->resistance_pa_s_m3))
        put_resistance(to, t->resistance_pa_s_m3, t->resistance_error / t->resistance_pa_s_m3, mmhg);
    else
        fprintf(to, "pressure: %.6g mmHg", mmhg);
    fputs(", collateral: true}\n", to);
}

static void put_openings(const writer *w, const yaml_node_t *list, const case_file *plan) {
    int k = 0;
    fputs("openings:\n", w->to);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++, k++)
        if (k < w->before->c.n_opening && !w->t->opening[k].removed)
            put_opening(w, node_at(w, *i), k);
    for (k = 0; k < plan->n_treat; k++) {
        const case_treatment *t = &plan->treat[k];
        if (t->opening)
            put_stent_end(w->to, t);
    }
}

/* ------------------------------------------------------------------------------------------------------- readouts */

static bool is_removed(const writer *w, const char *name) {
    const case_opening *o = case_find_opening(&w->before->c, name);
    return o && w->t->opening[o - w->before->c.opening].removed;
}

/* Writes the liver of a gradient with the share that it loses by a closed branch. */
static void put_liver(const writer *w, const yaml_node_t *ppg, lobule_quantity lost) {
    static const char *const replaced[] = {"lost_share", NULL};
    fputs(", liver: {", w->to);
    put_entries(w, find_value(w, ppg, "liver"), replaced);
    fprintf(w->to, ", lost_share: %.4g %%", 100 * lost.value);
    if (lost.error > 0)
        fprintf(w->to, " +- %.3g %%", 100 * lost.error / lost.value);
    fputs("}", w->to);
}

static void put_readout(const writer *w, const yaml_node_t *item, lobule_quantity lost) {
    /* the measured gradient belongs to the state before the treatment */
    static const char *const measured[] = {"measured", NULL}, *const replaced[] = {"measured", "liver", "cava", NULL},
                             *const changed[] = {"measured", "liver", NULL};
    const yaml_node_t *ppg = find_value(w, item, "ppg"), *drop = find_value(w, item, "pressure_drop");
    const bool tips = ppg && w->t->tips; /* the opening of the stent replaces the cava */
    const char *const place[] = {text_of(find_value(w, ppg, "portal")), tips ? "" : text_of(find_value(w, ppg, "cava")),
                                 text_of(find_value(w, drop, "from")), text_of(find_value(w, drop, "to"))};
    for (int k = 0; k < 4; k++)
        if (is_removed(w, place[k])) {
            message_warn("a readout of the removed opening '%s' is left out", place[k]);
            return;
        }
    fputs("  - ", w->to);
    if (ppg) {
        fputs("ppg: {", w->to);
        put_entries(w, ppg, tips ? replaced : lost.value > 0 ? changed : measured);
        if (lost.value > 0)
            put_liver(w, ppg, lost);
        if (tips)
            fprintf(w->to, ", cava: %s, liver: {model: outlets}", w->t->tips->opening);
        putc('}', w->to);
    } else {
        put_node(w, "", item, NULL);
    }
    putc('\n', w->to);
}

static void put_readouts(const writer *w, const yaml_node_t *list) {
    fputs("readouts:\n", w->to);
    int k = 0;
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++, k++)
        put_readout(w, node_at(w, *i), w->t->lost_share[k]);
}

/* ----------------------------------------------------------------------------------------------------- whole file */

/* The entries of a list, one a line. */
static void put_items(const writer *w, const char *key, const yaml_node_t *list) {
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
        fputs("  - ", w->to);
        put_node(w, key, node_at(w, *i), NULL);
        putc('\n', w->to);
    }
}

static void put_list(const writer *w, const char *key, const yaml_node_t *list) {
    fprintf(w->to, "%s:\n", key);
    put_items(w, key, list);
}

static bool has_section(const case_file *c, const char *name) {
    for (int k = 0; k < c->n_section; k++)
        if (strcmp(c->section[k].name, name) == 0)
            return true;
    return false;
}

/* Writes the sections of the case before the treatment, and one halfway along each stent to a new opening: it gives the
 * wall shear stress and the Reynolds number in the stent. */
static void put_sections(const writer *w, const case_file *plan) {
    const yaml_node_t *list = find_value(w, yaml_document_get_root_node(w->doc), "sections");
    int n = w->before->c.n_section;
    fputs("sections:\n", w->to);
    if (n > 0)
        put_items(w, "sections", list);
    for (int k = 0; k < plan->n_treat; k++) {
        const char *end = plan->treat[k].opening;
        char name[LATTICE_NAME_MAX];
        if (!end || (size_t)snprintf(name, sizeof name, "%s-stent", end) >= sizeof name ||
            has_section(&w->before->c, name) || case_find_opening(&w->before->c, name))
            continue;
        fprintf(w->to, "  - {name: %s, branch: %s, at: 50 %%}\n", name, end);
        n++;
    }
    fputs(n == 0 ? "  []\n" : "", w->to);
}

/* Writes the block mesh with the lattice before the treatment. */
static void put_mesh(const writer *w) {
    static const char *const replaced[] = {"before", NULL};
    const treat_lattice *l = w->cells;
    const yaml_node_t *mesh = find_value(w, yaml_document_get_root_node(w->doc), "mesh");
    int n = 0;
    if (l->known)
        fputs(
            "# mesh.before: the lattice before the treatment; with equal cells, no difference comes from the lattice\n",
            w->to);
    fputs("mesh: {", w->to);
    if (mesh && mesh->type == YAML_MAPPING_NODE)
        n = put_entries(w, mesh, replaced);
    if (l->known)
        fprintf(w->to, "%sbefore: {spacing: %.17g mm, low: [%.17g, %.17g, %.17g], high: [%.17g, %.17g, %.17g]}",
                n ? ", " : "", l->spacing_mm, l->low_mm[0], l->low_mm[1], l->low_mm[2], l->high_mm[0], l->high_mm[1],
                l->high_mm[2]);
    fputs("}\n", w->to);
}

static void put_root(const writer *w, const case_file *plan) {
    static const char *const replaced[] = {"name", "segment", "treat", "mesh", NULL}, *const crop[] = {"crop", "box",
                                                                                                       NULL};
    const yaml_node_t *root = yaml_document_get_root_node(w->doc);
    for (yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
        const char *key = text_of(node_at(w, p->key));
        const yaml_node_t *value = node_at(w, p->value);
        if (is_in(key, replaced) || (w->t->tips && (strcmp(key, "split") == 0 || strcmp(key, "sections") == 0)))
            continue;
        if (strcmp(key, "openings") == 0 && value->type == YAML_SEQUENCE_NODE) {
            put_openings(w, value, plan);
        } else if (strcmp(key, "readouts") == 0 && value->type == YAML_SEQUENCE_NODE) {
            put_readouts(w, value);
        } else if (value->type == YAML_SEQUENCE_NODE &&
                   value->data.sequence.items.top > value->data.sequence.items.start) {
            put_list(w, key, value);
        } else {
            fprintf(w->to, "%s: ", key);
            put_node(w, key, value, strcmp(key, "image") == 0 ? crop : NULL);
            putc('\n', w->to);
        }
    }
}

/* Writes the list `treat`. Leaves out its pressures and resistances, which are now conditions of the openings. */
static void put_treatment(const writer *w) {
    static const char *const conditions[] = {"pressure", "resistance", NULL};
    const yaml_node_t *list = find_value(w, yaml_document_get_root_node(w->doc), "treat");
    fputs("treat:\n", w->to);
    for (yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
        const yaml_node_t *item = node_at(w, *i);
        const yaml_node_pair_t *change = item->data.mapping.pairs.start;
        const char *kind = text_of(node_at(w, change->key));
        fprintf(w->to, "  - %s: ", kind);
        put_node(w, kind, node_at(w, change->value), conditions);
        putc('\n', w->to);
    }
}

/* Writes comments that state the assumptions of the treatment. */
static void put_head(FILE *to, const treated_conditions *t, int n_readout, int inflow) {
    bool loses = false;
    fprintf(to, TREAT_CASE_MARK ": a treatment tried on the computer.\n");
    for (int k = 0; k < n_readout; k++)
        loses |= t->lost_share[k].value > 0;
    if (loses)
        fputs("# Assumed: the part of the liver that a closed branch supplied, lost_share of the flow before, gets no "
              "portal blood\n# (right after the closure, no collaterals between the parts of the liver): the "
              "resistance is divided by 1 - lost_share.\n",
              to);
    if (!t->tips)
        return;
    static const char *const rule[] = {/* indexed by enum case_inflow */
                                       "the inflows are those before the treatment",
                                       "the pressures at the inlets, above that of the hepatic vein, are those before "
                                       "the treatment",
                                       "the resistances of the inlets, and their source pressures above that of the "
                                       "hepatic vein, are those before the treatment"};
    fprintf(to,
            "# Assumed: the liver is a resistance at the outlets, unchanged by the treatment, against the pressure of "
            "'%s'; %s.\n",
            t->tips->opening, rule[inflow]);
}

static int load(const char *path, char **text, yaml_document_t *doc) {
    yaml_parser_t parser;
    size_t size = 0;
    int rc = file_read(path, CASE_BYTES_MAX, text, &size);
    if (rc != OK)
        return rc;
    if (!yaml_parser_initialize(&parser))
        return fail_memory("the case file", (double)size);
    yaml_parser_set_input_string(&parser, (const unsigned char *)*text, size);
    if (!yaml_parser_load(&parser, doc))
        rc = fail(ERR_INPUT, "'%s' is not YAML", path);
    yaml_parser_delete(&parser);
    return rc;
}

int treat_case_write(const patient *before, const char *plan_path, const case_file *plan, int inflow,
                     const treated_conditions *t, const treat_lattice *cells, const char *to_before, const char *path) {
    yaml_document_t doc[2];
    bool loaded[2] = {false, false};
    char *text[2] = {NULL, NULL}, name[512];
    file_text out = {.to = NULL};
    case_file after = {0};
    int rc = OK;
    TRY(load(before->case_path, &text[0], &doc[0]));
    loaded[0] = true;
    TRY(load(plan_path, &text[1], &doc[1]));
    loaded[1] = true;
    TRY(file_text_open(&out, "the case file"));
    const writer w = {out.to, &doc[0], to_before, before, t, cells}, p = {out.to, &doc[1], to_before, before, t, cells};
    put_head(out.to, t, before->c.n_readout, inflow);
    snprintf(name, sizeof name, "%.400s after treatment", before->c.name);
    fputs("name: ", out.to);
    put_quoted(out.to, name);
    fputs("\nsegment: {method: treated, before: ", out.to);
    put_quoted(out.to, to_before);
    fputs("}\n", out.to);
    put_treatment(&p);
    put_root(&w, plan);
    put_mesh(&w);
    if (t->tips)
        put_sections(&w, plan);
    if (fflush(out.to) != 0)
        rc = fail_memory("the case file", (double)out.size);
    else
        rc = case_read_text(out.text, out.size, path, CASE_FILES, &after);
    rc = file_text_write(&out, rc, path);
cleanup:
    case_free(&after);
    for (int k = 0; k < 2; k++) {
        if (loaded[k])
            yaml_document_delete(&doc[k]);
        free(text[k]);
    }
    return rc;
}
