/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case.h: the digests. The values that a stage depends on are written as "key=value" and
 * hashed. Numbers have 12 significant digits, since 600 mL/min and 0.6 L/min differ in the 16th digit. */
#include "common/case/case.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct {
    XXH64_hash_t value;
    bool names; /* true: the names of the case and of files count */
} hash;

/* Hash `text` with the previous hash as the seed, so that h->value depends on all texts hashed before. */
static void add_bytes(hash *h, const char *text, size_t n) {
    h->value = XXH3_64bits_withSeed(text, n, h->value);
}

static void add_text(hash *h, const char *key, const char *value) {
    add_bytes(h, key, strlen(key));
    add_bytes(h, value ? "=" : "", value ? 1 : 0);
    if (value)
        add_bytes(h, value, strlen(value));
}

/* Hashes the name of the case or of a file. */
static void add_name(hash *h, const char *key, const char *value) {
    if (h->names)
        add_text(h, key, value);
}

static void add_number(hash *h, const char *key, double value) {
    char text[40];
    if (isnan(value))
        snprintf(text, sizeof text, "none");
    else
        snprintf(text, sizeof text, "%.12g", value + 0.0); /* + 0.0 turns -0 into 0 */
    add_text(h, key, text);
}

static void add_numbers(hash *h, const char *key, int n, const double *value) {
    add_number(h, key, n);
    for (int k = 0; k < n; k++)
        add_number(h, "", value[k]);
}

static void add_space(hash *h, const case_file *c) {
    add_number(h, "space", c->space);
    add_name(h, "image", c->image.path);
    add_text(h, "series", c->image.series);
}

static void add_spot(hash *h, const case_spot *s) {
    add_numbers(h, "point", 3, s->point);
    add_text(h, "branch", s->branch);
    add_number(h, "at", s->at_mm);
    add_number(h, "part", s->at_part);
}

static void add_treatments(hash *h, const case_file *c) {
    add_name(h, "before", c->segment.before_path);
    for (int k = 0; k < c->n_treat; k++) {
        const case_treatment *t = &c->treat[k];
        add_number(h, "treat", t->kind);
        add_spot(h, &t->from);
        add_spot(h, &t->to);
        for (int i = 0; i < t->n_via; i++)
            add_numbers(h, "via", 3, t->via[i]);
        add_number(h, "diameter", t->diameter_mm);
        add_text(h, "opening", t->opening);
    }
}

static void add_segment(hash *h, const case_file *c) {
    add_space(h, c);
    add_number(h, "method", c->segment.method);
    add_number(h, "seeds", c->segment.n_seed);
    for (int k = 0; k < c->segment.n_seed; k++)
        add_numbers(h, "seed", 3, c->segment.seed[k]);
    const double value[] = {c->segment.vessel,        c->segment.smoothing_mm,  c->segment.edge_low,
                            c->segment.edge_high,     c->segment.propagation,   c->segment.curvature,
                            c->segment.advection,     c->segment.threshold_low, c->segment.threshold_high,
                            c->segment.iterations,    c->segment.max_volume_ml, c->segment.surface_unit_mm,
                            c->segment.surface_space, c->segment.engine};
    add_numbers(h, "values", (int)(sizeof value / sizeof value[0]), value);
    /* hashed only if given, so that cases without the key keep the digest of earlier versions */
    if (!isnan(c->image.crop_mm))
        add_number(h, "crop", c->image.crop_mm);
    if (c->segment.side_branches > 0)
        add_number(h, "side_branches", c->segment.side_branches);
    if (c->segment.bridge_signal_loss)
        add_number(h, "bridge_signal_loss", 1);
    if (!isnan(c->image.box_low[0])) {
        add_numbers(h, "box_low", 3, c->image.box_low);
        add_numbers(h, "box_high", 3, c->image.box_high);
    }
    add_name(h, "labels", c->segment.labels_path);
    add_number(h, "label_values", c->segment.n_label_value);
    for (int k = 0; k < c->segment.n_label_value; k++)
        add_number(h, "", c->segment.label_value[k]);
    add_name(h, "surface", c->segment.surface_path);
    if (c->segment.method == METHOD_TREATED)
        add_treatments(h, c);
    /* openings bound the level set, so segment depends on them */
    for (int k = 0; k < c->n_opening && c->segment.method == METHOD_LEVEL_SET; k++) {
        add_numbers(h, "point", 3, c->opening[k].point);
        add_numbers(h, "normal", c->opening[k].normal_auto ? 0 : 3, c->opening[k].normal);
    }
}

static void add_shape(hash *h, const case_file *c) {
    const shape *s = &c->mesh.shape;
    add_number(h, "shape", s->kind);
    add_numbers(h, "a", 3, s->a);
    add_numbers(h, "b", 3, s->b);
    add_numbers(h, "radius", 2, s->radius);
    add_numbers(h, "length", s->kind == SHAPE_EYE ? 5 : 1, s->length);
    add_number(h, "segments", s->n_segment);
    for (int k = 0; k < s->n_segment; k++) {
        add_numbers(h, "from", 3, s->segment[k].a);
        add_numbers(h, "to", 3, s->segment[k].b);
        add_number(h, "radius_from", s->segment[k].radius_a);
        add_number(h, "radius_to", s->segment[k].radius_b);
    }
    add_number(h, "ellipsoids", s->n_ellipsoid);
    for (int k = 0; k < s->n_ellipsoid; k++) {
        add_numbers(h, "centre", 3, s->ellipsoid[k].centre);
        add_numbers(h, "half_axes", 3, s->ellipsoid[k].half);
    }
    add_numbers(h, "low", 3, c->mesh.box_low_mm);
    add_numbers(h, "high", 3, c->mesh.box_high_mm);
}

/* Adds the values of the waveform: a changed curve under the same name changes the digest. An unreadable file adds
 * nothing; the stage that needs the file reports the error. */
static void add_waveform(hash *h, const case_file *c, const char *name) {
    waveform w;
    add_name(h, "waveform", name);
    char *path = name ? case_resolve_path(c, name) : NULL;
    if (path && waveform_read(path, &w) == OK) {
        add_numbers(h, "time", w.n, w.time_s);
        add_numbers(h, "flow", w.n, w.flow_m3_s);
        add_number(h, "period", w.period_s);
        if (w.mean_error_m3_s > 0) /* hashed only if stated, so that other files keep the digest of earlier versions */
            add_number(h, "mean error", w.mean_error_m3_s);
        if (w.wrong_mean)
            add_text(h, "wrong mean", "yes");
        if (w.unreliable)
            add_text(h, "unreliable", "yes");
        waveform_free(&w);
    } else if (path) {
        status_clear();
    }
    free(path);
}

/* Hashes the labels of a territory. Without them it hashes nothing, so other cases keep the digests of earlier
 * versions. */
static void add_territory(hash *h, const case_opening *o) {
    for (int k = 0; k < o->n_territory; k++)
        add_number(h, "territory", o->territory[k]);
}

static void add_conditions(hash *h, const case_file *c) {
    if (case_uses_cumulants(c)) /* cumulants need other links and another spacing */
        add_number(h, "cumulants", 1);
    add_number(h, "openings", c->n_opening);
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        add_text(h, "name", o->name);
        add_number(h, "role", o->role);
        add_number(h, "condition", o->condition);
        add_number(h, "value", o->value);
        add_number(h, "error", o->value_error);
        add_numbers(h, "vector", 3, o->vector_m_s);
        if (case_opening_is_model(o)) { /* hashed only with a resistance or Windkessel, so that other cases keep the
                                         * digest of earlier versions */
            add_number(h, "distal", o->distal_pa);
            if (o->distal_error > 0)
                add_number(h, "distal error", o->distal_error);
            add_number(h, "capacitance", o->capacitance_m3_pa);
            if (o->capacitance_error > 0)
                add_number(h, "capacitance error", o->capacitance_error);
            add_number(h, "proximal", o->proximal_part);
        }
        if (o->condition == CONDITION_SPLIT)
            add_number(h, "rest", o->split_rest);
        add_territory(h, o);
        add_waveform(h, c, o->waveform);
        add_number(h, "profile", o->profile);
    }
    if (c->split.law == SPLIT_MURRAY)
        add_number(h, "murray", c->split.power);
    if (c->split.law != SPLIT_NONE && isfinite(c->split.mean_pressure_pa)) {
        add_number(h, "mean pressure", c->split.mean_pressure_pa);
        add_number(h, "split distal", c->split.distal_pa);
        add_number(h, "split capacitance", c->split.capacitance_m3_pa);
        add_number(h, "proximal fraction", c->split.proximal_fraction);
        for (int k = 0; k < SPLIT_PRESSURES; k++)
            if (c->split.pressure_error[k] > 0)
                add_number(h, case_split_pressures[k], c->split.pressure_error[k]);
        if (c->split.capacitance_error > 0)
            add_number(h, "split capacitance error", c->split.capacitance_error);
    }
    if (c->split.law == SPLIT_TERRITORY)
        add_name(h, "territories", c->split.labels_path);
    add_number(h, "density", c->blood.density_kg_m3);
    add_number(h, "viscosity", c->blood.viscosity_pa_s);
    if (case_is_shear_thinning(c)) { /* hashed only for shear-thinning blood, so that other cases keep the digest of
                                      * earlier versions */
        add_number(h, "model", c->blood.model);
        add_number(h, "set", c->blood.set);
        add_number(h, "hematocrit", c->blood.model == VISCOSITY_QUEMADA ? c->blood.hematocrit : 0);
    }
    if (c->blood.unknown)
        add_number(h, "compared set", c->blood.set);
}

/* Hashes the regions of the wall. Without regions it hashes nothing, so cases without regions keep the digests of
 * earlier versions. */
static void add_walls(hash *h, const case_file *c) {
    if (c->n_wall > 0)
        add_number(h, "walls", c->n_wall);
    for (int k = 0; k < c->n_wall; k++) {
        const case_wall_region *w = &c->wall[k];
        add_text(h, "name", w->name);
        add_text(h, "part", w->part);
        add_name(h, "surface", w->surface_path);
        add_number(h, "unit", w->surface_unit_mm);
        add_number(h, "frame", w->surface_space);
        add_number(h, "label", w->label);
        if (w->label > 0) /* a label is a value in the file segment.labels */
            add_name(h, "labels", c->segment.labels_path);
    }
}

static void add_heat(hash *h, const case_file *c) {
    if (!c->solve.heat.on)
        return;
    add_number(h, "diffusivity", c->solve.heat.diffusivity_m2_s);
    add_number(h, "expansion", c->solve.heat.expansion_1_k);
    add_number(h, "reference", c->solve.heat.reference_c);
    add_numbers(h, "gravity", 3, c->solve.heat.gravity_m_s2);
    for (int k = 0; k < c->n_wall; k++)
        add_number(h, "wall", c->wall[k].temperature_c);
    for (int k = 0; k < c->n_opening; k++)
        add_number(h, "opening", c->opening[k].temperature_c);
}

/* Porous regions. Nothing is hashed for a case without them, so that it keeps the digest of earlier versions. */
static void add_porous(hash *h, const case_file *c, bool permeability) {
    for (int k = 0; k < c->n_porous; k++) {
        const case_porous *p = &c->porous[k];
        add_text(h, "porous", p->name);
        add_number(h, "shape", p->shape);
        add_numbers(h, "a", 3, p->a);
        add_numbers(h, "b", 3, p->b);
        add_number(h, "radius", p->radius_mm);
        add_number(h, "label", p->label);
        if (p->shape == POROUS_ELLIPSOID)
            add_numbers(h, "half_axes", 3, p->half_mm);
        if (p->shape == POROUS_LABEL)
            add_name(h, "labels", c->segment.labels_path);
        if (permeability)
            add_numbers(h, "permeability", 2, (const double[]){p->permeability_m2, p->permeability_error});
    }
}

static void add_mesh(hash *h, const case_file *c) {
    add_space(h, c);
    add_name(h, "labels",
             c->image.path ? NULL : c->segment.labels_path); /* without an image, space: voxel refers to the labels */
    if (case_uses_cumulants(c))                              /* cumulants need other links and another spacing */
        add_number(h, "cumulants", 1);
    add_number(h, "openings", c->n_opening);
    for (int k = 0; k < c->n_opening; k++) {
        const case_opening *o = &c->opening[k];
        add_text(h, "name", o->name);
        add_number(h, "role", o->role);
        add_numbers(h, "point", 3, o->point);
        add_number(h, "auto", o->normal_auto);
        if (o->plane_found)
            add_number(h, "plane_found", 1);
        add_numbers(h, "normal", o->normal_auto ? 0 : 3, o->normal);
        add_number(h, "extension", o->extension_mm);
        add_number(h, "radius", o->radius_mm);
    }
    add_number(h, "spacing", c->mesh.spacing_mm);
    add_number(h, "cells_per_diameter", c->mesh.cells_per_diameter);
    add_number(h, "max_cells", c->mesh.max_cells);
    add_number(h, "grid_levels", c->mesh.grid_levels);
    if (c->mesh.fast) /* hashed only if set, so that cases without the key keep the digest of earlier versions */
        add_number(h, "fast", 1);
    if (isfinite(c->mesh.finest_spacing_mm))
        add_number(h, "finest_spacing", c->mesh.finest_spacing_mm);
    if (isfinite(c->mesh.most_cells_per_diameter))
        add_number(h, "most_cells_per_diameter", c->mesh.most_cells_per_diameter);
    if (isfinite(c->mesh.before_spacing_mm)) {
        add_number(h, "before_spacing", c->mesh.before_spacing_mm);
        add_numbers(h, "before_low", 3, c->mesh.before_low_mm);
        add_numbers(h, "before_high", 3, c->mesh.before_high_mm);
    }
    add_number(h, "wall_uncertainty", c->mesh.wall_uncertainty_mm);
    for (int k = 0; k < c->n_opening; k++) { /* the flows determine the velocity, and therefore the spacing */
        const case_opening *o = &c->opening[k];
        add_number(h, "condition", o->condition);
        add_number(h, "value", case_opening_is_free(o) || o->condition == CONDITION_SPLIT ? NAN : o->value);
        if (c->split.law == SPLIT_SHARES && o->condition == CONDITION_SPLIT) {
            add_number(h, "share", o->value);
            add_number(h, "rest", o->split_rest);
        }
        add_waveform(h, c, o->waveform);
        add_number(h, "profile", o->profile);
    }
    add_number(h, "mode", c->solve.mode);
    add_number(h, "density", c->blood.density_kg_m3);
    add_number(h, "viscosity", c->blood.viscosity_pa_s);
    if (c->split.law == SPLIT_MURRAY)
        add_number(h, "murray", c->split.power);
    if (c->split.law == SPLIT_TERRITORY) /* mesh measures the territories */
        add_name(h, "territories", c->split.labels_path);
    for (int k = 0; k < c->n_opening; k++)
        add_territory(h, &c->opening[k]);
    add_number(h, "has_shape", c->mesh.has_shape);
    if (c->mesh.has_shape)
        add_shape(h, c);
    for (int a = 0; a < 3; a++)
        add_number(h, "periodic", c->mesh.periodic[a]);
    add_walls(h, c);
    add_porous(h, c, false);
}

/* The label image and compartments of a liver, with all quantities of its lobules: its resistance is not known before
 * post. */
static void add_liver_labels(hash *h, const case_readout *o) {
    const case_compartments *c = o->compartments;
    add_name(h, "liver labels", o->liver_labels.path);
    for (int k = 0; k < o->liver_labels.n; k++)
        add_number(h, "liver label", o->liver_labels.value[k]);
    if (c)
        add_number(h, "hepatic_pressure", c->hepatic_pa);
    for (int k = 0; c && k < c->n_end; k++)
        add_numbers(h, "hepatic_vein", 3, c->end[k]);
    for (int k = 0; c && k < 2; k++)
        add_numbers(h, "veins", 2, (const double[2]){c->permeability_m2[k].value, c->permeability_m2[k].error});
    for (int k = 0; k < LOBULE_QUANTITIES; k++)
        add_numbers(h, "lobules", 2, (const double[2]){o->lobules.quantity[k].value, o->lobules.quantity[k].error});
}

/* Hashes the block `solve`, without the checkpoint interval and accept_unconverged, which do not change a result. */
static void add_solve(hash *h, const case_file *c) {
    add_conditions(h, c);
    const double value[] = {c->solve.mode,
                            c->solve.wall,
                            c->solve.opening,
                            c->solve.collision,
                            c->solve.precision,
                            c->solve.tolerance,
                            c->solve.max_steps,
                            c->solve.tau,
                            c->solve.max_lattice_velocity,
                            c->solve.dt_s,
                            c->solve.cycles,
                            c->solve.stores,
                            c->solve.period_s,
                            c->solve.monitor_every,
                            c->solve.acceleration,
                            c->solve.tolerance_is_default};
    add_numbers(h, "values", (int)(sizeof value / sizeof value[0]), value);
    add_numbers(h, "force", 3, c->solve.force_m_s2);
    add_number(h, "grid_levels",
               /* the number of levels determines which lattices are solved, and their collision */
               c->mesh.grid_levels);
    add_number(h, "wall_uncertainty", c->mesh.wall_uncertainty_mm);
    if (c->solve.accuracy_is_given) /* hashed only if given, so that cases without the key keep the digest of earlier
                                     * versions */
        add_number(h, "accuracy", c->solve.accuracy);
    add_walls(h, c);
    add_porous(h, c, true);
    add_heat(h, c);
}

static void add_post(hash *h, const case_file *c) {
    add_space(h, c);
    add_porous(h, c, true);
    add_name(h, "case", c->name);
    add_conditions(h, c);
    add_number(h, "sections", c->n_section);
    for (int k = 0; k < c->n_section; k++) {
        const case_section *s = &c->section[k];
        add_text(h, "name", s->name);
        add_numbers(h, "point", 3, s->point);
        add_number(h, "auto", s->normal_auto);
        add_numbers(h, "normal", s->normal_auto ? 0 : 3, s->normal);
        if (s->branch) {
            add_text(h, "branch", s->branch);
            add_number(h, "at", s->at_mm);
            add_number(h, "part", s->at_part);
        }
    }
    add_number(h, "readouts", c->n_readout);
    for (int k = 0; k < c->n_readout; k++) {
        const case_readout *o = &c->readout[k];
        add_number(h, "kind", o->kind);
        add_text(h, "from", o->from);
        add_text(h, "to", o->to);
        add_text(h, "portal", o->portal);
        add_text(h, "cava", o->cava);
        add_number(h, "liver", o->liver_resistance);
        add_number(h, "liver_error", o->liver_error);
        if (!isnan(o->lost_share.value))
            add_numbers(h, "lost_share", 2, (const double[2]){o->lost_share.value, o->lost_share.error});
        if (o->liver_outlets)
            add_number(h, "liver_outlets", 1);
        if (o->liver_lobules) /* hashed only with the lobule model, so that other cases keep the digest of earlier
                               * versions */
            add_number(h, "liver_stage", o->liver_stage);
        for (int q = 0; q < LOBULE_QUANTITIES && o->liver_lobules; q++)
            add_number(h, "lobules_given", o->lobules_given[q]);
        if (o->liver_labels.path)
            add_liver_labels(h, o);
        if (!isnan(o->measured_pa)) /* the report and the table show it */
            add_numbers(h, "measured", 2, (const double[2]){o->measured_pa, o->measured_error_pa});
    }
    for (int k = 0; k < c->n_opening; k++)
        if (c->opening[k].collateral)
            add_number(h, "collateral", k);
    add_walls(h, c);
    add_heat(h, c);
    if (c->post.n_instant > 0)
        add_numbers(h, "instants", c->post.n_instant, c->post.instant_s);
    if (c->post.nifti)
        add_number(h, "nifti", 1);
    if (!isnan(c->post.nusselt_length_mm))
        add_number(h, "nusselt_length", c->post.nusselt_length_mm);
}

static void write_digest(const case_file *c, const char *stage, bool names, char hex[17]) {
    hash h = {.names = names};
    add_text(&h, "stage", stage);
    if (strcmp(stage, "segment") == 0)
        add_segment(&h, c);
    else if (strcmp(stage, "mesh") == 0)
        add_mesh(&h, c);
    else if (strcmp(stage, "solve") == 0)
        add_solve(&h, c);
    else if (strcmp(stage, "post") == 0)
        add_post(&h, c);
    snprintf(hex, 17, "%016" PRIx64, (uint64_t)h.value);
}

void case_digest(const case_file *c, const char *stage, char hex[17]) {
    write_digest(c, stage, true, hex);
}

void case_digest_without_names(const case_file *c, const char *stage, char hex[17]) {
    write_digest(c, stage, false, hex);
}
