/* See unreached_points.h. */
#include "segment/output/unreached_points.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/disconnection.h"
#include "segment/output/output_files.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHER_SPACE "the openings lie outside the lumen as %s and all of them in it as %s: is 'space: %s' meant?"
enum { NAME = 120 };

/* Openings, then seeds (of method level-set, moved to the middle of their vessel). */
static int points_of(const segmentation *j) {
    return j->n_placed + (j->seed_mm != NULL ? j->c.segment.n_seed : 0);
}

static const double *point_of(const segmentation *j, int k) {
    if (k < j->n_placed)
        return j->opening_mm[k];
    for (int m = 0; m < j->level_set.n_moved; m++)
        if (j->level_set.moved[m].seed == k - j->n_placed)
            return j->level_set.moved[m].to_mm;
    return j->seed_mm[k - j->n_placed];
}

static const char *name_of(const segmentation *j, int k, char name[NAME]) {
    if (k < j->n_placed)
        snprintf(name, NAME, "opening '%.*s'", NAME - 20, j->c.opening[k].name);
    else
        snprintf(name, NAME, "seed %d", k - j->n_placed + 1);
    return name;
}

/* How far a place lies outside the lumen, mm; 0 inside, and nearer than half a radius of the vessel, where a plane
 * still cuts it. nearest: of the wall. */
static double outside_mm(const segmentation *j, const double at[3], double nearest[3]) {
    const double near_mm = 0.5 * j->measured.radius_mm[1];
    double least = INFINITY;
    if (volume_contains(&j->phi, at) && volume_sample(&j->phi, at) < near_mm)
        return 0;
    for (int64_t i = 0; i < j->wall.n_point; i++) {
        const double d = vec_distance(at, j->wall.point_mm + 3 * i);
        if (d < least)
            memcpy(nearest, j->wall.point_mm + 3 * i, 3 * sizeof *nearest);
        least = fmin(least, d);
    }
    return least > near_mm ? least : 0;
}

/* Do openings lie outside, and all of them in the lumen when RAS and LPS are exchanged? */
static bool in_the_other_space(const segmentation *j) {
    int outside = 0;
    double near[3];
    if (j->c.space == SPACE_VOXEL || j->n_placed < 2)
        return false;
    for (int k = 0; k < j->n_placed; k++) {
        const double *at = j->opening_mm[k], turned[3] = {-at[0], -at[1], at[2]};
        if (outside_mm(j, turned, near) > 0)
            return false;
        outside += outside_mm(j, at, near) > 0;
    }
    return outside > 0;
}

/* The picture with the place and these words. */
static int draw(segmentation *j, const double place[3], const char *picture) {
    memcpy(j->leak.place_mm, place, sizeof j->leak.place_mm);
    return output_files_picture(j, picture);
}

static int refuse_outside(segmentation *j, const char *picture) {
    const level_set_report *r = &j->level_set;
    char name[NAME];
    int rc = OK;
    for (int k = 0; k < points_of(j); k++) {
        const double *p = point_of(j, k);
        double near[3] = {NAN, NAN, NAN}, at[3], end[3];
        const double far = outside_mm(j, p, near);
        if (far <= 0)
            continue;
        segmentation_place(j, p, at);
        segmentation_place(j, near, end);
        snprintf(j->why, sizeof j->why, "the lumen does not reach %s", name_of(j, k, name));
        TRY(draw(j, p, picture));
        return fail(
            ERR_NUMERIC,
            "%s at [%.1f, %.1f, %.1f] (%s) lies %.3g mm outside the lumen that was found, the nearest of it at "
            "[%.1f, %.1f, %.1f]; the image is %.4g there (vessel %.4g, next tissue %.4g, noise %.3g): move it into the "
            "vessel, put a seed into its branch, set threshold:, or leave it out where the branch is closed (see "
            "'%s')",
            name_of(j, k, name), at[0], at[1], at[2], segmentation_space(j), far, end[0], end[1], end[2],
            volume_sample(&j->image, p), r->seeds.inside, r->next_tissue, r->seeds.noise, picture);
    }
cleanup:
    return rc;
}

/* The first two of openings and seeds that are not connected; none: a->opening[0] < 0. */
static int find_cut(const segmentation *j, disconnection *a) {
    const int n = points_of(j);
    double(*point)[3] = malloc((size_t)(n + 1) * sizeof *point);
    *a = (disconnection){.opening = {-1, -1}};
    if (point == NULL)
        return fail_memory("openings and seeds", n * (double)sizeof *point);
    for (int k = 0; k < n; k++)
        memcpy(point[k], point_of(j, k), sizeof *point);
    const int rc = disconnection_find(&j->phi, n, (const double(*)[3])point, j->measured.radius_mm[2], a);
    free(point);
    return rc;
}

static int refuse_cut(segmentation *j, const char *picture) {
    const level_set_report *r = &j->level_set;
    char one[NAME], other[NAME];
    disconnection a;
    double at[3];
    int rc = OK;
    TRY(find_cut(j, &a));
    if (a.opening[0] < 0)
        return OK;
    segmentation_place(j, a.place_mm, at);
    snprintf(j->why, sizeof j->why, "the lumen is cut between %s and %s", name_of(j, a.opening[0], one),
             name_of(j, a.opening[1], other));
    TRY(draw(j, a.place_mm, picture));
    rc =
        fail(ERR_NUMERIC,
             "the lumen is cut between %s and %s for %.2g mm near [%.1f, %.1f, %.1f] (%s), where the image "
             "is %.4g (vessel %.4g, next tissue %.4g, noise %.3g): closed, filled by plaque or bone, or too narrow for "
             "the image; put seeds before and behind it, set threshold:, or correct a mask by hand (method: labels; "
             "see '%s')",
             one, other, a.gap_mm, at[0], at[1], at[2], segmentation_space(j), volume_sample(&j->image, a.place_mm),
             r->seeds.inside, r->next_tissue, r->seeds.noise, picture);
cleanup:
    return rc;
}

int unreached_points_refuse(segmentation *j, const char *picture) {
    int rc = OK;
    if (j->c.segment.method != METHOD_LEVEL_SET || j->n_placed == 0)
        return OK;
    if (in_the_other_space(j)) { /* the frame is wrong, not a place */
        const bool ras = j->c.space == SPACE_RAS;
        return fail(ERR_NUMERIC, OTHER_SPACE, ras ? "RAS" : "LPS", ras ? "LPS" : "RAS", ras ? "LPS" : "RAS");
    }
    TRY(refuse_outside(j, picture));
    if (j->measured.components > 1)
        TRY(refuse_cut(j, picture));
cleanup:
    return rc;
}

static void tell_pieces(const segmentation *j) {
    char one[NAME], other[NAME];
    disconnection a;
    double at[3];
    if (find_cut(j, &a) != OK || a.opening[0] < 0) {
        status_clear();
        return;
    }
    segmentation_place(j, a.place_mm, at);
    message_warn_serious("%s and %s are in pieces of the lumen that are not connected: %.2g mm apart near "
                         "[%.1f, %.1f, %.1f] (%s)",
                         name_of(j, a.opening[0], one), name_of(j, a.opening[1], other), a.gap_mm, at[0], at[1], at[2],
                         segmentation_space(j));
}

void unreached_points_warn(const segmentation *j) {
    const bool ras = j->c.space == SPACE_RAS;
    double near[3];
    if (j->n_placed == 0 && j->measured.components > 1 && points_of(j) > 1)
        tell_pieces(j);
    if (in_the_other_space(j)) {
        message_warn_serious(OTHER_SPACE, ras ? "RAS" : "LPS", ras ? "LPS" : "RAS", ras ? "LPS" : "RAS");
        return;
    }
    for (int k = 0; k < j->n_placed; k++) {
        const double least = outside_mm(j, j->opening_mm[k], near);
        if (least > 0)
            message_warn_serious(
                "opening '%s' lies %.3g mm outside the lumen that was found: check its point, and 'space' of the case",
                j->c.opening[k].name, least);
    }
}
