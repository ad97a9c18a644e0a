/* See segment_json.h. */
#include "segment/output/segment_json.h"
#include "segment/ends/cross_section_normal.h"
#include "segment/lbm/lbm.h"
#include "segment/output/plausibility.h"
#include "segment/output/leak_warnings.h"
#include "segment/output/unreached_points.h"
#include "common/base/message.h"
#include "common/base/vec.h"
#include "common/case/case_where.h"
#include "common/record/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const method_name[] = {"level-set", "labels", "surface"}; /* enum case_method */

static const double noisy_ratio = 1.3;  /* contrast over noise, level_set.h */
static const double same_volume = 0.02; /* of a mask */

static void add_numbers3(cJSON *o, const char *key, const double x[3]) {
    json_numbers(o, key, 3, x);
}

static void add_ints3(cJSON *o, const char *key, const int x[3]) {
    json_numbers(o, key, 3, (const double[3]){x[0], x[1], x[2]});
}

/* Seeds that lay near the wall: counted from 1, as given, and where the method took them from. */
static cJSON *moved_json(const segmentation *j) {
    const level_set_report *r = &j->level_set;
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < r->n_moved; k++) {
        cJSON *o = cJSON_CreateObject();
        json_number(o, "seed", r->moved[k].seed + 1);
        add_numbers3(o, "given_mm", r->moved[k].from_mm);
        add_numbers3(o, "used_mm", r->moved[k].to_mm);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

static cJSON *level_set_json(const segmentation *j) {
    const level_set_report *r = &j->level_set;
    const seeds_statistics *s = &r->seeds;
    cJSON *p = cJSON_CreateObject();
    cJSON_AddStringToObject(p, "engine", r->used.engine == LEVEL_SET_ITK ? "itk" : "lbm");
    cJSON_AddStringToObject(p, "device", r->used.engine == LEVEL_SET_ITK ? "cpu" : lbm_used());
    cJSON_AddStringToObject(p, "vessel", s->bright ? "bright" : "dark");
    json_number(p, "intensity_inside", s->inside);
    json_number(p, "intensity_outside", s->outside);
    json_number(p, "intensity_next_tissue", r->next_tissue);
    json_number(p, "noise", s->noise);
    json_number(p, "contrast_to_noise", s->noise > 0 ? fabs(s->inside - s->outside) / s->noise : NAN);
    json_number(p, "contrast_to_noise_along", isfinite(r->contrast_to_noise) ? r->contrast_to_noise : NAN);
    json_number(p, "radius_at_seeds_mm", s->radius_mm);
    cJSON_AddItemToObject(p, "seeds_moved", moved_json(j));
    json_number(p, "smoothing_mm", r->used.smoothing_mm);
    json_number(p, "point_spread_mm", r->blur_mm > 0 ? r->blur_mm : NAN);
    json_number(p, "point_spread_across_mm", r->blur_mm > 0 ? r->blur_across_mm : NAN);
    json_number(p, "wall_moved_mm", r->wall_moved_mm);
    json_number(p, "denoise_steps", r->denoise_steps);
    json_number(p, "threshold_low", r->used.threshold_low);
    json_number(p, "threshold_high", r->used.threshold_high);
    json_number(p, "edge_low_per_mm", r->used.edge_low);
    json_number(p, "edge_high_per_mm", r->used.edge_high);
    json_number(p, "propagation", r->used.propagation);
    json_number(p, "curvature", r->used.curvature);
    json_number(p, "advection", r->used.advection);
    json_number(p, "iterations", r->used.iterations);
    json_number(p, "iterations_done", r->iterations_done);
    json_number(p, "start_ml", r->start_ml);
    json_number(p, "follow_rounds", r->rounds);
    add_ints3(p, "voxel_parts", r->parts);
    json_number(p, "max_volume_ml", j->leak.max_volume_ml);
    json_number(p, "edge_support", j->leak.edge_support);
    json_number(p, "border_part", j->leak.border_part);
    json_number(p, "alien_part", j->leak.alien_part);
    json_number(p, "behind_neck_part", j->leak.neck.part);
    json_number(p, "rough_part", j->leak.rough.part);
    cJSON_AddBoolToObject(p, "between_openings", r->bounded);
    json_number(p, "tube_ml", r->bounded ? r->tube_ml : NAN);
    return p;
}

static cJSON *labels_json(const segmentation *j) {
    cJSON *p = cJSON_CreateObject(), *values = cJSON_AddArrayToObject(p, "values");
    for (int k = 0; k < j->c.segment.n_label_value; k++)
        cJSON_AddItemToArray(values, cJSON_CreateNumber(j->c.segment.label_value[k]));
    json_number(p, "mask_ml", j->labels.mask_ml);
    json_number(p, "mask_pieces", j->labels.pieces);
    json_number(p, "blur_voxels", j->labels.blur_voxels);
    add_ints3(p, "voxel_parts", j->labels.parts);
    return p;
}

static cJSON *given_json(const segmentation *j) {
    cJSON *p = cJSON_CreateObject();
    json_number(p, "unit_mm", j->c.segment.surface_unit_mm);
    cJSON_AddStringToObject(p, "frame", j->c.segment.surface_space == SPACE_RAS ? "RAS" : "LPS");
    json_number(p, "open_ends_closed", j->given.filled);
    return p;
}

static void add_sides(cJSON *o, const segmentation *j) {
    cJSON *sides = cJSON_AddArrayToObject(o, "touched_borders");
    for (int bit = 0; bit < 6 && segmentation_reference(j) != NULL; bit++)
        if (j->measured.touched >> bit & 1)
            cJSON_AddItemToArray(sides, cJSON_CreateString(measure_side_name(segmentation_reference(j), bit)));
}

static cJSON *loose_json(const segmentation *j) {
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < j->n_loose; k++) {
        cJSON *o = cJSON_CreateObject();
        add_numbers3(o, "centre_mm", j->loose[k].point_mm);
        add_numbers3(o, "normal", j->loose[k].normal);
        json_number(o, "radius_mm", j->loose[k].radius_mm);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

static cJSON *sides_json(const segmentation *j) {
    const side_list *sides = &j->level_set.sides;
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < sides->n; k++) {
        const side_branch *b = &sides->branch[k];
        cJSON *o = cJSON_CreateObject();
        add_numbers3(o, "point_mm", b->point_mm);
        add_numbers3(o, "direction", b->normal);
        json_number(o, "radius_mm", b->radius_mm);
        json_number(o, "length_mm", b->length_mm);
        json_number(o, "order", b->order);
        cJSON_AddBoolToObject(o, "taken", b->taken);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

/* One more thing beside the vessel, LPS; flag: what is said of it. */
static void add_beside(cJSON *all, const double at_mm[3], double radius_mm, double vessel_mm, double volume_mm3,
                       const char *flag, bool is) {
    cJSON *o = cJSON_CreateObject();
    add_numbers3(o, "centre_mm", at_mm);
    json_number(o, "radius_mm", radius_mm);
    json_number(o, "vessel_radius_mm", vessel_mm);
    json_number(o, "volume_ml", volume_mm3 / 1000);
    cJSON_AddBoolToObject(o, flag, is);
    cJSON_AddItemToArray(all, o);
}

static cJSON *sacs_json(const level_set_report *r) {
    cJSON *all = cJSON_CreateArray();
    for (const tube_sac *s = r->sac; all != NULL && s < r->sac + r->n_sac; s++)
        add_beside(all, s->at_mm, s->radius_mm, s->vessel_mm, s->volume_mm3, "taken", s->taken);
    return all;
}

/* Round things beside the wall that were left out. */
static cJSON *pouches_json(const level_set_report *r) {
    cJSON *all = cJSON_CreateArray();
    for (const tube_pouch *p = r->pouch; all != NULL && p < r->pouch + r->n_pouch; p++)
        add_beside(all, p->at_mm, p->radius_mm, p->vessel_mm, p->volume_mm3, "narrow", p->narrow);
    return all;
}

/* Where something far brighter than blood lies against the wall. */
static cJSON *bright_json(const level_set_report *r) {
    cJSON *o = r->bright_mm > 0 ? cJSON_CreateObject() : cJSON_CreateNull();
    if (o != NULL && r->bright_mm > 0) {
        json_number(o, "length_mm", r->bright_mm);
        add_numbers3(o, "point_mm", r->bright_at_mm);
    }
    return o;
}

cJSON *segment_json(const segmentation *j) {
    const measure *m = &j->measured;
    cJSON *o = cJSON_CreateObject();
    if (o == NULL)
        return NULL;
    cJSON_AddStringToObject(o, "method", method_name[j->c.segment.method]);
    json_number(o, "volume_ml", m->volume_ml);
    json_number(o, "area_mm2", m->area_mm2);
    json_number(o, "wall_uncertainty_mm", j->known.uncertainty_mm);
    json_number(o, "edge_width_mm", j->known.edge_width_mm);
    json_number(o, "noise_to_contrast_at_wall", j->known.noise_to_contrast);
    json_number(o, "components", m->components);
    json_number(o, "cavities", m->cavities);
    cJSON *radius = cJSON_AddObjectToObject(o, "radius_mm");
    json_number(radius, "p5", m->radius_mm[0]);
    json_number(radius, "median", m->radius_mm[1]);
    json_number(radius, "largest", m->radius_mm[2]);
    if (j->body_part)
        cJSON_AddStringToObject(o, "body_part", j->body_part);
    else
        cJSON_AddNullToObject(o, "body_part");
    add_sides(o, j);
    cJSON_AddItemToObject(o, "closed_ends", caps_json(j->n_lid, j->cap));
    cJSON_AddItemToObject(o, "ends_without_opening", loose_json(j));
    cJSON_AddItemToObject(o, "side_branches", sides_json(j));
    cJSON_AddItemToObject(o, "sacs", sacs_json(&j->level_set));
    cJSON_AddItemToObject(o, "beside_wall", pouches_json(&j->level_set));
    cJSON_AddItemToObject(o, "bright_at_wall", bright_json(&j->level_set));
    cJSON *grid = cJSON_AddObjectToObject(o, "grid");
    cJSON_AddStringToObject(grid, "file", "phi.nii.gz");
    add_ints3(grid, "dims", j->phi.dims);
    add_numbers3(grid, "spacing_mm", j->phi.spacing_mm);
    add_numbers3(grid, "origin_mm", j->phi.origin_mm);
    json_numbers(grid, "direction", 9, j->phi.direction);
    cJSON_AddStringToObject(grid, "frame", "LPS");
    cJSON *(*const parameters[])(const segmentation *) = {level_set_json, labels_json, given_json};
    cJSON_AddItemToObject(o, "parameters", parameters[j->c.segment.method](j));
    cJSON *took = cJSON_AddObjectToObject(o, "steps_s");
    for (int k = 0; k < j->steps.n; k++)
        json_number(took, j->steps.name[k], j->steps.seconds[k]);
    return o;
}

static void say_sides(const segmentation *j, char *text, size_t size) {
    const volume *reference = segmentation_reference(j);
    size_t used = 0;
    text[0] = 0;
    for (int bit = 0; bit < 6 && reference != NULL; bit++)
        if (j->measured.touched >> bit & 1)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", measure_side_name(reference, bit));
}

void segment_messages_summary(const segmentation *j, char line[SUMMARY_LINES][SUMMARY_LINE]) {
    const measure *m = &j->measured;
    const volume *v = &j->phi;
    char sides[100];
    say_sides(j, sides, sizeof sides);
    snprintf(line[0], SUMMARY_LINE, "volume %.4g mL, %d %s", m->volume_ml, m->components,
             m->components == 1 ? "piece" : "pieces");
    snprintf(line[1], SUMMARY_LINE, "radius %.3g to %.3g mm, median %.3g mm", m->radius_mm[0], m->radius_mm[2],
             m->radius_mm[1]);
    if (sides[0])
        snprintf(line[2], SUMMARY_LINE, "leaves the image: %s", sides);
    else
        snprintf(line[2], SUMMARY_LINE, "does not reach the border of the image");
    snprintf(line[3], SUMMARY_LINE, "grid %d x %d x %d, %.3g x %.3g x %.3g mm", v->dims[0], v->dims[1], v->dims[2],
             v->spacing_mm[0], v->spacing_mm[1], v->spacing_mm[2]);
    line[4][0] = 0;
    double doubtful = 100 * (1 - j->leak.edge_support);
    if (j->c.segment.method == METHOD_LEVEL_SET && doubtful >= 0.5)
        snprintf(line[4], SUMMARY_LINE, "magenta: hardly any edge of the image at the wall (%.0f %% of it)", doubtful);
}

struct qc_opening *picture_openings(const segmentation *j) {
    const int n = j->n_placed;
    struct qc_opening *list = n > 0 ? calloc((size_t)n, sizeof *list) : NULL;
    for (int k = 0; k < n && list != NULL; k++) {
        list[k].name = j->c.opening[k].name;
        memcpy(list[k].point_mm, j->opening_mm[k], sizeof list[k].point_mm);
        memcpy(list[k].normal, j->opening_normal[k], sizeof list[k].normal);
    }
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) /* normal: auto. Where there is no vessel it stays unknown */
        if (list != NULL && isnan(list[k].normal[0]) &&
            !cross_section_normal(&j->phi, list[k].point_mm, list[k].normal))
            list[k].normal[0] = NAN;
    return list;
}

/* Of a mask on slices thicker than the vessel's radius a section is known from one to three slices. */
static void warn_slices(const segmentation *j, double voxel, double slice) {
    if (j->c.segment.method == METHOD_LABELS && slice > 2 * voxel && j->measured.radius_mm[1] < slice)
        message_warn_serious(
            "the mask's slices are %.3g mm apart and the vessel is %.3g mm wide: its sections may be a quarter too "
            "large or too small, more where it runs along the slices, and pressure drops as far off as that to the "
            "power 2; a mask with thinner slices, or the image itself, is better",
            slice, 2 * j->measured.radius_mm[1]);
}

static void warn_volume(const segmentation *j) {
    const double part = j->measured.volume_ml / j->labels.mask_ml - 1;
    if (j->c.segment.method == METHOD_LABELS && fabs(part) > same_volume)
        message_warn_serious("the smooth lumen holds %.3g mL, the mask %.3g mL: places of one voxel were lost, or the "
                             "vessel is too narrow for its voxels; draw the mask on smaller ones",
                             j->measured.volume_ml, j->labels.mask_ml);
}

static void warn_thin(const segmentation *j) {
    const volume *v = segmentation_reference(j);
    if (v == NULL)
        return;
    const double *h = v->spacing_mm, voxel = fmin(h[0], fmin(h[1], h[2]));
    if (j->measured.radius_mm[0] < 1.5 * voxel)
        message_warn("parts of the vessel are only %.1f voxels wide (radius %.2f mm): their size is uncertain",
                     2 * j->measured.radius_mm[0] / voxel, j->measured.radius_mm[0]);
    warn_slices(j, voxel, fmax(h[0], fmax(h[1], h[2])));
    warn_volume(j);
}

/* The wall is still found there, but not well: its interval is wide. */
static void warn_noise(const segmentation *j) {
    const level_set_report *r = &j->level_set;
    if (j->c.segment.method != METHOD_LEVEL_SET || r->contrast_to_noise >= noisy_ratio)
        return;
    message_warn_serious(
        "noise hides parts of the wall: between vessel (%.4g) and next tissue (%.4g) there is only %.2g times the "
        "noise (%.3g) along a wall; it may be %.2g mm off, the narrowest radius is %.2g mm; average or denoise the "
        "image",
        r->seeds.inside, r->next_tissue, r->contrast_to_noise, r->seeds.noise, j->known.uncertainty_mm,
        j->measured.radius_mm[0]);
}

static void tell_intensities(const segmentation *j) {
    const level_set_report *r = &j->level_set;
    if (j->c.segment.method != METHOD_LEVEL_SET)
        return;
    message_info("vessel %.4g, next tissue %.4g, noise %.3g: threshold %.4g%s", r->seeds.inside, r->next_tissue,
                 r->seeds.noise, r->seeds.bright ? r->used.threshold_low : r->used.threshold_high,
                 r->bounded ? " (the middle of what was used along the vessel)" : "");
    message_info(r->bounded ? (j->c.n_opening > 0 ? "bounded by what lies between seeds and openings"
                                                  : "bounded to the vessel along the seeds")
                            : "not bounded by openings: everything connected with the seeds");
}

static void warn_loose(const segmentation *j) {
    for (int k = 0; k < j->n_loose; k++) {
        double at[3];
        segmentation_place(j, j->loose[k].point_mm, at);
        message_warn("the vessel ends near [%.1f, %.1f, %.1f] (%s), %.2g mm in radius, where no opening is: no blood "
                     "flows there; add an opening if it does",
                     at[0], at[1], at[2], segmentation_space(j), j->loose[k].radius_mm);
    }
}

/* Not warnings: cutting them is what the case asks for. */
static void tell_sides(const segmentation *j) {
    const side_list *sides = &j->level_set.sides;
    for (int k = 0; k < sides->n; k++) {
        const side_branch *b = &sides->branch[k];
        double at[3];
        segmentation_place(j, b->point_mm, at);
        message_info("side branch of order %d, %.2g mm in radius, leaves near [%.1f, %.1f, %.1f] (%s): %s", b->order,
                     b->radius_mm, at[0], at[1], at[2], segmentation_space(j),
                     b->taken
                         ? "taken along (a vessel as bright that only ends at this wall looks the same: see qc.png)"
                         : "cut there (to take it along: segment.side_branches; for flow in it: "
                           "an opening at its end)");
    }
}

/* Those too small to be resolved are no finding. */
static void tell_cavities(const segmentation *j) {
    const double tiny_ml = 1e-4 * j->measured.volume_ml;
    void (*say)(const char *, ...) = j->measured.cavity_ml > tiny_ml ? message_warn : message_info;
    const bool one = j->measured.cavities == 1;
    char where[CASE_WHERE];
    say("the lumen has %d closed %s inside (%.3g mL, the largest near %s): blood flows round %s; fill %s in unless "
        "something solid is there",
        j->measured.cavities, one ? "hole" : "holes", j->measured.cavity_ml,
        case_where(&j->c, j->measured.cavity_mm, where), one ? "it" : "them", one ? "it" : "them");
}

void segment_messages_print(const segmentation *j) {
    char line[SUMMARY_LINES][SUMMARY_LINE];
    plausibility_warn(j);
    tell_intensities(j);
    segment_messages_summary(j, line);
    for (int k = 0; k < SUMMARY_LINES - 1; k++)
        message_info("%s", line[k]);
    if (j->measured.components > 1)
        (j->measured.beside_part > 1e-4 ? message_warn : message_info)(
            "the lumen is in %d pieces, the smaller ones %.2g %% of it; only those an opening cuts will carry flow",
            j->measured.components, 100 * j->measured.beside_part);
    if (j->measured.cavities > 0)
        tell_cavities(j);
    if (j->c.segment.method == METHOD_LABELS && j->measured.components != j->labels.pieces)
        message_warn("the mask is in %d pieces, the smooth lumen in %d: places of one voxel were lost or joined",
                     j->labels.pieces, j->measured.components);
    if (j->c.segment.method == METHOD_SURFACE && j->given.filled > 0)
        (j->given.filled > j->c.n_opening && j->c.n_opening > 0 ? message_warn : message_info)(
            "%d open end%s of the surface %s closed, the case has %d openings%s", j->given.filled,
            j->given.filled == 1 ? "" : "s", j->given.filled == 1 ? "was" : "were", j->c.n_opening,
            j->given.filled > j->c.n_opening && j->c.n_opening > 0 ? ": is the file whole?" : "");
    if (j->c.segment.method == METHOD_LEVEL_SET)
        warn_of_leak_signs(j);
    unreached_points_warn(j);
    tell_sides(j);
    warn_loose(j);
    warn_noise(j);
    warn_thin(j);
}
