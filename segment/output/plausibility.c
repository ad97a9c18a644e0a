/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/output/plausibility.h"
#include "common/base/message.h"
#include "common/base/vec.h"
#include "common/case/case.h"
#include "common/dicom/body_part.h"
#include "segment/output/output_constants.h"
#include <math.h>
#include <stdio.h>
#include <strings.h>

/* Widths of a usual vessel, in mm. An aorta or vena cava has a diameter of 20 to 40 mm, an aneurysm up to 60 mm. MRI
 * resolves arteries down to about 1 mm (Ku 1997). */
static const double usual_width_mm[2] = {1, 60};

/* Names that openings often have, with their body region. */
static const struct {
    const char *opening;
    enum body_region region;
    const char *word;
} vessel[] = {{"SMV", BODY_ABDOMEN, "abdomen"}, {"SV", BODY_ABDOMEN, "abdomen"},  {"PV", BODY_ABDOMEN, "abdomen"},
              {"RPV", BODY_ABDOMEN, "abdomen"}, {"LPV", BODY_ABDOMEN, "abdomen"}, {"CCA", BODY_HEAD_NECK, "neck"},
              {"ICA", BODY_HEAD_NECK, "neck"},  {"ECA", BODY_HEAD_NECK, "neck"}};

static double farthest_point(const surface *s, const double from[3], int64_t *at) {
    double most = -1;
    for (int64_t i = 0; i < s->n_point; i++) {
        const double d = vec_distance(from, s->point_mm + 3 * i);
        if (d > most) {
            most = d;
            *at = i;
        }
    }
    return most;
}

/* Length from end to end: point A is farthest from an arbitrary point, point B is farthest from A; the length is the
 * distance from A to B. */
static double length_mm(const surface *s) {
    int64_t one = 0, other = 0;
    if (s->n_point == 0)
        return NAN;
    farthest_point(s, s->point_mm, &one);
    return farthest_point(s, s->point_mm + 3 * one, &other);
}

/* Warn of openings named after vessels of another body region than the image's. A chest image is not checked, since it
 * also shows vessels of the neck and the abdomen. */
static void warn_region(const segmentation *s) {
    const enum body_region region = body_part_region(s->given.body_part);
    for (int k = 0; k < s->c.n_opening; k++)
        for (size_t i = 0; i < sizeof vessel / sizeof *vessel; i++)
            if (region != BODY_UNKNOWN && region != BODY_CHEST && region != vessel[i].region &&
                strcasecmp(s->c.opening[k].name, vessel[i].opening) == 0)
                message_warn_serious("opening '%s' has the name of a vessel of the %s, but the image header says %s: "
                                     "check that this is the right image",
                                     s->c.opening[k].name, vessel[i].word, s->given.body_part);
}

static bool is_at_end_without_opening(const segmentation *s, const double point_mm[3]) {
    for (int k = 0; k < s->found.n_end; k++)
        if (vec_distance(s->found.end[k].point_mm, point_mm) < SAME_END * s->found.end[k].radius_mm)
            return true;
    return false;
}

/* Warns if the given coordinates seem to be in cm, m or inches: if every opening, converted from this unit to mm, would
 * lie at a different end of the vessel that has no opening. */
static void warn_unit(const segmentation *s) {
    static const struct {
        const char *unit;
        double mm;
    } other[] = {{"cm", 10}, {"m", 1000}, {"inches", 25.4}};
    for (size_t i = 0; i < sizeof other / sizeof *other && s->given.n_placed > 1 && s->c.space != SPACE_VOXEL; i++) {
        int at_end = 0;
        for (int k = 0; k < s->given.n_placed; k++) {
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = other[i].mm * s->given.opening_mm[k][a];
            at_end += is_at_end_without_opening(s, p);
        }
        if (at_end == s->given.n_placed)
            message_warn_serious("if their coordinates were multiplied by %g, all openings would lie at ends of the "
                                 "vessel, but as given they do not: are the coordinates in %s? Write them in mm",
                                 other[i].mm, other[i].unit);
    }
}

/* Warns of closed holes far narrower than the vessel and away from openings: triangles are probably missing in the
 * file. */
static void warn_holes(const segmentation *s) {
    const cap *widest = NULL;
    char where[CASE_WHERE];
    int n = 0;
    for (int k = 0; k < s->found.n_cap; k++) {
        const double radius_mm = sqrt(s->found.cap[k].area_mm2 / M_PI);
        bool end = s->found.cap[k].kind != CAP_HOLE || radius_mm > HOLE_RADIUS * s->lumen.measured.radius_mm[1];
        for (int m = 0; m < s->given.n_placed; m++)
            end = end || vec_distance(s->found.cap[k].centre_mm, s->given.opening_mm[m]) < 5 * radius_mm;
        if (end)
            continue;
        widest = widest && widest->area_mm2 > s->found.cap[k].area_mm2 ? widest : &s->found.cap[k];
        n++;
    }
    if (n > 0)
        message_warn("%d hole%s in the wall, far narrower than the vessel and not at an opening, %s closed; the "
                     "largest has %.2g mm2 and is near %s: check that the file is complete",
                     n, n == 1 ? "" : "s", n == 1 ? "was" : "were", widest->area_mm2,
                     case_write_point(&s->c, widest->centre_mm, where));
}

/* Warn of a mask or surface that may be of another patient or in another frame than the image. */
static void warn_image(const segmentation *s) {
    if (s->given.image.value == NULL || s->c.segment.method == METHOD_LEVEL_SET)
        return;
    const double part = 1 - given_surface_part_inside(&s->lumen.wall, &s->given.whole);
    if (part > MAX_OUTSIDE)
        message_warn_serious("%.0f %% of the vessel's wall lies outside the image: are the image and the %s of the "
                             "same patient, and in the same frame (LPS, RAS)?",
                             100 * part, s->c.segment.method == METHOD_LABELS ? "labels" : "surface");
}

void plausibility_warn(const segmentation *s) {
    double low[3], high[3];
    char part[64] = "";
    const double narrow = 2 * s->lumen.measured.radius_mm[0], wide = 2 * s->lumen.measured.radius_mm[2];
    surface_bounds(&s->lumen.wall, low, high);
    if (s->given.body_part)
        snprintf(part, sizeof part, "; the image header says %s", s->given.body_part);
    message_info("the lumen is %.3g to %.3g mm wide and %.3g mm from end to end, in a box of %.3g x %.3g x %.3g mm%s",
                 narrow, wide, length_mm(&s->lumen.wall), high[0] - low[0], high[1] - low[1], high[2] - low[2], part);
    const bool is_vessel = !s->c.solve.heat.on; /* a heated chamber may have any size */
    if (is_vessel && (wide > usual_width_mm[1] || 2 * s->lumen.measured.radius_mm[1] < usual_width_mm[0]))
        message_warn_serious("the lumen is %.3g to %.3g mm wide, but vessels are %g to %g mm: check the unit of length "
                             "(surface: unit mm, cm or m; image: voxel size)",
                             narrow, wide, usual_width_mm[0], usual_width_mm[1]);
    warn_region(s);
    warn_image(s);
    warn_unit(s);
    warn_holes(s);
}
