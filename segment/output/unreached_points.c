/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/unreached_points.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/disconnection.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHER_SPACE                                                                                                    \
    "as %s coordinates, openings lie outside the lumen; as %s coordinates, all of them lie inside it: is 'space: %s' " \
    "meant?"
enum { NAME = 120 };

/* Number of openings and seeds. Points are numbered: openings first, then seeds (after their move to the middle of the
 * vessel). */
static int point_count(const segmentation *s) {
    return s->given.n_placed + (s->given.seed_mm != NULL ? s->c.segment.n_seed : 0);
}

static const double *point_position(const segmentation *s, int k) {
    if (k < s->given.n_placed)
        return s->given.opening_mm[k];
    for (int m = 0; m < s->level_set.n_moved; m++)
        if (s->level_set.moved[m].seed == k - s->given.n_placed)
            return s->level_set.moved[m].to_mm;
    return s->given.seed_mm[k - s->given.n_placed];
}

static const char *point_name(const segmentation *s, int k, char name[NAME]) {
    if (k < s->given.n_placed)
        snprintf(name, NAME, "opening '%.*s'", NAME - 20, s->c.opening[k].name);
    else
        snprintf(name, NAME, "seed %d", k - s->given.n_placed + 1);
    return name;
}

/* Distance of a place outside the lumen, mm. 0 inside, and within half a radius of the wall, where an opening's plane
 * still cuts the vessel. nearest: nearest point of the wall. */
static double outside_mm(const segmentation *s, const double at[3], double nearest[3]) {
    const double near_mm = 0.5 * s->lumen.measured.radius_mm[1];
    double least = INFINITY;
    if (volume_contains(&s->lumen.phi, at) && volume_sample(&s->lumen.phi, at) < near_mm)
        return 0;
    for (int64_t i = 0; i < s->lumen.wall.n_point; i++) {
        const double d = vec_distance(at, s->lumen.wall.point_mm + 3 * i);
        if (d < least)
            memcpy(nearest, s->lumen.wall.point_mm + 3 * i, 3 * sizeof *nearest);
        least = fmin(least, d);
    }
    return least > near_mm ? least : 0;
}

/* True if some openings lie outside the lumen, but all of them would lie inside it with RAS and LPS exchanged. */
static bool fits_other_space(const segmentation *s) {
    int outside = 0;
    double near[3];
    if (s->c.space == SPACE_VOXEL || s->given.n_placed < 2)
        return false;
    for (int k = 0; k < s->given.n_placed; k++) {
        const double *at = s->given.opening_mm[k], turned[3] = {-at[0], -at[1], at[2]};
        if (outside_mm(s, turned, near) > 0)
            return false;
        outside += outside_mm(s, at, near) > 0;
    }
    return outside > 0;
}

/* Refuse the lumen if an opening or a seed is outside it; the sentence names the first such point. */
static void refuse_outside_point(segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]) {
    const level_set_report *r = &s->level_set;
    char name[NAME];
    for (int k = 0; k < point_count(s); k++) {
        const double *p = point_position(s, k);
        double near[3] = {NAN, NAN, NAN}, at[3], end[3];
        const double far = outside_mm(s, p, near);
        if (far <= 0)
            continue;
        segmentation_to_case_space(s, p, at);
        segmentation_to_case_space(s, near, end);
        snprintf(s->found.refused, sizeof s->found.refused, "the lumen does not reach %s", point_name(s, k, name));
        memcpy(s->found.leak.place_mm, p, sizeof s->found.leak.place_mm);
        snprintf(
            sentence, UNREACHED_TEXT,
            "%s at [%.1f, %.1f, %.1f] (%s) lies %.3g mm outside the lumen, whose nearest point is [%.1f, %.1f, "
            "%.1f]; the image's intensity at this opening or seed is %.4g (vessel %.4g, next tissue %.4g, noise "
            "%.3g): move it into the vessel, put a seed into its branch, set segment.threshold, or remove it if the "
            "branch is closed (see '%s')",
            point_name(s, k, name), at[0], at[1], at[2], segmentation_space_name(s), far, end[0], end[1], end[2],
            volume_sample(&s->given.image, p), r->seeds.inside, r->next_tissue, r->seeds.noise, picture);
        return;
    }
}

/* Find the first unconnected pair of openings and seeds; a->opening[0] < 0: all are connected. */
static int find_disconnection(const segmentation *s, disconnection *a) {
    const int n = point_count(s);
    double(*point)[3] = malloc((size_t)(n + 1) * sizeof *point);
    *a = (disconnection){.opening = {-1, -1}};
    if (point == NULL)
        return fail_memory("openings and seeds", n * (double)sizeof *point);
    for (int k = 0; k < n; k++)
        memcpy(point[k], point_position(s, k), sizeof *point);
    const int rc = disconnection_find(&s->lumen.phi, n, (const double(*)[3])point, s->lumen.measured.radius_mm[2], a);
    free(point);
    return rc;
}

/* What the key bridge_signal_loss can do about a gap. */
static void write_gap_advice(const segmentation *s, char text[GAP_BRIDGE_TEXT + 100]) {
    if (s->found.gaps.refused[0])
        snprintf(text, GAP_BRIDGE_TEXT + 100, "segment.bridge_signal_loss does not bridge it, because %s",
                 s->found.gaps.refused);
    else
        snprintf(text, GAP_BRIDGE_TEXT + 100,
                 "if blood flows there without signal (MRI), write segment: {bridge_signal_loss: true}");
}

static int refuse_disconnection(segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]) {
    const level_set_report *r = &s->level_set;
    char one[NAME], other[NAME], advice[GAP_BRIDGE_TEXT + 100];
    disconnection a;
    double at[3];
    const int rc = find_disconnection(s, &a);
    if (rc != OK || a.opening[0] < 0)
        return rc;
    segmentation_to_case_space(s, a.place_mm, at);
    snprintf(s->found.refused, sizeof s->found.refused, "the lumen is interrupted between %s and %s",
             point_name(s, a.opening[0], one), point_name(s, a.opening[1], other));
    memcpy(s->found.leak.place_mm, a.place_mm, sizeof s->found.leak.place_mm);
    write_gap_advice(s, advice);
    const double here = volume_sample(&s->given.image, a.place_mm);
    snprintf(
        sentence, UNREACHED_TEXT,
        "the lumen is interrupted between %s and %s for %.2g mm near [%.1f, %.1f, %.1f] (%s), where the image is %.4g, "
        "%.0f %% of the vessel's contrast (vessel %.4g, next tissue %.4g, noise %.3g): closed, filled by plaque or "
        "bone, without the signal of blood (MRI), or too narrow for the image; %s; if the vessel is closed there, make "
        "each side a case of its own; else put seeds on both sides of the gap, set segment.threshold, or correct a "
        "mask by hand (segment.method: labels; see '%s')",
        one, other, a.gap_mm, at[0], at[1], at[2], segmentation_space_name(s), here,
        100 * (here - r->next_tissue) / (r->seeds.inside - r->next_tissue), r->seeds.inside, r->next_tissue,
        r->seeds.noise, advice, picture);
    return OK;
}

int unreached_points_find(segmentation *s, const char *picture, char sentence[UNREACHED_TEXT]) {
    sentence[0] = 0;
    if (s->c.segment.method != METHOD_LEVEL_SET || s->given.n_placed == 0)
        return OK;
    if (fits_other_space(s)) { /* if the frame of the case is wrong, the points of the openings give no place for the
                                * picture */
        const bool ras = s->c.space == SPACE_RAS;
        snprintf(sentence, UNREACHED_TEXT, OTHER_SPACE, ras ? "RAS" : "LPS", ras ? "LPS" : "RAS", ras ? "LPS" : "RAS");
        return OK;
    }
    refuse_outside_point(s, picture, sentence);
    return sentence[0] == 0 && s->lumen.measured.components > 1 ? refuse_disconnection(s, picture, sentence) : OK;
}

static void warn_disconnected_seeds(const segmentation *s) {
    char one[NAME], other[NAME];
    disconnection a;
    double at[3];
    if (find_disconnection(s, &a) != OK || a.opening[0] < 0) {
        status_clear();
        return;
    }
    segmentation_to_case_space(s, a.place_mm, at);
    message_warn_serious("%s and %s are in pieces of the lumen that are not connected: %.2g mm apart near "
                         "[%.1f, %.1f, %.1f] (%s); if both are in the same vessel, correct the segmentation there",
                         point_name(s, a.opening[0], one), point_name(s, a.opening[1], other), a.gap_mm, at[0], at[1],
                         at[2], segmentation_space_name(s));
}

void unreached_points_warn(const segmentation *s) {
    const bool ras = s->c.space == SPACE_RAS;
    double near[3];
    if (s->given.n_placed == 0 && s->lumen.measured.components > 1 && point_count(s) > 1)
        warn_disconnected_seeds(s);
    if (fits_other_space(s)) {
        message_warn_serious(OTHER_SPACE, ras ? "RAS" : "LPS", ras ? "LPS" : "RAS", ras ? "LPS" : "RAS");
        return;
    }
    for (int k = 0; k < s->given.n_placed; k++) {
        const double least = outside_mm(s, s->given.opening_mm[k], near);
        if (least > 0)
            message_warn_serious(
                "opening '%s' lies %.3g mm outside the lumen: check its point, and 'space' of the case",
                s->c.opening[k].name, least);
    }
}
