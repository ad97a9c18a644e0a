/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/segment_messages.h"
#include "common/base/message.h"
#include "common/base/vec.h"
#include "common/case/case.h"
#include "common/record/unfed_branches.h"
#include "common/surface_vtk/surface_hollow.h"
#include "segment/checks/checks_constants.h"
#include "segment/output/output_constants.h"
#include "segment/output/plausibility.h"
#include "segment/output/unreached_points.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this radius, as a fraction of the vessel's, the lumen is called interrupted */
static const double INTERRUPTED = 0.05;

/* Warns of a mask whose slices are thicker than the radius of the vessel: only one to three slices then show a
 * cross-section. */
static void warn_slices(const segmentation *s, double voxel, double slice) {
    if (s->c.segment.method == METHOD_LABELS && slice > 2 * voxel && s->lumen.measured.radius_mm[1] < slice)
        message_warn_serious("the mask's slices are %.3g mm apart, and the vessel is only %.3g mm wide: cross-sections "
                             "may be a quarter too large or too small, and pressure drops change with the square of "
                             "the cross-section; use a mask with thinner slices, or segment the image itself",
                             slice, 2 * s->lumen.measured.radius_mm[1]);
}

static void warn_volume(const segmentation *s) {
    const double part = s->lumen.measured.volume_ml / s->labels.mask_ml - 1;
    if (s->c.segment.method == METHOD_LABELS && fabs(part) > MAX_VOLUME_DIFFERENCE)
        message_warn_serious("the smooth lumen holds %.3g mL, the mask %.3g mL: parts of one voxel were lost, or the "
                             "vessel is too narrow for its voxels; draw the mask on smaller voxels",
                             s->lumen.measured.volume_ml, s->labels.mask_ml);
}

static void warn_small_radius(const segmentation *s) {
    const volume *v = segmentation_reference(s);
    if (v == NULL)
        return;
    const double voxel = volume_thinnest_mm(v);
    if (s->lumen.measured.radius_mm[0] < 1.5 * voxel)
        message_warn(
            "the narrowest sections of the vessel are only %.1f voxels wide (radius %.2f mm), so their size is "
            "uncertain; use a finer image",
            2 * s->lumen.measured.radius_mm[0] / voxel, s->lumen.measured.radius_mm[0]);
    warn_slices(s, voxel, volume_thickest_mm(v));
    warn_volume(s);
}

/* Warn if noise makes the position of the wall uncertain, although the wall was found. */
static void warn_noise(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    if (s->c.segment.method != METHOD_LEVEL_SET || r->contrast_to_noise >= MIN_CONTRAST_TO_NOISE)
        return;
    message_warn_serious("noise hides parts of the wall: the contrast of vessel (%.4g) to next tissue (%.4g) is only "
                         "%.2g times the noise at the wall (noise of a voxel: %.3g); the wall may be wrong by %.2g mm "
                         "where the smallest radius is %.2g mm; average or denoise the image",
                         r->seeds.inside, r->next_tissue, r->contrast_to_noise, r->seeds.noise,
                         s->found.wall.uncertainty_mm, s->lumen.measured.radius_mm[0]);
}

static void print_intensities(const segmentation *s) {
    const level_set_report *r = &s->level_set;
    if (s->c.segment.method != METHOD_LEVEL_SET)
        return;
    message_info("intensities: vessel %.4g, next tissue %.4g, noise %.3g, threshold %.4g%s", r->seeds.inside,
                 r->next_tissue, r->seeds.noise, r->seeds.bright ? r->used.threshold_low : r->used.threshold_high,
                 r->bounded ? " (median of the thresholds along the vessel)" : "");
    message_info(r->bounded ? (s->c.n_opening > 0 ? "the lumen is limited to the vessel between seeds and openings"
                                                  : "the lumen is limited to the vessel along the seeds")
                            : "the lumen is not limited by openings: everything connected with the seeds is included");
}

/* The face at the border of the image that cuts the vessel at this end; NULL: none. */
static const cap *border_at(const segmentation *s, const centerline_end *end) {
    for (int k = 0; k < s->found.n_cap; k++) {
        const cap *c = &s->found.cap[k];
        if (c->kind == CAP_BORDER &&
            vec_distance(end->point_mm, c->centre_mm) < end->radius_mm + sqrt(c->area_mm2 / M_PI))
            return c;
    }
    return NULL;
}

/* Warns of an end at the border of the image; mesh does not repeat it. */
static void warn_border(const segmentation *s, const cap *c) {
    char where[CASE_WHERE];
    message_warn_about("open_end",
                       "the vessel leaves the image near %s (%.3g mm2), where no opening is: a flat wall "
                       "closes it, which changes flows and pressures; place an opening there if blood "
                       "flows through",
                       case_write_point(&s->c, c->centre_mm, where), c->area_mm2);
}

/* True if a treatment closes a branch: its far part then ends without an opening, on purpose. */
static bool closes_branch(const case_file *c) {
    for (int k = 0; k < c->n_treat; k++)
        if (c->treat[k].kind == TREAT_CLOSE)
            return true;
    return false;
}

/* Warns of ends without an opening. The warning of a wide end is serious, since its branch would carry blood. Of a
 * surface, pipeline check warns before the run. */
static void warn_ends_without_opening(const segmentation *s) {
    for (int k = 0; k < s->found.n_end; k++) {
        const double radius = s->found.end[k].radius_mm;
        const cap *border = border_at(s, &s->found.end[k]);
        double at[3];
        segmentation_to_case_space(s, s->found.end[k].point_mm, at);
        if (s->found.closed_by[k] >= 0)
            message_info("the vessel ends near [%.1f, %.1f, %.1f] (%s), radius %.2g mm, without an opening: the "
                         "treatment closes the branch '%s', so no blood flows there",
                         at[0], at[1], at[2], segmentation_space_name(s), radius,
                         s->c.treat[s->found.closed_by[k]].from.branch);
        else if (border)
            warn_border(s, border);
        else if (s->c.segment.method != METHOD_SURFACE && radius >= WIDE_END * s->lumen.measured.radius_mm[1])
            message_warn_about(
                "unfed_branch",
                "a branch %.2g mm wide ends near [%.1f, %.1f, %.1f] (%s) without an opening, so no blood "
                "flows through it: add an opening at its end, or remove it",
                2 * radius, at[0], at[1], at[2], segmentation_space_name(s));
        else
            message_warn("the vessel ends near [%.1f, %.1f, %.1f] (%s), radius %.2g mm, without an opening, so no "
                         "blood flows there; if blood should flow, add an opening",
                         at[0], at[1], at[2], segmentation_space_name(s), radius);
    }
}

/* True if the surface has an outer and an inner closed shell. */
static bool has_two_shells(const segmentation *s) {
    return s->c.segment.method == METHOD_SURFACE && s->lumen.measured.cavities > 0 && surface_is_hollow(&s->lumen.wall);
}

/* Warns of a hollow wall. This is no error, because the flow between two walls may be wanted. */
static void warn_hollow_wall(const segmentation *s) {
    static const char remedy[] = "this surface is a hollow wall, and its material would be the lumen; give the inner "
                                 "wall alone, closed or open";
    if (s->found.rings > 0)
        message_warn_serious("%d end%s of the surface %s between an outer and an inner wall: %s", s->found.rings,
                             s->found.rings == 1 ? "" : "s", s->found.rings == 1 ? "is a ring" : "are rings", remedy);
    else if (has_two_shells(s))
        message_warn_serious("the surface has a closed shell inside its outer wall, as long as the vessel: if both are "
                             "the walls of the vessel, %s; if the inner shell is something solid, such as a thrombus, "
                             "blood flows round it, and nothing is wrong",
                             remedy);
}

/* Prints the side branches. A cut branch is no warning, because the case requests it; an included one that joins
 * through a narrow lumen is. */
static void print_side_branches(const segmentation *s) {
    const side_list *sides = &s->level_set.sides;
    for (int k = 0; k < sides->n; k++) {
        const side_branch *b = &sides->branch[k];
        double at[3];
        segmentation_to_case_space(s, b->point_mm, at);
        void (*say)(const char *, ...) = b->taken && b->touches ? message_warn : message_info;
        say("side branch, radius %.2g mm, near [%.1f, %.1f, %.1f] (%s), %s", b->radius_mm, at[0], at[1], at[2],
            segmentation_space_name(s),
            b->taken && b->touches ? "included, but it " UNFED_NARROW ": check qc.png"
            : b->taken ? "included (but a separate vessel that only touches the wall would look the same: check qc.png)"
            : b->touches ? "cut away: it " UNFED_NARROW
                         : "cut away; for flow through it, include it and add an opening at its end");
        if (!b->taken)
            message_info("to include this side branch, write segment: {side_branches: %d}", b->order);
    }
}

/* Report closed holes inside the lumen, as a warning only if they are large enough to be resolved. */
static void warn_cavities(const segmentation *s) {
    const double tiny_ml = 1e-4 * s->lumen.measured.volume_ml;
    void (*say)(const char *, ...) = s->lumen.measured.cavity_ml > tiny_ml ? message_warn : message_info;
    const bool one = s->lumen.measured.cavities == 1;
    char where[CASE_WHERE];
    say("the lumen has %d closed %s inside (%.3g mL, the largest near %s): blood flows round %s; fill %s in unless "
        "something solid is there",
        s->lumen.measured.cavities, one ? "hole" : "holes", s->lumen.measured.cavity_ml,
        case_write_point(&s->c, s->lumen.measured.cavity_mm, where), one ? "it" : "them", one ? "it" : "them");
}

static void print_filled_holes(const segmentation *s) {
    const region_holes *f = &s->found.filled;
    char where[CASE_WHERE];
    if (f->n > 0)
        message_info("%d hole%s inside the lumen, below one voxel of the image, filled in (the largest %.2g mm3, near "
                     "%s)",
                     f->n, f->n == 1 ? "" : "s", f->largest_mm3, case_write_point(&s->c, f->place_mm, where));
}

static void warn_neck(const segmentation *s) {
    double at[3];
    segmentation_to_case_space(s, s->found.leak.neck.place_mm, at);
    message_warn_serious(
        "%.0f %% of the lumen has no seed and is reached only through a neck of radius %.2g mm near [%.1f, %.1f, %.1f] "
        "(%s): a vessel that touches this one, or the vessel beyond a stenosis; check qc.png",
        100 * s->found.leak.neck.part, s->found.leak.neck.radius_mm, at[0], at[1], at[2], segmentation_space_name(s));
}

static void warn_parallel_vessel(const segmentation *s) {
    double at[3];
    segmentation_to_case_space(s, s->found.leak.along.place_mm, at);
    message_warn_serious("near [%.1f, %.1f, %.1f] (%s) the lumen includes a second vessel of the same brightness, or a "
                         "branch, that runs along the seeded vessel without a visible wall; check qc.png, and give the "
                         "ends of the vessel as openings to exclude it",
                         at[0], at[1], at[2], segmentation_space_name(s));
}

static void warn_roughness(const segmentation *s) {
    double at[3];
    segmentation_to_case_space(s, s->found.leak.rough.place_mm, at);
    message_warn_serious("%.0f %% of the lumen, near [%.1f, %.1f, %.1f] (%s), is three times as uneven as at the "
                         "seeds; it may contain bone as bright as the vessel, or noise: check qc.png, then put the "
                         "seeds into the middle of the vessel, set segment.threshold, or crop the image",
                         100 * s->found.leak.rough.part, at[0], at[1], at[2], segmentation_space_name(s));
}

static void warn_motion_blur(const segmentation *s) {
    message_warn_serious(
        "the vessel's edge is %.2g voxels wide in one direction and %.2g in another: the image is "
        "blurred or doubled by motion, or has a coarser resolution in one direction; the position of "
        "the wall may be wrong by half of the edge's width, and pressures by far more; use another series, "
        "or a reconstruction with thinner slices",
        s->found.motion.widest, s->found.motion.narrowest);
}

void segment_messages_gap(const case_file *c, const gap_bridge *g, size_t size, char *text) {
    char where[CASE_WHERE], radius[2][20];
    for (int k = 0; k < 2; k++)
        snprintf(radius[k], sizeof radius[k], "%.2g",
                 k == 0 ? fmin(g->radius_mm[0], g->radius_mm[1]) : fmax(g->radius_mm[0], g->radius_mm[1]));
    const bool even = strcmp(radius[0], radius[1]) == 0;
    snprintf(text, size,
             "near %s the lumen is bridged over a length of %.2g mm: not seen in the image. Blood is assumed to flow "
             "there (segment.bridge_signal_loss) through a tube with a radius of %s%s%s mm +- %.2g mm (95 %% interval, "
             "without a stenosis in the gap). If the vessel is closed or narrowed there, pressures and flows are "
             "wrong: confirm the flow by another examination",
             case_write_point(c, g->point_mm, where), g->length_mm, radius[0], even ? "" : " to ",
             even ? "" : radius[1], g->radius_95_mm);
}

void segment_messages_signal_loss(const case_file *c, const signal_loss *f, size_t size, char *text) {
    char from[CASE_WHERE + 100], at[CASE_WHERE + 200], length[60] = "", where[CASE_WHERE];
    const bool interrupted = f->radius_mm < INTERRUPTED * f->vessel_mm;
    if (f->opening >= 0)
        snprintf(from, sizeof from, "opening '%s'", c->opening[f->opening].name);
    else
        snprintf(from, sizeof from, "the end of the vessel at %s", case_write_point(c, f->end_mm, where));
    snprintf(at, sizeof at, "near %s, %.3g mm along the vessel from %s,", case_write_point(c, f->point_mm, where),
             f->along_mm, from);
    if (f->length_mm > 0)
        snprintf(length, sizeof length, " over a length of %.2g mm", f->length_mm);
    if (c->segment.bridge_signal_loss && interrupted)
        snprintf(text, size,
                 "%s the image loses signal and interrupted the lumen; segment.bridge_signal_loss closed the gap by a "
                 "tube interpolated from the radius before and behind, %.2g mm: check the tube in qc.png",
                 at, f->vessel_mm);
    else if (c->segment.bridge_signal_loss)
        snprintf(text, size,
                 "%s the image loses signal and narrowed the lumen to a radius of %.2g mm; segment.bridge_signal_loss "
                 "replaced the narrow lumen by a tube interpolated from the radius before and behind, %.2g mm: check "
                 "the tube in qc.png",
                 at, f->radius_mm, f->vessel_mm);
    else if (interrupted)
        snprintf(
            text, size,
            "%s the lumen is interrupted%s; before and behind this place its radius is %.2g mm. The image has "
            "%.0f %% of the vessel's contrast there, but the bright region is as wide as the vessel, so the gap may "
            "be a loss of signal. If blood flows there, write segment: {bridge_signal_loss: true}; if the vessel "
            "is closed there, remove the openings behind the gap",
            at, length, f->vessel_mm, 100 * f->signal);
    else
        snprintf(text, size,
                 "%s the lumen narrows to a radius of %.2g mm%s; before and behind this place its radius is %.2g mm. "
                 "The image has %.0f %% of the vessel's contrast %s, "
                 "so the narrowing may be a loss of signal. If it is no stenosis, write segment: {bridge_signal_loss: "
                 "true}",
                 at, f->radius_mm, length, f->vessel_mm, 100 * f->signal,
                 f->one_side ? "at one side of the lumen, where the vessel would be"
                             : "there, but the bright region is as wide as the vessel");
}

/* Warns of narrow places where the image loses signal. The warning is serious unless they are bridged, because the flow
 * would meet a stenosis that may not exist. */
static void warn_signal_losses(const segmentation *s) {
    const signal_losses *l = &s->found.losses;
    char text[1000];
    for (int k = 0; k < l->n; k++) {
        segment_messages_signal_loss(&s->c, &l->found[k], sizeof text, text);
        if (s->c.segment.bridge_signal_loss)
            message_warn("%s", text);
        else
            message_warn_serious("%s", text);
    }
    if (l->unlisted > 0)
        message_warn_serious(
            "%d more places where the image may lose signal are not listed here (%d are); check qc.png", l->unlisted,
            l->n);
}

/* Warns of bridged gaps. The warning is serious, because the vessel may be closed there. */
static void warn_gaps(const segmentation *s) {
    char text[SEGMENT_MESSAGES_TEXT];
    for (int k = 0; k < s->found.gaps.n; k++) {
        segment_messages_gap(&s->c, &s->found.gaps.found[k], sizeof text, text);
        message_warn_serious("%s", text);
    }
}

/* Warn of signs of a leak that do not refuse the lumen. */
static void warn_leak_signs(const segmentation *s) {
    if (s->found.leak.edge_support < DOUBTFUL_SUPPORT)
        message_warn_serious("along %.0f %% of the wall there is hardly any edge in the image (magenta in qc.png): "
                             "check that it is the vessel's wall",
                             100 * (1 - s->found.leak.edge_support));
    if (s->found.wall_in_fill > MAX_WALL_IN_FILL)
        message_warn_serious("%.0f %% of the wall lies where the image has the value %g, outside its mask or field of "
                             "view, so the wall is not measured there; give the image without the mask",
                             100 * s->found.wall_in_fill, s->given.fill.value);
    if (s->found.motion.seen)
        warn_motion_blur(s);
    if (s->found.leak.neck.part > MAX_BEHIND_NECK)
        warn_neck(s);
    else if (s->found.leak.along.part > 0)
        warn_parallel_vessel(s);
    if (s->found.leak.rough.part > MAX_ROUGH)
        warn_roughness(s);
}

void segment_messages_print(const segmentation *s) {
    char line[SUMMARY_LINES][SUMMARY_LINE];
    plausibility_warn(s);
    print_intensities(s);
    segmentation_summary(s, line);
    for (int k = 0; k < SUMMARY_LINES - 1; k++)
        message_info("%s", line[k]);
    if (s->lumen.measured.components > 1 && closes_branch(&s->c))
        message_info("the lumen consists of %d separate pieces: a treatment closes a branch, and blood flows only in "
                     "pieces with an opening",
                     s->lumen.measured.components);
    else if (s->lumen.measured.components > 1)
        (s->lumen.measured.smaller_pieces_part > 1e-4 ? message_warn : message_info)(
            "the lumen consists of %d separate pieces, and %.2g %% of it is outside the largest piece; blood flows "
            "only in "
            "pieces with an opening: look at the lumen, and correct the segmentation if a vessel is interrupted",
            s->lumen.measured.components, 100 * s->lumen.measured.smaller_pieces_part);
    print_filled_holes(s);
    if (s->lumen.measured.cavities > 0 && !has_two_shells(s))
        warn_cavities(s);
    if (s->c.segment.method == METHOD_LABELS && s->lumen.measured.components != s->labels.pieces)
        message_warn(
            "the mask has %d separate pieces, but the smoothed lumen has %d: smoothing removes vessels about one "
            "voxel wide and closes gaps about one voxel wide; compare both, and correct the mask there",
            s->labels.pieces, s->lumen.measured.components);
    if (s->c.segment.method == METHOD_SURFACE && s->surface.filled > 0)
        (s->surface.filled > s->c.n_opening && s->c.n_opening > 0 ? message_warn : message_info)(
            "%d open end%s of the surface %s closed; the case has %d openings%s", s->surface.filled,
            s->surface.filled == 1 ? "" : "s", s->surface.filled == 1 ? "was" : "were", s->c.n_opening,
            s->surface.filled > s->c.n_opening && s->c.n_opening > 0 ? ": check that the file is complete" : "");
    if (s->c.segment.method == METHOD_LEVEL_SET)
        warn_leak_signs(s);
    warn_gaps(s);
    warn_signal_losses(s);
    unreached_points_warn(s);
    print_side_branches(s);
    warn_ends_without_opening(s);
    warn_hollow_wall(s);
    warn_noise(s);
    warn_small_radius(s);
}
