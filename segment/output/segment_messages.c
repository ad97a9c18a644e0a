/* See segment_messages.h. */
#include "segment/output/segment_messages.h"
#include "common/base/message.h"
#include "common/case/case.h"
#include "segment/checks/checks_constants.h"
#include "segment/output/output_constants.h"
#include "segment/output/plausibility.h"
#include "segment/output/unreached_points.h"
#include <math.h>

/* Of a mask on slices thicker than the vessel's radius a section is known from one to three slices. */
static void warn_slices(const segmentation *s, double voxel, double slice) {
    if (s->c.segment.method == METHOD_LABELS && slice > 2 * voxel && s->lumen.measured.radius_mm[1] < slice)
        message_warn_serious(
            "the mask's slices are %.3g mm apart and the vessel is %.3g mm wide: its sections may be a quarter too "
            "large or too small, more where it runs along the slices, and pressure drops as far off as that to the "
            "power 2; a mask with thinner slices, or the image itself, is better",
            slice, 2 * s->lumen.measured.radius_mm[1]);
}

static void warn_volume(const segmentation *s) {
    const double part = s->lumen.measured.volume_ml / s->labels.mask_ml - 1;
    if (s->c.segment.method == METHOD_LABELS && fabs(part) > SAME_VOLUME)
        message_warn_serious("the smooth lumen holds %.3g mL, the mask %.3g mL: places of one voxel were lost, or the "
                             "vessel is too narrow for its voxels; draw the mask on smaller ones",
                             s->lumen.measured.volume_ml, s->labels.mask_ml);
}

static void warn_thin(const segmentation *s) {
    const volume *v = segmentation_reference(s);
    if (v == NULL)
        return;
    const double *h = v->spacing_mm, voxel = fmin(h[0], fmin(h[1], h[2]));
    if (s->lumen.measured.radius_mm[0] < 1.5 * voxel)
        message_warn("parts of the vessel are only %.1f voxels wide (radius %.2f mm): their size is uncertain",
                     2 * s->lumen.measured.radius_mm[0] / voxel, s->lumen.measured.radius_mm[0]);
    warn_slices(s, voxel, fmax(h[0], fmax(h[1], h[2])));
    warn_volume(s);
}

/* The wall is still found there, but not well: its interval is wide. */
static void warn_noise(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    if (s->c.segment.method != METHOD_LEVEL_SET || r->contrast_to_noise >= DOUBTFUL_RATIO)
        return;
    message_warn_serious(
        "noise hides parts of the wall: between vessel (%.4g) and next tissue (%.4g) there is only %.2g times the "
        "noise (%.3g) along a wall; it may be %.2g mm off, the narrowest radius is %.2g mm; average or denoise the "
        "image",
        r->seeds.inside, r->next_tissue, r->contrast_to_noise, r->seeds.noise, s->found.wall.uncertainty_mm,
        s->lumen.measured.radius_mm[0]);
}

static void tell_intensities(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    if (s->c.segment.method != METHOD_LEVEL_SET)
        return;
    message_info("vessel %.4g, next tissue %.4g, noise %.3g: threshold %.4g%s", r->seeds.inside, r->next_tissue,
                 r->seeds.noise, r->seeds.bright ? r->used.threshold_low : r->used.threshold_high,
                 r->bounded ? " (the middle of what was used along the vessel)" : "");
    message_info(r->bounded ? (s->c.n_opening > 0 ? "bounded by what lies between seeds and openings"
                                                  : "bounded to the vessel along the seeds")
                            : "not bounded by openings: everything connected with the seeds");
}

static void warn_loose(const segmentation *s) {
    for (int k = 0; k < s->found.n_end; k++) {
        double at[3];
        segmentation_place(s, s->found.end[k].point_mm, at);
        message_warn("the vessel ends near [%.1f, %.1f, %.1f] (%s), %.2g mm in radius, where no opening is: no blood "
                     "flows there; add an opening if it does",
                     at[0], at[1], at[2], segmentation_space(s), s->found.end[k].radius_mm);
    }
}

/* Not warnings: cutting them is what the case asks for. */
static void tell_sides(const segmentation *s) {
    const side_list *sides = &s->level_set.sides;
    for (int k = 0; k < sides->n; k++) {
        const side_branch *b = &sides->branch[k];
        double at[3];
        segmentation_place(s, b->point_mm, at);
        message_info("side branch of order %d, %.2g mm in radius, leaves near [%.1f, %.1f, %.1f] (%s): %s", b->order,
                     b->radius_mm, at[0], at[1], at[2], segmentation_space(s),
                     b->taken
                         ? "taken along (a vessel as bright that only ends at this wall looks the same: see qc.png)"
                         : "cut there (to take it along: segment.side_branches; for flow in it: "
                           "an opening at its end)");
    }
}

/* Those too small to be resolved are no finding. */
static void tell_cavities(const segmentation *s) {
    const double tiny_ml = 1e-4 * s->lumen.measured.volume_ml;
    void (*say)(const char *, ...) = s->lumen.measured.cavity_ml > tiny_ml ? message_warn : message_info;
    const bool one = s->lumen.measured.cavities == 1;
    char where[CASE_WHERE];
    say("the lumen has %d closed %s inside (%.3g mL, the largest near %s): blood flows round %s; fill %s in unless "
        "something solid is there",
        s->lumen.measured.cavities, one ? "hole" : "holes", s->lumen.measured.cavity_ml,
        case_where(&s->c, s->lumen.measured.cavity_mm, where), one ? "it" : "them", one ? "it" : "them");
}

static void tell_neck(const segmentation *s) {
    double at[3];
    segmentation_place(s, s->found.leak.neck.place_mm, at);
    message_warn_serious(
        "%.0f %% of the lumen has no seed and is reached only through a neck of %.2g mm in radius near "
        "[%.1f, %.1f, %.1f] (%s): a vessel that touches this one, or one beyond a stenosis; look at qc.png",
        100 * s->found.leak.neck.part, s->found.leak.neck.radius_mm, at[0], at[1], at[2], segmentation_space(s));
}

static void tell_alongside(const segmentation *s) {
    double at[3];
    segmentation_place(s, s->found.leak.along.place_mm, at);
    message_warn_serious(
        "near [%.1f, %.1f, %.1f] (%s) a second vessel as bright lies along that of the seeds, without a "
        "wall between, or a branch that runs close to it: it is in the lumen; look at qc.png, and give "
        "the ends of the vessel as openings, which leaves out what only touches it",
        at[0], at[1], at[2], segmentation_space(s));
}

static void tell_rough(const segmentation *s) {
    double at[3];
    segmentation_place(s, s->found.leak.rough.place_mm, at);
    message_warn_serious("%.0f %% of the lumen is three times as uneven inside as at the seeds, round "
                         "[%.1f, %.1f, %.1f] (%s): bone as bright as the vessel, or far more noise there; look at "
                         "qc.png, and put seeds in the middle of the vessel, set threshold: or crop the image",
                         100 * s->found.leak.rough.part, at[0], at[1], at[2], segmentation_space(s));
}

static void tell_smear(const segmentation *s) {
    message_warn_serious(
        "the vessel's edge is %.2g voxels wide to both sides in one direction and %.2g in another: the "
        "image is smeared or doubled (motion while it was taken, or far fewer lines measured in that "
        "direction); the wall may be off by half of that, pressures by far more",
        s->found.motion.widest, s->found.motion.least);
}

/* Those that refuse nothing. */
static void warn_of_leak_signs(const segmentation *s) {
    if (s->found.leak.edge_support < DOUBTFUL_SUPPORT)
        message_warn_serious("along %.0f %% of the wall there is hardly any edge in the image (magenta in qc.png): "
                             "check that it is the vessel's wall",
                             100 * (1 - s->found.leak.edge_support));
    if (s->found.motion.seen)
        tell_smear(s);
    if (s->found.leak.neck.part > DOUBTFUL_BEHIND)
        tell_neck(s);
    else if (s->found.leak.along.part > 0)
        tell_alongside(s);
    if (s->found.leak.rough.part > DOUBTFUL_ROUGH)
        tell_rough(s);
}

void segment_messages_print(const segmentation *s) {
    char line[SUMMARY_LINES][SUMMARY_LINE];
    plausibility_warn(s);
    tell_intensities(s);
    segmentation_summary(s, line);
    for (int k = 0; k < SUMMARY_LINES - 1; k++)
        message_info("%s", line[k]);
    if (s->lumen.measured.components > 1)
        (s->lumen.measured.beside_part > 1e-4 ? message_warn : message_info)(
            "the lumen is in %d pieces, the smaller ones %.2g %% of it; only those an opening cuts will carry flow",
            s->lumen.measured.components, 100 * s->lumen.measured.beside_part);
    if (s->lumen.measured.cavities > 0)
        tell_cavities(s);
    if (s->c.segment.method == METHOD_LABELS && s->lumen.measured.components != s->labels.pieces)
        message_warn("the mask is in %d pieces, the smooth lumen in %d: places of one voxel were lost or joined",
                     s->labels.pieces, s->lumen.measured.components);
    if (s->c.segment.method == METHOD_SURFACE && s->surface.filled > 0)
        (s->surface.filled > s->c.n_opening && s->c.n_opening > 0 ? message_warn : message_info)(
            "%d open end%s of the surface %s closed, the case has %d openings%s", s->surface.filled,
            s->surface.filled == 1 ? "" : "s", s->surface.filled == 1 ? "was" : "were", s->c.n_opening,
            s->surface.filled > s->c.n_opening && s->c.n_opening > 0 ? ": is the file whole?" : "");
    if (s->c.segment.method == METHOD_LEVEL_SET)
        warn_of_leak_signs(s);
    unreached_points_warn(s);
    tell_sides(s);
    warn_loose(s);
    warn_noise(s);
    warn_thin(s);
}
