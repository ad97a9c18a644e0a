/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/segment_json.h"
#include "common/vessel/vessel_files.h"
#include "common/record/json.h"
#include "segment/bridge/gap_bridge_json.h"
#include "segment/engine/lbm.h"
#include <math.h>

/* indexed by enum case_method */
static const char *const method_name[] = {"level-set", "labels", "surface", "treated"};

static void add_numbers3(cJSON *o, const char *key, const double x[3]) {
    json_add_numbers(o, key, 3, x);
}

static void add_ints3(cJSON *o, const char *key, const int x[3]) {
    json_add_numbers(o, key, 3, (const double[3]){x[0], x[1], x[2]});
}

/* JSON array of the seeds that were moved away from the wall: number from 1, given and used position. */
static cJSON *moved_seeds_json(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < r->n_moved; k++) {
        cJSON *o = cJSON_CreateObject();
        json_add_number(o, "seed", r->moved[k].seed + 1);
        add_numbers3(o, "given_mm", r->moved[k].from_mm);
        add_numbers3(o, "used_mm", r->moved[k].to_mm);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

static cJSON *level_set_json(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    const seeds_statistics *seeds = &r->seeds;
    cJSON *p = cJSON_CreateObject();
    cJSON_AddStringToObject(p, "engine", r->used.engine == LEVEL_SET_ITK ? "itk" : "lbm");
    cJSON_AddStringToObject(p, "device", r->used.engine == LEVEL_SET_ITK ? "cpu" : lbm_device_used());
    cJSON_AddStringToObject(p, "vessel", seeds->bright ? "bright" : "dark");
    json_add_number(p, "intensity_inside", seeds->inside);
    json_add_number(p, "intensity_outside", seeds->outside);
    json_add_number(p, "intensity_next_tissue", r->next_tissue);
    json_add_number(p, "noise", seeds->noise);
    json_add_number(p, "contrast_to_noise",
                    seeds->noise > 0 ? fabs(seeds->inside - seeds->outside) / seeds->noise : NAN);
    json_add_number(p, "contrast_to_noise_along", isfinite(r->contrast_to_noise) ? r->contrast_to_noise : NAN);
    json_add_number(p, "radius_at_seeds_mm", seeds->radius_mm);
    cJSON_AddItemToObject(p, "seeds_moved", moved_seeds_json(s));
    json_add_number(p, "smoothing_mm", r->used.smoothing_mm);
    json_add_number(p, "point_spread_mm", r->blur_mm > 0 ? r->blur_mm : NAN);
    json_add_number(p, "point_spread_across_mm", r->blur_mm > 0 ? r->blur_across_mm : NAN);
    json_add_number(p, "wall_moved_mm", r->wall_moved_mm);
    json_add_number(p, "denoise_steps", r->denoise_steps);
    json_add_number(p, "threshold_low", r->used.threshold_low);
    json_add_number(p, "threshold_high", r->used.threshold_high);
    json_add_number(p, "edge_low_per_mm", r->used.edge_low);
    json_add_number(p, "edge_high_per_mm", r->used.edge_high);
    json_add_number(p, "propagation", r->used.propagation);
    json_add_number(p, "curvature", r->used.curvature);
    json_add_number(p, "advection", r->used.advection);
    json_add_number(p, "iterations", r->used.iterations);
    json_add_number(p, "iterations_done", r->iterations_done);
    json_add_number(p, "start_ml", r->start_ml);
    json_add_number(p, "follow_rounds", r->rounds);
    add_ints3(p, "voxel_parts", r->parts);
    json_add_number(p, "max_volume_ml", s->found.leak.max_volume_ml);
    json_add_number(p, "edge_support", s->found.leak.edge_support);
    json_add_number(p, "border_part", s->found.leak.border_part);
    json_add_number(p, "alien_part", s->found.leak.alien_part);
    json_add_number(p, "behind_neck_part", s->found.leak.neck.part);
    json_add_number(p, "rough_part", s->found.leak.rough.part);
    cJSON_AddBoolToObject(p, "between_openings", r->bounded);
    json_add_number(p, "tube_ml", r->bounded ? r->tube_ml : NAN);
    return p;
}

static cJSON *labels_json(const segmentation *s) {
    cJSON *p = cJSON_CreateObject(), *values = cJSON_AddArrayToObject(p, "values");
    for (int k = 0; k < s->c.segment.n_label_value; k++)
        cJSON_AddItemToArray(values, cJSON_CreateNumber(s->c.segment.label_value[k]));
    json_add_number(p, "mask_ml", s->labels.mask_ml);
    json_add_number(p, "mask_pieces", s->labels.pieces);
    json_add_number(p, "blur_voxels", s->labels.blur_voxels);
    add_ints3(p, "voxel_parts", s->labels.parts);
    return p;
}

static cJSON *given_json(const segmentation *s) {
    cJSON *p = cJSON_CreateObject();
    json_add_number(p, "unit_mm", s->c.segment.surface_unit_mm);
    cJSON_AddStringToObject(p, "frame", s->c.segment.surface_space == SPACE_RAS ? "RAS" : "LPS");
    json_add_number(p, "open_ends_closed", s->surface.filled);
    return p;
}

static cJSON *treated_json(const segmentation *s) {
    static const char *const kind[] = {"dilate", "close", "stent"}; /* indexed by enum case_treatment_kind */
    cJSON *p = cJSON_CreateObject(), *all = cJSON_AddArrayToObject(p, "changes");
    for (int k = 0; k < s->treated.n; k++) {
        const case_treatment *t = &s->c.treat[k];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "kind", kind[t->kind]);
        json_add_number(o, "diameter_mm", t->diameter_mm);
        json_add_number(o, "length_mm", s->treated.length_mm[k]);
        json_add_number(o, "added_ml", s->treated.volume_ml[k]);
        cJSON_AddItemToArray(all, o);
    }
    return p;
}

static void add_sides(cJSON *o, const segmentation *s) {
    cJSON *sides = cJSON_AddArrayToObject(o, "touched_borders");
    for (int bit = 0; bit < 6 && segmentation_reference(s) != NULL; bit++)
        if (s->lumen.measured.touched >> bit & 1)
            cJSON_AddItemToArray(sides, cJSON_CreateString(measure_side_name(segmentation_reference(s), bit)));
}

static cJSON *ends_without_opening_json(const segmentation *s) {
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < s->found.n_end; k++) {
        cJSON *o = cJSON_CreateObject();
        add_numbers3(o, "centre_mm", s->found.end[k].point_mm);
        add_numbers3(o, "normal", s->found.end[k].normal);
        json_add_number(o, "radius_mm", s->found.end[k].radius_mm);
        if (s->found.closed_by[k] >= 0)
            cJSON_AddStringToObject(o, "closed_branch", s->c.treat[s->found.closed_by[k]].from.branch);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

static cJSON *side_branches_json(const segmentation *s) {
    const side_list *sides = &s->level_set.sides;
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < sides->n; k++) {
        const side_branch *b = &sides->branch[k];
        cJSON *o = cJSON_CreateObject();
        add_numbers3(o, "point_mm", b->point_mm);
        add_numbers3(o, "direction", b->normal);
        json_add_number(o, "radius_mm", b->radius_mm);
        json_add_number(o, "length_mm", b->length_mm);
        json_add_number(o, "order", b->order);
        cJSON_AddBoolToObject(o, "taken", b->taken);
        cJSON_AddBoolToObject(o, "touches", b->touches);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

/* Append a structure next to the vessel, positions in LPS; `flag` is the key of the boolean `is`. */
static void add_structure(cJSON *all, const double at_mm[3], double radius_mm, double vessel_mm, double volume_mm3,
                          const char *flag, bool is) {
    cJSON *o = cJSON_CreateObject();
    add_numbers3(o, "centre_mm", at_mm);
    json_add_number(o, "radius_mm", radius_mm);
    json_add_number(o, "vessel_radius_mm", vessel_mm);
    json_add_number(o, "volume_ml", volume_mm3 / 1000);
    cJSON_AddBoolToObject(o, flag, is);
    cJSON_AddItemToArray(all, o);
}

static cJSON *sacs_json(const level_set_report *r) {
    cJSON *all = cJSON_CreateArray();
    for (const tube_sac *s = r->sac; all != NULL && s < r->sac + r->n_sac; s++)
        add_structure(all, s->at_mm, s->radius_mm, s->vessel_mm, s->volume_mm3, "taken", s->taken);
    return all;
}

/* JSON array of the round structures at the wall that are not in the lumen. */
static cJSON *pouches_json(const level_set_report *r) {
    cJSON *all = cJSON_CreateArray();
    for (const tube_pouch *p = r->pouch; all != NULL && p < r->pouch + r->n_pouch; p++)
        add_structure(all, p->at_mm, p->radius_mm, p->vessel_mm, p->volume_mm3, "narrow", p->narrow);
    return all;
}

/* JSON array of the narrow places where the image loses signal. */
static cJSON *signal_losses_json(const segmentation *s) {
    cJSON *all = cJSON_CreateArray();
    for (int k = 0; all != NULL && k < s->found.losses.n; k++) {
        const signal_loss *f = &s->found.losses.found[k];
        cJSON *o = cJSON_CreateObject();
        add_numbers3(o, "point_mm", f->point_mm);
        json_add_number(o, "along_mm", f->along_mm);
        if (f->opening >= 0)
            cJSON_AddStringToObject(o, "from_opening", s->c.opening[f->opening].name);
        else
            cJSON_AddNullToObject(o, "from_opening");
        add_numbers3(o, "from_end_mm", f->end_mm);
        json_add_number(o, "length_mm", f->length_mm);
        json_add_number(o, "radius_mm", f->radius_mm);
        json_add_number(o, "vessel_radius_mm", f->vessel_mm);
        json_add_number(o, "signal_part", f->signal);
        cJSON_AddBoolToObject(o, "bridged", s->c.segment.bridge_signal_loss);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

/* JSON object of the place where a structure far brighter than blood touches the wall; null: none. */
static cJSON *bright_json(const level_set_report *r) {
    cJSON *o = r->bright_mm > 0 ? cJSON_CreateObject() : cJSON_CreateNull();
    if (o != NULL && r->bright_mm > 0) {
        json_add_number(o, "length_mm", r->bright_mm);
        add_numbers3(o, "point_mm", r->bright_at_mm);
    }
    return o;
}

cJSON *segment_json(const segmentation *s) {
    const measure *m = &s->lumen.measured;
    cJSON *o = cJSON_CreateObject();
    if (o == NULL)
        return NULL;
    cJSON_AddStringToObject(o, "method", method_name[s->c.segment.method]);
    json_add_number(o, "volume_ml", m->volume_ml);
    json_add_number(o, "area_mm2", m->area_mm2);
    json_add_number(o, "wall_uncertainty_mm", s->found.wall.uncertainty_mm);
    json_add_number(o, "wall_shift_uncertainty_mm", s->found.wall.shift_mm);
    cJSON *parts = cJSON_AddObjectToObject(o, "wall_uncertainty_parts_mm");
    json_add_number(parts, "measured", s->found.wall.measured_mm);
    json_add_number(parts, "threshold", s->found.wall.threshold_mm);
    json_add_number(parts, "resolution", s->found.wall.resolution_mm);
    json_add_number(parts, "bridged", s->found.wall.bridged_mm);
    json_add_number(o, "edge_width_mm", s->found.wall.edge_width_mm);
    json_add_number(o, "noise_to_contrast_at_wall", s->found.wall.noise_to_contrast);
    json_add_number(o, "components", m->components);
    json_add_number(o, "cavities", m->cavities);
    json_add_number(o, "filled_holes", s->found.filled.n);
    cJSON *radius = cJSON_AddObjectToObject(o, "radius_mm");
    json_add_number(radius, "p5", m->radius_mm[0]);
    json_add_number(radius, "median", m->radius_mm[1]);
    json_add_number(radius, "largest", m->radius_mm[2]);
    if (s->given.body_part)
        cJSON_AddStringToObject(o, "body_part", s->given.body_part);
    else
        cJSON_AddNullToObject(o, "body_part");
    add_sides(o, s);
    cJSON_AddItemToObject(o, "closed_ends", caps_to_json(s->found.n_cap, s->found.cap));
    cJSON_AddItemToObject(o, "ends_without_opening", ends_without_opening_json(s));
    cJSON_AddItemToObject(o, "side_branches", side_branches_json(s));
    cJSON_AddItemToObject(o, "sacs", sacs_json(&s->level_set));
    cJSON_AddItemToObject(o, "beside_wall", pouches_json(&s->level_set));
    cJSON_AddItemToObject(o, "bright_at_wall", bright_json(&s->level_set));
    cJSON_AddItemToObject(o, "signal_losses", signal_losses_json(s));
    cJSON_AddItemToObject(o, "bridged_gaps", gap_bridge_json(&s->found.gaps));
    cJSON_AddItemToObject(o, "vessel",
                          s->vessel.lines.n_branch > 0 ? vessel_files_json(&s->vessel.table) : cJSON_CreateNull());
    cJSON *grid = cJSON_AddObjectToObject(o, "grid");
    cJSON_AddStringToObject(grid, "file", "phi.nii.gz");
    add_ints3(grid, "dims", s->lumen.phi.dims);
    add_numbers3(grid, "spacing_mm", s->lumen.phi.spacing_mm);
    add_numbers3(grid, "origin_mm", s->lumen.phi.origin_mm);
    json_add_numbers(grid, "direction", 9, s->lumen.phi.direction);
    cJSON_AddStringToObject(grid, "frame", "LPS");
    cJSON *(*const parameters[])(const segmentation *) = {level_set_json, labels_json, given_json, treated_json};
    cJSON_AddItemToObject(o, "parameters", parameters[s->c.segment.method](s));
    cJSON *took = cJSON_AddObjectToObject(o, "steps_s");
    for (int k = 0; k < s->steps.n; k++)
        json_add_number(took, s->steps.name[k], s->steps.seconds[k]);
    return o;
}
